internal import Glibc
internal import HelperControl

/// What the helper's command line says.
struct HelperOptions: Equatable {
  struct Misuse: Error, Equatable {
    var message: String
  }

  enum Task: Equatable {
    case serve
    case control(verb: String, arguments: [String])
    case check
    case help
    case version
  }

  var task = Task.serve
  var display: String?
  var replaces = false
  var isVerbose = false
  /// Seconds to wait for the display.
  var wait = 30
  /// Where the settings are; `nil` for the usual place.
  var settingsPath: String?
  /// Whether there are to be no settings but those of the command line.
  var ignoresSettings = false
  var readsEarly: Bool?
  var sync: SyncDirection?
  var servesXwayland = false

  /// The settings of the file, and over them those of the command line.
  func settings() throws(SettingsFile.Misuse) -> HelperSettings {
    var settings = HelperSettings()
    if !ignoresSettings, let path = settingsPath ?? SettingsFile.standardPath() {
      try SettingsFile.read(path, isWanted: settingsPath != nil, into: &settings)
    }
    if let readsEarly { settings.limits.readsEarly = readsEarly }
    if let sync { settings.sync.direction = sync }
    if servesXwayland { settings.servesXwayland = true }
    return settings
  }

  static let usage = """
    Usage: pasteboardd [OPTION]…
           pasteboardd [--display NAME] --control VERB [ARGUMENT]…

    Keeps what was copied after its program is gone: the clipboard manager of an X session.

    It saves all types when a program asks for it on its way out (SAVE_TARGETS), and reads text, lists
    of files and HTML early, so that they outlive a program that is killed. It takes the clipboard only
    when its owner is gone, and never after the clipboard was cleared. What is marked as a secret is
    neither read nor kept. Nothing is written to disk, unless the history is turned on.

    Options:
      --display NAME      the display to serve; otherwise DISPLAY
      --replace           take over from the clipboard manager that runs
      --wait SECONDS      how long to wait for the display to come (default 30)
      --early-copy on|off whether text is read before anybody asks (default on)
      --sync DIRECTION    which selection follows the other: off (the default),
                          primary-to-clipboard, clipboard-to-primary or both
      --settings FILE     the settings, instead of $XDG_CONFIG_HOME/pasteboard/helper.conf
      --no-settings       none at all
      --check-settings    tell whether the settings are understood, and end
      --xwayland          serve an X server that is a guest in a Wayland session, whose
                          compositor carries the clipboard over by itself
      --verbose           report decisions on standard error: numbers of types and bytes, no content
      --control VERB      talk to the helper that runs
      --help              this text
      --version           the version

    Verbs:
      status [--json]     what is kept, and whether the helper is paused (then exit code 1)
      doctor              display, owners, permissions, the last decisions
      pause [TIME]        read and keep nothing, until resume or for so long: 90, 10m, 2h
      resume              end a pause
      ignore-next         neither read nor keep the next copy, within a minute
      takeover            replace an owner that does not answer by what was read of it
      wait-kept [SECONDS] wait until the present copy would outlive its program (default 10)
      sync [DIRECTION]    which selection follows the other, or say so until the helper ends
      sync --once DIRECTION        take a text over now, whatever is set
      reload              read the settings anew
      history enable      remember copies on disk, for this user only; says where
      history disable     forget all, and remember nothing
      history list [N] [--json|--print0]    number, tab, one line: the last copies (50)
      history search WORDS…        the same for copies that have these words
      history show ID [TARGET]     the content; without TARGET its first type
      history select ID            put it on the clipboard, with all its types
      history delete ID…           delete for good; --last for the newest
      history purge [N]            delete the last N, or all but pinned ones
      history pin ID, unpin ID     keep beyond age and number, or no longer
      history expire ID TIME       delete it after so long, such as 90, 10m or 2h
      history export [FILE]        write all items, one JSON object a line
      history import [FILE]        add what was exported
                                   An ID may be a whole line of the list, or - to read it.

    Exit codes: 0 done; 1 nothing there, or paused; 2 usage; 3 another clipboard manager runs;
    4 refused, or not kept; 5 timed out; 6 only partly kept; 75 no display, or its server is gone;
    76 no helper runs.

    """

  init(_ arguments: [String]) throws(Misuse) {
    var rest = arguments[...]
    func value(of option: String) throws(Misuse) -> String {
      guard let value = rest.popFirst() else { throw Misuse(message: "\(option) needs a value") }
      return value
    }
    while let argument = rest.popFirst() {
      switch argument {
      case "--display": display = try value(of: argument)
      case "--replace": replaces = true
      case "--verbose": isVerbose = true
      case "--wait":
        let text = try value(of: argument)
        guard let seconds = Int(text), (0...86_400).contains(seconds) else {
          throw Misuse(message: "--wait \(text): not a number of seconds")
        }
        wait = seconds
      case "--early-copy":
        switch try value(of: argument) {
        case "on": readsEarly = true
        case "off": readsEarly = false
        default: throw Misuse(message: "--early-copy is on or off")
        }
      case "--sync":
        let word = try value(of: argument)
        guard let direction = SyncDirection(rawValue: word) else {
          throw Misuse(message: "--sync \(word): not a direction")
        }
        sync = direction
      case "--settings": settingsPath = try value(of: argument)
      case "--no-settings": ignoresSettings = true
      case "--check-settings": task = .check
      case "--xwayland": servesXwayland = true
      case "--control":
        let verb = try value(of: argument)
        guard HelperCommand.verbs.contains(verb) else {
          throw Misuse(message: "--control \(verb): no such verb")
        }
        task = .control(verb: verb, arguments: Array(rest))
        rest = []
      case "--help", "-h": task = .help
      case "--version": task = .version
      default: throw Misuse(message: "\(argument): not an option")
      }
    }
  }
}
