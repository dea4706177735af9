public import ContentTypes

/// One way a value can travel, as far as choosing its targets needs to know.
///
/// The bytes a representation stands for have one canonical form: text is UTF-8, or UTF-16 for the
/// UTF-16 content types; a URL is its UTF-8 string, with the title on a second line if there is one;
/// file URLs are one URI a line; everything else is what it is.
public struct Representation: Sendable, Hashable {
  /// The type of the content; nil when only a raw target name is known.
  public var contentType: ContentType?
  /// The exact target to list first: a MIME type in the spelling the user chose, or a raw name.
  public var targetName: String?
  /// What the text of the value holds, nil when it is not known yet.
  ///
  /// For URLs and files this is about the text that stands for them.
  public var repertoire: TextRepertoire?
  /// Whether the bytes, whatever their type, also stand for plain text in UTF-8.
  public var standsForPlainText: Bool
  /// What pasting does with the files, when it is about files.
  public var operation: FileList.Operation

  /// Describes a representation.
  ///
  /// - Parameters:
  ///   - contentType: The type of the content.
  ///   - targetName: An exact target to list first.
  ///   - repertoire: What the text holds, nil when not known yet.
  ///   - standsForPlainText: Whether the bytes also stand for plain text.
  ///   - operation: What pasting does with files.
  public init(
    _ contentType: ContentType?, targetName: String? = nil, repertoire: TextRepertoire? = nil,
    standsForPlainText: Bool = false, operation: FileList.Operation = .copy
  ) {
    self.contentType = contentType
    self.targetName = targetName
    self.repertoire = repertoire
    self.standsForPlainText = standsForPlainText
    self.operation = operation
  }

  /// Describes a representation whose canonical bytes are at hand, looking at them.
  ///
  /// - Parameters:
  ///   - contentType: The type of the content.
  ///   - bytes: The canonical bytes.
  ///   - targetName: An exact target to list first.
  ///   - standsForPlainText: Whether the bytes also stand for plain text.
  ///   - operation: What pasting does with files.
  public init(
    _ contentType: ContentType?, bytes: [UInt8], targetName: String? = nil,
    standsForPlainText: Bool = false, operation: FileList.Operation = .copy
  ) {
    self.init(
      contentType, targetName: targetName, standsForPlainText: standsForPlainText,
      operation: operation)
    let text = try? textSource.text(of: bytes)
    repertoire = text.map { TextRepertoire.scan($0) } ?? TextRepertoire(.invalid)
  }

  /// How plain text is read out of the canonical bytes.
  var textSource: TextSource {
    guard let contentType else { return .utf8 }
    if contentType == .fileURL { return .files }
    if contentType == .url { return .link }
    if contentType.conforms(to: .utf16PlainText) || contentType == .utf16ExternalPlainText {
      return .utf16
    }
    return .utf8
  }
}

/// How plain text is read out of a representation's canonical bytes.
public enum TextSource: Sendable, Hashable {
  /// The bytes are the text.
  case utf8
  /// The bytes are UTF-16, in the machine's order unless a byte order mark says otherwise.
  case utf16
  /// The bytes are URIs of files, one a line; their paths are the text.
  case files
  /// The bytes are a URL, perhaps with a title on the second line; the URL is the text.
  case link

  /// The text in UTF-8.
  func text(of bytes: [UInt8]) throws(SelectionFormatError) -> [UInt8] {
    switch self {
    case .utf8: return bytes
    case .utf16: return try UTF16Text.decode(bytes, order: .native)
    case .files: return Array(FileList(uris: URIList.parse(bytes)).text.utf8)
    case .link: return Array(Self.link(in: bytes).url.utf8)
    }
  }

  static func link(in bytes: [UInt8]) -> WebLink {
    let lines = bytes.split(maxSplits: 1, omittingEmptySubsequences: false) { $0 == 0x0A }
      .map { line in String(decoding: line.filter { $0 != 0x0D && $0 != 0 }, as: UTF8.self) }
    let title = lines.count > 1 && !lines[1].isEmpty ? lines[1] : nil
    return WebLink(url: lines.first ?? "", title: title)
  }
}
