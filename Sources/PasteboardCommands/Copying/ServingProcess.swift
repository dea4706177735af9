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
    var watchdog = Watchdog(program: "pasteboard", milliseconds: nil)
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
    var watchdog = Watchdog(program: "pasteboard", milliseconds: nil)
    watchdog.rearm()
    // The first paste is reported through a pipe of its own.
    var ends: [CInt] = [-1, -1]
    if options.waitsForPaste, pipe(&ends) != 0 {
      throw .failed("cannot make a pipe: \(Descriptor.reason(errno))")
    }
    let pasted = ends[1]
    let report: BackgroundProcess.Report
    do throws(BackgroundProcess.CannotStart) {
      report = try BackgroundProcess.start(
        keeping: content.descriptors + (pasted >= 0 ? [pasted] : [])
      ) { reporter in
        serve(content, options, reporter, pasted)
      }
    } catch {
      throw .failed(error.description)
    }
    cl_die_after(0)
    if let status = ExitStatus(rawValue: report.status), status != .done {
      throw CommandFailure(status, report.message)
    }
    if options.printsToken { try Console.write(report.message + "\n") }
    guard options.waitsForPaste else { return }
    close(pasted)
    defer { close(ends[0]) }
    try waitForPaste(ends[0], options)
  }

  /// Waits until the serving process wrote a byte, or is gone.
  private static func waitForPaste(
    _ descriptor: CInt, _ options: ServingOptions
  ) throws(CommandFailure) {
    let deadline = options.timeout.map { Instant.now + $0 }
    while true {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = deadline.map { max(0, $0.milliseconds - Instant.now.milliseconds) }
      let ready = poll(&wait, 1, left.map { CInt(clamping: $0) } ?? -1)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else {
        throw .failed(
          "nobody pasted within \(options.timeout.map(Watchdog.seconds) ?? "") s (--timeout)")
      }
      var byte: UInt8 = 0
      let count = withUnsafeMutableBytes(of: &byte) { Descriptor.read(descriptor, into: $0) }
      if count > 0 { return }
      throw CommandFailure(
        .nothing, "nobody pasted before \(options.selections[0].name) was replaced or cleared")
    }
  }

  private static func serve(
    _ content: CopyContent, _ options: ServingOptions, _ reporter: BackgroundProcess.Reporter,
    _ pasted: CInt
  ) {
    signal(SIGXFSZ, SIG_IGN)
    // Longer than the command waits, so that it is the command that says why.
    alarm(UInt32(Display.patience / 1_000) + 1)
    do throws(CommandFailure) {
      let server = try start(content, options) {
        guard pasted >= 0 else { return }
        _ = Descriptor.write(pasted, [1])
        close(pasted)
      }
      alarm(0)
      // Somebody who interrupts the command wants no copy.
      let report = BackgroundProcess.Report(message: server.token?.text ?? "")
      guard reporter.send(report) else { return }
      try? server.serve()
    } catch {
      reporter.send(
        BackgroundProcess.Report(status: error.status.rawValue, message: error.message))
    }
  }

  private static func start(
    _ content: CopyContent, _ options: ServingOptions, onPaste: (() -> Void)? = nil
  ) throws(CommandFailure) -> SelectionServer {
    let names = content.targetNames + options.selections.map(\.atomName)
    let connection = try Display.connect(options.display, atoms: names)
    let server = SelectionServer(connection, options)
    if options.waitsForPaste { server.onPaste = onPaste }
    try server.acquire(content)
    return server
  }
}
