/// Reads the text of `text/html`, whichever of its encodings the owner chose.
public enum HTMLText {
  /// Finds the encoding: a byte order mark, UTF-16 without one, the `charset` named in the first
  /// 1,024 bytes, else UTF-8.
  ///
  /// - Parameter bytes: The document.
  /// - Returns: The character set.
  public static func charset(of bytes: [UInt8]) -> Charset {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return .utf8 }
    if UTF16Text.order(markedIn: bytes) != nil { return .utf16 }
    if looksWide(bytes) { return .utf16 }
    guard let name = metaCharset(in: bytes.prefix(1024)) else { return .utf8 }
    let charset = Charset(name: name)
    switch charset {
    // The meta element itself was read as ASCII, so the document cannot be UTF-16.
    case .utf16, .utf16LittleEndian, .utf16BigEndian: return .utf8
    // Browsers read these names as Windows-1252, which adds printable characters.
    case .latin1, .latin1OrUTF8: return .named("windows-1252")
    default: return charset
    }
  }

  /// Reads a document as UTF-8 without byte order mark, trailing NUL, and without the `meta`
  /// element browsers put before a fragment only to name its encoding.
  ///
  /// - Parameter bytes: The document.
  /// - Returns: The document in UTF-8.
  /// - Throws: `SelectionFormatError` with `.invalidBytes` or `.unsupportedCharset`.
  public static func decode(_ bytes: [UInt8]) throws(SelectionFormatError) -> [UInt8] {
    let charset = charset(of: bytes)
    var text: [UInt8]
    switch charset {
    case .utf8:
      text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes
      text = try CharsetDecoder.decode(text, .utf8)
    case .named("windows-1252"):
      // A fragment in UTF-8 keeps the meta element of the page it was taken from.
      let isUTF8 = bytes.withUnsafeBytes { UTF8Validator.isValid($0) }
      text = isUTF8 ? bytes : try CharsetDecoder.decode(bytes, charset)
    default: text = try CharsetDecoder.decode(bytes, charset)
    }
    if text.last == 0 { text.removeLast() }
    for prefix in markers where starts(text, with: prefix) {
      text.removeFirst(prefix.utf8.count)
      break
    }
    return text
  }

  private static let markers = [
    "<meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\">",
    "<meta charset='utf-8'>", "<meta charset=\"utf-8\">",
  ]

  private static func starts(_ text: [UInt8], with prefix: String) -> Bool {
    text.count >= prefix.utf8.count
      && zip(text, prefix.utf8).allSatisfy { lowered($0) == lowered($1) }
  }

  /// Whether every second byte of the start is zero, on one side only.
  private static func looksWide(_ bytes: [UInt8]) -> Bool {
    guard bytes.count >= 4 else { return false }
    let start = bytes.prefix(min(bytes.count & ~1, 256))
    var zeros = [0, 0]
    for (index, byte) in start.enumerated() where byte == 0 { zeros[index % 2] += 1 }
    let half = start.count / 2
    return (zeros[0] == 0 && zeros[1] * 2 >= half) || (zeros[1] == 0 && zeros[0] * 2 >= half)
  }

  /// The value after `charset=` inside a `meta` element.
  private static func metaCharset(in start: ArraySlice<UInt8>) -> String? {
    let text = start.map(lowered)
    let meta = Array("<meta".utf8)
    let key = Array("charset".utf8)
    var index = 0
    while let tag = firstRange(of: meta, in: text, from: index) {
      let end = text[tag...].firstIndex(of: UInt8(ascii: ">")) ?? text.count
      var search = tag
      while let found = firstRange(of: key, in: text, from: search), found < end {
        var rest = text[(found + key.count)..<end].drop { $0 == 0x20 }
        if rest.first == UInt8(ascii: "=") {
          rest = rest.dropFirst().drop { $0 == 0x20 || $0 == 0x22 || $0 == 0x27 }
          let name = rest.prefix { byte in
            ![0x20, 0x22, 0x27, 0x2F, 0x3B, 0x3E, 0x0A, 0x0D, 0x09].contains(byte)
          }
          if !name.isEmpty { return String(decoding: name, as: UTF8.self) }
        }
        search = found + key.count
      }
      index = max(end, tag + 1)
    }
    return nil
  }

  private static func firstRange(of needle: [UInt8], in text: [UInt8], from start: Int) -> Int? {
    guard text.count >= needle.count, start <= text.count - needle.count else { return nil }
    return (start...(text.count - needle.count)).first { text[$0...].starts(with: needle) }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
