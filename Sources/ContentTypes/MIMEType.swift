/// A MIME type as it travels: a name and parameters.
///
/// Source: RFC 2045 5.1. Names and parameter names compare without regard to case; values may be quoted.
public struct MIMEType: Hashable, Sendable {
  /// Type and subtype in the spelling they came in, without parameters: `image/x-MS-bmp`.
  public let name: String
  /// The `charset` parameter, lower-cased and without quotes.
  public let charset: String?

  /// Reads a MIME type.
  /// - Parameter text: For example `text/plain; charset="UTF-8"`.
  /// - Returns: nil unless the text starts with `type/subtype` made of token characters. Damaged parameters are ignored.
  public init?(_ text: String) {
    let bytes = Array(text.utf8)
    let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.count
    let name = Self.trimmed(bytes[..<end])
    var slash: Int?
    for (index, byte) in zip(name.indices, name) where !Self.isToken(byte) {
      guard byte == UInt8(ascii: "/"), slash == nil else { return nil }
      slash = index
    }
    guard let slash, slash > name.startIndex, slash < name.endIndex - 1 else { return nil }
    self.name = String(decoding: name, as: UTF8.self)
    charset = end == bytes.count ? nil : Self.charset(bytes[(end + 1)...])
  }

  private static func charset(_ parameters: ArraySlice<UInt8>) -> String? {
    for parameter in parameters.split(separator: UInt8(ascii: ";")) {
      guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = trimmed(parameter[..<equals])
      guard key.lazy.map(\.asciiLowercased).elementsEqual("charset".utf8) else { continue }
      var value = trimmed(parameter[(equals + 1)...])
      if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
        value = value.dropFirst().dropLast().filter { $0 != UInt8(ascii: "\\") }[...]
      }
      return value.isEmpty ? nil : String(decoding: value, as: UTF8.self).asciiLowercased
    }
    return nil
  }

  private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let first = rest.first, first == 0x20 || first == 0x09 { rest.removeFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest.removeLast() }
    return rest
  }

  private static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return true
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"),
      UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
      UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"),
      UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
      return true
    default:
      return false
    }
  }
}
