internal import CLinux
internal import ContentTypes
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// `pasteboard inspect`: tells who owns the selections, since when, and every target.
struct InspectCommand {
  private var selections: [SelectionChoice] = [.clipboard, .primary, .secondary]
  private var isChosen = false
  private var writesJSON = false
  private var measures = false
  private var timeout: Int64?
  private var display: String?

  static let table = OptionTable(
    command: "pasteboard inspect",
    options: [
      Option("selection", "s", takesArgument: true), Option("primary", "p"), Option("json"),
      Option("sizes"), Option("timeout", takesArgument: true),
      Option("display", takesArgument: true),
      Option("help", "h"),
    ])

  init(_ arguments: [ParsedArgument]) throws(CommandFailure) {
    for argument in arguments {
      guard case .option(let name, let value) = argument else {
        throw .usage("inspect takes no operand (see pasteboard inspect --help)")
      }
      switch name {
      case "selection":
        selections = try SelectionChoice.list(value)
        isChosen = true
      case "primary":
        selections = [.primary]
        isChosen = true
      case "json": writesJSON = true
      case "sizes": measures = true
      case "timeout": timeout = try value.milliseconds("--timeout")
      case "display": display = value.text
      default: break
      }
    }
  }

  func run() throws(CommandFailure) {
    var watchdog = Watchdog(program: "pasteboard", milliseconds: timeout)
    watchdog.rearm()
    let connection = try Display.connect(display, atoms: selections.map(\.atomName))
    var found: [SelectionReport] = []
    for selection in selections {
      let reader = SelectionReader(connection, selection, watchdog)
      if let report = try SelectionReport(reader, measures: measures) { found.append(report) }
    }
    cl_die_after(0)
    if writesJSON {
      try Console.write(JSONText.array(found.map(\.json)).text + "\n")
    } else {
      try Console.write(found.map(\.text).joined(separator: "\n"))
    }
    if found.isEmpty {
      let names = selections.map(\.name).joined(separator: ", ")
      throw CommandFailure(.nothing, "nothing there: no program owns \(names)")
    }
  }
}

/// What there is to know of one selection without its content.
struct SelectionReport {
  let selection: SelectionChoice
  let owner: Window
  let process: Int32?
  let program: String?
  /// When the owner says that it acquired the selection, by the server's clock.
  let time: ServerTime?
  /// Milliseconds since then.
  let age: Int64?
  /// Every target; nil where the owner does not tell.
  let offered: OfferedTargets?
  let isSecret: Bool
  /// Why there are no targets.
  let trouble: String?
  /// The bytes of each content that was fetched, by target.
  let sizes: [String: Int]

  /// - Parameter measures: Whether every content is fetched to tell its size.
  /// - Returns: nil where nobody owns the selection.
  init?(_ reader: SelectionReader, measures: Bool) throws(CommandFailure) {
    let connection = reader.connection
    let owner = connection.currentOwner(of: reader.selection)
    guard owner != .none else { return nil }
    selection = reader.choice
    self.owner = owner
    process = connection.process(of: owner)
    program = process.flatMap { SelectionReader.programName(of: $0) }
    var offered: OfferedTargets?
    var trouble: String?
    do throws(CommandFailure) {
      offered = try reader.offeredTargets()
      if offered == nil { trouble = "the owner refuses TARGETS" }
    } catch {
      guard error.status != .noDisplay else { throw error }
      trouble = error.message
    }
    self.offered = offered
    self.trouble = trouble
    guard let offered else {
      (time, age, isSecret, sizes) = (nil, nil, false, [:])
      return
    }
    sizes = measures ? try Self.sizes(offered, reader) : [:]
    isSecret = offered.hasPasswordHint ? try Self.saysSecret(reader) : false
    time = offered.contains("TIMESTAMP") ? try Self.timestamp(reader) : nil
    age = time.map { time in
      Int64(max(0, Int32(bitPattern: connection.serverTime().rawValue &- time.rawValue)))
    }
  }

  private static func sizes(
    _ offered: OfferedTargets, _ reader: SelectionReader
  ) throws(CommandFailure) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for target in offered.data {
      var count = 0
      let atom = reader.connection.atom(target.name)
      let outcome = try reader.convert(atom) { bytes, _, _ in count += bytes.count }
      // What is refused, or breaks off, has no size.
      if case .success = outcome { sizes[target.name] = count }
    }
    return sizes
  }

  private static func timestamp(_ reader: SelectionReader) throws(CommandFailure) -> ServerTime? {
    let (outcome, bytes) = try reader.bytes(
      of: reader.connection.atoms.timestamp, limits: .targets)
    guard case .success(let reply) = outcome, reply.format == 32, bytes.count == 4
    else { return nil }
    let time = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    return time == 0 ? nil : ServerTime(time)
  }

  private static func saysSecret(_ reader: SelectionReader) throws(CommandFailure) -> Bool {
    let atom = reader.connection.atom(TargetName.passwordManagerHint)
    let (outcome, bytes) = try reader.bytes(of: atom, limits: .targets)
    guard case .success = outcome else { return false }
    return TargetName.saysSecret(bytes)
  }

  var json: JSONText {
    .object([
      ("selection", .string(selection.atomName)),
      ("window", .string("0x" + String(owner.rawValue, radix: 16))),
      ("process", process.map { .number(Int64($0)) } ?? .null), ("program", .optional(program)),
      ("time", time.map { .number(Int64($0.rawValue)) } ?? .null),
      ("age", age.map { .number($0) } ?? .null), ("sensitive", .boolean(isSecret)),
      ("targets", offered.map { .array($0.targets.map { .string($0.name) }) } ?? .null),
      ("types", offered.map { .array($0.data.map { $0.json(size: sizes[$0.name]) }) } ?? .null),
      ("problem", .optional(trouble)),
    ])
  }

  /// What a person reads.
  var text: String {
    var lines = ["\(selection.name)"]
    let number = "window 0x" + String(owner.rawValue, radix: 16)
    // A program that forked after it connected is known to the server by a process that is gone.
    let behind = process.map { "\(program ?? "a program that is gone"), process \($0), " } ?? ""
    lines.append("  owner    \(behind)\(number)")
    if let age { lines.append("  since    \(Watchdog.seconds(age)) s ago") }
    if isSecret { lines.append("  secret   clipboard managers are asked to keep out") }
    if let trouble { lines.append("  problem  \(trouble)") }
    for (index, target) in (offered?.targets ?? []).enumerated() {
      let type = target.contentType.map { " (\($0.identifier))" } ?? ""
      let size = sizes[target.name].map { ", \($0) bytes" } ?? ""
      lines.append(
        (index == 0 ? "  targets  " : "           ") + TargetName.escaped(target.name) + type + size
      )
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
