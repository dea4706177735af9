/// Base64 with padding (RFC 4648, section 4).
enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  private static let values: [UInt8] = {
    var table = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in alphabet.enumerated() { table[Int(character)] = UInt8(value) }
    return table
  }()
  private static let padding = UInt8(ascii: "=")

  static func encode(_ bytes: ArraySlice<UInt8>, onto result: inout [UInt8]) {
    let alphabet = alphabet
    var index = bytes.startIndex
    while index < bytes.endIndex {
      let left = bytes.endIndex - index
      let second = left > 1 ? bytes[index + 1] : 0
      let third = left > 2 ? bytes[index + 2] : 0
      result.append(alphabet[Int(bytes[index] >> 2)])
      result.append(alphabet[Int((bytes[index] & 3) << 4 | second >> 4)])
      result.append(left > 1 ? alphabet[Int((second & 0xF) << 2 | third >> 6)] : padding)
      result.append(left > 2 ? alphabet[Int(third & 0x3F)] : padding)
      index += 3
    }
  }

  /// `nil` where the text is not base64 as it is written above.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    guard text.count % 4 == 0 else { return nil }
    let values = values
    var result: [UInt8] = []
    result.reserveCapacity(text.count / 4 * 3)
    var index = 0
    while index < text.count {
      let isLast = index + 4 == text.count
      let padded =
        isLast ? (text[index + 3] == padding ? (text[index + 2] == padding ? 2 : 1) : 0) : 0
      var bits: UInt32 = 0
      for place in 0..<4 {
        let value = place >= 4 - padded ? 0 : values[Int(text[index + place])]
        guard value != 0xFF else { return nil }
        bits = bits << 6 | UInt32(value)
      }
      result.append(UInt8(truncatingIfNeeded: bits >> 16))
      if padded < 2 { result.append(UInt8(truncatingIfNeeded: bits >> 8)) }
      if padded < 1 { result.append(UInt8(truncatingIfNeeded: bits)) }
      index += 4
    }
    return result
  }
}
