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
    let sniffed = typeOfName ?? content.head.withUnsafeBytes { ContentType.sniff($0) }
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
      sniffed, repertoire: content.repertoire, standsForPlainText: isReadable(sniffed))
  }

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
        standsForPlainText: request.contentType.map { isReadable($0) } ?? false)
    } catch {
      throw .usage("-t \(TargetName.escaped(request.spelling)): \(error.message)")
    }
  }

  private static func isPlainText(_ type: ContentType) -> Bool {
    type == .plainText || type == .utf8PlainText || type == .text
  }

  /// Whether a person reads the bytes as text.
  private static func isReadable(_ type: ContentType) -> Bool {
    guard type.conforms(to: .text) else { return false }
    return !type.conforms(to: .rtf) && type != .utf16PlainText && type != .utf16ExternalPlainText
  }
}
