public import SelectionProtocol

/// Names a watcher of a selection.
public struct WatchToken: Hashable, Sendable {
  let selection: Atom
  let number: Int
}

struct Watch {
  var state: SelectionWatch
  /// Whether the owner is being asked for its TIMESTAMP.
  var isAsking = false
  var handlers: [Int: (notice: (SelectionNotice) -> Void, ended: (() -> Void)?)] = [:]
}

extension SelectionConnection {
  /// How often a selection's owner is asked for where the server lacks XFixes, in milliseconds.
  private static var pollInterval: Int64 { 1_000 }

  /// Tells of every change of a selection's owner; fetches nothing (XFixes).
  ///
  /// Without XFixes changes between foreign owners are seen once a second, and those by one owner only if it answers
  /// TIMESTAMP.
  ///
  /// - Parameters:
  ///   - ended: Called once if the connection breaks before the watch is ended.
  ///   - handler: Called for each change, on the connection's thread.
  public func watch(
    _ selection: Atom, ended: (() -> Void)? = nil,
    _ handler: @escaping (SelectionNotice) -> Void
  ) -> WatchToken {
    nextWatchNumber += 1
    let token = WatchToken(selection: selection, number: nextWatchNumber)
    if watches[selection] == nil {
      if hasXFixes { x.selectSelectionInput(ownWindow, selection, enabled: true) }
      watches[selection] = Watch(
        state: SelectionWatch(
          owner: x.owner(of: selection),
          pollInterval: hasXFixes ? nil : Self.pollInterval, now: .now))
    }
    watches[selection]?.handlers[token.number] = (handler, ended)
    x.flush()
    return token
  }

  /// Ends a watch.
  public func unwatch(_ token: WatchToken) {
    watches[token.selection]?.handlers[token.number] = nil
    guard watches[token.selection]?.handlers.isEmpty == true else { return }
    watches[token.selection] = nil
    if hasXFixes { x.selectSelectionInput(ownWindow, token.selection, enabled: false) }
    x.flush()
  }

  /// The window that the watches are told by is another one now; what happened in between is found out by asking.
  func watchAgain() {
    guard hasXFixes else { return }
    for selection in watches.keys {
      x.selectSelectionInput(ownWindow, selection, enabled: true)
      let owner = x.owner(of: selection)
      guard watches[selection]?.state.owner != owner else { continue }
      update(selection) {
        $0.happened(owner == .none ? .windowDestroyed : .ownerSet(owner), time: .current, now: .now)
      }
    }
  }

  /// The state of a watched selection: its owner and how often it changed.
  public func watched(_ selection: Atom) -> SelectionWatch? { watches[selection]?.state }

  /// Process id of the client that owns a window, as far as the server tells (local clients, X-Resource).
  public func process(of window: Window) -> Int32? {
    window == .none ? nil : x.processOfClient(behind: window)
  }

  private var hasXFixes: Bool { x.queryXFixes() }

  func selectionChanged(
    _ change: SelectionWatch.Event, selection: Atom, owner: Window, time: ServerTime, now: Instant
  ) {
    // The notice of an end names no owner: it is the one that was there until now.
    let before = watches[selection]?.state.owner
    update(selection) { $0.happened(change, time: time, now: now) }
    if change == .clientClosed, let before { ownerDisconnected(before, of: selection) }
  }

  /// Where no event tells of it, what this connection itself knows of a change is told at once.
  func noticeOwnChange(of selection: Atom, window: Window, time: ServerTime) {
    guard watches[selection]?.state.isPolling == true else { return }
    update(selection) { $0.happened(.ownerSet(window), time: time, now: .now) }
  }

  func runWatchDeadlines(now: Instant) {
    for (selection, watch) in watches {
      guard let deadline = watch.state.deadline, deadline <= now else { continue }
      let owner = watch.state.isPolling ? x.owner(of: selection) : nil
      update(selection) { $0.deadlinePassed(polledOwner: owner, now: now) }
      if let owner, owner != .none, !isOwn(owner) { askForTimestamp(of: selection, owner) }
    }
  }

  /// Without events an owner that takes its selection anew shows it only by its TIMESTAMP.
  private func askForTimestamp(of selection: Atom, _ owner: Window) {
    guard watches[selection]?.isAsking == false else { return }
    watches[selection]?.isAsking = true
    var number: UInt32?
    convert(
      Conversion(selection: selection, target: atoms.timestamp, limits: .targets),
      receive: { bytes, type, format in
        // Some owners answer with their content, whatever they are asked for.
        guard type == .integer, format == 32, bytes.count == 4 else { return }
        number = bytes.loadUnaligned(as: UInt32.self)
      },
      completion: { [weak self] result in
        guard let self else { return }
        watches[selection]?.isAsking = false
        guard case .success(let reply) = result, reply.owner == owner, let number else { return }
        update(selection) { $0.timestampTold(ServerTime(number), by: owner) }
      })
  }

  var watchDeadline: Instant? { watches.values.compactMap(\.state.deadline).min() }

  private func update(
    _ selection: Atom, _ body: (inout SelectionWatch) -> SelectionNotice?
  ) {
    guard var watch = watches[selection] else { return }
    let notice = body(&watch.state)
    watches[selection]?.state = watch.state
    guard let notice else { return }
    for number in watch.handlers.keys.sorted() {
      // An earlier one may have ended the watch of a later one.
      watches[selection]?.handlers[number]?.notice(notice)
    }
  }
}
