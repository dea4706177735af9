internal import Glibc
internal import HelperControl
internal import SelectionProtocol
internal import XlibTransport

/// The session helper as a program: one connection, one thread that works, and a second one that waits.
///
/// It sleeps until the server, a client of its socket, a signal or a deadline wakes it; without any of them there is
/// no wake-up at all, except for signs of life that a service manager asks for.
public enum HelperDaemon {
  /// Runs the program to its end.
  ///
  /// - Returns: The exit code.
  public static func run(_ arguments: [String]) -> Int32 {
    let options: HelperOptions
    do {
      options = try HelperOptions(arguments)
    } catch {
      complain(error.message + " (--help tells more)")
      return HelperCode.usage.rawValue
    }
    switch options.task {
    case .help:
      print(HelperOptions.usage, terminator: "")
      return 0
    case .version:
      print("pasteboardd 0.9.0")
      return 0
    case .control(let verb, let arguments):
      return HelperCommand.run(
        verb, arguments, display: options.display, program: "pasteboardd")
    case .serve, .check:
      let settings: HelperSettings
      do {
        settings = try options.settings()
      } catch {
        complain(error.description)
        return HelperCode.usage.rawValue
      }
      return options.task == .check ? 0 : serve(options, settings).rawValue
    }
  }

  /// Writes one line to standard error.
  static func complain(_ message: String) {
    var line = "pasteboardd: \(message)\n"
    line.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }

  private static func serve(_ options: HelperOptions, _ settings: HelperSettings) -> HelperCode {
    // Two that carry the clipboard between the same ends can chase each other.
    if isGuest, !settings.servesXwayland {
      complain(
        "this is a Wayland session, whose compositor carries the clipboard over; "
          + "--xwayland serves its X programs all the same")
      return .refused
    }
    Confinement.apply()
    signal(SIGPIPE, SIG_IGN)
    // A limit for the size of files is a write that fails, which the history says, and no end.
    signal(SIGXFSZ, SIG_IGN)
    let notice = ServiceNotice()
    let connection: SelectionConnection
    do {
      connection = try connect(options, notice)
    } catch {
      complain(error.description)
      return .noDisplay
    }
    let helper = RunningHelper(
      connection: connection, options: options, settings: settings, notice: notice)
    return helper.run()
  }

  /// Whether the environment is that of a Wayland session.
  private static var isGuest: Bool {
    getenv("WAYLAND_DISPLAY").map { $0.pointee != 0 } ?? false
  }

  /// Connects, waiting for a display that is named but not there yet.
  private static func connect(
    _ options: HelperOptions, _ notice: ServiceNotice
  ) throws(DisplayError) -> SelectionConnection {
    let limit = Instant.now + Int64(options.wait) * 1_000
    var pause: Int64 = 50
    // What is kept may be in more types than a program would offer by itself.
    var configuration = OwnerState.Configuration()
    configuration.targets = KeepingRules.mostTargets
    while true {
      do {
        return try SelectionConnection(
          display: options.display,
          names: ["CLIPBOARD_MANAGER", "MANAGER", "PRIMARY", "UTF8_STRING", KeepingRules.hint],
          configuration: configuration)
      } catch {
        guard error.code == .cannotOpen, Instant.now + pause < limit else { throw error }
        if pause == 50 { notice.status("waiting for display \(error.display)") }
        var time = timespec(tv_sec: Int(pause / 1_000), tv_nsec: Int(pause % 1_000) * 1_000_000)
        nanosleep(&time, nil)
        pause = min(pause * 2, 1_000)
      }
    }
  }
}
