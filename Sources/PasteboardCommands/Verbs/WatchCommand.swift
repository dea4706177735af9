internal import CLinux
internal import ContentTypes
internal import Glibc
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// `pasteboard watch`: tells of every change, and runs a command for it.
struct WatchCommand {
  private var types: [TypeRequest] = []
  private var selections: [SelectionChoice] = [.clipboard]
  private var tellsInitial = false
  private var writesJSON = false
  /// Milliseconds without a further change before one is told.
  private var calm: Int64?
  private var command: [RawText] = []
  private var display: String?

  static let table = OptionTable(
    command: "pasteboard watch",
    options: [
      Option("type", "t", takesArgument: true), Option("selection", "s", takesArgument: true),
      Option("primary", "p"), Option("initial"), Option("json"),
      Option("settle", takesArgument: true),
      Option("display", takesArgument: true), Option("help", "h"),
    ], stopsAtOperand: true)

  init(_ arguments: [ParsedArgument]) throws(CommandFailure) {
    for argument in arguments {
      guard case .option(let name, let value) = argument else {
        if case .operand(let word) = argument { command.append(word) }
        continue
      }
      switch name {
      case "type": types.append(try value.typeRequest())
      case "selection": selections = try SelectionChoice.list(value)
      case "primary": selections = [.primary]
      case "initial": tellsInitial = true
      case "json": writesJSON = true
      case "settle": calm = try value.milliseconds("--settle")
      case "display": display = value.text
      default: break
      }
    }
  }

  func run() throws(CommandFailure) {
    var watchdog = Watchdog(program: "pasteboard", milliseconds: nil)
    watchdog.rearm()
    let connection = try Display.connect(display, atoms: selections.map(\.atomName))
    let readers = selections.map { SelectionReader(connection, $0, watchdog) }
    var changes: [(SelectionReader, SelectionChange)] = []
    for reader in readers {
      _ = connection.watch(reader.selection) { notice in
        changes.append((reader, SelectionChange(notice)))
      }
      guard tellsInitial else { continue }
      changes.append((reader, .initial(owner: connection.currentOwner(of: reader.selection))))
    }
    var pace = CommandPace()
    while true {
      cl_die_after(0)
      do throws(DisplayError) {
        if let rest = pace.rest(from: .now) {
          if pace.isToBeTold {
            Console.complain(
              "pasteboard", "the command is run again and again; does it copy by itself?")
          }
          try connection.turn(until: rest, while: { true })
        }
        try connection.turn(while: { changes.isEmpty })
      } catch {
        throw CommandFailure(.noDisplay, error.description)
      }
      if let calm { try settle(calm, on: connection) { changes.count } }
      var due = changes
      changes.removeAll()
      while !due.isEmpty {
        let next = due.removeFirst()
        // Who owned it in between cannot be asked any more.
        let isLatest = !(due + changes).contains { $0.0 === next.0 }
        if !isLatest, calm != nil || !command.isEmpty { continue }
        if try tell(next.1, of: next.0, asks: isLatest) { pace.ran(at: .now) }
      }
    }
  }

  /// Waits until nothing has changed for a while.
  private func settle(
    _ calm: Int64, on connection: SelectionConnection, _ count: () -> Int
  ) throws(CommandFailure) {
    var seen = -1
    while seen != count() {
      let before = count()
      seen = before
      do throws(DisplayError) {
        try connection.turn(until: .now + calm, while: { count() == before })
      } catch {
        throw CommandFailure(.noDisplay, error.description)
      }
    }
  }

  /// - Returns: Whether the command was run.
  private func tell(
    _ change: SelectionChange, of reader: SelectionReader, asks: Bool
  ) throws(CommandFailure) -> Bool {
    var offered: OfferedTargets?
    if asks, change.owner != .none {
      do throws(CommandFailure) {
        offered = try reader.offeredTargets()
      } catch {
        // An owner that does not answer, or is gone already, is a change all the same.
        guard error.status != .noDisplay else { throw error }
      }
    }
    let candidates = types.flatMap { request in
      offered.map { request.targets(in: $0).map { ($0, request.wish(for: $0)) } } ?? []
    }
    if !types.isEmpty, candidates.isEmpty { return false }
    guard command.isEmpty else {
      try runCommand(change, reader, offered, candidates.first)
      return true
    }
    try Console.write(
      writesJSON
        ? change.json(reader, offered).text + "\n" : change.line(reader.choice, offered))
    return false
  }

  private func runCommand(
    _ change: SelectionChange, _ reader: SelectionReader, _ offered: OfferedTargets?,
    _ candidate: (target: OfferedTarget, wish: PasteReceiver.Wish)?
  ) throws(CommandFailure) {
    let child = Child(
      words: command,
      environment: [
        ("CLIPBOARD_STATE", change.state(offered)), ("PASTE_SELECTION", reader.choice.atomName),
        ("PASTE_REASON", change.reason),
        ("PASTE_TYPE", candidate?.target.contentType?.identifier ?? ""),
        ("PASTE_TARGET", candidate?.target.name ?? ""),
      ])
    var input: CInt?
    if let candidate {
      do throws(CommandFailure) {
        input = try FetchedContent.file(of: candidate.target, reader, wish: candidate.wish)
      } catch {
        guard error.status != .noDisplay else { throw error }
        Console.complain("pasteboard", error.message)
        return
      }
    }
    defer { if let input { close(input) } }
    _ = try child.run(input: input)
  }
}

/// One change of a selection, as it is told.
struct SelectionChange {
  /// `initial`, `new`, `cleared` or `owner-gone`.
  var reason: String
  var owner: Window
  var time: ServerTime

  init(_ notice: SelectionNotice) {
    owner = notice.owner
    time = notice.time
    reason =
      switch notice.reason {
      case .newOwner: "new"
      case .cleared: "cleared"
      case .ownerGone: "owner-gone"
      }
  }

  static func initial(owner: Window) -> SelectionChange {
    SelectionChange(reason: "initial", owner: owner, time: .current)
  }

  private init(reason: String, owner: Window, time: ServerTime) {
    (self.reason, self.owner, self.time) = (reason, owner, time)
  }

  /// For CLIPBOARD_STATE, which other watchers use too.
  func state(_ offered: OfferedTargets?) -> String {
    if owner == .none { return reason == "cleared" ? "clear" : "nil" }
    return offered?.hasPasswordHint == true ? "sensitive" : "data"
  }

  func line(_ selection: SelectionChoice, _ offered: OfferedTargets?) -> String {
    let types = offered?.contentTypes.map(\.identifier).joined(separator: " ") ?? ""
    return "\(selection.name)\t\(reason)\t\(types)\n"
  }

  func json(_ reader: SelectionReader, _ offered: OfferedTargets?) -> JSONText {
    let process = owner == .none ? nil : reader.connection.process(of: owner)
    return .object([
      ("selection", .string(reader.choice.atomName)), ("reason", .string(reason)),
      ("state", .string(state(offered))),
      ("time", time == .current ? .null : .number(Int64(time.rawValue))),
      ("window", owner == .none ? .null : .string("0x" + String(owner.rawValue, radix: 16))),
      ("process", process.map { .number(Int64($0)) } ?? .null),
      ("program", .optional(process.flatMap { SelectionReader.programName(of: $0) })),
      ("types", offered.map { .array($0.data.map(\.json)) } ?? .null),
    ])
  }
}
