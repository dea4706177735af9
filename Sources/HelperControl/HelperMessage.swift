/// What is said over the helper's socket.
///
/// One connection carries one request and one reply, both UTF-8 (but for the body of `history show`, which is the
/// content itself):
/// ```
/// request:  pasteboard-helper/1 TAB VERB [TAB ARGUMENT]… LF [BODY]
/// reply:    pasteboard-helper/1 TAB CODE LF, then a body until the end of the stream
/// ```
/// A request has at most 4,096 bytes, without its body, which `history unpack LENGTH` alone has (`PackedItem`). VERB and ARGUMENT contain neither tab nor line feed. CODE is the exit code
/// that a command should end with (`HelperCode`), the body what it should print: on standard output where CODE is
/// zero or the verb is `status` or `doctor`, as a message otherwise.
public enum HelperMessage {
  package static let protocolName = "pasteboard-helper/1"
  package static let longestRequest = 4_096
  /// The most bytes that are sent along with a request.
  package static let longestBody = 96 << 20

  /// How many bytes follow a request; `nil` where none do.
  package static func bodyLength(_ verb: String, _ arguments: [String]) -> Int? {
    guard verb == "history", arguments.count == 2, arguments[0] == "unpack",
      let length = Int(arguments[1]), length > 0
    else { return nil }
    return length
  }

  /// The bytes of a request; `nil` where it cannot be said.
  public static func request(_ verb: String, _ arguments: [String] = []) -> [UInt8]? {
    let words = [protocolName, verb] + arguments
    guard words.allSatisfy({ !$0.utf8.contains(0x09) && !$0.utf8.contains(0x0A) }) else {
      return nil
    }
    let line = words.joined(separator: "\t") + "\n"
    return line.utf8.count <= longestRequest ? Array(line.utf8) : nil
  }

  /// Verb and arguments of a request without its line feed; `nil` where it is none.
  package static func parseRequest(_ line: [UInt8]) -> (verb: String, arguments: [String])? {
    guard let text = String(validating: line, as: UTF8.self) else { return nil }
    let words = text.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard words.count >= 2, words[0] == protocolName else { return nil }
    return (words[1], Array(words[2...]))
  }

  /// What stands before the body of a reply.
  package static func replyHead(_ code: HelperCode) -> [UInt8] {
    Array("\(protocolName)\t\(code.rawValue)\n".utf8)
  }

  package static func parseReply(_ bytes: [UInt8]) -> HelperReply? {
    guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\t")
    guard words.count == 2, words[0] == protocolName, let number = Int32(words[1]) else {
      return nil
    }
    return HelperReply(
      code: HelperCode(rawValue: number), bytes: Array(bytes[(end + 1)...]))
  }
}

/// The helper's answer.
public struct HelperReply: Hashable, Sendable {
  /// What a command should exit with.
  public var code: HelperCode
  /// What it should print.
  public var bytes: [UInt8]

  /// The same as text.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  package init(code: HelperCode, bytes: [UInt8]) {
    self.code = code
    self.bytes = bytes
  }

  package init(code: HelperCode, text: String) { self.init(code: code, bytes: Array(text.utf8)) }
}

/// Exit codes of the helper and of the commands that talk to it.
public struct HelperCode: RawRepresentable, Hashable, Sendable {
  public var rawValue: Int32
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let done = HelperCode(rawValue: 0)
  /// Nothing there; for `status`, the helper is paused.
  public static let nothing = HelperCode(rawValue: 1)
  public static let usage = HelperCode(rawValue: 2)
  /// Another clipboard manager runs.
  public static let otherManager = HelperCode(rawValue: 3)
  /// Refused: a secret, or nothing that could be kept.
  public static let refused = HelperCode(rawValue: 4)
  public static let timedOut = HelperCode(rawValue: 5)
  /// Only a part of the copy is safe.
  public static let partly = HelperCode(rawValue: 6)
  /// No display, or its server is gone (`EX_TEMPFAIL`).
  public static let noDisplay = HelperCode(rawValue: 75)
  /// No helper runs for this display.
  public static let noHelper = HelperCode(rawValue: 76)
}
