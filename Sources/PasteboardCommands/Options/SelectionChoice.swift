internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// Which selection a command is about.
struct SelectionChoice: Hashable {
  /// The name of the selection's atom.
  var atomName: String

  static let clipboard = SelectionChoice(atomName: "CLIPBOARD")
  static let primary = SelectionChoice(atomName: "PRIMARY")
  static let secondary = SelectionChoice(atomName: "SECONDARY")

  init(atomName: String) { self.atomName = atomName }

  /// Reads a name: `clipboard`, `primary` and `secondary` in any case, or that of any atom.
  init(_ argument: RawText) throws(CommandFailure) {
    switch argument.text.lowercased() {
    case "clipboard": self = .clipboard
    case "primary": self = .primary
    case "secondary": self = .secondary
    default:
      guard !argument.bytes.contains(UInt8(ascii: ",")) else {
        throw .usage("\"\(argument.printable)\": only one selection can be named here")
      }
      guard TargetName.isAcceptable(argument.text), argument.bytes == Array(argument.text.utf8)
      else { throw .usage("\"\(argument.printable)\" cannot be the name of a selection") }
      atomName = argument.text
    }
  }

  /// Reads one name or several, with commas between them.
  static func list(_ argument: RawText) throws(CommandFailure) -> [SelectionChoice] {
    var result: [SelectionChoice] = []
    for part in argument.bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    {
      let choice = try SelectionChoice(RawText(bytes: Array(part)))
      if !result.contains(choice) { result.append(choice) }
    }
    return result
  }

  /// For messages.
  var name: String { TargetName.escaped(atomName) }

  func atom(on connection: SelectionConnection) -> Atom {
    switch atomName {
    case "CLIPBOARD": connection.atoms.clipboard
    case "PRIMARY": .primary
    case "SECONDARY": .secondary
    default: connection.atom(atomName)
    }
  }
}
