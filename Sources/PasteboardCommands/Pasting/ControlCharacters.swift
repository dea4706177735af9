/// Looks for what a terminal takes for commands, in UTF-8 that comes in pieces.
struct ControlCharacters {
  private var endsWithC2 = false

  /// Whether the next piece has control characters other than those that only move on or ring: BEL, BS, tab and line
  /// ends.
  mutating func found(in bytes: UnsafeRawBufferPointer) -> Bool {
    var isBehindC2 = endsWithC2
    for byte in bytes {
      switch byte {
      case 0x07...0x0D: break
      case ..<0x20, 0x7F: return true
      // U+0080 to U+009F.
      case 0x80...0x9F where isBehindC2: return true
      default: break
      }
      isBehindC2 = byte == 0xC2
    }
    endsWithC2 = isBehindC2
    return false
  }

  /// Whether a text has such characters.
  static func found(in text: some StringProtocol) -> Bool {
    var controls = ControlCharacters()
    return Array(text.utf8).withUnsafeBytes { controls.found(in: $0) }
  }
}
