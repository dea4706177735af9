internal import Glibc
internal import HelperControl
internal import SelectionProtocol
internal import XlibTransport

/// The helper of one display, from the claim of CLIPBOARD_MANAGER to its end.
final class RunningHelper {
  struct Waiter {
    var deadline: Instant
    /// Whether the server has not been listened to since the question: a copy may be on its way to us.
    var isNew = true
    var reply: (HelperCode, String) -> Void
  }

  let connection: SelectionConnection
  let keeper: Keeper
  let options: HelperOptions
  private let notice: ServiceNotice
  let manager: Atom
  private var doorbell: Doorbell?
  private var server: ControlServer?
  var waiters: [Waiter] = []
  var log = DecisionLog()
  let started = Instant.now
  private var isManaging = false
  let history: RunningHistory
  let synchronizer: Synchronizer
  private(set) var settings: HelperSettings

  /// Milliseconds to wait for the end of the manager that is replaced.
  private static let replacement: Int64 = 2_000
  /// Milliseconds that a successor gets to save what is kept here, and transfers to come to their end.
  private static let handOver: Int64 = 3_000

  init(
    connection: SelectionConnection, options: HelperOptions, settings: HelperSettings,
    notice: ServiceNotice
  ) {
    self.connection = connection
    self.options = options
    self.settings = settings
    self.notice = notice
    keeper = Keeper(connection: connection, limits: settings.limits, choice: settings.choice)
    manager = connection.atom("CLIPBOARD_MANAGER")
    history = RunningHistory(keeper: keeper, settings: settings.history)
    synchronizer = Synchronizer(keeper, settings: settings.sync)
    keeper.onNote = { [weak self] in self?.noted($0) }
    history.onChosen = { [weak self] in self?.synchronizer.chose($0) }
    synchronizer.onContent = { [weak self] in self?.history.followed($0) }
    synchronizer.onRest = {
      HelperDaemon.complain("the selections change too often: they are not followed for a while")
    }
    judgeByRules()
  }

  private func judgeByRules() {
    guard !settings.rules.isEmpty else {
      keeper.judge = nil
      return
    }
    let judge = RuleJudge(connection, settings.rules)
    keeper.judge = { judge.verdict($0, $1) }
  }

  /// Takes over what the settings file says now; what was set by hand is forgotten.
  func reload() throws(SettingsFile.Misuse) {
    let new = try options.settings()
    let before = settings
    settings = new
    keeper.adopt(new.limits, new.choice)
    judgeByRules()
    if new.sync != before.sync || new.sync != synchronizer.state.settings {
      synchronizer.apply(new.sync)
    }
    if new.history != before.history { history.adopt(new.history) }
  }

  func run() -> HelperCode {
    do {
      let before = connection.currentOwner(of: manager)
      let process = connection.process(of: before)
      let code = try claim(from: before)
      guard code == .done else { return code }
      openControl()
      history.start()
      keeper.start()
      synchronizer.apply(settings.sync)
      // The manager before may still be about to give its content away, or to end.
      let limit = Instant.now + Self.replacement
      while process != nil, connection.process(of: before) == process, Instant.now < limit {
        try round(until: .now + 20)
      }
      notice.ready("keeping the clipboard of \(connection.displayName)")
      let result = try loop()
      notice.stopping()
      history.end(isLogout: isManaging)
      server = nil
      if isManaging { connection.endManaging(manager) }
      // It ends in any case.
      try? connection.drain()
      return result
    } catch {
      server = nil
      history.end(isLogout: true)
      HelperDaemon.complain(error.description)
      return .noDisplay
    }
  }

  // MARK: Managing

  private func claim(from present: Window) throws(DisplayError) -> HelperCode {
    if present != .none, !options.replaces {
      HelperDaemon.complain(
        "another clipboard manager runs (\(describe(present))); --replace takes over from it")
      return .otherManager
    }
    let save = Offer.Target.sideEffect(name: "SAVE_TARGETS") { [weak self] ticket in
      self?.save(ticket) ?? .failed
    }
    do {
      _ = try connection.manage(
        manager, Offer(targets: [save], onLost: { [weak self] in self?.isManaging = false }))
    } catch {
      switch error {
      case .connectionLost(let lost): throw lost
      case .lostToAnotherClient(let window):
        HelperDaemon.complain("another clipboard manager was faster (\(describe(window)))")
        return .otherManager
      }
    }
    isManaging = true
    return .done
  }

  private func save(_ ticket: ProductionTicket) -> Offer.Production {
    let targets: [String]?
    switch connection.parameter(of: ticket) {
    case .atoms(let atoms): targets = connection.names(of: atoms).compactMap(\.self)
    case .absent, .other: targets = nil
    }
    keeper.save(targets: targets) { isKept in
      if isKept { ticket.succeed() } else { ticket.fail() }
    }
    return .pending(cancel: {})
  }

  /// Gives what is kept here to the manager that took over, after what was still being saved.
  private func yield() throws(DisplayError) {
    let limit = Instant.now + settings.limits.save
    while keeper.isSaving, Instant.now < limit, !Doorbell.isAskedToEnd { try round(until: limit) }
    guard keeper.state.held != nil else { return try finish() }
    var isOver = false
    connection.handOver(limit: Self.handOver) { _ in isOver = true }
    try connection.turn(until: .now + Self.handOver) { !isOver || connection.isServing }
  }

  /// Lets transfers that are under way come to their end: whoever pastes shall not get a torso.
  private func finish() throws(DisplayError) {
    guard connection.isServing else { return }
    try connection.turn(until: .now + Self.handOver) { connection.isServing }
  }

  // MARK: The loop

  private func loop() throws(DisplayError) -> HelperCode {
    while true {
      if Doorbell.isAskedToEnd {
        keeper.stop()
        try finish()
        return .done
      }
      if !isManaging {
        if options.isVerbose { HelperDaemon.complain("another clipboard manager took over") }
        server = nil
        try yield()
        return .done
      }
      try round(until: .distantFuture)
    }
  }

  /// Does what is due, and waits for the next thing to do.
  private func round(until limit: Instant) throws(DisplayError) {
    let now = Instant.now
    keeper.runDeadlines()
    history.runDeadlines(now: now)
    synchronizer.runDeadlines(now: now)
    server?.serve(now: now) { [weak self] in self?.handle($0) }
    answerWaiters(now: now)
    notice.signOfLife(now: now)
    history.serveLogin()
    var watched = server?.descriptors ?? []
    if let descriptor = history.descriptor {
      watched.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    }
    doorbell?.watch(watched)
    let deadlines = [
      limit, keeper.deadline, history.deadline, synchronizer.deadline, server?.deadline,
      notice.deadline,
      waiters.map(\.deadline).min(),
    ]
    let hasQuestions = waiters.contains { $0.isNew }
    try connection.turn(
      until: hasQuestions ? now : deadlines.compactMap(\.self).min() ?? limit)
    for index in waiters.indices { waiters[index].isNew = false }
  }

  private func openControl() {
    doorbell = Doorbell(mailbox: connection.mailbox)
    doorbell?.answerSignals()
    do throws(HelperSocket.Unavailable) {
      let socket = try HelperSocket(
        display: connection.displayName,
        runtimeDirectory: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
      guard doorbell != nil else {
        throw HelperSocket.Unavailable(description: "no thread can be started")
      }
      let server = try ControlServer(socket)
      server.mostBytes = { [weak self] in
        // Names and lengths take some room beside the content.
        min(HelperMessage.longestBody, (self?.settings.history.limits.bytes ?? 0) + (1 << 20))
      }
      self.server = server
    } catch {
      HelperDaemon.complain("no control socket: \(error.description)")
    }
  }

  private func noted(_ note: KeepingNote) {
    log.add(note, now: .now)
    if options.isVerbose { HelperDaemon.complain(DecisionLog.words(for: note)) }
  }

  /// A window, with the process behind it where the server tells.
  func describe(_ window: Window) -> String {
    guard window != .none else { return "nobody" }
    let number = "0x" + String(window.rawValue, radix: 16)
    guard let process = connection.process(of: window) else { return "window \(number)" }
    return "window \(number), process \(process)" + (ProcessName.of(process).map { " \($0)" } ?? "")
  }
}
