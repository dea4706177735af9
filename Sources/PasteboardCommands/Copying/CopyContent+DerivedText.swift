internal import ContentTypes
internal import SelectionFormats

extension CopyContent {
  /// The longest document whose text is looked for.
  private static let longestDocument = 32 << 20

  /// Whether a plain text is among the items.
  var hasPlainText: Bool {
    items.contains { Self.type(of: $0)?.conforms(to: .plainText) == true }
  }

  /// What an item is, by its target where the caller named only that.
  private static func type(of item: Item) -> ContentType? {
    item.representation.contentType
      ?? item.representation.targetName.flatMap { OfferedTarget(name: $0).contentType }
  }

  /// Gives HTML that comes without a plain text one of its own, without tags: many programs take no HTML, and others
  /// take it only where a text is on offer too.
  ///
  /// Only content that the caller calls HTML is treated so. HTML that is only recognised may as well be the source of
  /// a page that somebody wants to go on working with, and is its own text.
  mutating func deriveText() {
    guard !hasPlainText, kept?.hasText != true,
      let index = items.firstIndex(where: { item in
        item.typeIsNamed && Self.type(of: item)?.conforms(to: .html) == true
      })
    else { return }
    let html: [UInt8]
    switch items[index].source {
    case .memory(let bytes): html = bytes
    case .file(let file):
      guard let bytes = file.whole(atMost: Self.longestDocument) else { return }
      html = bytes
    case .followed: return
    }
    guard let decoded = try? HTMLText.decode(html) else { return }
    let text = HTMLPlainText.text(of: decoded)
    items.insert(
      Item(representation: Representation(.utf8PlainText, bytes: text), source: .memory(text)),
      at: index + 1)
  }
}

extension SelectionSnapshot {
  /// Whether a plain text is among the targets.
  var hasText: Bool { targets.contains { OfferedTarget(name: $0.name).isPlainText } }
}
