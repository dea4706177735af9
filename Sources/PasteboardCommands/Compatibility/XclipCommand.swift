internal import CLinux
internal import ContentTypes
internal import Glibc
internal import SelectionFormats
internal import XlibTransport

/// What xclip 0.13 does, with the options that later versions added.
///
/// Different on purpose: nothing of the caller's stays open; `-loops` counts pastes, not requests; text is offered in
/// every text target, and nothing is sent for a target that is not offered; waiting has an end.
struct XclipCommand {
  private var writes = false
  private var files: [RawText] = []
  private var filters = false
  private var trims = false
  private var target: RawText?
  private var alternative: RawText?
  private var isLatin = false
  private var isSensitive = false
  /// nil for the cut buffer.
  private var selection: SelectionChoice? = .primary
  private var isVerbose = false
  private var serving = ServingOptions()

  private static let table = OptionTable(
    command: "xclip",
    options: [
      Option("in"), Option("out"), Option("filter"), Option("rmlastnl"),
      Option("loops", takesArgument: true), Option("target", takesArgument: true),
      Option("alt-text", takesArgument: true), Option("display", takesArgument: true),
      Option("selection", takesArgument: true), Option("silent"), Option("quiet"),
      Option("verbose"), Option("debug"), Option("noutf8"), Option("sensitive"),
      Option("wait", takesArgument: true), Option("version"), Option("help"),
      // Not ambiguous, since older versions had no other word that begins so.
      Option("d", takesArgument: true), Option("se", takesArgument: true),
    ], hasSingleDash: true, takesStrangersAsOperands: true)

  init(_ count: CInt, _ words: CompatibleCommand.Words) throws(CommandFailure) {
    serving.program = "xclip"
    for argument in try Self.table.parse(count, words) {
      guard case .option(let name, let value) = argument else {
        if case .operand(let word) = argument { files.append(word) }
        continue
      }
      switch name {
      case "in": writes = false
      case "out": writes = true
      case "filter": filters = true
      case "rmlastnl": trims = true
      case "loops":
        let loops = try Self.number(value, "-loops")
        serving.pastes = loops > 0 ? loops : nil
      case "target": target = value
      case "alt-text": alternative = value
      case "display", "d": serving.display = value.text
      case "selection", "se": selection = Self.selection(value)
      case "silent": serving.isForeground = false
      case "quiet": serving.isForeground = true
      case "verbose", "debug":
        serving.isForeground = true
        isVerbose = true
      case "noutf8": isLatin = true
      case "sensitive": isSensitive = true
      case "wait":
        let wait = try Self.number(value, "-wait")
        serving.quiet = wait > 0 ? Int64(wait) : nil
      case "version":
        throw Self.answer("xclip version 0.13 (pasteboard \(PasteboardTool.version))\n")
      default: throw Self.answer(Self.help)
      }
    }
    if isSensitive, serving.quiet == nil { serving.quiet = 50 }
  }

  func run() throws(CommandFailure) {
    if writes { return try paste() }
    try copy()
  }

  // MARK: Out

  private func paste() throws(CommandFailure) {
    guard let selection else {
      let connection = try connect()
      try write(connection.cutBuffer() ?? [])
      return
    }
    var options = PasteOptions()
    options.program = "xclip"
    options.selection = selection
    options.display = serving.display
    options.trimsNewline = trims
    options.isForced = true
    options.fallback = .bytes
    if isLatin {
      options.types = [try RawText("STRING").typeRequest()]
    } else if let target, target != RawText("UTF8_STRING") {
      options.types = [try target.typeRequest()]
      guard !options.types[0].hasSideEffect else { throw unavailable }
    }
    do throws(CommandFailure) {
      try PasteCommand.run(options, endsProcess: !isSensitive)
    } catch {
      throw error.status == .nothing ? unavailable : error
    }
    if isSensitive { _ = try connect().clear(selection.atom(on: try connect())) }
  }

  private var unavailable: CommandFailure {
    let name = isLatin ? "STRING" : target?.printable ?? "STRING"
    return CommandFailure(.nothing, "target \(name) not available")
  }

  private func write(_ bytes: [UInt8]) throws(CommandFailure) {
    try Console.write(trims && bytes.last == 0x0A ? Array(bytes.dropLast()) : bytes)
  }

  // MARK: In

  private func copy() throws(CommandFailure) {
    let loaded = try read()
    guard let selection else {
      let connection = try connect()
      guard case .memory(let bytes) = loaded.source else {
        guard case .file(let file) = loaded.source, let bytes = file.whole(atMost: 1 << 30) else {
          throw .failed("the input is too large for a cut buffer")
        }
        return connection.setCutBuffer(bytes)
      }
      return connection.setCutBuffer(bytes)
    }
    var options = serving
    options.selections = [selection]
    let content = try content(loaded)
    guard serving.isForeground else { return try ServingProcess.detach(content, options) }
    let waiting =
      options.pastes.map { "Waiting for \($0) selection request(s)" }
      ?? "Waiting for selection requests"
    _ = Descriptor.write(2, Array("\(waiting), Control-C to quit\n".utf8))
    try ServingProcess.runHere(content, options)
  }

  private func read() throws(CommandFailure) -> LoadedContent {
    var spool = InputSpool()
    let headLength = ContentRecognition.headLength
    if files.isEmpty {
      let copy: CInt? = filters && !serving.isForeground ? 1 : nil
      try spool.read(0, name: RawText("standard input"), headLength: headLength, copy: copy)
    }
    for file in files {
      if file == RawText("-") {
        try spool.read(0, name: RawText("standard input"), headLength: headLength)
        continue
      }
      let descriptor = file.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
      guard descriptor >= 0 else {
        // As xclip says it, without a word before.
        _ = Descriptor.write(
          2, Array("xclip: \(file.printable): \(Descriptor.reason(errno))\n".utf8))
        throw CommandFailure(.failed, "")
      }
      defer { close(descriptor) }
      try spool.read(descriptor, name: file, headLength: headLength)
    }
    return try spool.content(files.first ?? RawText("standard input"), trimsNewline: trims)
  }

  private func content(_ loaded: LoadedContent) throws(CommandFailure) -> CopyContent {
    var content = CopyContent(isSensitive: isSensitive)
    let representation: Representation
    if isLatin {
      representation = Representation(nil, targetName: "STRING", repertoire: loaded.repertoire)
    } else if let target {
      let request = try target.typeRequest()
      let means = OfferedTarget(name: target.text)
      if request.isProtocolTarget {
        throw .usage("\(target.printable) is part of the protocol and cannot be offered")
      }
      representation =
        means.isPlainText && loaded.repertoire.isText
        ? Representation(.utf8PlainText, targetName: target.text, repertoire: loaded.repertoire)
        : Representation(nil, targetName: target.text, repertoire: loaded.repertoire)
    } else {
      representation = Representation(
        loaded.repertoire.isText ? .utf8PlainText : .data, repertoire: loaded.repertoire)
    }
    content.items.append(
      CopyContent.Item(
        representation: representation, source: loaded.source, typeIsNamed: target != nil))
    if let alternative {
      let bytes = alternative.bytes
      content.items.append(
        CopyContent.Item(
          representation: Representation(.utf8PlainText, bytes: bytes), source: .memory(bytes)))
    }
    content.deriveText()
    return content
  }

  // MARK: Words

  private func connect() throws(CommandFailure) -> SelectionConnection {
    var watchdog = Watchdog(program: "xclip", milliseconds: nil)
    watchdog.rearm()
    return try Display.connect(serving.display)
  }

  /// The first letter decides, in any case; what is unknown is the primary selection.
  private static func selection(_ value: RawText) -> SelectionChoice? {
    switch value.text.lowercased().first {
    case "s": return .secondary
    case "c": return .clipboard
    case "b": return nil
    default: return .primary
    }
  }

  private static func number(_ value: RawText, _ option: String) throws(CommandFailure) -> Int {
    guard let number = Int(value.text), number >= 0 else {
      throw .usage("\(option) wants a number, not \"\(value.printable)\"")
    }
    return number
  }

  /// Help and version go to standard error, and are no failure.
  private static func answer(_ text: String) -> CommandFailure {
    _ = Descriptor.write(2, Array(text.utf8))
    return CommandFailure(.done, "")
  }

  private static let help = """
    Usage: xclip [OPTION] [FILE]...
    Access an X server selection for reading or writing.

      -i, -in          read text into X selection from standard input or files
                       (default)
      -o, -out         print the selection to standard output
      -l, -loops       number of pastes to serve before giving the selection up
      -d, -display     X display to connect to (eg localhost:0")
      -selection       selection to access ("primary", "secondary", "clipboard" or
                       "buffer-cut")
      -f, -filter      text piped in is written to standard output unmodified
      -r, -rmlastnl    remove the last newline character if present
      -t, -target      use the given target atom
      -alt-text        offer this text too
      -noutf8          don't treat text as utf-8, use old unicode
      -sensitive       ask managers to keep out, and serve one paste
      -wait            give the selection up so many ms after a paste
      -silent          run in the background, without messages (default)
      -quiet           run in the foreground, show what is happening
      -verbose         the same
      -version         version information
      -h, -help        this text

    """
}
