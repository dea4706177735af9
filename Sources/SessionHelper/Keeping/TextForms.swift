/// The other forms of a text of which one was read.
///
/// An early copy reads one text target only. Its owner had offered more of them, and programs ask for the one they
/// know: what says the same without loss is offered too.
enum TextForms {
  private static let unicodeTargets = [
    "UTF8_STRING", "text/plain;charset=utf-8", "text/plain;charset=UTF-8",
  ]

  /// Adds to `values` the text forms that are in `offered` and follow from what is there.
  static func complete(_ values: inout [String: KeptValue], offered: [String], limit: Int) {
    guard let source = unicodeTargets.compactMap({ values[$0] }).first(where: { $0.format == 8 })
    else { return }
    let missing = offered.filter { values[$0] == nil }
    for form in unicodeTargets where missing.contains(form) {
      values[form] = KeptValue(bytes: source.bytes, typeName: form)
    }
    guard missing.contains(where: { ["STRING", "TEXT", "text/plain"].contains($0) }),
      let text = examined(source.bytes, limit: limit)
    else { return }
    // Bare text/plain has no charset that everybody agrees on.
    if text.isASCII, missing.contains("text/plain") {
      values["text/plain"] = KeptValue(bytes: source.bytes, typeName: "text/plain")
    }
    if let latin = text.latin, missing.contains("STRING") {
      values["STRING"] = KeptValue(bytes: latin, typeName: "STRING")
    }
    if missing.contains("TEXT") {
      values["TEXT"] =
        text.latin.map { KeptValue(bytes: $0, typeName: "STRING") }
        ?? KeptValue(bytes: source.bytes, typeName: "UTF8_STRING")
    }
  }

  /// A text in Latin-1 as UTF-8; `nil` where there is no memory for it.
  static func unicode(ofLatin bytes: KeptBytes, limit: Int) -> KeptBytes? {
    let text = KeptBytes(limit: limit)
    do {
      try bytes.forEachPiece { piece in
        var encoded: [UInt8] = []
        encoded.reserveCapacity(piece.count * 2)
        for byte in piece {
          if byte < 0x80 {
            encoded.append(byte)
          } else {
            encoded.append(0xC0 | byte >> 6)
            encoded.append(0x80 | byte & 0x3F)
          }
        }
        try text.append(encoded)
      }
    } catch {
      return nil
    }
    return text
  }

  /// Decodes UTF-8 far enough to write Latin-1; `nil` where the bytes are no UTF-8.
  private static func examined(
    _ bytes: KeptBytes, limit: Int
  ) -> (isASCII: Bool, latin: KeptBytes?)? {
    var isASCII = true
    bytes.forEachPiece { if $0.contains(where: { $0 >= 0x80 }) { isASCII = false } }
    if isASCII { return (true, bytes) }
    var whole: [UInt8] = []
    whole.reserveCapacity(bytes.byteCount)
    bytes.forEachPiece { whole.append(contentsOf: $0) }
    var decoder = UTF8()
    var iterator = whole.makeIterator()
    var latin: [UInt8] = []
    latin.reserveCapacity(whole.count)
    var fits = true
    decoding: while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar):
        if scalar.value < 0x100 {
          latin.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
          fits = false
        }
      case .emptyInput: break decoding
      case .error: return nil
      }
    }
    guard fits else { return (false, nil) }
    let kept = KeptBytes(limit: limit)
    do {
      try kept.append(latin)
    } catch {
      return (false, nil)
    }
    return (false, kept)
  }
}
