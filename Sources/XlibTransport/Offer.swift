public import SelectionProtocol

/// What an owner offers: targets in order, and how their bytes come about.
public struct Offer {
  /// What became of the wish for a target's bytes.
  public enum Production {
    /// They are there. `typeName` names the reply's type where it is not the target's own.
    case ready(any Payload, typeName: String? = nil)
    /// They will be reported to the ticket; `cancel` is called when nobody wants them any more.
    case pending(cancel: () -> Void)
    case failed
  }

  public struct Target {
    /// Name of the target atom.
    public var name: String
    /// Name of the reply's type.
    public var typeName: String
    /// Bits an item.
    public var format: Int
    /// Whether the answer itself says that something was done, and so waits for it: a side effect such as
    /// SAVE_TARGETS. Other targets whose bytes are late are announced as INCR.
    public var answersLate: Bool
    /// Makes the bytes; called on the connection's thread, once a request.
    public var produce: (ProductionTicket) -> Production

    public init(
      name: String, typeName: String? = nil, format: Int = 8, answersLate: Bool = false,
      produce: @escaping (ProductionTicket) -> Production
    ) {
      self.name = name
      self.typeName = typeName ?? name
      self.format = format
      self.answersLate = answersLate
      self.produce = produce
    }

    /// A target that stands for a deed, and is answered when that is done: with an empty property of type NULL
    /// (ICCCM 2.6.3), by `ProductionTicket.succeed()`.
    ///
    /// - Parameter begin: Begins the deed; called on the connection's thread, once a request. What the requestor
    ///   says in its property is told by `SelectionConnection.parameter(of:)`.
    public static func sideEffect(
      name: String, begin: @escaping (ProductionTicket) -> Production
    ) -> Target {
      Target(name: name, typeName: "NULL", format: 32, answersLate: true, produce: begin)
    }

    /// A target whose bytes are there already.
    public init(name: String, typeName: String? = nil, format: Int = 8, payload: any Payload) {
      self.init(name: name, typeName: typeName, format: format) { _ in .ready(payload) }
    }
  }

  public var targets: [Target]
  /// Whether a clipboard manager may keep the content (CLIPBOARD only).
  public var isStorable: Bool
  /// What the offer is made of, for whoever acquired it; the connection only keeps it.
  public var content: (any Sendable)?
  /// Called once when the ownership ends.
  public var onLost: (() -> Void)?
  /// Called when a requestor has got a target whole.
  public var onDelivered: ((_ targetName: String, _ requestor: Window) -> Void)?

  public init(
    targets: [Target], isStorable: Bool = true, onLost: (() -> Void)? = nil,
    onDelivered: ((_ targetName: String, _ requestor: Window) -> Void)? = nil
  ) {
    self.targets = targets
    self.isStorable = isStorable
    self.onLost = onLost
    self.onDelivered = onDelivered
  }
}

/// Where the bytes of a pending production are reported, from any thread, once.
public struct ProductionTicket: Sendable {
  let product: ProductID
  let mailbox: Mailbox
  /// Who asked, with which property, and when by its own account.
  public let asker: Asker

  /// The window that asked.
  public var requestor: Window { asker.requestor }

  /// The bytes are there.
  public func succeed(_ payload: any Payload, typeName: String? = nil) {
    let product = product
    mailbox.post { $0.produced(product, payload, typeName: typeName) }
  }

  /// What was asked for is done, and there is nothing to tell: the reply is empty.
  public func succeed() { succeed(MemoryPayload([])) }

  /// The bytes cannot be made: the request is refused, or the transfer that waits is given up.
  public func fail() {
    let product = product
    mailbox.post { $0.produced(product, nil, typeName: nil) }
  }
}
