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
    let end = bytes.firstIndex(of: UInt8(ascii: ";")) ?? bytes.endIndex
    let name = Self.trimmed(bytes[..<end])
    guard let slash = name.firstIndex(of: UInt8(ascii: "/")), slash != name.startIndex,
      name[slash...].count > 1,
      name[..<slash].allSatisfy(Self.isToken), name[slash...].dropFirst().allSatisfy(Self.isToken)
    else { return nil }
    self.name = String(decoding: name, as: UTF8.self)
    charset = end == bytes.endIndex ? nil : Self.charset(bytes[end...].dropFirst())
  }

  private static func charset(_ parameters: some BidirectionalCollection<UInt8>) -> String? {
    for parameter in parameters.split(separator: UInt8(ascii: ";")) {
      guard let equals = parameter.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let key = String(decoding: trimmed(parameter[..<equals]), as: UTF8.self)
      guard key.asciiLowercased == "charset" else { continue }
      var value = Array(trimmed(parameter[equals...].dropFirst()))
      if value.count >= 2, value.first == UInt8(ascii: "\""), value.last == UInt8(ascii: "\"") {
        value = value.dropFirst().dropLast().filter { $0 != UInt8(ascii: "\\") }
      }
      return value.isEmpty ? nil : String(decoding: value, as: UTF8.self).asciiLowercased
    }
    return nil
  }

  private static func trimmed<Bytes: BidirectionalCollection<UInt8>>(
    _ bytes: Bytes
  ) -> Bytes.SubSequence {
    var rest = bytes[...]
    while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
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
