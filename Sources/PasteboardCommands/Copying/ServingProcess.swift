internal import BackgroundProcess
internal import CLinux
internal import Glibc
internal import SelectionProtocol
internal import XlibTransport

/// The process that serves what was copied, and how it comes about.
enum ServingProcess {
  /// Serves in this process until the selection is lost.
  static func runHere(
    _ content: CopyContent, _ options: ServingOptions
  ) throws(CommandFailure) {
    var watchdog = Watchdog(program: options.program, milliseconds: nil)
    watchdog.rearm()
    heedSignals()
    let server = try start(content, options)
    cl_die_after(0)
    if options.printsToken, let token = server.token { try Console.write(token.text + "\n") }
    do throws(DisplayError) {
      try server.serve()
    } catch {
      throw CommandFailure(.noDisplay, error.description)
    }
  }

  /// Signals end the process, whatever the caller blocked; a shell ignores SIGINT for what it runs in the background.
  /// SIGHUP stays ignored where it was (nohup).
  private static func heedSignals() {
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    signal(SIGINT, SIG_DFL)
    signal(SIGTERM, SIG_DFL)
  }

  /// Serves in a detached process.
  ///
  /// Returns when the selection is owned.
  static func detach(
    _ content: CopyContent, _ options: ServingOptions
  ) throws(CommandFailure) {
    var watchdog = Watchdog(program: options.program, milliseconds: nil)
    watchdog.rearm()
    // What the command waits for is reported through a pipe of its own.
    var ends: [CInt] = [-1, -1]
    if options.awaited != nil, pipe(&ends) != 0 {
      throw .failed("cannot make a pipe: \(Descriptor.reason(errno))")
    }
    let news = ends[1]
    let report: BackgroundProcess.Report
    do throws(BackgroundProcess.CannotStart) {
      report = try BackgroundProcess.start(
        keeping: content.descriptors + (news >= 0 ? [news] : [])
      ) { reporter in
        serve(content, options, reporter, news)
      }
    } catch {
      throw .failed(error.description)
    }
    cl_die_after(0)
    if let status = ExitStatus(rawValue: report.status), status != .done {
      throw CommandFailure(status, report.message)
    }
    if options.printsToken { try Console.write(report.message + "\n") }
    guard let awaited = options.awaited else { return }
    close(news)
    defer { close(ends[0]) }
    switch awaited {
    case .paste: try waitForPaste(ends[0], options)
    case .keeping: try waitForKeeping(ends[0], options)
    }
  }

  private static func waitForPaste(
    _ descriptor: CInt, _ options: ServingOptions
  ) throws(CommandFailure) {
    switch news(descriptor, within: options.timeout) {
    case .byte(lostConnection):
      throw CommandFailure(.noDisplay, "the connection was lost before anybody pasted")
    case .byte: return
    case .end:
      throw CommandFailure(
        .nothing, "nobody pasted before \(options.selections[0].name) was replaced or cleared")
    case .silence:
      throw .failed(
        "nobody pasted within \(options.timeout.map(Watchdog.seconds) ?? "") s (--timeout)")
    }
  }

  private static func waitForKeeping(
    _ descriptor: CInt, _ options: ServingOptions
  ) throws(CommandFailure) {
    // The serving process gives up first, and says why.
    let outcome: HandOverOutcome? =
      switch news(descriptor, within: options.keepingLimit + 1_000) {
      case .byte(let code): keepingOutcomes.first { $0.key == code }?.value
      case .end: .connectionLost
      case .silence: .noAnswer
      }
    switch outcome {
    case .saved: return
    case .noManager:
      throw .failed(
        "copied, but no clipboard manager runs that could keep it (pasteboardd is one)")
    case .notOwner:
      throw CommandFailure(.nothing, "\(options.selections[0].name) was replaced at once")
    case .noAnswer:
      throw .failed(
        "copied, but the clipboard manager did not take it within "
          + "\(Watchdog.seconds(options.keepingLimit)) s")
    case .refused, nil: throw .failed("copied, but the clipboard manager does not keep it")
    case .connectionLost: throw CommandFailure(.noDisplay, "the connection was lost")
    }
  }

  /// How an outcome travels from the serving process.
  private static let keepingOutcomes: KeyValuePairs<UInt8, HandOverOutcome> = [
    1: .saved, 2: .noManager, 3: .notOwner, 4: .refused, 5: .noAnswer,
    lostConnection: .connectionLost,
  ]

  private static let lostConnection: UInt8 = 6

  /// What came through the pipe from the serving process.
  private enum News {
    case byte(UInt8)
    /// That process is gone.
    case end
    case silence
  }

  /// Waits until the serving process wrote a byte, or is gone.
  private static func news(_ descriptor: CInt, within milliseconds: Int64?) -> News {
    let deadline = milliseconds.map { Instant.now + $0 }
    while true {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = deadline.map { max(0, $0.milliseconds - Instant.now.milliseconds) }
      let ready = poll(&wait, 1, left.map { CInt(clamping: $0) } ?? -1)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { return .silence }
      var byte: UInt8 = 0
      let count = withUnsafeMutableBytes(of: &byte) { Descriptor.read(descriptor, into: $0) }
      return count > 0 ? .byte(byte) : .end
    }
  }

  private static func serve(
    _ content: CopyContent, _ options: ServingOptions, _ reporter: BackgroundProcess.Reporter,
    _ news: CInt
  ) {
    signal(SIGXFSZ, SIG_IGN)
    // Longer than the command waits, so that it is the command that says why.
    alarm(UInt32(Display.patience / 1_000) + 1)
    var news = news
    do throws(CommandFailure) {
      let server = try start(content, options) { server in
        if options.awaited == .paste { server.onPaste = { tell(1, &news) } }
        server.onHandOver = { outcome in
          tell(keepingOutcomes.first { $0.value == outcome }?.key ?? 0, &news)
        }
      }
      alarm(0)
      // Somebody who interrupts the command wants no copy.
      let report = BackgroundProcess.Report(message: server.token?.text ?? "")
      guard reporter.send(report) else { return }
      if (try? server.serve()) == nil { tell(lostConnection, &news) }
    } catch {
      reporter.send(
        BackgroundProcess.Report(status: error.status.rawValue, message: error.message))
    }
  }

  /// Tells the command, once, what it waits for.
  private static func tell(_ byte: UInt8, _ news: inout CInt) {
    guard news >= 0 else { return }
    _ = Descriptor.write(news, [byte])
    close(news)
    news = -1
  }

  private static func start(
    _ content: CopyContent, _ options: ServingOptions,
    prepare: (SelectionServer) -> Void = { _ in }
  ) throws(CommandFailure) -> SelectionServer {
    let names = content.targetNames + options.selections.map(\.atomName)
    let connection = try Display.connect(options.display, atoms: names)
    let server = SelectionServer(connection, options)
    prepare(server)
    try server.acquire(content)
    return server
  }
}
