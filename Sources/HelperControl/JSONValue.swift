/// A value of JSON (RFC 8259), as far as the history's archive has need of it: numbers are whole.
enum JSONValue: Equatable {
  case null
  case flag(Bool)
  case number(Int64)
  /// As UTF-8.
  case text([UInt8])
  case array([JSONValue])
  case object([String: JSONValue])

  private static let deepest = 32

  /// Reads one value that takes all of the bytes, but for white space; `nil` where they are none.
  init?(_ bytes: [UInt8]) {
    var parser = Parser(bytes: bytes)
    guard let value = parser.value(depth: 0) else { return nil }
    parser.skipSpace()
    guard parser.offset == bytes.count else { return nil }
    self = value
  }

  /// A text with its quotes.
  static func quoted(_ text: String) -> [UInt8] {
    var result: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): result += [UInt8(ascii: "\\"), byte]
      case 0..<0x20:
        let digits = Array("0123456789abcdef".utf8)
        result += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
      default: result.append(byte)
      }
    }
    return result + [UInt8(ascii: "\"")]
  }

  private struct Parser {
    let bytes: [UInt8]
    var offset = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    private var next: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    mutating func skipSpace() {
      while let byte = next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { offset += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
      skipSpace()
      guard next == UInt8(ascii: character) else { return false }
      offset += 1
      return true
    }

    private mutating func take(word: String) -> Bool {
      guard bytes[offset...].starts(with: word.utf8) else { return false }
      offset += word.utf8.count
      return true
    }

    mutating func value(depth: Int) -> JSONValue? {
      guard depth < JSONValue.deepest else { return nil }
      skipSpace()
      switch next {
      case UInt8(ascii: "{"): return object(depth)
      case UInt8(ascii: "["): return array(depth)
      case UInt8(ascii: "\""): return text().map { .text($0) }
      case UInt8(ascii: "t"): return take(word: "true") ? .flag(true) : nil
      case UInt8(ascii: "f"): return take(word: "false") ? .flag(false) : nil
      case UInt8(ascii: "n"): return take(word: "null") ? .null : nil
      default: return number()
      }
    }

    private mutating func number() -> JSONValue? {
      let start = offset
      while let byte = next, byte == UInt8(ascii: "-") || (0x30...0x39).contains(byte) {
        offset += 1
      }
      return Int64(String(decoding: bytes[start..<offset], as: UTF8.self)).map { .number($0) }
    }

    private mutating func object(_ depth: Int) -> JSONValue? {
      guard take("{") else { return nil }
      var members: [String: JSONValue] = [:]
      if take("}") { return .object(members) }
      repeat {
        skipSpace()
        guard let key = text(), take(":"), let value = value(depth: depth + 1) else { return nil }
        members[String(decoding: key, as: UTF8.self)] = value
      } while take(",")
      return take("}") ? .object(members) : nil
    }

    private mutating func array(_ depth: Int) -> JSONValue? {
      guard take("[") else { return nil }
      var values: [JSONValue] = []
      if take("]") { return .array(values) }
      repeat {
        guard let value = value(depth: depth + 1) else { return nil }
        values.append(value)
      } while take(",")
      return take("]") ? .array(values) : nil
    }

    private mutating func text() -> [UInt8]? {
      guard next == UInt8(ascii: "\"") else { return nil }
      offset += 1
      var result: [UInt8] = []
      while true {
        let start = offset
        while let byte = next, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20
        { offset += 1 }
        result += bytes[start..<offset]
        guard let byte = next else { return nil }
        offset += 1
        if byte == UInt8(ascii: "\"") { return result }
        guard byte == UInt8(ascii: "\\"), let escape = next else { return nil }
        offset += 1
        switch Unicode.Scalar(escape) {
        case "\"", "\\", "/": result.append(escape)
        case "b": result.append(0x08)
        case "f": result.append(0x0C)
        case "n": result.append(0x0A)
        case "r": result.append(0x0D)
        case "t": result.append(0x09)
        case "u":
          guard let scalar = escapedScalar() else { return nil }
          result += Array(String(Character(scalar)).utf8)
        default: return nil
        }
      }
    }

    private mutating func escapedScalar() -> Unicode.Scalar? {
      guard let first = unit() else { return nil }
      guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
      guard take(word: "\\u"), let second = unit(), (0xDC00..<0xE000).contains(second) else {
        return nil
      }
      return Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private mutating func unit() -> UInt32? {
      guard offset + 4 <= bytes.count else { return nil }
      defer { offset += 4 }
      return UInt32(String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self), radix: 16)
    }
  }
}
