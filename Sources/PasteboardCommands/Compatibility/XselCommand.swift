internal import CLinux
internal import ContentTypes
internal import Glibc
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// What xsel does.
///
/// Different on purpose: the selection is owned when the command returns; nothing is cut at a NUL or at a size; no
/// log is written; the time limit works, and there is one if none is given.
struct XselCommand {
  private var sets = false
  private var prints = false
  private var appends = false
  private var follows = false
  private var restartsAtNUL = false
  private var clears = false
  private var deletes = false
  private var keeps = false
  private var exchanges = false
  private var trims = false
  private var selection = SelectionChoice.primary
  private var timeout: Int64?
  private var serving = ServingOptions()

  private static let table = OptionTable(
    command: "xsel",
    options: [
      Option("input", "i"), Option("output", "o"), Option("append", "a"), Option("follow", "f"),
      Option("zeroflush", "z"), Option("clear", "c"), Option("delete", "d"),
      Option("primary", "p"), Option("secondary", "s"), Option("clipboard", "b"),
      Option("keep", "k"), Option("exchange", "x"), Option("display", takesArgument: true),
      Option("windowName", takesArgument: true), Option("name", "m", takesArgument: true),
      Option("selectionTimeout", "t", takesArgument: true), Option("trim"),
      Option("logfile", "l", takesArgument: true), Option("nodetach", "n"), Option("help", "h"),
      Option("version"), Option("verbose", "v"),
    ])

  init(_ count: CInt, _ words: CompatibleCommand.Words) throws(CommandFailure) {
    serving.program = "xsel"
    let parsed: [ParsedArgument]
    do throws(CommandFailure) {
      parsed = try Self.table.parse(count, words)
    } catch {
      // As xsel: its usage, no change, and no failure.
      throw try Self.answer(Self.help)
    }
    for argument in parsed {
      guard case .option(let name, let value) = argument else { throw try Self.answer(Self.help) }
      switch name {
      case "input": sets = true
      case "output": prints = true
      case "append":
        sets = true
        appends = true
      case "follow", "zeroflush":
        sets = true
        follows = true
        if name == "zeroflush" { restartsAtNUL = true }
      case "clear": clears = true
      case "delete": deletes = true
      case "primary": selection = .primary
      case "secondary": selection = .secondary
      case "clipboard": selection = .clipboard
      case "keep": keeps = true
      case "exchange": exchanges = true
      case "display": serving.display = value.text
      case "selectionTimeout":
        guard let milliseconds = Int64(value.text), (0..<1 << 40).contains(milliseconds) else {
          throw .usage("-t wants milliseconds, not \"\(value.printable)\"")
        }
        timeout = milliseconds == 0 ? nil : milliseconds
      case "trim": trims = true
      case "nodetach": serving.isForeground = true
      case "version":
        throw try Self.answer("xsel version 1.2.0 (pasteboard \(PasteboardTool.version))\n")
      case "help": throw try Self.answer(Self.help)
      default: break
      }
    }
    guard !(sets || prints || clears || deletes || keeps || exchanges) else { return }
    // No direction given: standard input that is no terminal is set, standard output that is none is written.
    let readsTerminal = isatty(0) == 1
    let writesTerminal = isatty(1) == 1
    sets = !readsTerminal
    prints = !writesTerminal || readsTerminal
  }

  func run() throws(CommandFailure) {
    if keeps { return try keep() }
    if exchanges {
      do throws(CommandFailure) {
        return try ExchangeCommand(.primary, .secondary, display: serving.display, program: "xsel")
          .run()
      } catch {
        guard error.status == .nothing else { throw error }
        return
      }
    }
    if prints { try paste() }
    if clears {
      _ = try connect { connection, selection in connection.clear(selection) }
    } else if deletes {
      try delete()
    } else if sets {
      try copy()
    }
  }

  private func paste() throws(CommandFailure) {
    var options = PasteOptions()
    options.program = "xsel"
    options.selection = selection
    options.display = serving.display
    options.trimsNewline = trims
    options.isForced = true
    options.fallback = .bytes
    options.timeout = timeout
    do throws(CommandFailure) {
      try PasteCommand.run(options, endsProcess: !sets && !clears && !deletes)
    } catch {
      // An empty or refusing selection is no failure for xsel, and nothing to talk about.
      guard error.status == .nothing else { throw error }
    }
  }

  private func copy() throws(CommandFailure) {
    var options = CopyOptions()
    options.trimsNewline = trims
    options.appends = appends
    options.serving = serving
    options.serving.selections = [selection]
    options.serving.expires = timeout
    var content =
      try follows ? followed() : CopyGathering(options: options).content()
    // xsel knows text only: what the text may mean besides is not offered.
    content.items = content.items.map { item in
      if case .followed = item.source { return item }
      guard item.representation.repertoire?.isText == true else { return item }
      var item = item
      item.representation = Representation(
        .utf8PlainText, repertoire: item.representation.repertoire)
      return item
    }
    if serving.isForeground {
      try ServingProcess.runHere(content, options.serving)
    } else {
      try ServingProcess.detach(content, options.serving)
    }
  }

  /// Standard input as far as it came, and what will come.
  private func followed() throws(CommandFailure) -> CopyContent {
    // The serving process has something else as its standard input.
    let descriptor = fcntl(0, F_DUPFD_CLOEXEC, 3)
    guard descriptor >= 0 else {
      throw .failed("cannot read standard input: \(Descriptor.reason(errno))")
    }
    let input = FollowedInput(descriptor, restartsAtNUL: restartsAtNUL)
    if appends { input.begin(with: try before()) }
    input.takeAvailable()
    var content = CopyContent()
    content.items = [
      CopyContent.Item(representation: input.representation, source: .followed(input))
    ]
    return content
  }

  /// The text that is there.
  private func before() throws(CommandFailure) -> [UInt8] {
    var watchdog = Watchdog(program: "xsel", milliseconds: timeout)
    watchdog.rearm()
    let connection = try Display.connect(serving.display)
    let text = try FetchedContent.text(SelectionReader(connection, selection, watchdog))
    cl_die_after(0)
    return text ?? []
  }

  private func delete() throws(CommandFailure) {
    try connect { connection, selection in
      var isOver = false
      connection.convert(
        Conversion(selection: selection, target: connection.atom("DELETE")),
        receive: { _, _, _ in }, completion: { _ in isOver = true })
      _ = try? connection.turn(while: { !isOver })
    }
  }

  private func keep() throws(CommandFailure) {
    var watchdog = Watchdog(program: "xsel", milliseconds: timeout)
    watchdog.rearm()
    let plan = try snapshots(watchdog)
    cl_die_after(0)
    if !plan.isEmpty { try Resettling.run(plan, display: serving.display, program: "xsel") }
  }

  private func snapshots(_ watchdog: Watchdog) throws(CommandFailure) -> Resettling.Plan {
    var plan: Resettling.Plan = []
    let connection = try Display.connect(serving.display)
    for choice in [SelectionChoice.primary, .secondary] {
      let snapshot = try SelectionSnapshot(SelectionReader(connection, choice, watchdog))
      if let snapshot { plan.append((choice, snapshot)) }
    }
    return plan
  }

  @discardableResult
  private func connect<Result>(
    _ body: (SelectionConnection, Atom) -> Result
  ) throws(CommandFailure) -> Result {
    var watchdog = Watchdog(program: "xsel", milliseconds: timeout)
    watchdog.rearm()
    let connection = try Display.connect(serving.display)
    return body(connection, selection.atom(on: connection))
  }

  private static func answer(_ text: String) throws(CommandFailure) -> CommandFailure {
    try Console.write(text)
    return CommandFailure(.done, "")
  }

  private static let help = """
    Usage: xsel [options]
    Manipulate the X selection.

    Without an option, standard input that is no terminal becomes the selection,
    and the selection is written to standard output that is none.

    Input options
      -a, --append          Append standard input to the selection
      -i, --input           Read standard input into the selection
      -f, --follow          Let the selection grow while standard input goes on
      -z, --zeroflush       The same, and begin anew at each NUL

    Output options
      -o, --output          Write the selection to standard output
          --trim            Remove one newline at the end

    Action options
      -c, --clear           Clear the selection
      -d, --delete          Ask the owner to delete what is selected

    Selection options
      -p, --primary         The primary selection (default)
      -s, --secondary       The secondary selection
      -b, --clipboard       The clipboard
      -k, --keep            Keep the primary and the secondary selection when their
                            programs end
      -x, --exchange        Exchange the primary and the secondary selection

    X options
      --display NAME        X server to connect to
      -t, --selectionTimeout MS
                            How long reading, or serving, may take

    Other options
      -n, --nodetach        Serve in this process
      -l, --logfile FILE, -m, --name TEXT, -v, --verbose
                            Accepted, without effect
      -h, --help            This text
          --version         Version

    """
}
