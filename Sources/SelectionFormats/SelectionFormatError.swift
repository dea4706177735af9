/// Why bytes from or for a selection cannot be turned into what was asked.
public struct SelectionFormatError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of failure a caller may want to tell apart.
  public enum Code: Sendable, Hashable {
    /// The bytes do not follow the encoding the reply names.
    case invalidBytes
    /// The reply's property type does not belong to the target.
    case unexpectedType
    /// The reply's format (8, 16 or 32) does not belong to the target.
    case unexpectedFormat
    /// The character set or escape sequence is not known here.
    case unsupportedCharset
    /// The text holds characters the wire encoding has no place for.
    case notRepresentable
    /// A URI names no local file, or is not well formed.
    case invalidURI
    /// The list is well formed but holds nothing of the kind asked for.
    case empty
    /// The name belongs to the selection protocol or has a side effect.
    case protocolTarget
  }

  /// What kind of failure it is.
  public let code: Code
  /// The target that was asked for, as the peer spells it; empty when no target is involved.
  public let target: String
  /// The property type the peer returned, or nil when there was no reply.
  public let returnedType: String?
  /// What happened and what may have caused it, in one line without the target.
  public let message: String

  /// Makes an error.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - target: The target that was asked for.
  ///   - returnedType: The property type of the reply.
  ///   - message: What happened and what may have caused it.
  public init(_ code: Code, target: String = "", returnedType: String? = nil, message: String) {
    self.code = code
    self.target = target
    self.returnedType = returnedType
    self.message = message
  }

  /// One line, safe to print whatever the peer called its targets.
  public var description: String {
    var line = ""
    if !target.isEmpty {
      line += "target \(TargetName.escaped(target))"
      if let returnedType, returnedType != target {
        line += " (returned as \(TargetName.escaped(returnedType)))"
      }
      line += ": "
    }
    return line + message
  }

  /// The same failure, with the target and returned type filled in.
  func about(_ target: String, _ returnedType: String?) -> SelectionFormatError {
    SelectionFormatError(code, target: target, returnedType: returnedType, message: message)
  }
}
