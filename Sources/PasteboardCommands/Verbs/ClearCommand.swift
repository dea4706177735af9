internal import CLinux
internal import XlibTransport

/// `pasteboard clear`: leaves a selection without owner.
struct ClearCommand {
  private var selections: [SelectionChoice] = [.clipboard]
  private var display: String?

  static let table = OptionTable(
    command: "pasteboard clear",
    options: [
      Option("selection", "s", takesArgument: true), Option("primary", "p"),
      Option("display", takesArgument: true), Option("help", "h"),
    ])

  init(_ arguments: [ParsedArgument]) throws(CommandFailure) {
    for argument in arguments {
      guard case .option(let name, let value) = argument else {
        throw .usage("clear takes no operand (see pasteboard clear --help)")
      }
      switch name {
      case "selection": selections = try SelectionChoice.list(value)
      case "primary": selections = [.primary]
      case "display": display = value.text
      default: break
      }
    }
  }

  func run() throws(CommandFailure) {
    var watchdog = Watchdog(program: "pasteboard", milliseconds: nil)
    watchdog.rearm()
    let connection = try Display.connect(display, atoms: selections.map(\.atomName))
    for selection in selections {
      guard connection.clear(selection.atom(on: connection)) else {
        if connection.isLost {
          throw CommandFailure(
            .noDisplay,
            DisplayError(.connectionLost, display: connection.displayName).description)
        }
        throw .failed("another program took \(selection.name) at the same moment")
      }
    }
    cl_die_after(0)
  }
}
