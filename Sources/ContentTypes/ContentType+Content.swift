extension ContentType {
  /// Recognises content by its start, with the magic rules of the shared MIME database.
  /// - Parameter head: The first bytes of the content; `sniffedLength` of them are enough for every rule.
  /// - Returns: nil when no rule matches.
  public static func sniff(_ head: UnsafeRawBufferPointer) -> ContentType? {
    sniff(head, database: .shared)
  }

  /// How many bytes `sniff(_:)` can make use of.
  public static var sniffedLength: Int { max(SharedMIMEDatabase.shared.magicExtent, 512) }

  static func sniff(_ head: UnsafeRawBufferPointer, database: SharedMIMEDatabase) -> ContentType? {
    if let name = database.types(forContent: head).first {
      return ofDatabase(mimeType: name, database: database)
    }
    return database.isEmpty ? BuiltInMagic.type(of: head) : nil
  }

  /// Whether the start of a file looks like text: no control characters in its first 128 bytes.
  static func looksLikeText(_ head: UnsafeRawBufferPointer) -> Bool {
    head.prefix(128).allSatisfy { byte in
      // Besides white space, backspace and escape occur in text made for terminals and printers.
      byte >= 0x20 && byte != 0x7F || (0x08...0x0D).contains(byte) || byte == 0x1B
    }
  }
}

/// Recognises the commonest formats on a machine without a database.
private enum BuiltInMagic {
  private static let rules: [(offset: Int, value: [UInt8], type: ContentType)] = [
    (0, [0x89] + Array("PNG\r\n\u{1A}\n".utf8), .png),
    (0, [0xFF, 0xD8, 0xFF], .jpeg),
    (0, Array("GIF8".utf8), .gif),
    (0, Array("II*\0".utf8), .tiff),
    (0, Array("MM\0*".utf8), .tiff),
    (8, Array("WEBPVP8".utf8), .webP),
    (8, Array("WAVE".utf8), .wav),
    (0, Array("%PDF-".utf8), .pdf),
    (0, Array("{\\rtf".utf8), .rtf),
    (0, Array("PK\u{3}\u{4}".utf8), .zip),
    (0, [0x1F, 0x8B], .gzip),
    (0, Array("BZh".utf8), .bz2),
    (0, Array("<?xml".utf8), .xml),
    (0, Array("bplist".utf8), .binaryPropertyList),
    (0, Array("ID3".utf8), .mp3),
    (257, Array("ustar".utf8), .tarArchive),
  ]

  static func type(of head: UnsafeRawBufferPointer) -> ContentType? {
    rules.first { rule in
      head.count >= rule.offset + rule.value.count
        && head[rule.offset..<(rule.offset + rule.value.count)].elementsEqual(rule.value)
    }?.type
  }
}
