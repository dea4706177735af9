/// A MIME type as a peer may write it: any case, with parameters, blanks and quotes.
struct MIMEName: Sendable, Hashable {
  /// Type and subtype in lower case.
  let essence: String
  /// The parameters in order, names in lower case, values without quotes.
  let parameters: [(name: String, value: String)]

  /// Reads a name.
  ///
  /// - Parameter name: The target's name.
  /// - Returns: nil when it is no MIME type.
  init?(_ name: String) {
    let fields = Self.fields(of: name)
    let essence = fields[0].lowercased()
    let parts = essence.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) else {
      return nil
    }
    self.essence = essence
    parameters = fields.dropFirst().compactMap { field in
      guard let equals = field.firstIndex(of: "=") else { return nil }
      let value = Self.trimmed(field[field.index(after: equals)...])
      return (Self.trimmed(field[..<equals]).lowercased(), value.filter { $0 != "\"" && $0 != "'" })
    }
  }

  /// The value of the `charset` parameter in lower case.
  var charset: String? {
    parameters.first { $0.name == "charset" }.map { Self.trimmed($0.value[...]).lowercased() }
  }

  /// The name in one spelling, for comparing: parameter values in lower case, no blanks or quotes.
  var normalized: String {
    parameters.reduce(essence) { "\($0);\($1.name)=\($1.value.lowercased())" }
  }

  static func == (first: MIMEName, second: MIMEName) -> Bool {
    first.normalized == second.normalized
  }

  func hash(into hasher: inout Hasher) { hasher.combine(normalized) }

  /// Splits at semicolons outside quotes.
  private static func fields(of name: String) -> [String] {
    var fields = [""]
    var quoted = false
    for character in name {
      if character == "\"" { quoted.toggle() }
      if character == ";", !quoted {
        fields.append("")
      } else {
        fields[fields.count - 1].append(character)
      }
    }
    return fields.map { trimmed($0[...]) }
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    guard let last = start.lastIndex(where: { $0 != " " && $0 != "\t" }) else { return "" }
    return String(start[...last])
  }
}
