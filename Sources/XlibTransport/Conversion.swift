public import SelectionProtocol

/// A conversion to ask of a selection's owner.
public struct Conversion {
  public var selection: Atom
  public var target: Atom
  /// What the target takes as parameter, stored as a list of atoms; `nil` for none.
  public var parameter: [Atom]?
  public var limits: TransferLimits
  /// The server's time of the paste that this is part of (ICCCM 2.4); `nil` for a time of its own.
  public var time: ServerTime?

  public init(
    selection: Atom, target: Atom, parameter: [Atom]? = nil,
    limits: TransferLimits = TransferLimits(), time: ServerTime? = nil
  ) {
    self.time = time
    self.selection = selection
    self.target = target
    self.parameter = parameter
    self.limits = limits
  }
}

/// What a conversion brought, its bytes aside.
public struct ConversionReply: Hashable, Sendable {
  public var type: Atom
  /// Bits an item; items are in host order, an item of format 32 as four bytes.
  public var format: Int
  public var byteCount: Int
  /// The window that owned the selection when it was asked.
  public var owner: Window
  /// The server's time with which it was asked.
  public var time: ServerTime
}

/// Why a conversion brought nothing.
public struct ConversionFailure: Error {
  public enum Code: Hashable, Sendable {
    case noOwner
    case transfer(TransferFailure)
    /// Who takes the bytes could not take them; see `underlying`.
    case receiver
    case connectionLost
  }

  public var code: Code
  /// The window that owned the selection when it was asked.
  public var owner: Window
  public var byteCount: Int
  public var underlying: (any Error)?

  public init(
    code: Code, owner: Window = .none, byteCount: Int = 0, underlying: (any Error)? = nil
  ) {
    self.code = code
    self.owner = owner
    self.byteCount = byteCount
    self.underlying = underlying
  }
}

/// How a conversion ended.
///
/// A type of its own, since `Result` is generic: each kind of it costs the runtime a search of every conformance of the
/// program, a tenth of a whole paste.
public enum ConversionOutcome {
  case success(ConversionReply)
  case failure(ConversionFailure)

  /// The reply.
  ///
  /// - Throws: Why there is none.
  public func get() throws(ConversionFailure) -> ConversionReply {
    switch self {
    case .success(let reply): return reply
    case .failure(let failure): throw failure
    }
  }
}

/// Names a running conversion.
public struct ConversionToken: Hashable, Sendable {
  let window: Window
  /// The server's window numbers come round again; this one does not.
  let number: Int
}

/// Takes the bytes of a conversion as they come, in order.
///
/// The type and format are those of the reply; the bytes are only lent.
public typealias ByteReceiver = (_ bytes: UnsafeRawBufferPointer, _ type: Atom, _ format: Int)
  throws -> Void

final class ActiveConversion {
  var state: IncomingTransfer
  let number: Int
  let selection: Atom
  let owner: Window
  /// Whether the request surely went to that owner.
  let isOwnerCertain: Bool
  let time: ServerTime
  /// Whether the owner's window is watched on this conversion's account.
  var isOwnerWatched: Bool
  /// While the receiver runs, a cancellation from within waits until it returns.
  var isReceiving = false
  var isCancelled = false
  let receive: ByteReceiver
  let completion: (ConversionOutcome) -> Void

  init(
    state: IncomingTransfer, number: Int, selection: Atom, owner: Window,
    isOwnerCertain: Bool, time: ServerTime, isOwnerWatched: Bool, receive: @escaping ByteReceiver,
    completion: @escaping (ConversionOutcome) -> Void
  ) {
    self.state = state
    self.number = number
    self.selection = selection
    self.owner = owner
    self.isOwnerCertain = isOwnerCertain
    self.time = time
    self.isOwnerWatched = isOwnerWatched
    self.receive = receive
    self.completion = completion
  }
}

/// A window whose transfer was given up, while its owner may still write to it.
struct RetiredWindow {
  let deadline: Instant
  var deletions = 0
}
