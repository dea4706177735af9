/// What turns a representation's canonical bytes into the bytes of a target.
public enum TargetEncoder: Sendable, Hashable {
  /// The encodings of text targets.
  public enum TextEncoding: Sendable, Hashable {
    /// UTF-8 as it is.
    case utf8
    /// ISO 8859-1 with LF line ends.
    case latin1
    /// Compound Text with LF line ends.
    case compoundText
    /// STRING when the text fits, else UTF8_STRING: the answer to TEXT.
    case chosen
  }

  /// The bytes go out unchanged; nothing need be copied, and files can be streamed.
  case identity
  /// The same bytes whatever the representation holds.
  case constant([UInt8])
  /// Text in one of the encodings.
  case text(TextEncoding, from: TextSource)
  /// UTF-16 with a byte order mark.
  case markedUTF16
  /// `text/uri-list`.
  case uriList(from: TextSource)
  /// `x-special/gnome-copied-files` and its MATE twin.
  case gnomeFiles(FileList.Operation)
  /// `text/x-moz-url`.
  case mozillaURL
  /// `_NETSCAPE_URL`.
  case netscapeURL

  /// Whether the bytes go out unchanged.
  public var isIdentity: Bool { self == .identity }

  /// Whether the bytes can be encoded piece by piece by a `Stream`.
  public var isStreamable: Bool {
    switch self {
    case .identity, .text(.utf8, from: .utf8), .text(.latin1, from: .utf8),
      .text(.compoundText, from: .utf8):
      return true
    default: return false
    }
  }

  /// A lower bound of the encoded size, which is what an INCR header promises (ICCCM 2.7.2).
  ///
  /// - Parameter count: The number of canonical bytes.
  /// - Returns: A number of bytes that the target's are never fewer than.
  public func minimumByteCount(from count: Int) -> Int {
    switch self {
    case .identity, .text(.utf8, from: .utf8), .markedUTF16: return count
    case .constant(let bytes): return bytes.count
    // Two bytes of UTF-8, or CR and LF, become one.
    case .text(_, from: .utf8): return count / 2
    default: return 0
    }
  }

  /// Encodes a representation.
  ///
  /// - Parameters:
  ///   - bytes: The canonical bytes.
  ///   - compoundText: What writes COMPOUND_TEXT.
  /// - Returns: The bytes of the target, and the property type where only the bytes decide it.
  /// - Throws: `SelectionFormatError` when the bytes are not what the representation's type says, or
  ///   the encoding has no place for them. The request is then refused.
  public func encode(
    _ bytes: [UInt8], compoundText: CompoundTextConverter = .builtIn
  ) throws(SelectionFormatError) -> (bytes: [UInt8], propertyType: String?) {
    switch self {
    case .identity: return (bytes, nil)
    case .constant(let bytes): return (bytes, nil)
    case .text(let encoding, let source):
      let text = try source.text(of: bytes)
      return try Self.encode(text: text, encoding, compoundText)
    case .markedUTF16:
      if UTF16Text.order(markedIn: bytes) != nil { return (bytes, nil) }
      return (Array(UTF16Text.encode([], mark: true)) + bytes, nil)
    // A list holds URIs, which are ASCII (RFC 3986): what was given with other letters or blanks is percent-encoded.
    case .uriList(.files): return (URIList.serialize(Self.uris(in: bytes)), nil)
    case .uriList:
      let url = TextSource.link(in: bytes).url
      return (URIList.serialize([FileURI.sanitized(url.utf8)]), nil)
    case .gnomeFiles(let operation):
      return (FileList(uris: Self.uris(in: bytes), operation: operation).gnomeBytes, nil)
    case .mozillaURL: return (TextSource.link(in: bytes).mozillaBytes, nil)
    case .netscapeURL: return (TextSource.link(in: bytes).netscapeBytes, nil)
    }
  }

  private static func uris(in list: [UInt8]) -> [String] {
    URIList.parse(list).map { FileURI.sanitized($0.utf8) }
  }

  private static func encode(
    text: [UInt8], _ encoding: TextEncoding, _ compoundText: CompoundTextConverter
  ) throws(SelectionFormatError) -> (bytes: [UInt8], propertyType: String?) {
    let repertoire = TextRepertoire.scan(text)
    guard repertoire.isText else {
      throw SelectionFormatError(
        .invalidBytes,
        message: "the text is not valid UTF-8 (byte \(repertoire.firstInvalidOffset ?? 0))")
    }
    switch encoding {
    case .utf8: return (text, nil)
    case .chosen where !repertoire.fitsString: return (text, "UTF8_STRING")
    case .chosen: return (try latin1(text), "STRING")
    case .latin1:
      guard repertoire.fitsString else {
        throw SelectionFormatError(
          .notRepresentable,
          message: "the text has characters STRING cannot carry; ask for UTF8_STRING instead")
      }
      return (try latin1(text), nil)
    case .compoundText: return (try compoundText.encode(text), nil)
    }
  }

  private static func latin1(_ text: [UInt8]) throws(SelectionFormatError) -> [UInt8] {
    var encoder = Latin1Text.Encoder()
    var output: [UInt8] = []
    try text.withRawBytes { raw throws(SelectionFormatError) in
      try encoder.encode(raw, into: &output)
    }
    try encoder.finish(into: &output)
    return output
  }

  /// Encodes text piece by piece, for what is too large to hold; COMPOUND_TEXT by the built-in
  /// converter.
  public struct Stream: Sendable {
    private enum Form: Sendable {
      case identity
      case latin1(Latin1Text.Encoder)
      case compoundText(CompoundText.Encoder)
    }

    private var form: Form

    /// Makes a stream at the start of the text.
    ///
    /// - Parameter encoder: A streamable encoder.
    /// - Returns: nil for an encoder that needs the whole value.
    public init?(_ encoder: TargetEncoder) {
      switch encoder {
      case .identity, .text(.utf8, from: .utf8): form = .identity
      case .text(.latin1, from: .utf8): form = .latin1(Latin1Text.Encoder())
      case .text(.compoundText, from: .utf8): form = .compoundText(CompoundText.Encoder())
      default: return nil
      }
    }

    /// Encodes the next piece.
    ///
    /// - Parameters:
    ///   - bytes: The piece, cut anywhere.
    ///   - output: What the bytes of the target are appended to.
    /// - Throws: `SelectionFormatError` when the text cannot be encoded.
    public mutating func encode(
      _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws(SelectionFormatError) {
      switch form {
      case .identity: output += bytes
      case .latin1(var encoder):
        try encoder.encode(bytes, into: &output)
        form = .latin1(encoder)
      case .compoundText(var encoder):
        try encoder.encode(bytes, into: &output)
        form = .compoundText(encoder)
      }
    }

    /// Ends the text.
    ///
    /// - Parameter output: What the last bytes are appended to.
    /// - Throws: `SelectionFormatError` when the text ends inside a character.
    public mutating func finish(into output: inout [UInt8]) throws(SelectionFormatError) {
      switch form {
      case .identity: break
      case .latin1(var encoder): try encoder.finish(into: &output)
      case .compoundText(var encoder): try encoder.finish(into: &output)
      }
    }
  }
}
