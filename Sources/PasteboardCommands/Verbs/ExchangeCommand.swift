internal import BackgroundProcess
internal import CLinux
internal import Glibc
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// `pasteboard exchange`: swaps the content of two selections, in all its types.
struct ExchangeCommand {
  private var selections: [SelectionChoice] = [.primary, .clipboard]
  private var display: String?
  private var program = "pasteboard"

  static let table = OptionTable(
    command: "pasteboard exchange",
    options: [
      Option("selection", "s", takesArgument: true), Option("display", takesArgument: true),
      Option("help", "h"),
    ])

  init(_ arguments: [ParsedArgument]) throws(CommandFailure) {
    for argument in arguments {
      guard case .option(let name, let value) = argument else {
        throw .usage("exchange takes no operand (see pasteboard exchange --help)")
      }
      switch name {
      case "selection": selections = try SelectionChoice.list(value)
      case "display": display = value.text
      default: break
      }
    }
    guard selections.count == 2 else {
      throw .usage("exchange wants two selections, such as -s primary,clipboard")
    }
  }

  /// - Parameter program: Whom messages come from.
  init(_ first: SelectionChoice, _ second: SelectionChoice, display: String?, program: String) {
    selections = [first, second]
    self.program = program
    self.display = display
  }

  func run() throws(CommandFailure) {
    let (first, second) = try snapshots(selections[0], selections[1])
    guard first != nil || second != nil else {
      throw CommandFailure(
        .nothing,
        "nothing there: no program owns \(selections[0].name) or \(selections[1].name)")
    }
    try Resettling.run(
      [(selections[0], second), (selections[1], first)], display: display, program: program)
  }

  private func snapshots(
    _ first: SelectionChoice, _ second: SelectionChoice
  ) throws(CommandFailure) -> (SelectionSnapshot?, SelectionSnapshot?) {
    var watchdog = Watchdog(program: program, milliseconds: nil)
    watchdog.rearm()
    let connection = try Display.connect(display, atoms: [first.atomName, second.atomName])
    let result = (
      try SelectionSnapshot(SelectionReader(connection, first, watchdog)),
      try SelectionSnapshot(SelectionReader(connection, second, watchdog))
    )
    cl_die_after(0)
    return result
  }
}

/// Makes snapshots the content of selections, served by one background process.
enum Resettling {
  typealias Plan = [(SelectionChoice, SelectionSnapshot?)]

  /// - Parameters:
  ///   - plan: What each selection is to hold; nil for nothing.
  ///   - program: Whom messages come from.
  static func run(_ plan: Plan, display: String?, program: String) throws(CommandFailure) {
    var watchdog = Watchdog(program: program, milliseconds: nil)
    watchdog.rearm()
    let report: BackgroundProcess.Report
    do throws(BackgroundProcess.CannotStart) {
      report = try BackgroundProcess.start { reporter in serve(plan, display, reporter) }
    } catch {
      throw .failed(error.description)
    }
    cl_die_after(0)
    if let status = ExitStatus(rawValue: report.status), status != .done {
      throw CommandFailure(status, report.message)
    }
  }

  private static func serve(
    _ plan: Plan, _ display: String?, _ reporter: BackgroundProcess.Reporter
  ) {
    signal(SIGXFSZ, SIG_IGN)
    alarm(UInt32(Display.patience / 1_000) + 1)
    do throws(CommandFailure) {
      let connection = try Display.connect(display, atoms: plan.map(\.0.atomName))
      var owned: [Atom] = []
      for (choice, snapshot) in plan {
        let selection = choice.atom(on: connection)
        guard let snapshot else {
          _ = connection.clear(selection)
          continue
        }
        do throws(AcquisitionFailure) {
          try connection.acquire(selection, snapshot.offer)
        } catch {
          throw .failed("another program took \(choice.name) at the same moment")
        }
        owned.append(selection)
      }
      alarm(0)
      guard reporter.send(BackgroundProcess.Report()) else { return }
      while connection.isServing || owned.contains(where: { connection.isOwner(of: $0) }) {
        guard (try? connection.turn()) != nil else { return }
      }
    } catch {
      reporter.send(
        BackgroundProcess.Report(status: error.status.rawValue, message: error.message))
    }
  }
}
