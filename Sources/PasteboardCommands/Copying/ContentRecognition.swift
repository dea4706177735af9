internal import ContentTypes
internal import SelectionFormats

/// What loaded bytes are offered as.
enum ContentRecognition {
  /// How much of the start decides what the bytes are.
  static var headLength: Int { max(ContentType.sniffedLength, 512) }

  /// Describes bytes whose type nobody named.
  ///
  /// - Parameters:
  ///   - content: The bytes.
  ///   - typeOfName: What the file's name says.
  static func representation(
    _ content: LoadedContent, typeOfName: ContentType? = nil
  ) -> Representation {
    let sniffed = recognised(content, typeOfName)
    guard content.repertoire.isText else {
      if content.head.starts(with: [0xFF, 0xFE]) || content.head.starts(with: [0xFE, 0xFF]),
        sniffed == nil || sniffed?.conforms(to: .plainText) == true,
        case .memory(let bytes) = content.source
      {
        let wide = Representation(.utf16PlainText, bytes: bytes)
        if wide.repertoire?.isText == true { return wide }
      }
      // Text whose encoding is unknown is offered as bytes.
      let isPlain = sniffed.map { isPlainText($0) } ?? true
      return Representation(isPlain ? .data : sniffed, repertoire: content.repertoire)
    }
    guard let sniffed, sniffed != .data, !isPlainText(sniffed) else {
      return Representation(.utf8PlainText, repertoire: content.repertoire)
    }
    return Representation(
      sniffed, repertoire: content.repertoire,
      standsForPlainText: isReadable(sniffed, content.repertoire))
  }

  private static func recognised(
    _ content: LoadedContent, _ typeOfName: ContentType?
  ) -> ContentType? {
    // A name that says text is wrong about bytes that are none.
    let isMisnamed =
      typeOfName?.conforms(to: .text) == true && content.repertoire.characters == .invalid
    if let typeOfName, !isMisnamed { return typeOfName }
    guard let sniffed = content.head.withUnsafeBytes({ ContentType.sniff($0) }) else {
      return typeOfName
    }
    // Some formats are known by two or three letters, which words of a person begin with, too; the format itself would
    // hold bytes that no text has.
    let isPrintable = content.repertoire.isText && !content.repertoire.hasControlCharacters
    return isPrintable && !canBePrintable(sniffed, content.head) ? nil : sniffed
  }

  /// Whether content of a type can consist of printable characters only.
  private static func canBePrintable(_ type: ContentType, _ head: [UInt8]) -> Bool {
    if type.conforms(to: .text) { return true }
    let name = type.preferredMIMEType ?? ""
    if name.hasPrefix("text/") || name.hasPrefix("message/") || name.hasSuffix("+xml")
      || name.hasSuffix("+json")
    {
      return true
    }
    if name.hasPrefix("image/x-portable-") {
      // The plain variants of PNM: the letter, the digit and then a number or a comment.
      let rest = head.dropFirst(2).drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
      return head.count > 2 && rest.count < head.count - 2
        && rest.first.map { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "#") } == true
    }
    if name == "application/postscript" { return head.starts(with: Array("%!PS".utf8)) }
    return printable.contains(name)
  }

  private static let printable: Set<String> = [
    "application/pdf", "application/postscript", "image/x-eps", "application/rtf",
    "image/x-xpixmap", "image/x-xbitmap", "image/x-xfig", "image/svg+xml",
    "application/json", "application/xml", "application/mbox", "application/pgp-encrypted",
    "application/pgp-keys", "application/pgp-signature", "application/x-shellscript",
    "application/x-perl", "application/x-yaml", "application/yaml", "application/toml",
    "application/x-desktop", "application/mathml+xml", "application/pkcs7-mime",
    "application/x-pem-key", "application/pem-certificate-chain", "application/x-bittorrent",
    "model/vrml", "application/x-php", "application/javascript", "application/sql",
  ]

  /// Describes bytes of a type that the caller named.
  static func representation(
    _ content: LoadedContent, as request: TypeRequest
  ) throws(CommandFailure) -> Representation {
    let offered = request.targetName.map { OfferedTarget(name: $0) }
    let promisesUTF8 = offered?.charset == .utf8 || request.contentType == .utf8PlainText
    if promisesUTF8, !content.repertoire.isText {
      throw .failed(
        "the content is not UTF-8 (byte \(content.repertoire.firstInvalidOffset ?? 0)), as "
          + "\(TargetName.escaped(request.spelling)) demands; convert it with iconv")
    }
    do throws(SelectionFormatError) {
      return try request.representation(
        repertoire: content.repertoire,
        standsForPlainText: request.contentType.map { isReadable($0, content.repertoire) } ?? false)
    } catch {
      throw .usage("-t \(TargetName.escaped(request.spelling)): \(error.message)")
    }
  }

  private static func isPlainText(_ type: ContentType) -> Bool {
    type == .plainText || type == .utf8PlainText || type == .text
  }

  /// Whether a person reads the bytes as text: all but what is text only for the programs that make a picture or a page
  /// of it.
  private static func isReadable(_ type: ContentType, _ repertoire: TextRepertoire) -> Bool {
    if type.conforms(to: .rtf) || type == .utf16PlainText || type == .utf16ExternalPlainText {
      return false
    }
    if type.conforms(to: .text) { return true }
    let isDrawn = type.conforms(to: .image) || drawn.contains(type.preferredMIMEType ?? "")
    return repertoire.isText && !repertoire.hasControlCharacters && !isDrawn
  }

  private static let drawn: Set<String> = [
    "application/pdf", "application/postscript", "image/x-eps", "application/rtf",
  ]
}
