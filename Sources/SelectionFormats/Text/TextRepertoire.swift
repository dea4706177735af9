/// Which characters a run of bytes holds when it is read as UTF-8.
///
/// STRING and COMPOUND_TEXT may be offered only for some texts, so this is known before a text is
/// advertised. ICCCM 2.7.1 gives STRING the printable characters of ISO 8859-1, TAB and LF.
public struct TextRepertoire: Sendable, Hashable {
  /// The smallest character set that holds every character.
  public enum Characters: Sendable, Hashable {
    /// Only U+0000 to U+007F.
    case ascii
    /// Only U+0000 to U+00FF.
    case latin1
    /// Anything else that is valid UTF-8.
    case unicode
    /// The bytes are not UTF-8.
    case invalid
  }

  /// The smallest character set that holds every character.
  public let characters: Characters
  /// Whether a C0 or C1 control character other than TAB, LF and CR occurs, or U+007F.
  public let hasControlCharacters: Bool
  /// Whether a CR occurs. STRING and COMPOUND_TEXT know only LF, so line ends change there.
  public let hasCarriageReturns: Bool
  /// The offset in bytes of the first sequence that is not UTF-8, or nil.
  public let firstInvalidOffset: Int?

  /// Describes text whose characters are known without looking.
  ///
  /// - Parameters:
  ///   - characters: The smallest character set that holds the text.
  ///   - hasControlCharacters: Whether control characters other than TAB, LF and CR occur.
  ///   - hasCarriageReturns: Whether a CR may occur.
  public init(
    _ characters: Characters, hasControlCharacters: Bool = false, hasCarriageReturns: Bool = true
  ) {
    self.characters = characters
    self.hasControlCharacters = hasControlCharacters
    self.hasCarriageReturns = hasCarriageReturns
    firstInvalidOffset = nil
  }

  private init(_ validator: UTF8Validator) {
    let widest = validator.widest
    characters =
      validator.firstInvalidOffset != nil
      ? .invalid : widest == 0 ? .ascii : widest == 1 ? .latin1 : .unicode
    hasControlCharacters = validator.hasControls
    hasCarriageReturns = validator.hasReturns
    firstInvalidOffset = validator.firstInvalidOffset
  }

  /// Whether the bytes are UTF-8.
  public var isText: Bool { characters != .invalid }

  /// Whether STRING can carry the text (ICCCM 2.7.1).
  public var fitsString: Bool {
    (characters == .ascii || characters == .latin1) && !hasControlCharacters
  }

  /// Whether COMPOUND_TEXT can carry the text: it knows no control characters but TAB and LF.
  public var fitsCompoundText: Bool { isText && !hasControlCharacters }

  /// Looks at a whole text.
  ///
  /// - Parameter bytes: The text.
  /// - Returns: What it holds.
  public static func scan(_ bytes: UnsafeRawBufferPointer) -> TextRepertoire {
    var scanner = Scanner()
    scanner.consume(bytes)
    return scanner.finish()
  }

  /// Looks at a whole text.
  ///
  /// - Parameter bytes: The text.
  /// - Returns: What it holds.
  public static func scan(_ bytes: [UInt8]) -> TextRepertoire {
    bytes.withUnsafeBytes { scan($0) }
  }

  /// Looks at a text that comes in pieces, cut anywhere.
  public struct Scanner: Sendable {
    private var validator = UTF8Validator()

    /// Makes a scanner at the start of a text.
    public init() {}

    /// Whether a sequence that is not UTF-8 has been seen already.
    public var foundInvalid: Bool { validator.firstInvalidOffset != nil }

    /// Looks at the next piece.
    ///
    /// - Parameter bytes: The piece; it may be empty.
    public mutating func consume(_ bytes: UnsafeRawBufferPointer) {
      validator.consume(bytes)
    }

    /// Looks at the next piece.
    ///
    /// - Parameter bytes: The piece; it may be empty.
    public mutating func consume(_ bytes: [UInt8]) {
      bytes.withUnsafeBytes { consume($0) }
    }

    /// Ends the text.
    ///
    /// - Returns: What it held; a sequence cut off by the end is invalid.
    public mutating func finish() -> TextRepertoire {
      validator.finish()
      return TextRepertoire(validator)
    }
  }
}
