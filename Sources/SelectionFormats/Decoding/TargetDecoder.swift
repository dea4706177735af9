public import ContentTypes

/// Reads what an owner stored for a target.
///
/// The type of the property decides how it is read, not the name that was asked for (ICCCM 2.4).
/// What does not fit together is an error that names both; it is never read as something else.
public struct TargetDecoder: Sendable {
  /// What may be chosen about reading.
  public struct Options: Sendable {
    /// Whether STRING, and `text/plain` without a character set, may hold UTF-8, as some programs
    /// put there. Off, they are Latin-1.
    public var readsUTF8InStrings = true
    /// Whether one NUL at the end of a text is dropped.
    public var dropsTrailingNUL = true
    /// Whether CRLF in `text/plain` becomes LF: GTK 3 writes it there.
    public var normalizesLineEnds = true
    /// What reads COMPOUND_TEXT.
    public var compoundText = CompoundTextConverter.builtIn
    /// The names of this machine, for file URIs with a host.
    public var hostNames: [String] = []

    /// The usual choices.
    public init() {}
  }

  /// What has been chosen about reading.
  public var options: Options

  /// Makes a decoder.
  ///
  /// - Parameter options: What may be chosen about reading.
  public init(options: Options = Options()) { self.options = options }

  /// Reads text: a plain text target, or one of a type of text such as source code, by its
  /// `charset` parameter or as UTF-8 or Latin-1.
  ///
  /// - Parameters:
  ///   - reply: What the owner stored.
  ///   - target: The target it was asked for.
  /// - Returns: The text in UTF-8.
  /// - Throws: `SelectionFormatError`: `.unexpectedType` when neither target nor returned type is
  ///   text, `.unexpectedFormat`, `.invalidBytes`, `.unsupportedCharset`.
  public func text(
    _ reply: TargetReply, of target: OfferedTarget
  ) throws(SelectionFormatError) -> [UInt8] {
    var stream = try textStream(of: target, type: reply.type, format: reply.format)
    var text: [UInt8] = []
    try reply.bytes.withRawBytes { raw throws(SelectionFormatError) in
      try stream.decodeWhole(raw, into: &text)
    }
    return text
  }

  /// Reads plain text that comes in pieces, without holding it.
  ///
  /// - Parameters:
  ///   - target: The target that was asked for.
  ///   - type: The name of the property's type.
  ///   - format: The property's format.
  /// - Returns: What turns the pieces into UTF-8.
  /// - Throws: `SelectionFormatError` with `.unexpectedType`, `.unexpectedFormat` or
  ///   `.unsupportedCharset`.
  public func textStream(
    of target: OfferedTarget, type: String, format: Int
  ) throws(SelectionFormatError) -> TextStream {
    let encoding = try textEncoding(of: target, type: type)
    try checkFormat(format, of: target, type: type, isWide: encoding.isUTF16)
    return TextStream(
      encoding: encoding, options: options, target: target.name, returnedType: type,
      normalizesLineEnds: options.normalizesLineEnds && isPlainTextName(target.name, type))
  }

  /// Reads a target into the canonical bytes of a content type (see `Representation`): text becomes
  /// UTF-8, or UTF-16 for the UTF-16 types, links the URL with its title on a second line, file
  /// lists one URI a line; everything else stays as it is.
  ///
  /// - Parameters:
  ///   - reply: What the owner stored.
  ///   - target: The target it was asked for.
  ///   - wanted: The type that was asked for; nil leaves every byte as it is.
  /// - Returns: The bytes.
  /// - Throws: `SelectionFormatError`.
  public func content(
    _ reply: TargetReply, of target: OfferedTarget, as wanted: ContentType?
  ) throws(SelectionFormatError) -> [UInt8] {
    guard let wanted else { return reply.bytes }
    if wanted == .fileURL {
      return Array(try fileList(reply, of: target).uris.joined(separator: "\n").utf8)
    }
    if wanted == .url, target.isURIs {
      let link = try link(reply, of: target)
      return Array((link.title.map { link.url + "\n" + $0 } ?? link.url).utf8)
    }
    let isSourceOfText =
      (wanted == .utf8PlainText || wanted == .plainText)
      && target.contentType?.conforms(to: .plainText) == true
    if target.isPlainText || isSourceOfText {
      let text = try text(reply, of: target)
      let isWide = wanted == .utf16PlainText || wanted == .utf16ExternalPlainText
      return isWide ? UTF16Text.encode(text, mark: true) : text
    }
    try checkBytes(of: target, type: reply.type, format: reply.format)
    return reply.bytes
  }

  /// Reads `text/html` as UTF-8 text.
  ///
  /// - Parameters:
  ///   - reply: What the owner stored.
  ///   - target: The target it was asked for.
  /// - Returns: The document in UTF-8, without the `meta` element that only names the encoding.
  /// - Throws: `SelectionFormatError`.
  public func html(
    _ reply: TargetReply, of target: OfferedTarget
  ) throws(SelectionFormatError) -> [UInt8] {
    try checkBytes(of: target, type: reply.type, format: reply.format)
    return try about(target, reply) { () throws(SelectionFormatError) in
      try HTMLText.decode(reply.bytes)
    }
  }

  /// Reads a list of files.
  ///
  /// - Parameters:
  ///   - reply: What the owner stored.
  ///   - target: The target it was asked for.
  /// - Returns: The file URIs with what pasting does with them; `text/uri-list` alone means copy.
  /// - Throws: `SelectionFormatError` with `.empty` when no URI in it names a file.
  public func fileList(
    _ reply: TargetReply, of target: OfferedTarget
  ) throws(SelectionFormatError) -> FileList {
    var list = try uris(reply, of: target)
    list.uris = list.uris.filter(FileURI.isFileURI)
    guard !list.uris.isEmpty else {
      throw SelectionFormatError(
        .empty, target: target.name, returnedType: reply.type,
        message: "there is no file in the list; it may hold links to the Web")
    }
    return list
  }

  /// Reads the first link.
  ///
  /// - Parameters:
  ///   - reply: What the owner stored.
  ///   - target: The target it was asked for.
  /// - Returns: The link.
  /// - Throws: `SelectionFormatError` with `.empty` when there is none.
  public func link(
    _ reply: TargetReply, of target: OfferedTarget
  ) throws(SelectionFormatError) -> WebLink {
    switch target.codec {
    case .mozillaURL, .netscapeURL:
      return try about(target, reply) { () throws(SelectionFormatError) in
        try checkBytes(of: target, type: reply.type, format: reply.format)
        let links =
          target.codec == .mozillaURL
          ? try WebLink.parse(mozilla: reply.bytes) : try WebLink.parse(netscape: reply.bytes)
        guard let first = links.first else {
          throw SelectionFormatError(.empty, message: "there is no URL in it")
        }
        return first
      }
    default:
      guard let uri = try uris(reply, of: target).uris.first else {
        throw SelectionFormatError(
          .empty, target: target.name, returnedType: reply.type, message: "the list is empty")
      }
      return WebLink(url: uri)
    }
  }

  /// Reads a colour, in format 16 or as eight bytes.
  ///
  /// - Parameters:
  ///   - reply: What the owner stored.
  ///   - target: The target it was asked for.
  /// - Returns: The colour.
  /// - Throws: `SelectionFormatError`.
  public func color(
    _ reply: TargetReply, of target: OfferedTarget
  ) throws(SelectionFormatError) -> ColorItem {
    try about(target, reply) { () throws(SelectionFormatError) in
      guard reply.format != 32 else { throw formatError(target, reply.type, reply.format) }
      return try ColorItem(bytes: reply.bytes)
    }
  }

  private func uris(
    _ reply: TargetReply, of target: OfferedTarget
  ) throws(SelectionFormatError) -> FileList {
    try about(target, reply) { () throws(SelectionFormatError) in
      try checkBytes(of: target, type: reply.type, format: reply.format)
      switch target.codec {
      case .gnomeFiles: return FileList(gnome: reply.bytes)
      case .mozillaURL: return FileList(uris: try WebLink.parse(mozilla: reply.bytes).map(\.url))
      case .netscapeURL: return FileList(uris: try WebLink.parse(netscape: reply.bytes).map(\.url))
      case .fileNames:
        let paths = reply.bytes.split(separator: 0).filter { $0.first == UInt8(ascii: "/") }
        return try FileList(paths: paths.map { Array($0) })
      case _ where FileList.isList(text: reply.bytes): return FileList(gnome: reply.bytes)
      default:
        let isWide = UTF16Text.order(markedIn: reply.bytes) != nil
        return FileList(
          uris: URIList.parse(isWide ? try UTF16Text.decode(reply.bytes) : reply.bytes))
      }
    }
  }

  private func about<Value>(
    _ target: OfferedTarget, _ reply: TargetReply,
    _ body: () throws(SelectionFormatError) -> Value
  ) throws(SelectionFormatError) -> Value {
    do throws(SelectionFormatError) {
      return try body()
    } catch {
      throw error.about(target.name, reply.type)
    }
  }
}
