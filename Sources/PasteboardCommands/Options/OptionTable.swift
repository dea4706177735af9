internal import CLinux
internal import Glibc

/// One option of a command.
struct Option {
  /// The long name, without dashes; also what `ParsedArgument` says.
  var name: String
  /// The letter, as ASCII; 0 for none.
  var letter: UInt8
  var takesArgument: Bool

  init(_ name: String, _ letter: Unicode.Scalar? = nil, takesArgument: Bool = false) {
    self.name = name
    self.letter = letter.map { UInt8(ascii: $0) } ?? 0
    self.takesArgument = takesArgument
  }
}

/// What a command line holds, in order.
enum ParsedArgument {
  case option(String, RawText)
  case operand(RawText)
}

/// The options of a command, read by glibc's `getopt_long`: unambiguous prefixes of long names, bundled letters,
/// arguments in the same word or the next, `--` before operands that look like options.
struct OptionTable {
  var command: String
  var options: [Option]
  /// Whether everything from the first operand on is operands (a command with options of its own).
  var stopsAtOperand = false
  /// Whether long names follow a single dash (getopt_long_only).
  var hasSingleDash = false
  /// Whether words that are no option of the command are operands.
  var takesStrangersAsOperands = false

  /// Reads a command line.
  ///
  /// - Parameters:
  ///   - count: How many words, the command's name included.
  ///   - words: The words, the command's name first.
  func parse(
    _ count: CInt, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
  ) throws(CommandFailure) -> [ParsedArgument] {
    var letters = stopsAtOperand ? "+:" : "-:"
    for option in options where option.letter != 0 {
      letters.unicodeScalars.append(Unicode.Scalar(option.letter))
      if option.takesArgument { letters += ":" }
    }
    // No arrays: each kind of them costs the runtime more than all of this.
    let table = UnsafeMutablePointer<cl_option>.allocate(capacity: options.count)
    for (index, option) in options.enumerated() {
      (table + index).initialize(
        to: cl_option(
          name: strdup(option.name), takes_argument: option.takesArgument ? 1 : 0,
          value: 256 + CInt(index)))
    }
    defer {
      for index in options.indices { free(UnsafeMutablePointer(mutating: table[index].name)) }
      table.deallocate()
    }
    var result: [ParsedArgument] = []
    cl_getopt_begin()
    while true {
      let code = cl_getopt_next(
        count, words, letters, table, CInt(options.count), hasSingleDash ? 1 : 0)
      switch code {
      case -1:
        var index = Int(cl_getopt_index())
        while index < Int(count), let word = words[index] {
          result.append(.operand(RawText(word)))
          index += 1
        }
        return result
      case 1:
        if let word = cl_getopt_argument() { result.append(.operand(RawText(word))) }
      case CInt(UInt8(ascii: ":")):
        throw usage("\(spelling(words, count)) needs an argument")
      case CInt(UInt8(ascii: "?")) where takesStrangersAsOperands:
        if let word = words[Int(cl_getopt_index()) - 1] { result.append(.operand(RawText(word))) }
      case CInt(UInt8(ascii: "?")):
        if cl_getopt_wrong() >= 256 {
          throw usage("\(spelling(words, count)) takes no argument")
        }
        throw usage("unknown option \(spelling(words, count))")
      default:
        let option = code >= 256 ? options[Int(code) - 256] : option(CInt(code))
        guard let option else { throw usage("unknown option") }
        let argument = cl_getopt_argument().map { RawText($0) } ?? RawText("")
        result.append(.option(option.name, argument))
      }
    }
  }

  private func option(_ letter: CInt) -> Option? { options.first { CInt($0.letter) == letter } }

  private func usage(_ message: String) -> CommandFailure {
    .usage("\(message) (see \(command) --help)")
  }

  /// The option that getopt stopped at, as it was written.
  private func spelling(
    _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, _ count: CInt
  ) -> String {
    let wrong = cl_getopt_wrong()
    if wrong > 0, wrong < 128, let letter = Unicode.Scalar(UInt32(wrong)) {
      return "-" + String(Character(letter))
    }
    if wrong >= 256, Int(wrong) - 256 < options.count {
      return "--" + options[Int(wrong) - 256].name
    }
    let index = Int(cl_getopt_index()) - 1
    guard index > 0, index < Int(count), let word = words[index] else { return "option" }
    return RawText(word).printable
  }
}
