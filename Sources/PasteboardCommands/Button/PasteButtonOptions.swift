internal import Glibc
internal import SelectionFormats

/// What `paste-button` was asked for.
struct PasteButtonOptions {
  enum Mode: Equatable {
    /// A window, until it is closed or, with `once`, until the first press is done.
    case window(once: Bool)
    case press
    case watch
  }

  var types: [TypeRequest] = []
  var selection = SelectionChoice.clipboard
  var mode = Mode.window(once: false)
  var label = "Paste"
  var command: [RawText] = []
  var timeout: Int64?
  var display: String?

  private static let table = OptionTable(
    command: "paste-button",
    options: [
      Option("accept", "a", takesArgument: true), Option("selection", "s", takesArgument: true),
      Option("primary", "p"), Option("press"), Option("watch"), Option("once"),
      Option("label", takesArgument: true), Option("timeout", takesArgument: true),
      Option("display", takesArgument: true), Option("help", "h"), Option("version"),
    ])

  typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// Reads the words: options and types before `--`, the command behind it.
  ///
  /// - Returns: nil where only help or the version was asked for, which is then written.
  init?(_ count: CInt, _ words: Words) throws(CommandFailure) {
    var end = 1
    while end < Int(count), let word = words[end], RawText(word) != RawText("--") { end += 1 }
    if end < Int(count) {
      command = ((end + 1)..<Int(count)).compactMap { words[$0].map { RawText($0) } }
    }
    var modes: [Mode] = []
    for argument in try Self.table.parse(CInt(end), words) {
      guard case .option(let name, let value) = argument else {
        if case .operand(let word) = argument { types.append(try word.typeRequest()) }
        continue
      }
      switch name {
      case "accept":
        for part in value.bytes.split(separator: UInt8(ascii: ",")) {
          types.append(try RawText(bytes: Array(part)).typeRequest())
        }
      case "selection": selection = try SelectionChoice(value)
      case "primary": selection = .primary
      case "press": modes.append(.press)
      case "watch": modes.append(.watch)
      case "once": modes.append(.window(once: true))
      case "label": label = value.text
      case "timeout": timeout = try value.milliseconds("--timeout")
      case "display": display = value.text
      case "version":
        try Console.write("paste-button \(PasteboardTool.version)\n")
        return nil
      default:
        try Console.write(HelpText.pasteButton)
        return nil
      }
    }
    if let mode = modes.first { self.mode = mode }
    try check(modes)
  }

  private func check(_ modes: [Mode]) throws(CommandFailure) {
    let hint = "(see paste-button --help)"
    if modes.count > 1 { throw .usage("--press, --watch and --once exclude each other \(hint)") }
    if types.isEmpty { throw .usage("--accept TYPE says what can be pasted \(hint)") }
    for type in types where type.hasSideEffect || type.isProtocolTarget {
      throw .usage("\(type.spelling) is part of the protocol, and no content")
    }
    if mode != .watch, command.isEmpty {
      throw .usage("no COMMAND to give the content to: write it behind -- \(hint)")
    }
    if timeout != nil, mode != .press { throw .usage("--timeout goes with --press \(hint)") }
  }
}
