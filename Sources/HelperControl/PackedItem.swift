/// An item of the history on its way over the helper's socket.
///
/// ```
/// PINNED TAB USED LF
/// then for each part: TARGET TAB TYPE TAB FORMAT TAB COUNT LF, and COUNT bytes
/// ```
package struct PackedItem: Equatable {
  package struct Part: Equatable {
    package var target: String
    package var typeName: String
    package var format: Int
    /// A part of what was sent: it is not copied.
    package var bytes: ArraySlice<UInt8>

    package init(target: String, typeName: String, format: Int, bytes: [UInt8]) {
      self.target = target
      self.typeName = typeName
      self.format = format
      self.bytes = bytes[...]
    }
  }

  package var isPinned: Bool
  /// Milliseconds since 1970.
  package var used: Int64
  package var parts: [Part]

  package init(isPinned: Bool, used: Int64, parts: [Part]) {
    self.isPinned = isPinned
    self.used = used
    self.parts = parts
  }

  /// `nil` where a name cannot be said.
  package var encoded: [UInt8]? {
    guard
      parts.allSatisfy({ part in
        [part.target, part.typeName].allSatisfy {
          !$0.isEmpty && !$0.utf8.contains(0x09) && !$0.utf8.contains(0x0A)
        }
      })
    else { return nil }
    var all = Self.head(isPinned: isPinned, used: used)
    all.reserveCapacity(parts.reduce(64) { $0 + $1.bytes.count + 256 })
    for part in parts {
      all += Self.head(part.target, part.typeName, part.format, byteCount: part.bytes.count)
      all += part.bytes
    }
    return all
  }

  /// What an item begins with.
  package static func head(isPinned: Bool, used: Int64) -> [UInt8] {
    Array("\(isPinned ? 1 : 0)\t\(used)\n".utf8)
  }

  /// What stands before the bytes of a part.
  package static func head(
    _ target: String, _ typeName: String, _ format: Int, byteCount: Int
  ) -> [UInt8] {
    Array("\(target)\t\(typeName)\t\(format)\t\(byteCount)\n".utf8)
  }

  /// `nil` where the bytes are no item.
  package init?(encoded: [UInt8]) {
    var rest = encoded[...]
    func line() -> [Substring]? {
      guard let end = rest.prefix(4_096).firstIndex(of: 0x0A),
        let text = String(validating: rest[..<end], as: UTF8.self)
      else { return nil }
      rest = rest[(end + 1)...]
      return text.split(separator: "\t", omittingEmptySubsequences: false)
    }
    guard let head = line(), head.count == 2, ["0", "1"].contains(head[0]),
      let used = Int64(head[1]), used >= 0, used < 1 << 52
    else { return nil }
    self.init(isPinned: head[0] == "1", used: used, parts: [])
    while !rest.isEmpty {
      guard let words = line(), words.count == 4, !words[0].isEmpty, !words[1].isEmpty,
        let format = Int(words[2]), [8, 16, 32].contains(format), let count = Int(words[3]),
        count >= 0, count <= rest.count, count % (format / 8) == 0, parts.count < 256
      else { return nil }
      var part = Part(
        target: String(words[0]), typeName: String(words[1]), format: format, bytes: [])
      part.bytes = rest.prefix(count)
      parts.append(part)
      rest = rest.dropFirst(count)
    }
  }
}
