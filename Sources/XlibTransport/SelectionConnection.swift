internal import Glibc
public import SelectionProtocol

/// A connection to an X server that owns, converts and watches selections.
///
/// It belongs to one thread: every method but those of `mailbox` is called on the thread that calls `turn`. A
/// command calls `turn` itself until what it waits for happened; the asynchronous API has a thread that does
/// nothing else.
///
/// Nothing here blocks but `turn`, and short round trips to the server. Closures that are given to it run on its
/// thread, mostly within `turn`: they may call everything but `turn` itself. Errors that the server reports are matched
/// to what caused them by request number; the rest concerns windows that went away in the meantime and is dropped.
public final class SelectionConnection {
  let x: XConnection
  public let mailbox: Mailbox
  public let atoms: ProtocolAtoms
  var atomTable: AtomTable
  var masks = WindowMasks()

  // Ownership
  var owner: OwnerState
  var offers: [PeriodID: Offer] = [:]
  var products: [ProductID: Product] = [:]
  var chunks = ChunkLog()
  var actions: [OwnerAction] = []
  var isPerforming = false
  let scratch: UnsafeMutableRawBufferPointer

  // Managing
  /// Windows that own one selection each: a manager gives its selection up by destroying its window.
  var managedWindows: [Atom: Window] = [:]
  var handOvers: [Int: HandOver] = [:]
  var nextHandOverNumber = 0
  var destructionHandlers: [Window: [Int: () -> Void]] = [:]

  // Conversions
  var conversions = WindowTable<ActiveConversion>()
  var retired: [Window: RetiredWindow] = [:]
  var conversionCheck: Instant?
  var nextConversionNumber = 0
  /// The owner that was found when a conversion was asked for last.
  var askedOwner: (selection: Atom, owner: Window)?

  // Watching
  var watches: [Atom: Watch] = [:]
  var nextWatchNumber = 0

  /// Windows that are shown, with what is told of what happens to them.
  var shownWindows: [Window: (WindowEvent) -> Void] = [:]

  let dataProperty: Atom
  /// Where a requestor says how many bytes it takes at once.
  let chunkProperty: Atom
  /// On a window of our own any name will do; this one need not be asked for.
  let timestampProperty = Atom.integer
  /// The window that owns selections and gets timestamps; never shown.
  private(set) var ownWindow: Window
  /// The server's time when the connection was made, until it is used.
  var connectionTime: ServerTime?
  let connectionInstant: Instant

  /// Called once when the connection broke.
  public var onConnectionLost: ((DisplayError) -> Void)?
  var hasReportedLoss = false
  private var isTurning = false
  private var idleHandlers: [() -> Void] = []
  /// Called for each format 32 message to a window of this connection.
  public var onClientMessage: ((Window, _ type: Atom, _ data: [UInt32]) -> Void)?

  /// Connects.
  ///
  /// - Parameters:
  ///   - display: As in DISPLAY; `nil` takes DISPLAY itself.
  ///   - names: Names of atoms that will be needed, interned in the same round trip as the protocol's own.
  ///   - configuration: Limits and times of the owner; the chunk size is reduced to what the server takes.
  ///   - ignoresKeyboard: Leaves out what Xlib does for keyboards, two round trips. Only for a process in which no
  ///     other thread opens a display at the same moment: that one's keyboard would be left out as well.
  public init(
    display: String? = nil, names: [String] = [],
    configuration: OwnerState.Configuration = OwnerState.Configuration(),
    ignoresKeyboard: Bool = false
  ) throws(DisplayError) {
    x = try XConnection(name: display, ignoresKeyboard: ignoresKeyboard)
    mailbox = try Mailbox()
    let fixed = [
      "CLIPBOARD", "TARGETS", "MULTIPLE", "TIMESTAMP", "INCR", "NULL", "SAVE_TARGETS",
      "X11PASTEBOARD_DATA",
      "X11PASTEBOARD_CHUNK",
    ]
    // The first time that is needed comes with the atoms, in the same round trip.
    let window = x.createWindow(mask: Self.ownMask)
    x.touchTimestamp(window, timestampProperty)
    var table = AtomTable()
    table.intern(fixed + names, on: x)
    let interned = fixed.map { table.known($0) ?? .none }
    guard !x.isDead, !interned.contains(.none) else {
      throw DisplayError(.connectionLost, display: x.name)
    }
    atomTable = table
    atoms = ProtocolAtoms(
      clipboard: interned[0], targets: interned[1], multiple: interned[2], timestamp: interned[3],
      incr: interned[4], null: interned[5], saveTargets: interned[6])
    dataProperty = interned[7]
    chunkProperty = interned[8]
    ownWindow = window
    masks.created(window, mask: Self.ownMask)
    connectionTime = x.takePropertyTime(window, timestampProperty)
    connectionInstant = .now
    var limited = configuration
    limited.chunkSize = max(4, min(configuration.chunkSize, x.maximumPropertySize) & ~3)
    limited.clientMask = x.clientMask
    owner = OwnerState(atoms: atoms, configuration: limited)
    scratch = .allocate(
      byteCount: max(limited.chunkSize, min(Self.largestChunk, x.largestPropertySize)),
      alignment: 4_096)
  }

  deinit {
    // Nobody can post any more; what was posted must not wait for ever in silence, so `close` comes first.
    _ = mailbox.close()
    scratch.deallocate()
  }

  /// Name of the display, as it was asked for.
  public var displayName: String { x.name }
  public var isLost: Bool { x.isDead }

  /// A window that is told of its properties from its first moment.
  func createWindow() -> Window {
    let window = x.createWindow(mask: Self.ownMask)
    masks.created(window, mask: Self.ownMask)
    return window
  }

  /// What a window that owns or asks for selections is told: its end, too, since any client can bring that about.
  static var ownMask: Int { EventMask.propertyChange | EventMask.structure }

  /// Another client destroyed the window that owns our selections: the server has no owner for them now, and says so
  /// to nobody but those who watch the window.
  func replaceOwnWindow() {
    let former = ownWindow
    ownWindow = createWindow()
    watchAgain()
    for selection in owner.selections(ownedBy: former) { lost(selection, window: former) }
  }

  func destroy(_ window: Window) {
    masks.destroyed(window)
    x.destroyWindow(window)
  }

  /// Whether a window is one of this connection.
  public func isOwn(_ window: Window) -> Bool {
    window != .none
      && (window == ownWindow || conversions[window] != nil || retired[window] != nil
        || managedWindows.values.contains(window))
  }

  // MARK: Atoms

  /// The atom of a name, interned when it is new.
  public func atom(_ name: String) -> Atom {
    atomTable.intern([name], on: x)
    return atomTable.known(name) ?? .none
  }

  /// The atoms of names, in one round trip at most.
  public func atoms(_ names: [String]) -> [Atom] {
    atomTable.intern(names, on: x)
    return names.map { atomTable.known($0) ?? .none }
  }

  /// The names of atoms, in one round trip at most; `nil` for what is no atom.
  ///
  /// A name that is not UTF-8 comes with its bad bytes replaced; the atom still serves.
  public func names(of atoms: [Atom]) -> [String?] {
    guard atoms.count > AtomTable.mostAsked else { return atomTable.names(of: atoms, on: x) }
    // A long list costs a round trip for each part; none of its names may be missed, since one may say "secret".
    return stride(from: 0, to: atoms.count, by: AtomTable.mostAsked).flatMap { start in
      let part = Array(atoms[start..<min(start + AtomTable.mostAsked, atoms.count)])
      return atomTable.names(of: part, on: x)
    }
  }

  // MARK: The loop

  /// One round: posted work, events and deadlines or, where there was none of them, a wait until `deadline`.
  ///
  /// It returns as soon as anything was done, so that the caller can see whether it was what it waits for.
  ///
  /// - Parameter deadline: When to return at the latest, though nothing happened.
  /// - Precondition: It is not called by a closure that it runs itself.
  /// - Throws: `DisplayError` with `connectionLost`; everybody who waits was told before.
  public func turn(until deadline: Instant = .distantFuture) throws(DisplayError) {
    precondition(!isTurning, "a closure that turn runs must not call turn")
    isTurning = true
    defer { isTurning = false }
    try check()
    let jobs = mailbox.take()
    for job in jobs { job(self) }
    var isIdle = jobs.isEmpty
    // A flood of events must not keep deadlines and posted work waiting.
    var left = Self.eventsInRound
    while left > 0, x.eventCount() > 0, let event = x.nextEvent() {
      left -= 1
      isIdle = false
      dispatch(event)
    }
    if collectErrors() { isIdle = false }
    if runDeadlines() { isIdle = false }
    if advanceHandOvers() { isIdle = false }
    if !idleHandlers.isEmpty, !isServing, x.eventCount() == 0 {
      isIdle = false
      tellIdle()
    }
    x.flush()
    try check()
    // A round trip may have moved events from the socket into a queue, where poll does not see them. There are two
    // queues, Xlib's and XCB's below it; only the mode that reads the socket looks into both.
    // The same look may bring errors, of which poll knows as little.
    guard isIdle, x.eventCount() == 0, !x.hasError, mailbox.isEmpty else { return }
    wait(until: min(deadline, nextDeadline ?? .distantFuture))
    try check()
  }

  /// Turns until `condition` holds.
  ///
  /// - Returns: Whether it held before `deadline`.
  @discardableResult
  public func turn(
    until deadline: Instant = .distantFuture, while condition: () -> Bool
  ) throws(DisplayError) -> Bool {
    while condition() {
      guard Instant.now < deadline else { return false }
      try turn(until: deadline)
    }
    return true
  }

  private func wait(until deadline: Instant) {
    let left = deadline.milliseconds - Instant.now.milliseconds
    let timeout =
      deadline == .distantFuture ? -1 : CInt(clamping: max(0, min(left, 1_000_000_000)))
    let isPosted = withUnsafeTemporaryAllocation(of: pollfd.self, capacity: 2) { descriptors in
      descriptors.initializeElement(
        at: 0, to: pollfd(fd: x.descriptor, events: Int16(POLLIN), revents: 0))
      descriptors.initializeElement(
        at: 1, to: pollfd(fd: mailbox.descriptor, events: Int16(POLLIN), revents: 0))
      return poll(descriptors.baseAddress, 2, timeout) > 0 && descriptors[1].revents != 0
    }
    if isPosted { mailbox.drain() }
  }

  private var nextDeadline: Instant? {
    func earlier(_ a: Instant?, _ b: Instant?) -> Instant? {
      guard let a, let b else { return a ?? b }
      return min(a, b)
    }
    return earlier(
      earlier(owner.deadline, conversionDeadline), earlier(watchDeadline, handOverDeadline))
  }

  /// Calls `handler` once no request and no transfer is under way; at once where that is so.
  public func whenIdle(_ handler: @escaping () -> Void) {
    idleHandlers.append(handler)
    if !isServing || isLost { tellIdle() }
  }

  func tellIdle() {
    // What was sent last has to reach the server before the process may end.
    x.synchronize()
    let handlers = idleHandlers
    idleHandlers = []
    for handler in handlers { handler() }
  }

  /// Carries out what is due; says whether anything was.
  private func runDeadlines() -> Bool {
    let now = Instant.now
    guard let next = nextDeadline, next <= now else { return false }
    perform(owner.deadlinePassed(now: now))
    expireConversions(now: now)
    runWatchDeadlines(now: now)
    return true
  }

  private func check() throws(DisplayError) {
    guard x.isDead else { return }
    reportLoss()
    throw DisplayError(.connectionLost, display: x.name)
  }

  /// The most bytes in one property between two ends that both say so, in their property X11PASTEBOARD_CHUNK.
  ///
  /// A larger chunk costs fewer round trips, which makes a third more speed. Others get no more than the configuration
  /// allows, since some read only a part of what is larger.
  static var largestChunk: Int { 1 << 20 }

  private static var eventsInRound: Int { 256 }

  // MARK: Dispatch

  private func dispatch(_ event: ServerEvent) {
    let now = Instant.now
    switch event {
    case .selectionRequest(let request):
      perform(owner.requested(request, now: now))
    case .selectionClear(let selection, let window, let serial):
      cleared(selection, window: window, serial: serial)
    case .selectionNotify(let requestor, let selection, let property):
      answered(requestor, selection: selection, property: property, now: now)
    case .propertyWritten(let window, let property, _):
      propertyChanged(window, property, now: now)
    case .propertyDeleted(let window, let property, let serial):
      let key = TransferKey(window: window, property: property)
      perform(owner.propertyDeleted(key, serial: serial, now: now))
      propertyDeleted(window, property)
    case .windowDestroyed(let window):
      windowGone(window)
    case .selectionChanged(let change, let selection, let owner, let time):
      selectionChanged(change, selection: selection, owner: owner, time: time, now: now)
    case .clientMessage(let window, let type, let data):
      if !closeRequested(window, type: type, data: data) { onClientMessage?(window, type, data) }
    case .window(let window, let event):
      shownWindows[window]?(event)
    case .other:
      break
    }
  }
}
