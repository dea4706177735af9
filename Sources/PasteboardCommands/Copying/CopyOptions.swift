internal import SelectionFormats

/// What `copy` was asked for.
struct CopyOptions {
  var files: [RawText] = []
  var type: TypeRequest?
  /// `--as`: further representations, in order.
  var representations: [(TypeRequest, RawText)] = []
  var trimsNewline = false
  var isCut = false
  var offersFile = true
  var refusesEmpty = false
  var appends = false
  /// Whether what is there stays, beside what is copied.
  var adds = false
  var isSensitive = false
  var serving = ServingOptions()

  init() {}

  static let table = OptionTable(
    command: "pasteboard copy",
    options: [
      Option("type", "t", takesArgument: true), Option("as", takesArgument: true),
      Option("selection", "s", takesArgument: true), Option("primary", "p"),
      Option("trim", "n"), Option("foreground", "f"), Option("once"),
      Option("count", takesArgument: true), Option("sensitive"),
      Option("expires", takesArgument: true), Option("cut"), Option("no-file"),
      Option("no-empty"), Option("append"), Option("add"), Option("wait-paste"),
      Option("wait-kept"), Option("token"),
      Option("if-owner", takesArgument: true), Option("timeout", takesArgument: true),
      Option("display", takesArgument: true), Option("help", "h"),
    ])

  init(_ arguments: [ParsedArgument]) throws(CommandFailure) {
    for argument in arguments {
      guard case .option(let name, let value) = argument else {
        if case .operand(let word) = argument { files.append(word) }
        continue
      }
      switch name {
      case "type":
        guard type == nil else {
          throw .usage("copy takes one -t; give further representations with --as TYPE=FILE")
        }
        type = try value.offeredType()
      case "as": representations.append(try Self.representation(value))
      case "selection": serving.selections = try SelectionChoice.list(value)
      case "primary": serving.selections = [.primary]
      case "trim": trimsNewline = true
      case "foreground": serving.isForeground = true
      case "once": serving.pastes = 1
      case "count": serving.pastes = try value.count("--count")
      case "sensitive": isSensitive = true
      case "expires": serving.expires = try value.milliseconds("--expires")
      case "cut": isCut = true
      case "no-file": offersFile = false
      case "no-empty": refusesEmpty = true
      case "append": appends = true
      case "add": adds = true
      case "wait-paste", "wait-kept":
        guard serving.awaited == nil else {
          throw .usage("copy waits for one thing: --wait-paste or --wait-kept")
        }
        serving.awaited = name == "wait-kept" ? .keeping : .paste
      case "token": serving.printsToken = true
      case "if-owner": serving.token = try OwnershipToken(value)
      case "timeout": serving.timeout = try value.milliseconds("--timeout")
      case "display": serving.display = value.text
      default: break
      }
    }
    try check()
  }

  private func check() throws(CommandFailure) {
    if !representations.isEmpty, !files.isEmpty || type != nil {
      throw .usage("--as names every representation; it goes with neither FILE nor -t")
    }
    if appends, !files.isEmpty && files != [RawText("-")] || !representations.isEmpty {
      throw .usage("--append adds standard input to the text that is there; it takes no FILE")
    }
    if serving.token != nil || appends || adds, serving.selections.count > 1 {
      throw .usage("--append, --add and --if-owner are about one selection")
    }
    if adds, appends { throw .usage("--add and --append exclude each other") }
    if serving.awaited == .paste, serving.isForeground {
      throw .usage("--wait-paste and -f exclude each other: -f serves on after the first paste")
    }
    if serving.timeout != nil, serving.awaited == nil {
      throw .usage("--timeout says how long --wait-paste or --wait-kept waits")
    }
    if serving.awaited == .keeping {
      guard serving.selections == [.clipboard] else {
        throw .usage("--wait-kept is about the clipboard: nobody keeps other selections")
      }
      if serving.isForeground || serving.printsToken {
        throw .usage("--wait-kept leaves the copy to another program: neither -f nor --token")
      }
      if isSensitive || serving.pastes != nil || serving.expires != nil {
        throw .usage("--wait-kept: what is --sensitive, counted or expires is not for keeping")
      }
    }
    if isCut, files.isEmpty || !offersFile { throw .usage("--cut needs FILEs to be moved") }
    if type != nil, files.count > 1 {
      throw .usage("-t says what the content of one FILE is; several are copied as files")
    }
    if !offersFile, files.count > 1 {
      throw .usage("--no-file offers the content of one FILE; several are copied as files")
    }
  }

  private static func representation(
    _ word: RawText
  ) throws(CommandFailure) -> (TypeRequest, RawText) {
    // A MIME type's parameters have equals signs too: the file begins behind the first one that follows no
    // parameter's name.
    let text = word.bytes
    var search = text.startIndex
    while let equals = text[search...].firstIndex(of: UInt8(ascii: "=")) {
      let type = text[..<equals]
      let isParameter = type.lastIndex(of: UInt8(ascii: ";")).map { semicolon in
        !type[semicolon...].contains(UInt8(ascii: "="))
      }
      guard isParameter == true else {
        let file = RawText(bytes: Array(text[(equals + 1)...]))
        guard !type.isEmpty, !file.isEmpty else { break }
        return (try RawText(bytes: Array(type)).offeredType(), file)
      }
      search = equals + 1
    }
    throw .usage("--as wants TYPE=FILE, not \"\(word.printable)\"")
  }
}

/// What a copy may wait for.
enum AwaitedEvent {
  /// The first paste.
  case paste
  /// A clipboard manager has it, and it outlives the process that serves it.
  case keeping
}

/// How what was copied is served.
struct ServingOptions {
  /// Whom messages come from.
  var program = "pasteboard"
  var selections: [SelectionChoice] = [.clipboard]
  var display: String?
  var isForeground = false
  /// How many pastes are allowed; nil for any number.
  var pastes: Int?
  /// Milliseconds until the selection is given up, if it is still ours.
  var expires: Int64?
  /// Milliseconds after the last paste, once there was one, until the selection is given up.
  var quiet: Int64?
  /// What the command waits for before it returns, beyond the ownership.
  var awaited: AwaitedEvent?
  /// Milliseconds until that is given up.
  var timeout: Int64?
  /// Milliseconds that a clipboard manager has to take the content over.
  var keepingLimit: Int64 { timeout ?? 10_000 }
  var printsToken = false
  /// Whose ownership is replaced, and nobody else's.
  var token: OwnershipToken?
}
