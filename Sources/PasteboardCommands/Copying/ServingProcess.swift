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
    let report: BackgroundProcess.Report
    do throws(BackgroundProcess.CannotStart) {
      report = try BackgroundProcess.start(keeping: content.descriptors) { reporter in
        serve(content, options, reporter)
      }
    } catch {
      throw .failed(error.description)
    }
    cl_die_after(0)
    guard let status = ExitStatus(rawValue: report.status), status != .done else { return }
    throw CommandFailure(status, report.message)
  }

  private static func serve(
    _ content: CopyContent, _ options: ServingOptions, _ reporter: BackgroundProcess.Reporter
  ) {
    // Longer than the command waits, so that it is the command that says why.
    alarm(UInt32(Display.patience / 1_000) + 1)
    do throws(CommandFailure) {
      let server = try start(content, options)
      alarm(0)
      // Somebody who interrupts the command wants no copy.
      guard reporter.send(BackgroundProcess.Report()) else { return }
      try? server.serve()
    } catch {
      reporter.send(
        BackgroundProcess.Report(status: error.status.rawValue, message: error.message))
    }
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
