/// Turns text of a target, in pieces cut anywhere, into UTF-8.
///
/// A trailing NUL is dropped and line ends are converted as the decoder's options say. COMPOUND_TEXT
/// and character sets with shift states are held until the end; so are the first 64 KiB after the
/// first character outside ASCII where only the bytes tell UTF-8 from Latin-1.
public struct TextStream: Sendable {
  private enum Form: Sendable {
    case charset(CharsetDecoder)
    case compoundText([UInt8])
  }

  private var form: Form
  private let encoding: TextEncoding
  private let converter: CompoundTextConverter
  private let target: String
  private let returnedType: String
  private let dropsTrailingNUL: Bool
  private let normalizesLineEnds: Bool
  private var lineEnds = LineEnds()
  private var holdsNUL = false

  init(
    encoding: TextEncoding, options: TargetDecoder.Options, target: String, returnedType: String,
    normalizesLineEnds: Bool
  ) {
    self.encoding = encoding
    switch encoding {
    case .charset(let charset): form = .charset(CharsetDecoder(charset))
    case .compoundText: form = .compoundText([])
    }
    converter = options.compoundText
    dropsTrailingNUL = options.dropsTrailingNUL
    self.normalizesLineEnds = normalizesLineEnds
    self.target = target
    self.returnedType = returnedType
    lineEnds.convertsLoneReturns = false
  }

  /// Reads the next piece.
  ///
  /// - Parameters:
  ///   - bytes: The piece; it may be empty.
  ///   - text: What the text is appended to, in UTF-8 cut between characters or within.
  /// - Throws: `SelectionFormatError` with `.invalidBytes`.
  public mutating func decode(
    _ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]
  ) throws(SelectionFormatError) {
    do throws(SelectionFormatError) {
      switch form {
      case .charset(var decoder):
        if !normalizesLineEnds, try decoder.checkUTF8(bytes) {
          form = .charset(decoder)
          pass(bytes, into: &text)
          return
        }
        var piece: [UInt8] = []
        try decoder.decode(bytes, into: &piece)
        form = .charset(decoder)
        emit(piece, into: &text)
      case .compoundText(var held):
        form = .compoundText([])
        held += bytes
        form = .compoundText(held)
      }
    } catch {
      throw error.about(target, returnedType)
    }
  }

  /// Reads the next piece.
  ///
  /// - Parameters:
  ///   - bytes: The piece; it may be empty.
  ///   - text: What the text is appended to.
  /// - Throws: `SelectionFormatError` with `.invalidBytes`.
  public mutating func decode(
    _ bytes: [UInt8], into text: inout [UInt8]
  ) throws(SelectionFormatError) {
    try bytes.withRawBytes { raw throws(SelectionFormatError) in
      try decode(raw, into: &text)
    }
  }

  /// Ends the text.
  ///
  /// - Parameter text: What the last of the text is appended to.
  /// - Throws: `SelectionFormatError` with `.invalidBytes` when the text ends inside a character.
  public mutating func finish(into text: inout [UInt8]) throws(SelectionFormatError) {
    do throws(SelectionFormatError) {
      var piece: [UInt8] = []
      switch form {
      case .charset(var decoder): try decoder.finish(into: &piece)
      case .compoundText(let held): piece = try converter.decode(held)
      }
      emit(piece, into: &text)
      lineEnds.finish(into: &text)
    } catch {
      throw error.about(target, returnedType)
    }
  }

  /// Reads a text that is whole, so that all of it tells UTF-8 from Latin-1.
  mutating func decodeWhole(
    _ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]
  ) throws(SelectionFormatError) {
    if case .charset(.latin1OrUTF8) = encoding {
      form = .charset(CharsetDecoder(UTF8Validator.isValid(bytes) ? .utf8 : .latin1))
    }
    try decode(bytes, into: &text)
    try finish(into: &text)
  }

  /// Passes UTF-8 on as it is, holding a NUL back until something follows it.
  private mutating func pass(_ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]) {
    guard let last = bytes.last else { return }
    if holdsNUL { text.append(0) }
    holdsNUL = dropsTrailingNUL && last == 0
    text += holdsNUL ? bytes.dropLast() : bytes[...]
  }

  /// Passes text on, holding a NUL back until something follows it.
  private mutating func emit(_ piece: [UInt8], into text: inout [UInt8]) {
    guard let last = piece.last else { return }
    var piece = piece
    if dropsTrailingNUL {
      if holdsNUL { piece.insert(0, at: 0) }
      holdsNUL = last == 0
      if holdsNUL { piece.removeLast() }
    }
    if normalizesLineEnds { lineEnds.append(piece, to: &text) } else { text += piece }
  }
}
