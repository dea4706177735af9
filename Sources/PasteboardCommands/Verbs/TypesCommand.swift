internal import CLinux
internal import ContentTypes
internal import SelectionFormats

/// `pasteboard types`: lists what is on offer.
struct TypesCommand {
  private var types: [TypeRequest] = []
  private var selection = SelectionChoice.clipboard
  private var writesJSON = false
  private var timeout: Int64?
  private var display: String?

  static let table = OptionTable(
    command: "pasteboard types",
    options: [
      Option("type", "t", takesArgument: true), Option("selection", "s", takesArgument: true),
      Option("primary", "p"), Option("json"), Option("timeout", takesArgument: true),
      Option("display", takesArgument: true), Option("help", "h"),
    ])

  init(_ arguments: [ParsedArgument]) throws(CommandFailure) {
    for argument in arguments {
      guard case .option(let name, let value) = argument else {
        throw .usage("types takes no operand (see pasteboard types --help)")
      }
      switch name {
      case "type": types.append(try value.typeRequest())
      case "selection": selection = try SelectionChoice(value)
      case "primary": selection = .primary
      case "json": writesJSON = true
      case "timeout": timeout = try value.milliseconds("--timeout")
      case "display": display = value.text
      default: break
      }
    }
  }

  private func offeredTargets(
    _ reader: SelectionReader
  ) throws(CommandFailure) -> OfferedTargets? {
    do throws(CommandFailure) {
      return try reader.offeredTargets()
    } catch {
      // A script that reads JSON gets some.
      if writesJSON, error.status == .nothing { try Console.write("[]\n") }
      throw error
    }
  }

  func run() throws(CommandFailure) {
    var watchdog = Watchdog(program: "pasteboard", milliseconds: timeout)
    watchdog.rearm()
    let connection = try Display.connect(display, atoms: [selection.atomName])
    let reader = SelectionReader(connection, selection, watchdog)
    guard let offered = try offeredTargets(reader) else {
      throw .failed("the owner of \(selection.name) refuses to say what it offers")
    }
    var targets = offered.data
    if !types.isEmpty {
      let wanted = types.flatMap { $0.targets(in: offered) }
      targets = offered.targets.filter { wanted.contains($0) }
    }
    cl_die_after(0)
    if writesJSON {
      try Console.write(JSONText.array(targets.map(\.json)).text + "\n")
    } else {
      try Console.write(targets.map(\.line).joined())
    }
    guard targets.isEmpty else { return }
    let what = types.map { TargetName.escaped($0.spelling) }.joined(separator: ", ")
    throw CommandFailure(
      .nothing,
      "no \(what.isEmpty ? "content" : what) in \(selection.name); \(reader.list(offered))")
  }
}

extension OfferedTarget {
  /// What a person reads: content type, MIME type and target, with tabs between them.
  var line: String {
    "\(contentType?.identifier ?? "-")\t\(mimeType.map(TargetName.escaped) ?? "-")"
      + "\t\(TargetName.escaped(name))\n"
  }

  var json: JSONText { json(size: nil) }

  /// - Parameter size: Bytes of the content, where they were counted.
  func json(size: Int?) -> JSONText {
    .object(
      [
        ("type", .optional(contentType?.identifier)), ("mime", .optional(mimeType)),
        ("target", .string(name)),
      ] + (size.map { [("size", .number(Int64($0)))] } ?? []))
  }
}
