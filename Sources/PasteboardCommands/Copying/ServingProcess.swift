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
  /// Returns when the selection is owned. The process has a session of its own and none of the caller's descriptors.
  static func detach(
    _ content: CopyContent, _ options: ServingOptions
  ) throws(CommandFailure) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw .failed("cannot make a pipe: \(Descriptor.reason(errno))")
    }
    let child = cl_fork()
    guard child >= 0 else {
      throw .failed("cannot start the process that serves: \(Descriptor.reason(errno))")
    }
    if child == 0 {
      serveDetached(content, options, report: ends[1])
    }
    close(ends[1])
    try readReport(ends[0], from: child)
  }

  // MARK: The parent

  private static func readReport(
    _ descriptor: CInt, from child: pid_t
  ) throws(CommandFailure) {
    defer { close(descriptor) }
    var report: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let deadline = Instant.now + Display.patience + 1_000
    while report.last != 0x0A {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let left = deadline.milliseconds - Instant.now.milliseconds
      let ready = poll(&wait, 1, CInt(clamping: max(0, left)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else {
        kill(child, SIGKILL)
        waitpid(child, nil, 0)
        throw CommandFailure(.noDisplay, "the X server does not answer (is it stopped?)")
      }
      let count = buffer.withUnsafeMutableBytes { Descriptor.read(descriptor, into: $0) }
      guard count > 0 else { break }
      report += buffer[..<count]
    }
    guard report.last == 0x0A, let status = report.first else {
      waitpid(child, nil, 0)
      throw .failed("the process that serves ended before it owned the selection")
    }
    guard status != UInt8(ascii: "0") else { return }
    waitpid(child, nil, 0)
    let message = String(decoding: report.dropFirst().dropLast(), as: UTF8.self)
    throw CommandFailure(
      ExitStatus(rawValue: Int32(status) - 48) ?? .failed, message)
  }

  // MARK: The child

  private static func serveDetached(
    _ content: CopyContent, _ options: ServingOptions, report: CInt
  ) -> Never {
    setsid()
    cl_reset_signals()
    _ = chdir("/")
    let null = open("/dev/null", O_RDWR)
    for descriptor in 0...CInt(2) { dup2(null, descriptor) }
    let kept = (content.descriptors + [report]).sorted()
    cl_close_all_but(kept, kept.count)
    alarm(UInt32(Display.patience / 1_000))
    do throws(CommandFailure) {
      let server = try start(content, options)
      alarm(0)
      _ = Descriptor.write(report, [UInt8(ascii: "0"), 0x0A])
      close(report)
      try? server.serve()
    } catch {
      let message = "\(error.status.rawValue)\(error.message)\n"
      _ = Descriptor.write(report, Array(message.utf8))
      exit(error.status.rawValue)
    }
    exit(0)
  }

  private static func start(
    _ content: CopyContent, _ options: ServingOptions
  ) throws(CommandFailure) -> SelectionServer {
    let names = content.targetNames + options.selections.map(\.atomName)
    let connection = try Display.connect(options.display, atoms: names)
    let server = SelectionServer(connection, options)
    try server.acquire(content)
    return server
  }
}
