internal import Glibc
internal import HelperControl
internal import SelectionProtocol
internal import XlibTransport

/// Looks at everything that decides whether copies are kept. Its report holds numbers and names, no content.
struct Doctor {
  private let helper: RunningHelper

  init(_ helper: RunningHelper) { self.helper = helper }

  private var connection: SelectionConnection { helper.connection }
  private var state: KeepingState { helper.keeper.state }

  /// Programs that watch the clipboard too, by the names of their processes (15 bytes at most).
  private static let others: Set<String> = [
    "autocutsel", "clipcatd", "clipit", "clipman", "clipmenud", "cliphist", "clipster", "copyq",
    "csd-clipboard", "diodon", "gpaste-daemon", "greenclip", "gsd-clipboard", "klipper",
    "mate-settings-d", "msd-clipboard", "parcellite", "qlipper", "xclipboard", "xclipd",
    "xfce4-clipman", "xfsettingsd", "wl-paste",
  ]

  var report: String {
    let isTold = connection.watched(connection.atoms.clipboard)?.isPolling == false
    let ownProcess = connection.process(of: connection.currentOwner(of: helper.manager))
    var lines = [
      "display: \(connection.displayName)",
      "XFixes: "
        + (isTold
          ? "yes" : "no: ends of owners cannot be told from clears, so nothing is restored"),
      "X-Resource: "
        + (ownProcess == getpid() ? "yes" : "no: rules cannot tell programs by their processes"),
    ]
    for (name, selection) in [
      ("CLIPBOARD", connection.atoms.clipboard), ("PRIMARY", Atom.primary),
      ("CLIPBOARD_MANAGER", helper.manager),
    ] {
      lines.append("\(name): \(helper.describe(connection.currentOwner(of: selection)))")
    }
    let limits = state.limits
    lines += [
      "others that watch: " + others,
      "early copy: \(limits.readsEarly ? "on" : "off")"
        + (state.choice.readsPictures ? ", pictures too" : ""),
      "sync: \(helper.synchronizer.state.settings.direction.rawValue)",
      "rules: \(helper.settings.rules.count)",
      "settings: \(settings)",
      "clipboard: \(helper.standingText)",
      "budget: \(KeptBytes.totalInUse) of \(limits.memory) bytes; "
        + "\(limits.copy) for a copy, \(limits.target) for a type",
      "control: \(control)",
      "service: \(service)",
      "running for \((Instant.now.milliseconds - helper.started.milliseconds) / 1_000) s as process \(getpid())",
      "history: \(helper.history.summary)",
    ]
    lines += helper.history.place.map { ["history file: \($0)"] } ?? []
    let decisions = helper.log.lines(now: .now)
    lines.append(decisions.isEmpty ? "no decisions yet" : "last decisions:")
    return (lines + decisions.map { "  " + $0 }).joined(separator: "\n") + "\n"
  }

  private var settings: String {
    do {
      return try helper.options.settings() == helper.settings
        ? "as in the file" : "the file was changed: reload takes it over"
    } catch {
      return "not understood: \(error.description)"
    }
  }

  private var control: String {
    do throws(HelperSocket.Unavailable) {
      let socket = try HelperSocket(
        display: connection.displayName,
        runtimeDirectory: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
      try HelperSocket.check(socket.directory)
      return socket.path
    } catch {
      return error.description
    }
  }

  /// systemd tells its services which invocation they are; whoever else starts the helper does not.
  private var service: String {
    if getenv("INVOCATION_ID") != nil { return "run by systemd" }
    return getenv("DESKTOP_AUTOSTART_ID") != nil
      ? "run by the session" : "run by hand or by autostart"
  }

  private var others: String {
    guard let folder = opendir("/proc") else { return "unknown" }
    defer { closedir(folder) }
    var found: [String] = []
    while let entry = readdir(folder) {
      // Read in place: an entry is shorter than its type, which has room for the longest name.
      guard let place = MemoryLayout<dirent>.offset(of: \.d_name) else { break }
      let name = String(
        cString: UnsafeRawPointer(entry).advanced(by: place).assumingMemoryBound(to: CChar.self))
      guard let number = Int32(name), let program = ProcessName.of(number),
        Self.others.contains(program)
      else { continue }
      var status = stat()
      guard stat("/proc/\(name)", &status) == 0, status.st_uid == geteuid() else { continue }
      found.append("\(program) (process \(number))")
    }
    return found.isEmpty ? "none" : found.sorted().joined(separator: ", ")
  }
}
