/// What a list shows of an item: one line of text without control characters.
enum HistoryPreview {
  private static let longest = 1_024
  private static let texts = [
    "UTF8_STRING", "text/plain;charset=utf-8", "text/plain;charset=UTF-8", "text/uri-list",
    "text/plain", "STRING", "text/html",
  ]

  static func line(_ values: [(target: String, value: KeptValue)]) -> String {
    for text in texts {
      guard let found = values.first(where: { $0.target == text && $0.value.format == 8 }) else {
        continue
      }
      var bytes: [UInt8] = []
      found.value.bytes.forEachPiece { piece in
        bytes += piece.prefix(longest - bytes.count)
      }
      if text == "STRING" {
        return shown(String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) })))
      }
      // A character that was cut in two is left out.
      var kept = bytes[...]
      if bytes.count < found.value.bytes.byteCount, String(validating: kept, as: UTF8.self) == nil {
        while let last = kept.last, last & 0xC0 == 0x80 { kept.removeLast() }
        if let last = kept.last, last >= 0xC0 { kept.removeLast() }
      }
      return shown(String(decoding: kept, as: UTF8.self))
    }
    guard let first = values.first else { return "" }
    return shown("[\(first.target), \(first.value.bytes.byteCount) bytes]")
  }

  /// Control characters as their symbols, so that an item is one line and a tab ends the number before it.
  static func shown(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<0x20: result.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? " ")
      case 0x7F: result.unicodeScalars.append("\u{2421}")
      case 0x80..<0xA0, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069:
        result.unicodeScalars.append("\u{FFFD}")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
