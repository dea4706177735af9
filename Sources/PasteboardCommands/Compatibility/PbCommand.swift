internal import Glibc
internal import SelectionFormats

/// What pbcopy and pbpaste do.
enum PbCommand {
  private static let copyTable = OptionTable(
    command: "pbcopy",
    options: [Option("pboard", takesArgument: true), Option("help")], hasSingleDash: true)
  private static let pasteTable = OptionTable(
    command: "pbpaste",
    options: [
      Option("pboard", takesArgument: true), Option("Prefer", takesArgument: true), Option("help"),
    ], hasSingleDash: true)

  static func copy(_ count: CInt, _ words: CompatibleCommand.Words) throws(CommandFailure) {
    var options = CopyOptions()
    options.serving.program = "pbcopy"
    for argument in try copyTable.parse(count, words) {
      switch argument {
      case .option("pboard", let name): options.serving.selections = [try pasteboard(name)]
      case .option:
        return try Console.write("Usage: pbcopy [-help] [-pboard general|ruler|find|font]\n")
      case .operand(let word): throw .usage("pbcopy takes no file (\"\(word.printable)\")")
      }
    }
    try CopyCommand.run(options)
  }

  static func paste(_ count: CInt, _ words: CompatibleCommand.Words) throws(CommandFailure) {
    var options = PasteOptions()
    options.program = "pbpaste"
    options.isForced = true
    options.fallback = .bytes
    var preferred: [TypeRequest] = []
    for argument in try pasteTable.parse(count, words) {
      switch argument {
      case .option("pboard", let name): options.selection = try pasteboard(name)
      case .option("Prefer", let type): preferred = try types(type)
      case .option:
        return try Console.write(
          "Usage: pbpaste [-help] [-pboard general|ruler|find|font] [-Prefer txt|rtf|ps]\n")
      case .operand(let word): throw .usage("pbpaste takes no operand (\"\(word.printable)\")")
      }
    }
    let attempts = preferred.isEmpty ? [[], try requests(drawn)] : [preferred]
    for types in attempts {
      options.types = types
      do throws(CommandFailure) {
        return try PasteCommand.run(options, endsProcess: true)
      } catch {
        // Nothing of that kind: an empty output, as on a Mac.
        guard error.status == .nothing else { throw error }
      }
    }
  }

  private static func pasteboard(_ name: RawText) throws(CommandFailure) -> SelectionChoice {
    switch name.text {
    case "general": return .clipboard
    case "ruler", "find", "font": return SelectionChoice(atomName: "PB_" + name.text.uppercased())
    default: throw .usage("-pboard wants general, ruler, find or font, not \"\(name.printable)\"")
    }
  }

  /// What is preferred, then what else will do.
  private static func types(_ name: RawText) throws(CommandFailure) -> [TypeRequest] {
    let identifiers: [String]
    switch name.text {
    case "txt", "ascii": identifiers = ["public.utf8-plain-text"]
    case "rtf": identifiers = ["public.rtf", "public.utf8-plain-text"]
    case "ps":
      identifiers = [
        "com.adobe.encapsulated-postscript", "com.adobe.postscript", "public.utf8-plain-text",
      ]
    default: throw .usage("-Prefer wants txt, rtf or ps, not \"\(name.printable)\"")
    }
    return try requests(identifiers)
  }

  /// What a Mac takes in the place of text.
  private static let drawn = [
    "com.adobe.encapsulated-postscript", "com.adobe.postscript", "public.rtf",
  ]

  private static func requests(_ identifiers: [String]) throws(CommandFailure) -> [TypeRequest] {
    var types: [TypeRequest] = []
    for identifier in identifiers { types.append(try RawText(identifier).typeRequest()) }
    return types
  }
}
