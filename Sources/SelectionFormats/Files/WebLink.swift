/// A URL with the title of what it leads to, as browsers exchange them.
public struct WebLink: Sendable, Hashable {
  /// The URL.
  public var url: String
  /// The title, or nil when none is known.
  public var title: String?

  /// Makes a link.
  ///
  /// - Parameters:
  ///   - url: The URL.
  ///   - title: The title; line ends in it become blanks on the wire.
  public init(url: String, title: String? = nil) {
    self.url = url
    self.title = title
  }

  /// The bytes of `text/x-moz-url`: UTF-16 in the machine's own order without a byte order mark,
  /// URL, LF, title. Without a title the URL stands in, since readers expect two lines.
  public var mozillaBytes: [UInt8] {
    UTF16Text.encode(Array(lines.utf8), mark: false)
  }

  /// The bytes of `_NETSCAPE_URL`: the same two lines in UTF-8.
  public var netscapeBytes: [UInt8] { Array(lines.utf8) }

  private var lines: String {
    let title = (title ?? url).split(whereSeparator: \.isNewline).joined(separator: " ")
    return url + "\n" + title
  }

  /// Reads `text/x-moz-url`, with or without a byte order mark; also in UTF-8, as some programs
  /// write it.
  ///
  /// - Parameter bytes: The links.
  /// - Returns: The links in order.
  /// - Throws: `SelectionFormatError` with `.invalidBytes` for broken UTF-16, `.empty` for no link.
  public static func parse(mozilla bytes: [UInt8]) throws(SelectionFormatError) -> [WebLink] {
    let isWide = bytes.contains(0) || UTF16Text.order(markedIn: bytes) != nil
    // An even count without a NUL can still be UTF-16 of a wholly non-Latin title, never of a URL.
    return try parse(lines: isWide ? UTF16Text.decode(bytes) : bytes)
  }

  /// Reads `_NETSCAPE_URL`.
  ///
  /// - Parameter bytes: The links, in UTF-8 or Latin-1.
  /// - Returns: The links in order.
  /// - Throws: `SelectionFormatError` with `.empty` for no link.
  public static func parse(netscape bytes: [UInt8]) throws(SelectionFormatError) -> [WebLink] {
    try parse(lines: bytes)
  }

  private static func parse(lines bytes: [UInt8]) throws(SelectionFormatError) -> [WebLink] {
    let isText = bytes.withUnsafeBytes { UTF8Validator.isValid($0) }
    var lines = (isText ? bytes : Latin1Text.decode(bytes))
      .split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { line in
        String(decoding: line.filter { $0 != 0 && $0 != 0x0D }, as: UTF8.self)
      }
    while lines.last?.isEmpty == true { lines.removeLast() }
    var links: [WebLink] = []
    for index in stride(from: 0, to: lines.count, by: 2) where !lines[index].isEmpty {
      let title = index + 1 < lines.count ? lines[index + 1] : ""
      let url = lines[index]
      links.append(WebLink(url: url, title: title.isEmpty || title == url ? nil : title))
    }
    guard !links.isEmpty else {
      throw SelectionFormatError(.empty, message: "there is no URL in it")
    }
    return links
  }
}
