/// Turns COMPOUND_TEXT into UTF-8 and back.
///
/// Xlib has a converter of its own, which knows every character set its locale modules know. A
/// static executable lacks those modules, so the built-in one stands in.
public struct CompoundTextConverter: Sendable {
  /// UTF-8 to COMPOUND_TEXT.
  public var encode: @Sendable ([UInt8]) throws(SelectionFormatError) -> [UInt8]
  /// COMPOUND_TEXT to UTF-8.
  public var decode: @Sendable ([UInt8]) throws(SelectionFormatError) -> [UInt8]

  /// Makes a converter.
  ///
  /// - Parameters:
  ///   - encode: UTF-8 to COMPOUND_TEXT.
  ///   - decode: COMPOUND_TEXT to UTF-8.
  public init(
    encode: @escaping @Sendable ([UInt8]) throws(SelectionFormatError) -> [UInt8],
    decode: @escaping @Sendable ([UInt8]) throws(SelectionFormatError) -> [UInt8]
  ) {
    self.encode = encode
    self.decode = decode
  }

  /// Writes Latin-1 directly and everything else as UTF-8 segments; reads ISO 8859, UTF-8, JIS,
  /// GB, KS and CNS character sets and extended segments.
  public static let builtIn = CompoundTextConverter(
    encode: { text throws(SelectionFormatError) in try CompoundText.encode(text) },
    decode: { bytes throws(SelectionFormatError) in try CompoundText.decode(bytes) })
}

/// The X Consortium's Compound Text encoding: ISO 2022 with ASCII and Latin-1 at the start.
enum CompoundText {
  static let utf8Start: [UInt8] = [0x1B, 0x25, 0x47]
  static let utf8End: [UInt8] = [0x1B, 0x25, 0x40]

  static func encode(_ text: [UInt8]) throws(SelectionFormatError) -> [UInt8] {
    var encoder = Encoder()
    var output: [UInt8] = []
    try text.withRawBytes { raw throws(SelectionFormatError) in
      try encoder.encode(raw, into: &output)
    }
    try encoder.finish(into: &output)
    return output
  }

  static func decode(_ bytes: [UInt8]) throws(SelectionFormatError) -> [UInt8] {
    var decoder = CompoundTextDecoder(bytes)
    return try decoder.decode()
  }

  /// Writes UTF-8 that comes in pieces.
  ///
  /// A UTF-8 segment begins at the first character outside Latin-1 and lasts to the end of the
  /// line, so that TAB and LF always stand outside, as the encoding demands of control characters.
  struct Encoder: Sendable {
    private var validator = UTF8Validator()
    private var held: [UInt8] = []
    private var lineEnds = LineEnds()
    private var inSegment = false
    private var tail: UInt32 = 0

    mutating func encode(
      _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws(SelectionFormatError) {
      validator.consume(bytes)
      guard validator.firstInvalidOffset == nil else { throw Self.broken }
      var piece = held
      lineEnds.append(Array(bytes), to: &piece)
      let pending = validator.pendingCount
      held = Array(piece.suffix(pending))
      piece.removeLast(pending)
      try append(piece, to: &output)
    }

    mutating func finish(into output: inout [UInt8]) throws(SelectionFormatError) {
      guard held.isEmpty else { throw Self.broken }
      var piece: [UInt8] = []
      lineEnds.finish(into: &piece)
      try append(piece, to: &output)
      leave(&output)
    }

    private mutating func append(
      _ piece: [UInt8], to output: inout [UInt8]
    ) throws(SelectionFormatError) {
      output.reserveCapacity(output.count + piece.count)
      var index = 0
      while index < piece.count {
        let byte = piece[index]
        let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        if byte == 0x09 || byte == 0x0A {
          leave(&output)
          output.append(byte)
        } else if !inSegment, byte >= 0x20, byte < 0x7F {
          output.append(byte)
        } else if !inSegment, length == 2, Self.isLatin1(byte, piece[index + 1]) {
          output.append(byte << 6 | piece[index + 1] & 0x3F)
        } else {
          if !inSegment {
            output += CompoundText.utf8Start
            inSegment = true
          }
          for offset in 0..<length { try appendToSegment(piece[index + offset], &output) }
        }
        index += length
      }
    }

    /// The three bytes that end a segment can stand nowhere inside one.
    private mutating func appendToSegment(
      _ byte: UInt8, _ output: inout [UInt8]
    ) throws(SelectionFormatError) {
      tail = (tail << 8 | UInt32(byte)) & 0xFF_FFFF
      guard tail != 0x1B_2540 else {
        throw SelectionFormatError(
          .notRepresentable,
          message: "the text holds an escape sequence of COMPOUND_TEXT itself")
      }
      output.append(byte)
    }

    private mutating func leave(_ output: inout [UInt8]) {
      if inSegment { output += CompoundText.utf8End }
      inSegment = false
      tail = 0
    }

    private static func isLatin1(_ lead: UInt8, _ next: UInt8) -> Bool {
      lead == 0xC3 || (lead == 0xC2 && next >= 0xA0)
    }

    private static let broken = SelectionFormatError(
      .invalidBytes, message: "the text is not valid UTF-8")
  }
}
