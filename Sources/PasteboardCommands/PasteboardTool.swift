internal import Glibc
internal import HelperControl
internal import SelectionFormats

/// `pasteboard`: finds the command that the words name, and runs it.
public enum PasteboardTool {
  /// The version of the commands.
  public static let version = "0.9.0"

  /// Runs the command line of this process, and ends the process.
  public static func main() -> Never {
    Descriptor.prepare()
    let (count, words) = (ProgramArguments.count, ProgramArguments.words)
    if let other = compatible(words[0]) { exit(other.run(count, words)) }
    if count > 1, let other = compatible(words[1]) { exit(other.run(count - 1, words + 1)) }
    let status: ExitStatus
    do throws(CommandFailure) {
      try run(count, words)
      status = .done
    } catch {
      if !error.message.isEmpty { Console.complain("pasteboard", error.message) }
      status = error.status
    }
    exit(status.rawValue)
  }

  private typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// The other program that a word names, by the last component of a path.
  private static func compatible(_ word: UnsafeMutablePointer<CChar>?) -> CompatibleCommand? {
    word.flatMap { CompatibleCommand(rawValue: RawText($0).lastComponent.text) }
  }

  private static func run(_ count: CInt, _ words: Words) throws(CommandFailure) {
    guard count > 1, let first = words[1] else {
      throw .usage("what to do? copy, paste, types… (see pasteboard --help)")
    }
    let verb = RawText(first)
    switch verb.text {
    case "copy":
      try with(CopyOptions.table, HelpText.copy, count, words) { parsed throws(CommandFailure) in
        try CopyCommand.run(try CopyOptions(parsed))
      }
    case "paste":
      try with(PasteOptions.table, HelpText.paste, count, words) { parsed throws(CommandFailure) in
        try PasteCommand.run(try PasteOptions(parsed), endsProcess: true)
      }
    case "types":
      try with(TypesCommand.table, HelpText.types, count, words) { parsed throws(CommandFailure) in
        try TypesCommand(parsed).run()
      }
    case "clear":
      try with(ClearCommand.table, HelpText.clear, count, words) { parsed throws(CommandFailure) in
        try ClearCommand(parsed).run()
      }
    case "inspect":
      try with(InspectCommand.table, HelpText.inspect, count, words) {
        parsed throws(CommandFailure) in try InspectCommand(parsed).run()
      }
    case "watch":
      try with(WatchCommand.table, HelpText.watch, count, words) {
        parsed throws(CommandFailure) in try WatchCommand(parsed).run()
      }
    case "exchange":
      try with(ExchangeCommand.table, HelpText.exchange, count, words) {
        parsed throws(CommandFailure) in try ExchangeCommand(parsed).run()
      }
    case "helper", "history":
      try talkToHelper(
        verb.text, (2..<Int(count)).compactMap { words[$0].map { RawText($0).text } })
    case "--help", "-h", "help": try Console.write(HelpText.pasteboard)
    case "--version": try Console.write("pasteboard \(version)\n")
    default:
      throw .usage("unknown command \"\(verb.printable)\" (see pasteboard --help)")
    }
  }

  /// Passes a verb on to the session helper, whose exit codes become the command's.
  private static func talkToHelper(
    _ command: String, _ words: [String]
  ) throws(CommandFailure) {
    var words = words
    var display: String?
    if words.first == "--display" {
      guard words.count > 1 else { throw .usage("--display wants a display") }
      display = words[1]
      words.removeFirst(2)
    }
    if let first = words.first, ["-h", "--help", "help"].contains(first) {
      return try Console.write(command == "history" ? HelpText.history : HelpText.helper)
    }
    var verb = "history"
    if command == "helper" {
      guard let named = words.first, HelperCommand.verbs.contains(named), named != "history" else {
        throw .usage(
          words.first.map {
            "unknown verb \"\(TargetName.escaped($0))\" (see pasteboard helper --help)"
          }
            ?? "what is the helper to do? (see pasteboard helper --help)")
      }
      verb = named
      words.removeFirst()
    } else if words.isEmpty {
      throw .usage("what of the history? (see pasteboard history --help)")
    }
    exit(HelperCommand.run(verb, words, display: display, program: "pasteboard"))
  }

  /// Reads a command's options and runs it, or writes its help.
  private static func with(
    _ table: OptionTable, _ help: String, _ count: CInt, _ words: Words,
    _ body: ([ParsedArgument]) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    // The command's name stands where getopt expects the program's.
    let parsed = try table.parse(count - 1, words + 1)
    let wantsHelp = parsed.contains { argument in
      if case .option("help", _) = argument { true } else { false }
    }
    guard !wantsHelp else { return try Console.write(help) }
    try body(parsed)
  }
}
