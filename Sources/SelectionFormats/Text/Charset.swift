/// A character set that text on a selection may come in.
public enum Charset: Sendable, Hashable {
  /// UTF-8.
  case utf8
  /// UTF-8 when the bytes are that and not plain ASCII, else ISO 8859-1. What STRING, bare
  /// `text/plain` and anything that calls itself ASCII turn out to be.
  case latin1OrUTF8
  /// ISO 8859-1, whatever the bytes look like.
  case latin1
  /// UTF-16 in either order; a byte order mark or the bytes decide.
  case utf16
  /// UTF-16, little-endian unless a byte order mark says otherwise.
  case utf16LittleEndian
  /// UTF-16, big-endian unless a byte order mark says otherwise.
  case utf16BigEndian
  /// Any other, by its name in lower case without blanks and quotes.
  case named(String)

  /// Reads the value of a MIME type's `charset` parameter.
  ///
  /// - Parameter name: The value; case does not matter.
  public init(name: String) {
    let name = name.lowercased()
    switch name {
    case "utf-8", "utf8", "unicode-1-1-utf-8": self = .utf8
    case "us-ascii", "ascii", "ansi_x3.4-1968", "iso646-us", "646": self = .latin1OrUTF8
    case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "latin-1": self = .latin1
    case "utf-16", "utf16", "unicode", "iso-10646-ucs-2", "ucs-2", "ucs2", "csunicode":
      self = .utf16
    case "utf-16le", "utf16le", "ucs-2le", "unicodelittle": self = .utf16LittleEndian
    case "utf-16be", "utf16be", "ucs-2be", "unicodebig": self = .utf16BigEndian
    default: self = .named(Self.tableName(name))
    }
  }

  /// Whether text in this character set can be read here.
  public var isSupported: Bool {
    guard case .named(let name) = self else { return true }
    return SingleByteTables.upperHalf(of: name) != nil || Iconv.isKnown(name)
  }

  private static func tableName(_ name: String) -> String {
    if name.hasPrefix("iso-8859-") || name.hasPrefix("iso_8859-") {
      return "iso8859-" + name.dropFirst(9)
    }
    if name.hasPrefix("cp125") || name.hasPrefix("cp-125") { return "windows-" + name.suffix(4) }
    switch name {
    case "latin2": return "iso8859-2"
    case "latin9", "latin-9": return "iso8859-15"
    case "koi8r": return "koi8-r"
    case "mac", "macroman", "x-mac-roman": return "macintosh"
    case "cp850": return "ibm850"
    case "cp437": return "ibm437"
    default: return name
    }
  }
}

/// Turns text in one character set, in pieces cut anywhere, into UTF-8.
struct CharsetDecoder: Sendable {
  private enum Form: Sendable {
    case utf8(UTF8Validator)
    case latin1
    case undecided
    case utf16(UTF16Text.Decoder)
    case table(first: UInt8, [UInt32])
    case iconv(String)
  }

  /// How much is held back until it is clear whether the text is UTF-8 or Latin-1, in bytes.
  static let decidesAfter = 65_536

  private var form: Form
  private var held: [UInt8] = []

  init(_ charset: Charset) {
    switch charset {
    case .utf8: form = .utf8(UTF8Validator())
    case .latin1OrUTF8: form = .undecided
    case .latin1: form = .latin1
    case .utf16: form = .utf16(UTF16Text.Decoder(order: nil))
    case .utf16LittleEndian: form = .utf16(UTF16Text.Decoder(order: .little))
    case .utf16BigEndian: form = .utf16(UTF16Text.Decoder(order: .big))
    case .named(let name):
      if let table = SingleByteTables.upperHalf(of: name) {
        form = .table(first: table.first, table.characters.unicodeScalars.map(\.value))
      } else {
        form = .iconv(name)
      }
    }
  }

  /// Reads a whole text.
  static func decode(_ bytes: [UInt8], _ charset: Charset) throws(SelectionFormatError) -> [UInt8] {
    if charset == .latin1OrUTF8 {
      let isUTF8 = bytes.withUnsafeBytes { UTF8Validator.isValid($0) }
      return isUTF8 ? bytes : Latin1Text.decode(bytes)
    }
    var decoder = CharsetDecoder(charset)
    var text: [UInt8] = []
    try bytes.withRawBytes { raw throws(SelectionFormatError) in
      try decoder.decode(raw, into: &text)
    }
    try decoder.finish(into: &text)
    return text
  }

  mutating func decode(
    _ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]
  ) throws(SelectionFormatError) {
    switch form {
    case .utf8: if try checkUTF8(bytes) { text += bytes }
    case .latin1: text += Latin1Text.decode(bytes)
    case .undecided: try decodeUndecided(bytes, into: &text)
    case .utf16(var decoder):
      try decoder.decode(bytes, into: &text)
      form = .utf16(decoder)
    case .table(let first, let characters):
      try Self.decode(bytes, first: first, characters, into: &text)
    case .iconv(let name):
      held += bytes
      guard !Iconv.isStateful(name) else { return }
      let result = try Iconv.decode(held, from: name)
      text += result.text
      held = Array(held.suffix(result.unfinished))
    }
  }

  /// Checks the next piece of a text that is UTF-8 and needs no conversion.
  ///
  /// - Returns: false, having looked at nothing, for every other character set.
  mutating func checkUTF8(_ bytes: UnsafeRawBufferPointer) throws(SelectionFormatError) -> Bool {
    guard case .utf8(var validator) = form else { return false }
    validator.consume(bytes)
    form = .utf8(validator)
    if let offset = validator.firstInvalidOffset { throw Self.invalidUTF8(at: offset) }
    return true
  }

  mutating func finish(into text: inout [UInt8]) throws(SelectionFormatError) {
    switch form {
    case .utf8(var validator):
      validator.finish()
      if let offset = validator.firstInvalidOffset { throw Self.invalidUTF8(at: offset) }
    case .undecided: text += try Self.decode(held, .latin1OrUTF8)
    case .utf16(var decoder): try decoder.finish(into: &text)
    case .iconv(let name):
      let result = try Iconv.decode(held, from: name)
      text += result.text
      guard result.unfinished == 0 else {
        throw SelectionFormatError(
          .invalidBytes, message: "the text ends inside a character; it may be cut off")
      }
    case .latin1, .table: break
    }
    held = []
  }

  /// ASCII passes on; from the first other byte on the text is held until enough of it has come to
  /// tell.
  private mutating func decodeUndecided(
    _ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]
  ) throws(SelectionFormatError) {
    if held.isEmpty {
      let start = bytes.firstIndex { $0 >= 0x80 } ?? bytes.count
      text += bytes[..<start]
      held += bytes[start...]
    } else {
      held += bytes
    }
    guard held.count >= Self.decidesAfter else { return }
    var validator = UTF8Validator()
    held.withUnsafeBytes { validator.consume($0) }
    if validator.firstInvalidOffset == nil {
      text += held
      form = .utf8(validator)
    } else {
      text += Latin1Text.decode(held)
      form = .latin1
    }
    held = []
  }

  private static func decode(
    _ bytes: UnsafeRawBufferPointer, first: UInt8, _ characters: [UInt32], into text: inout [UInt8]
  ) throws(SelectionFormatError) {
    for byte in bytes {
      if byte < first {
        Latin1Text.append(byte, to: &text)
        continue
      }
      let value = characters[Int(byte - first)]
      guard value != 0xFFFD, let scalar = Unicode.Scalar(value) else {
        throw SelectionFormatError(
          .invalidBytes,
          message: "the byte \(byte) has no character in the character set the owner named")
      }
      text += UTF8.encode(scalar).map { Array($0) } ?? []
    }
  }

  private static func invalidUTF8(at offset: Int) -> SelectionFormatError {
    SelectionFormatError(
      .invalidBytes,
      message: "byte \(offset) is not UTF-8; the owner may have put another encoding there")
  }
}
