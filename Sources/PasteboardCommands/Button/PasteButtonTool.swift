internal import CLinux
internal import Glibc
internal import SelectionFormats
internal import SelectionProtocol
public import XlibTransport

/// `paste-button`: gives what a selection holds to a command, when it is of an accepted type.
public enum PasteButtonTool {
  /// A button that somebody can see and press.
  public struct Face {
    /// Enables or disables it, and says what there is to paste.
    public var update: (_ isEnabled: Bool, _ detail: String) -> Void

    /// - Parameter update: Enables or disables it, and says what there is to paste.
    public init(update: @escaping (_ isEnabled: Bool, _ detail: String) -> Void) {
      self.update = update
    }
  }

  /// Shows a button on a connection's display: its label, what to call for each press, and when it is closed.
  public typealias Show = (
    _ connection: SelectionConnection, _ label: String, _ onPress: @escaping () -> Void,
    _ onClose: @escaping () -> Void
  ) throws -> Face

  /// Runs the command line of this process, and ends the process.
  ///
  /// - Parameter show: Shows the button.
  public static func main(show: Show) -> Never {
    Descriptor.prepare()
    var status = ExitStatus.done
    do throws(CommandFailure) {
      if let options = try PasteButtonOptions(ProgramArguments.count, ProgramArguments.words) {
        try run(options, show)
      }
    } catch {
      if !error.message.isEmpty { Console.complain("paste-button", error.message) }
      status = error.status
    }
    exit(status.rawValue)
  }

  private static func run(_ options: PasteButtonOptions, _ show: Show) throws(CommandFailure) {
    var watchdog = Watchdog(program: "paste-button", milliseconds: options.timeout)
    watchdog.rearm()
    let connection = try Display.connect(
      options.display, atoms: [options.selection.atomName])
    let reader = SelectionReader(connection, options.selection, watchdog)
    switch options.mode {
    case .press: try press(options, reader)
    case .watch: try watch(options, reader)
    case .window(let once):
      let loop = PasteButtonLoop(options, reader, endsAfterPress: once)
      try loop.run(show)
    }
  }

  // MARK: Without a window

  private static func press(
    _ options: PasteButtonOptions, _ reader: SelectionReader
  ) throws(CommandFailure) {
    let state = try PasteButtonState(reader, options.types)
    guard state.isEnabled else {
      let wanted = options.types.map { TargetName.escaped($0.spelling) }.joined(separator: ", ")
      throw CommandFailure(.nothing, "disabled: no \(wanted) in \(options.selection.name)")
    }
    let child = try state.start(options.command, reader)
    reader.watchdog.relax()
    let status = Child.status(of: child, waits: true) ?? 0
    cl_die_after(0)
    guard status == 0 else { throw commandFailure(options, status) }
  }

  static func commandFailure(_ options: PasteButtonOptions, _ status: Int32) -> CommandFailure {
    .failed("\(options.command.first?.printable ?? "") ended with status \(status)")
  }

  private static func watch(
    _ options: PasteButtonOptions, _ reader: SelectionReader
  ) throws(CommandFailure) {
    var hasChanged = true
    _ = reader.connection.watch(reader.selection) { _ in hasChanged = true }
    var said: String?
    while true {
      hasChanged = false
      let state = try PasteButtonState(reader, options.types)
      let line = state.type.map { "enabled \($0)" } ?? "disabled"
      // A newer change makes this answer old.
      if !hasChanged, line != said {
        try Console.write(line + "\n")
        said = line
      }
      cl_die_after(0)
      do throws(DisplayError) {
        try reader.connection.turn(while: { !hasChanged })
      } catch {
        throw CommandFailure(.noDisplay, error.description)
      }
    }
  }
}
