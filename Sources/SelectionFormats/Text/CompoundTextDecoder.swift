/// Reads COMPOUND_TEXT into UTF-8.
struct CompoundTextDecoder {
  /// What the bytes of one half of the code table stand for.
  private enum CharacterSet: Hashable {
    case ascii
    case jisRoman
    case jisKatakana
    case latin(String)
    case multibyte(UInt8)
  }

  private let bytes: [UInt8]
  private var index = 0
  private var left = CharacterSet.ascii
  private var right = CharacterSet.latin("iso8859-1")
  private var text: [UInt8] = []
  private var tables: [String: [UInt32]] = [:]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func decode() throws(SelectionFormatError) -> [UInt8] {
    text.reserveCapacity(bytes.count)
    while index < bytes.count {
      switch bytes[index] {
      case 0x1B: try readEscape()
      case 0x9B: try readDirection()
      case 0x20, 0x00..<0x1B, 0x1C..<0x20, 0x7F:
        text.append(bytes[index])
        index += 1
      case 0x21..<0x7F: try readCharacters(of: left, in: 0x21...0x7E)
      case 0xA0...0xFF: try readCharacters(of: right, in: 0xA0...0xFF)
      default:
        throw broken("the control character \(bytes[index]) does not belong there")
      }
    }
    return text
  }

  private mutating func readCharacters(
    of set: CharacterSet, in range: ClosedRange<UInt8>
  ) throws(SelectionFormatError) {
    let end = bytes[index...].firstIndex { !range.contains($0) } ?? bytes.count
    let run = bytes[index..<end]
    index = end
    switch set {
    case .ascii: text += run
    case .jisRoman:
      for byte in run {
        let position = byte & 0x7F
        text +=
          position == 0x5C ? [0xC2, 0xA5] : position == 0x7E ? [0xE2, 0x80, 0xBE] : [position]
      }
    case .jisKatakana:
      for byte in run {
        let position = byte & 0x7F
        guard position >= 0x21, position <= 0x5F else {
          throw broken("the byte \(byte) is no katakana")
        }
        try append(0xFF40 + UInt32(position))
      }
    case .latin("iso8859-1"):
      for byte in run { Latin1Text.append(byte | 0x80, to: &text) }
    case .latin(let name):
      let table = table(name)
      for byte in run { try append(table[Int(byte & 0x7F) - 0x20]) }
    case .multibyte(let final):
      guard run.count.isMultiple(of: 2) else { throw broken("half a character is missing") }
      text += try decodeMultibyte(run, final)
    }
  }

  private func decodeMultibyte(
    _ run: ArraySlice<UInt8>, _ final: UInt8
  ) throws(SelectionFormatError) -> [UInt8] {
    let high = run.map { $0 | 0x80 }
    func prefixed(_ prefix: [UInt8]) -> [UInt8] {
      stride(from: 0, to: high.count, by: 2).flatMap { prefix + high[$0..<$0 + 2] }
    }
    let result: (text: [UInt8], unfinished: Int)
    switch final {
    case UInt8(ascii: "A"): result = try Iconv.decode(high, from: "GB2312")
    case UInt8(ascii: "B"), UInt8(ascii: "@"): result = try Iconv.decode(high, from: "EUC-JP")
    case UInt8(ascii: "C"): result = try Iconv.decode(high, from: "EUC-KR")
    case UInt8(ascii: "D"): result = try Iconv.decode(prefixed([0x8F]), from: "EUC-JP")
    default:
      let plane = final - UInt8(ascii: "G") + 1
      result = try Iconv.decode(prefixed([0x8E, 0xA0 + plane]), from: "EUC-TW")
    }
    guard result.unfinished == 0 else { throw broken("half a character is missing") }
    return result.text
  }

  private mutating func readEscape() throws(SelectionFormatError) {
    let rest = bytes[(index + 1)...]
    if rest.starts(with: [0x25, 0x47]) {
      try readUTF8Segment()
    } else if rest.starts(with: [0x25, 0x40]) {
      index += 3
    } else if rest.starts(with: [0x25, 0x2F]) {
      try readExtendedSegment()
    } else if rest.first == 0x23, rest.count >= 3 {
      // The version announcement: ESC # V 0 or 1.
      index += 4
    } else {
      try readDesignation(Array(rest.prefix(3)))
    }
  }

  private mutating func readDesignation(_ sequence: [UInt8]) throws(SelectionFormatError) {
    guard let first = sequence.first, sequence.count >= 2 else {
      throw broken("an escape sequence is cut off")
    }
    let second = sequence[1]
    switch first {
    case UInt8(ascii: "("):
      left = try set94(second)
      index += 3
    case UInt8(ascii: ")"):
      right = try set94(second)
      index += 3
    case UInt8(ascii: "-"):
      right = try set96(second)
      index += 3
    case UInt8(ascii: "$"):
      if second == UInt8(ascii: "(") || second == UInt8(ascii: ")"), sequence.count == 3 {
        let set = try setMultibyte(sequence[2])
        if second == UInt8(ascii: "(") { left = set } else { right = set }
        index += 4
      } else {
        // ISO 2022's older form for GL.
        left = try setMultibyte(second)
        index += 3
      }
    default: throw unknown(sequence)
    }
  }

  private func set94(_ final: UInt8) throws(SelectionFormatError) -> CharacterSet {
    switch final {
    case UInt8(ascii: "B"): return .ascii
    case UInt8(ascii: "J"): return .jisRoman
    case UInt8(ascii: "I"): return .jisKatakana
    default: throw unknown([0x28, final])
    }
  }

  private func set96(_ final: UInt8) throws(SelectionFormatError) -> CharacterSet {
    let parts: [Character: Int] = [
      "A": 1, "B": 2, "C": 3, "D": 4, "L": 5, "G": 6, "F": 7, "H": 8, "M": 9, "V": 10, "T": 11,
      "Y": 13, "_": 14, "b": 15, "f": 16,
    ]
    guard let part = parts[Character(Unicode.Scalar(final))] else { throw unknown([0x2D, final]) }
    return .latin("iso8859-\(part)")
  }

  private func setMultibyte(_ final: UInt8) throws(SelectionFormatError) -> CharacterSet {
    guard
      (UInt8(ascii: "@")...UInt8(ascii: "D")).contains(final)
        || (UInt8(ascii: "G")...UInt8(ascii: "M")).contains(final)
    else { throw unknown([0x24, 0x28, final]) }
    return .multibyte(final)
  }

  private mutating func readUTF8Segment() throws(SelectionFormatError) {
    let start = index + 3
    var end = start
    while end < bytes.count, !bytes[end...].starts(with: CompoundText.utf8End) { end += 1 }
    let segment = bytes[start..<end]
    guard segment.withUnsafeBytes({ UTF8Validator.isValid($0) }) else {
      throw broken("a UTF-8 segment is not UTF-8")
    }
    text += segment
    index = min(end + 3, bytes.count)
  }

  /// `ESC % / F M L`, the character set's name, STX, text: M and L give the length of all after
  /// them.
  private mutating func readExtendedSegment() throws(SelectionFormatError) {
    guard index + 5 < bytes.count, bytes[index + 4] >= 0x80, bytes[index + 5] >= 0x80 else {
      throw broken("an extended segment is cut off")
    }
    let length = Int(bytes[index + 4] & 0x7F) * 128 + Int(bytes[index + 5] & 0x7F)
    let start = index + 6
    guard start + length <= bytes.count,
      let mark = bytes[start..<start + length].firstIndex(of: 0x02)
    else { throw broken("an extended segment is cut off") }
    let name = String(decoding: bytes[start..<mark], as: UTF8.self).lowercased()
    let charset = Charset(name: name.hasSuffix("-0") ? String(name.dropLast(2)) : name)
    text += try CharsetDecoder.decode(Array(bytes[(mark + 1)..<start + length]), charset)
    index = start + length
  }

  /// CSI 1 ], CSI 2 ] and CSI ]: writing directions, which plain text does not keep.
  private mutating func readDirection() throws(SelectionFormatError) {
    let rest = bytes[(index + 1)...].prefix(2)
    if rest.first == 0x5D {
      index += 2
    } else if rest == [0x31, 0x5D] || rest == [0x32, 0x5D] {
      index += 3
    } else {
      throw broken("a direction sequence is not one")
    }
  }

  private mutating func table(_ name: String) -> [UInt32] {
    if let table = tables[name] { return table }
    let characters = SingleByteTables.upperHalf(of: name)?.characters ?? ""
    let table = characters.unicodeScalars.map(\.value)
    tables[name] = table
    return table
  }

  private mutating func append(_ value: UInt32) throws(SelectionFormatError) {
    guard value != 0xFFFD, let scalar = Unicode.Scalar(value), let encoded = UTF8.encode(scalar)
    else { throw broken("a byte has no character in its character set") }
    text += encoded
  }

  private func broken(_ message: String) -> SelectionFormatError {
    SelectionFormatError(
      .invalidBytes, message: "the COMPOUND_TEXT is broken at byte \(index): \(message)")
  }

  private func unknown(_ sequence: [UInt8]) -> SelectionFormatError {
    let shown = sequence.map { String($0, radix: 16) }.joined(separator: " ")
    return SelectionFormatError(
      .unsupportedCharset,
      message: "the COMPOUND_TEXT switches to a character set not known here (ESC \(shown))")
  }
}
