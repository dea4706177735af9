public import ContentTypes

/// A target a peer offers, and what it means here.
public struct OfferedTarget: Sendable, Hashable {
  /// How the bytes of a target are read.
  public enum Codec: Sendable, Hashable {
    /// No content: a target of the protocol, or a private note.
    case none
    /// The bytes are the content.
    case bytes
    /// UTF8_STRING.
    case utf8
    /// STRING and C_STRING: Latin-1, or UTF-8 as some programs put there.
    case string
    /// TEXT: the returned type names the encoding.
    case text
    /// COMPOUND_TEXT.
    case compoundText
    /// `text/plain` in the given character set.
    case plainText(Charset)
    /// `text/html`, in whichever encoding.
    case html
    /// `text/uri-list`.
    case uriList
    /// `x-special/gnome-copied-files` and its MATE twin.
    case gnomeFiles
    /// `text/x-moz-url`.
    case mozillaURL
    /// `_NETSCAPE_URL`.
    case netscapeURL
    /// A URL as text.
    case urlText
    /// FILE_NAME: paths separated by NUL.
    case fileNames
    /// `application/x-color`.
    case color
  }

  /// The name as the peer spells it, which is what to ask for.
  public let name: String
  /// The type of the content, nil when it is none.
  public let contentType: ContentType?
  /// The character set the name gives, nil when it gives none.
  public let charset: Charset?
  /// How the bytes are read.
  public let codec: Codec

  /// Finds out what a target means.
  ///
  /// In this order: the fixed names; `application/x-uti.` and an identifier; a MIME type, exactly,
  /// then without its parameters, becoming a dynamic type when nobody declares it; a bare
  /// identifier, known by the dot in it. Anything else is no content.
  ///
  /// - Parameter name: The name as the peer spells it.
  public init(name: String) {
    let meaning = Self.meaning(of: name)
    self.init(name, meaning.type, meaning.codec, meaning.charset)
  }

  init(_ name: String, _ type: ContentType?, _ codec: Codec, _ charset: Charset?) {
    self.name = name
    contentType = type
    self.codec = codec
    self.charset = charset
  }

  /// Whether the target is content.
  public var isContent: Bool { codec != .none }

  /// Whether the target may be data: content, or a name that only the programs which use it understand.
  public var mayBeData: Bool { TargetName.isContent(name) }

  /// Whether the target is plain text, in any encoding.
  public var isPlainText: Bool {
    switch codec {
    case .utf8, .string, .text, .compoundText, .plainText: return true
    default: return false
    }
  }

  /// Whether the target lists files or URLs.
  public var isURIs: Bool {
    switch codec {
    case .uriList, .gnomeFiles, .mozillaURL, .netscapeURL, .urlText, .fileNames: return true
    default: return false
    }
  }

  /// The MIME type the target amounts to, in one spelling; nil when it is none.
  public var mimeType: String? {
    if let mime = MIMEName(name) { return mime.normalized }
    switch codec {
    case .utf8: return "text/plain;charset=utf-8"
    case .string, .text, .compoundText: return "text/plain"
    case .fileNames: return "text/uri-list"
    case .netscapeURL: return "text/x-moz-url"
    default: return contentType?.preferredMIMEType
    }
  }

  /// The order in which text targets are asked for: what keeps every character first.
  var textRank: Int {
    switch codec {
    case .utf8: return name == "UTF8_STRING" ? 0 : 2
    case .plainText(.utf8): return 1
    case .plainText(.utf16), .plainText(.utf16LittleEndian), .plainText(.utf16BigEndian): return 3
    case .plainText(.named(_)): return charset?.isSupported == true ? 4 : 10
    case .compoundText: return 5
    case .string: return name == "STRING" ? 6 : 9
    case .text: return 7
    case .plainText: return charset == nil ? 8 : 9
    default: return 11
    }
  }

  private typealias Meaning = (type: ContentType?, codec: Codec, charset: Charset?)

  private static func meaning(of name: String) -> Meaning {
    guard TargetName.isContent(name) else { return (nil, .none, nil) }
    switch name {
    case "UTF8_STRING", "UTF-8": return (.utf8PlainText, .utf8, .utf8)
    case "STRING": return (.utf8PlainText, .string, nil)
    case "C_STRING": return (.utf8PlainText, .string, nil)
    case "TEXT": return (.utf8PlainText, .text, nil)
    case "COMPOUND_TEXT": return (.utf8PlainText, .compoundText, nil)
    case "_NETSCAPE_URL": return (.url, .netscapeURL, nil)
    case "FILE_NAME": return (.fileURL, .fileNames, nil)
    default: break
    }
    if let mime = MIMEName(name) { return meaning(of: mime, name) }
    if let type = TargetTable.contentType(alias: name) { return (type, .bytes, nil) }
    if name.contains("."), let type = ContentType(validating: name) {
      return (type, codec(of: type), nil)
    }
    return (nil, .none, nil)
  }

  private static func meaning(of mime: MIMEName, _ name: String) -> Meaning {
    let charset = mime.charset.map(Charset.init(name:))
    switch mime.essence {
    case "text/plain":
      guard let charset else { return (.plainText, .plainText(.latin1OrUTF8), nil) }
      switch charset {
      case .utf16, .utf16LittleEndian, .utf16BigEndian:
        return (.utf16PlainText, .plainText(charset), charset)
      case .utf8: return (.utf8PlainText, .plainText(charset), charset)
      default: return (.plainText, .plainText(charset), charset)
      }
    case "text/unicode": return (.utf16PlainText, .plainText(.utf16), .utf16)
    case "text/html", "application/x-moz-nativehtml": return (.html, .html, charset)
    case "text/uri-list": return (.fileURL, .uriList, charset)
    case TargetName.gnomeCopiedFiles, TargetName.mateCopiedFiles:
      return (.fileURL, .gnomeFiles, nil)
    case "text/x-moz-url": return (.url, .mozillaURL, charset)
    case "text/x-uri": return (.url, .urlText, charset)
    case "application/x-color": return (TargetTable.contentType(of: mime), .color, nil)
    default: break
    }
    if mime.essence.hasPrefix(TargetName.identifierPrefix) {
      let identifier = name.drop { $0 == " " }.dropFirst(TargetName.identifierPrefix.count)
      if let type = ContentType(validating: String(identifier)) { return (type, .bytes, charset) }
    }
    return (TargetTable.contentType(of: mime), .bytes, charset)
  }

  /// A bare identifier of a plain text type carries UTF-8.
  private static func codec(of type: ContentType) -> Codec {
    TargetTable.isPlainText(type) ? .plainText(.latin1OrUTF8) : .bytes
  }
}
