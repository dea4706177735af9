internal import CLinux
internal import Glibc
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// Owns selections until they are lost and the last transfer is over.
final class SelectionServer {
  private let connection: SelectionConnection
  private let selections: [Atom]
  private let options: ServingOptions
  private var pastes = PasteCount()
  private var lingerEnd: Instant?
  private var quietEnd: Instant?
  /// Names the ownership of the first selection.
  private(set) var token: OwnershipToken?
  /// What is offered, while it grows.
  private var growing: CopyContent?
  private var offeredNames: [String] = []
  private var acquired: [Atom: ServerTime] = [:]
  /// Called after the first paste.
  var onPaste: (() -> Void)?
  /// Called when a clipboard manager was asked to keep the content.
  var onHandOver: ((HandOverOutcome) -> Void)?
  private var isHandingOver = false

  /// Whether a clipboard manager may keep the content at all.
  private var isStorable = false
  /// Milliseconds that a manager has when this process is told to end.
  private static let farewell: Int64 = 3_000
  /// Whether a session helper may take the content over at once.
  private var mayHandOver = false
  /// The most bytes that are handed over: each is copied once more.
  private static let mostHandedOver = 16 << 20
  /// Tells clipboard managers that a content is not for keeping (nspasteboard.org).
  private static let transient = "org.nspasteboard.TransientType"

  /// What a clipboard manager reads before it keeps out, which is no paste.
  private static let notes = [TargetName.passwordManagerHint, transient]
  /// Milliseconds that the window which made the last paste allowed may go on with it.
  private static let linger: Int64 = 250

  init(_ connection: SelectionConnection, _ options: ServingOptions) {
    self.connection = connection
    self.options = options
    selections = options.selections.map { $0.atom(on: connection) }
  }

  /// Acquires all the selections, or none.
  func acquire(_ content: CopyContent) throws(CommandFailure) {
    if let token = options.token, let selection = selections.first,
      connection.currentOwner(of: selection) != token.window
    {
      throw Self.replaced(options.selections[0])
    }
    let isForNow =
      options.pastes != nil || options.quiet != nil || options.awaited == .paste
      || options.expires != nil
    let isFixed = content.followed == nil
    if !isFixed { growing = content }
    offeredNames = content.targetNames
    isStorable = !isForNow && !content.isSensitive && isFixed
    mayHandOver =
      isStorable && !options.isForeground && !options.printsToken
      && selections == [connection.atoms.clipboard] && content.byteCount <= Self.mostHandedOver
    for (index, selection) in selections.enumerated() {
      var offer = content.offer(mailbox: connection.mailbox)
      if isForNow {
        // A manager that reads it early would use up a paste, and one that keeps it would outlive its end.
        offer.isStorable = false
        offer.targets.append(
          Offer.Target(name: Self.transient, typeName: "STRING", payload: MemoryPayload([])))
      }
      limit(&offer, selection)
      do throws(AcquisitionFailure) {
        let time = try connection.acquire(selection, offer, at: options.token?.time)
        acquired[selection] = time
        if index == 0 {
          token = OwnershipToken(window: connection.currentOwner(of: selection), time: time)
        }
      } catch {
        for acquired in selections[..<index] { connection.relinquish(acquired) }
        switch error {
        case .connectionLost(let error): throw CommandFailure(.noDisplay, error.description)
        case .lostToAnotherClient:
          if options.token != nil { throw Self.replaced(options.selections[index]) }
          throw .failed(
            "another program took \(options.selections[index].name) at the same moment")
        }
      }
    }
  }

  private static func replaced(_ choice: SelectionChoice) -> CommandFailure {
    CommandFailure(
      .nothing, "\(choice.name) has another owner by now; it stays as it is (--if-owner)")
  }

  /// Serves to the end.
  func serve() throws(DisplayError) {
    let expiry = options.expires.map { Instant.now + $0 }
    // The helper then owns the clipboard in our place, and no process is left for each copy.
    if options.awaited == .keeping {
      isHandingOver = true
      connection.handOver(limit: options.keepingLimit) { [unowned self] outcome in
        isHandingOver = false
        onHandOver?(outcome)
      }
    } else if mayHandOver, connection.hasKeeper {
      connection.handOver(limit: 5_000) { _ in }
    }
    cl_heed_end_signals(connection.mailbox.wakeDescriptor)
    growing?.followed?.follow(connection.mailbox) { [unowned self] in offerAnew() }
    while ownsAny || connection.isServing || isHandingOver {
      let now = Instant.now
      if cl_end_signal() != 0 { try end() }
      if let expiry, expiry <= now { giveUp() }
      if let lingerEnd, lingerEnd <= now { giveUp() }
      if let quietEnd, quietEnd <= now { giveUp() }
      guard ownsAny || connection.isServing || isHandingOver else { break }
      let deadlines = ownsAny ? [expiry, quietEnd, lingerEnd].compactMap(\.self) : []
      try connection.turn(until: deadlines.min() ?? .distantFuture)
    }
  }

  /// Ends by the signal that came, after a clipboard manager took the content over, if there is one and it is quick.
  private func end() throws(DisplayError) {
    if connection.isOwner(of: connection.atoms.clipboard), isStorable {
      var isOver = false
      connection.handOver(limit: Self.farewell) { _ in isOver = true }
      try connection.turn(until: .now + Self.farewell, while: { !isOver })
    }
    cl_end_by_signal(cl_end_signal())
  }

  /// The text grew; where it no longer fits the targets on offer, others are offered.
  private func offerAnew() {
    guard let growing else { return }
    let names = growing.targetNames
    guard names != offeredNames else { return }
    offeredNames = names
    for selection in selections where connection.isOwner(of: selection) {
      var offer = growing.offer(mailbox: connection.mailbox)
      limit(&offer, selection)
      // Who took the selection meanwhile keeps it.
      _ = try? connection.acquire(
        selection, offer, at: acquired[selection])
    }
  }

  private var ownsAny: Bool { selections.contains { connection.isOwner(of: $0) } }

  /// Notices when a requestor's window is gone: the next client may get the same number at once.
  private func follow(_ window: Window) {
    guard pastes.begins(window) else { return }
    connection.onDestruction(of: window) { [unowned self] in pastes.forget(window) }
  }

  private func giveUp() {
    lingerEnd = nil
    quietEnd = nil
    for selection in selections { connection.relinquish(selection) }
  }

  // MARK: Counting

  /// Makes the offer end after the pastes allowed.
  private func limit(_ offer: inout Offer, _ selection: Atom) {
    let counts = options.pastes != nil || options.quiet != nil || onPaste != nil
    guard counts else { return }
    offer.onDelivered = { [unowned self] name, requestor in
      guard !Self.notes.contains(name) else { return }
      let isNew = pastes.delivered(to: requestor, at: .now)
      if isNew, pastes.count == 1 { onPaste?() }
      quietEnd = options.quiet.map { .now + $0 }
      guard let allowed = options.pastes, pastes.count >= allowed else { return }
      lingerEnd = .now + Self.linger
    }
    offer.targets = offer.targets.map { target in
      guard !Self.notes.contains(target.name) else { return target }
      var target = target
      let produce = target.produce
      target.produce = { [unowned self] ticket in
        if let allowed = options.pastes, pastes.count >= allowed,
          !pastes.isGoingOn(ticket.requestor, at: .now)
        {
          giveUp()
          return .failed
        }
        follow(ticket.requestor)
        return produce(ticket)
      }
      return target
    }
  }
}

/// Counts pastes as a user sees them: what one window fetches within a second is one.
struct PasteCount {
  /// Milliseconds within which a window's requests belong together.
  static let span: Int64 = 1_000

  private(set) var count = 0
  private var latest: [Window: Instant] = [:]
  private var followed: Set<Window> = []

  /// A window asks for the first time.
  ///
  /// - Returns: Whether it has to be followed.
  mutating func begins(_ window: Window) -> Bool { followed.insert(window).inserted }

  /// A window is gone.
  mutating func forget(_ window: Window) {
    latest[window] = nil
    followed.remove(window)
  }

  /// A window got a target.
  ///
  /// - Returns: Whether that was a new paste.
  mutating func delivered(to window: Window, at now: Instant) -> Bool {
    let isNew = !isGoingOn(window, at: now)
    latest = latest.filter { $0.value + Self.span > now }
    latest[window] = now
    if isNew { count += 1 }
    return isNew
  }

  /// Whether a request of a window would belong to a paste that was counted already.
  func isGoingOn(_ window: Window, at now: Instant) -> Bool {
    latest[window].map { $0 + Self.span > now } ?? false
  }
}
