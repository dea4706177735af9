internal import Glibc
internal import SelectionFormats

/// What `paste` was asked for.
struct PasteOptions {
  enum Output {
    case standardOutput
    case file(RawText)
    case directory(RawText)
  }

  var types: [TypeRequest] = []
  var output = Output.standardOutput
  var selection = SelectionChoice.clipboard
  var listsFiles = false
  var endsNamesWithNUL = false
  var isForced = false
  var trimsNewline = false
  var convertsLineEnds = false
  var timeout: Int64?
  var display: String?
  var program = "pasteboard"
  /// What is taken where no type is asked for and there is no text.
  var fallback = Fallback.anything

  /// What stands in for text.
  enum Fallback {
    /// What the owner lists first.
    case anything
    /// Bytes that nobody gave a type.
    case bytes
    case nothing
  }

  init() {}

  static let table = OptionTable(
    command: "pasteboard paste",
    options: [
      Option("type", "t", takesArgument: true), Option("output", "o", takesArgument: true),
      Option("selection", "s", takesArgument: true), Option("primary", "p"), Option("files"),
      Option("null", "0"), Option("force"), Option("trim", "n"), Option("lf"),
      Option("timeout", takesArgument: true), Option("display", takesArgument: true),
      Option("help", "h"),
    ])

  init(_ arguments: [ParsedArgument]) throws(CommandFailure) {
    for argument in arguments {
      guard case .option(let name, let value) = argument else {
        guard case .operand(let word) = argument else { continue }
        throw .usage(
          "paste takes no file name (\"\(word.printable)\"); write to a file with -o FILE")
      }
      switch name {
      case "type": types.append(try value.typeRequest())
      case "output": output = try Self.output(value)
      case "selection": selection = try SelectionChoice(value)
      case "primary": selection = .primary
      case "files": listsFiles = true
      case "null": endsNamesWithNUL = true
      case "force": isForced = true
      case "trim": trimsNewline = true
      case "lf": convertsLineEnds = true
      case "timeout": timeout = try value.milliseconds("--timeout")
      case "display": display = value.text
      default: break
      }
    }
    if listsFiles, !types.isEmpty {
      throw .usage("--files and -t exclude each other: files are a type of their own")
    }
    if endsNamesWithNUL, !listsFiles { throw .usage("-0 goes with --files") }
    if listsFiles, case .directory = output {
      throw .usage("--files lists names; it cannot write into a directory")
    }
    for type in types where type.hasSideEffect && !isForced {
      throw .usage(
        "asking for \(type.spelling) changes something at the owner; use --force to do it")
    }
  }

  private static func output(_ path: RawText) throws(CommandFailure) -> Output {
    guard !path.isEmpty else { throw .usage("-o wants a file name") }
    if path.bytes == [UInt8(ascii: "-")] { return .standardOutput }
    var status = stat()
    let isDirectory =
      path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
    return isDirectory || path.bytes.last == UInt8(ascii: "/") ? .directory(path) : .file(path)
  }
}
