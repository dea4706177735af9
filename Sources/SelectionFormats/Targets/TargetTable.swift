public import ContentTypes

/// The one table that joins content types with target names, read in both directions.
public enum TargetTable {
  /// The text group in the order it is offered.
  static let textGroup = [
    "UTF8_STRING", "text/plain;charset=utf-8", "TEXT", "STRING", "text/plain", "COMPOUND_TEXT",
  ]

  /// Own target names by identifier, where they are not simply the type's MIME types.
  private static let names: [String: [String]] = [
    "public.html": ["text/html"],
    "public.rtf": ["text/rtf", "application/rtf"],
    "public.utf16-plain-text": ["text/plain;charset=utf-16"],
    "public.utf16-external-plain-text": ["text/plain;charset=utf-16"],
    "public.utf8-tab-separated-values-text": [
      "text/tab-separated-values;charset=utf-8", "text/tab-separated-values",
    ],
    "com.microsoft.bmp": ["image/bmp", "image/x-bmp", "image/x-MS-bmp"],
    "com.microsoft.ico": ["image/x-icon", "image/vnd.microsoft.icon"],
    "public.heic": ["image/heic"],
    "public.heics": ["image/heic-sequence"],
    "public.heifs": ["image/heif-sequence"],
    "public.avif": ["image/avif"],
    "public.xml": ["application/xml", "text/xml"],
    "public.yaml": ["application/yaml", "application/x-yaml", "text/yaml"],
    "public.vcard": ["text/vcard", "text/x-vcard"],
    "public.swift-source": ["text/x-swift"],
    "net.daringfireball.markdown": ["text/markdown"],
    "org.gnu.gnu-zip-archive": ["application/gzip", "application/x-gzip"],
    "com.microsoft.waveform-audio": ["audio/wav", "audio/x-wav"],
    "public.data": ["application/octet-stream"],
  ]

  /// Names other programs use for a type that neither the system's tags nor the shared MIME
  /// database know, in lower case.
  private static let aliases: [String: String] = [
    "application/x-moz-nativehtml": "public.html",
    "rich text format": "public.rtf",
    "text/richtext": "public.rtf",
    "application/x-rtf": "public.rtf",
    "image/x-tiff": "public.tiff",
    "image/x-win-bitmap": "com.microsoft.bmp",
    "image/x-ms-bmp": "com.microsoft.bmp",
    "image/svg": "public.svg-image",
    "image/x-inkscape-svg": "public.svg-image",
    "image/x-icon": "com.microsoft.ico",
    "image/x-ico": "com.microsoft.ico",
    "image/jpg": "public.jpeg",
    "image/pjpeg": "public.jpeg",
    "image/heic-sequence": "public.heics",
    "image/avif": "public.avif",
    "text/json": "public.json",
    "text/x-csv": "public.comma-separated-values-text",
    "application/csv": "public.comma-separated-values-text",
    "text/x-comma-separated-values": "public.comma-separated-values-text",
    "text/tsv": "public.tab-separated-values-text",
    "text/markdown": "net.daringfireball.markdown",
    "text/x-markdown": "net.daringfireball.markdown",
    "application/yaml": "public.yaml",
    "text/x-swift": "public.swift-source",
    "application/x-pdf": "com.adobe.pdf",
    "audio/vnd.wave": "com.microsoft.waveform-audio",
    "application/x-zip-compressed": "public.zip-archive",
    "application/x-gzip": "org.gnu.gnu-zip-archive",
  ]

  /// The targets of a type's own, without its text group.
  ///
  /// MIME types in the table's order; else the preferred one in Apple's and in the shared MIME
  /// database's spelling; else `application/x-uti.` with the identifier, and the bare identifier.
  /// Directories have none: they travel as file URLs.
  ///
  /// - Parameter contentType: The type.
  /// - Returns: The names, best first.
  public static func ownNames(of contentType: ContentType) -> [String] {
    if let names = names[contentType.identifier.lowercased()] { return names }
    if contentType.conforms(to: .directory) { return [] }
    var names: [String] = []
    for name in [contentType.preferredMIMEType, contentType.freedesktopMIMETypes.first] {
      guard let name, !name.hasPrefix("inode/") else { continue }
      let isNew = !names.contains { $0.lowercased() == name.lowercased() }
      if isNew, TargetName.isAcceptable(name) { names.append(name) }
    }
    guard names.isEmpty else { return names }
    return [TargetName.identifierPrefix + contentType.identifier, contentType.identifier]
      .filter(TargetName.isAcceptable)
  }

  /// Whether a type is plain text itself: the text group is its own.
  static func isPlainText(_ contentType: ContentType) -> Bool {
    contentType == .utf8PlainText || contentType == .plainText || contentType == .text
  }

  /// The content type other programs mean by a MIME type.
  static func contentType(of mime: MIMEName) -> ContentType? {
    // Where nobody declares the alias's type, a dynamic type keeps what the media type implies.
    if let alias = aliases[mime.normalized] ?? aliases[mime.essence],
      let type = ContentType(alias)
    {
      return type
    }
    return ContentType(mimeType: mime.normalized) ?? ContentType(mimeType: mime.essence)
  }

  /// The content type of a name that is no MIME type, by the table alone.
  static func contentType(alias name: String) -> ContentType? {
    aliases[name.lowercased()].flatMap { ContentType($0) }
  }
}
