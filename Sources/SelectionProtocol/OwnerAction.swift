/// Names one period of ownership: from one acquisition to the next, with its own content.
public struct PeriodID: Hashable, Sendable, RawRepresentable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Names one request until it is answered.
public struct RequestID: Hashable, Sendable, RawRepresentable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Names the bytes made for one conversion, until they are released.
public struct ProductID: Hashable, Sendable, RawRepresentable {
  public var rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Where an INCR transfer takes place.
public struct TransferKey: Hashable, Sendable {
  public var window: Window
  public var property: Atom

  public init(window: Window, property: Atom) {
    self.window = window
    self.property = property
  }
}

/// One target that an owner advertises.
public struct AdvertisedTarget: Hashable, Sendable {
  public var target: Atom
  /// Type of the reply, unless the product names another one.
  public var type: Atom
  /// Bits an item.
  public var format: Int
  /// Whether the answer itself says that something was done, so that it waits for that: it is never announced as
  /// INCR, and has the hard deadline instead of the soft one.
  public var answersLate: Bool

  public init(target: Atom, type: Atom, format: Int = 8, answersLate: Bool = false) {
    self.target = target
    self.type = type
    self.format = format
    self.answersLate = answersLate
  }
}

/// A `SelectionRequest` as it came.
public struct SelectionRequest: Hashable, Sendable {
  public var owner: Window
  public var requestor: Window
  public var selection: Atom
  public var target: Atom
  public var property: Atom
  public var time: ServerTime

  public init(
    owner: Window, requestor: Window, selection: Atom, target: Atom, property: Atom,
    time: ServerTime
  ) {
    self.owner = owner
    self.requestor = requestor
    self.selection = selection
    self.target = target
    self.property = property
    self.time = time
  }
}

/// Who asks for the bytes of a target, and where its parameter is if it has one.
public struct Asker: Hashable, Sendable {
  public var requestor: Window
  /// The property that the request, or its entry in a MULTIPLE, names; None where it names none.
  public var property: Atom
  public var time: ServerTime

  public init(requestor: Window, property: Atom, time: ServerTime) {
    self.requestor = requestor
    self.property = property
    self.time = time
  }
}

/// What a property is to hold.
public enum PropertyContent: Hashable, Sendable {
  case atoms([Atom])
  case numbers([UInt32])
  case empty
  /// Bytes of a product.
  case product(ProductID, Range<Int>)
}

/// One property to store on a requestor's window.
public struct PropertyStore: Hashable, Sendable {
  public var property: Atom
  public var type: Atom
  public var format: Int
  public var content: PropertyContent

  public init(property: Atom, type: Atom, format: Int, content: PropertyContent) {
    self.property = property
    self.type = type
    self.format = format
    self.content = content
  }
}

/// How the stores of one request went.
public enum StoreOutcome: Hashable, Sendable {
  /// All are stored. `serials` are the request numbers of the stores, in order.
  case stored(serials: [UInt64])
  /// The server had no memory for one of them.
  case outOfMemory
  /// These, by their places in the list, cannot be stored: the server refused a value, or the bytes cannot be had.
  case rejected([Int])
  /// The requestor's window does not exist.
  case windowGone
}

/// What the holder of the connection has to do for an owner, in this order.
public enum OwnerAction: Hashable, Sendable {
  /// Select PropertyChange and StructureNotify on the window, once more than before.
  case watch(Window)
  /// One reason less to watch the window.
  case unwatch(Window)
  /// Store all, confirm it with the server, and report with `OwnerState.stored`.
  case store(RequestID, Window, [PropertyStore])
  /// Store a chunk of a running transfer, unconfirmed, and report with `OwnerState.chunkSent`; an error comes back
  /// with `OwnerState.chunkRefused` where the server lacked memory, else with `OwnerState.chunkFailed`.
  case storeChunk(TransferKey, PropertyStore)
  case deleteProperty(Window, Atom)
  /// Read a MULTIPLE list, and report with `OwnerState.pairsRead`.
  case readPairs(RequestID, Window, Atom)
  /// Make the bytes of a target, and report with `OwnerState.produced`.
  case produce(ProductID, PeriodID, targetIndex: Int, for: Asker)
  /// The bytes are not wanted any more.
  case release(ProductID)
  /// Send `SelectionNotify` with the request's own fields and this property.
  case notify(SelectionRequest, property: Atom)
  /// The content of this period is not needed any more.
  case releasePeriod(PeriodID)
  /// The whole value of a target reached a requestor.
  case delivered(PeriodID, targetIndex: Int, requestor: Window)
}
