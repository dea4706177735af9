internal import Glibc

/// What a command does that talks to the helper: sends a verb, prints the answer, and ends with its code.
public enum HelperCommand {
  /// The verbs that the helper understands.
  public static let verbs = [
    "status", "doctor", "pause", "resume", "ignore-next", "takeover", "wait-kept", "sync",
    "reload", "history",
  ]

  /// Talks to the helper of a display.
  ///
  /// - Parameters:
  ///   - verb: One of `verbs`.
  ///   - arguments: Of the verb. For `history` an identifier may be a whole line of its list, and a last "-" stands for
  ///     a line of standard input, as menus write it.
  ///   - display: As in DISPLAY; `nil` takes DISPLAY itself.
  ///   - program: Who says so, in messages.
  /// - Returns: The exit code (`HelperCode`).
  public static func run(
    _ verb: String, _ arguments: [String], display: String?, program: String
  ) -> Int32 {
    var arguments = arguments
    if verb == "history", let first = arguments.first, ["export", "import"].contains(first) {
      return HistoryArchive(display: display, program: program).run(
        first, Array(arguments.dropFirst()))
    }
    if verb == "history", arguments.last == "-" {
      // A choice that a menu wrote; no choice changes nothing.
      arguments.removeLast()
      guard let line = readLine(), !line.isEmpty else { return HelperCode.nothing.rawValue }
      arguments.append(line)
    }
    // A line of the list is as good as the number it begins with.
    arguments = arguments.map { argument in String(argument.prefix { $0 != "\t" }) }
    do throws(HelperClient.Failure) {
      let client = try HelperClient(display: display)
      let reply = try client.ask(verb, arguments, milliseconds: patience(verb, arguments))
      if reply.code.rawValue == 0 || isReport(verb) {
        write(reply.bytes, to: STDOUT_FILENO)
      } else {
        complain(program, reply.text)
      }
      return reply.code.rawValue
    } catch {
      complain(program, error.description)
      return error.code.rawValue
    }
  }

  /// Whether the text of the reply is a report even where the code is not zero.
  private static func isReport(_ verb: String) -> Bool { verb == "status" || verb == "doctor" }

  /// Milliseconds that a command waits for the answer to a verb.
  private static func patience(_ verb: String, _ arguments: [String]) -> Int64 {
    guard verb == "wait-kept" else { return 5_000 }
    return (seconds(arguments.first) ?? 10) * 1_000 + 2_000
  }

  /// Reads a time: seconds, or minutes, hours and days by a last letter; a year at most.
  package static func seconds(_ text: String?) -> Int64? {
    guard let text else { return nil }
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    let unit = text.last.flatMap { units[$0] }
    guard let number = Int64(unit == nil ? text[...] : text.dropLast()), number >= 0,
      number <= 31_536_000 / (unit ?? 1)
    else { return nil }
    return number * (unit ?? 1)
  }

  /// Writes one line to standard error.
  static func complain(_ program: String, _ text: String) {
    let line = text.last == "\n" ? String(text.dropLast()) : text
    write(Array("\(program): \(line)\n".utf8), to: STDERR_FILENO)
  }

  @discardableResult
  static func write(_ bytes: [UInt8], to descriptor: CInt) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
