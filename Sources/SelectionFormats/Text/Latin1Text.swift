/// ISO 8859-1 and UTF-8, each into the other.
enum Latin1Text {
  /// Every byte as the character of the same number.
  static func decode(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count)
    for byte in bytes { append(byte, to: &text) }
    return text
  }

  /// Writes one Latin-1 character as UTF-8.
  static func append(_ byte: UInt8, to text: inout [UInt8]) {
    if byte < 0x80 {
      text.append(byte)
    } else {
      text.append(0xC0 | byte >> 6)
      text.append(0x80 | byte & 0x3F)
    }
  }

  /// Turns UTF-8 that comes in pieces into Latin-1 with LF line ends.
  struct Encoder: Sendable {
    private var lead: UInt8?
    private var lineEnds = LineEnds()

    /// Encodes the next piece.
    ///
    /// - Throws: `.notRepresentable` at the first character above U+00FF, `.invalidBytes` at a
    ///   stray continuation byte.
    mutating func encode(
      _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws(SelectionFormatError) {
      output.reserveCapacity(output.count + bytes.count)
      for byte in bytes {
        if let first = lead {
          guard byte & 0xC0 == 0x80 else { throw Self.broken }
          lineEnds.append(first << 6 | byte & 0x3F, to: &output)
          lead = nil
        } else if byte < 0x80 {
          lineEnds.append(byte, to: &output)
        } else if byte == 0xC2 || byte == 0xC3 {
          lead = byte
        } else if byte & 0xC0 == 0x80 || byte < 0xC2 || byte > 0xF4 {
          throw Self.broken
        } else {
          throw SelectionFormatError(
            .notRepresentable,
            message: "the text has characters outside Latin-1; ask for UTF8_STRING instead")
        }
      }
    }

    /// Ends the text.
    mutating func finish(into output: inout [UInt8]) throws(SelectionFormatError) {
      guard lead == nil else { throw Self.broken }
      lineEnds.finish(into: &output)
    }

    private static let broken = SelectionFormatError(
      .invalidBytes, message: "the text is not valid UTF-8")
  }
}

/// Makes CRLF, and a CR alone, into LF, in bytes that come in pieces.
struct LineEnds: Sendable {
  private var pendingReturn = false
  /// Whether a CR without an LF after it becomes an LF too.
  var convertsLoneReturns = true

  mutating func append(_ byte: UInt8, to output: inout [UInt8]) {
    if pendingReturn {
      pendingReturn = false
      if byte != 0x0A { output.append(convertsLoneReturns ? 0x0A : 0x0D) }
    }
    if byte == 0x0D { pendingReturn = true } else { output.append(byte) }
  }

  /// Appends a whole piece.
  mutating func append(_ bytes: [UInt8], to output: inout [UInt8]) {
    if !pendingReturn, !bytes.contains(0x0D) {
      output += bytes
    } else {
      output.reserveCapacity(output.count + bytes.count)
      for byte in bytes { append(byte, to: &output) }
    }
  }

  mutating func finish(into output: inout [UInt8]) {
    if pendingReturn { output.append(convertsLoneReturns ? 0x0A : 0x0D) }
    pendingReturn = false
  }
}
