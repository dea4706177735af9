/// The file `MEDIA/SUBTYPE.xml` that the database keeps of each type: the only place where patterns have their order and
/// types their description.
///
/// These files are written by `update-mime-database` in one shape; this reads that shape and passes over the rest.
struct MIMETypeFile {
  private let text: [UInt8]

  /// Opens the file of a type.
  /// - Parameters:
  ///   - name: The canonical name.
  ///   - directory: A `mime` directory.
  init?(_ name: String, in directory: String) {
    guard let path = Self.path(name, in: directory),
      let file = FileBytes(path: path, limit: 1 << 20, mapped: false)
    else { return nil }
    text = Array(file.bytes)
  }

  static func exists(_ name: String, in directory: String) -> Bool {
    path(name, in: directory).flatMap(FileBytes.Identity.init(path:)) != nil
  }

  /// Names come from outside and must not lead anywhere else.
  private static func path(_ name: String, in directory: String) -> String? {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, MIMEType(name) != nil, parts.allSatisfy({ !$0.hasPrefix(".") }) else {
      return nil
    }
    // The files are named in lower case, whatever the type's spelling.
    return "\(directory)/\(name.asciiLowercased).xml"
  }

  /// The type's name as the database spells it.
  var spelling: String? {
    var result: String?
    forEachElement { name, attributes, _ in
      if name == "mime-type" { result = attributes["type"] }
      return result == nil
    }
    return result
  }

  /// The file name patterns in their order.
  var patterns: [String] {
    var result: [String] = []
    forEachElement { name, attributes, _ in
      if name == "glob", let pattern = attributes["pattern"] { result.append(pattern) }
      return true
    }
    return result
  }

  /// The description in the first of some languages, else the one without a language.
  func description(languages: [String]) -> String? {
    var byLanguage: [String: String] = [:]
    forEachElement { name, attributes, content in
      guard name == "comment", let content, !content.isEmpty else { return true }
      let language = attributes["xml:lang"] ?? ""
      if byLanguage[language] == nil { byLanguage[language] = content }
      return true
    }
    for language in languages {
      if let found = byLanguage[language] { return found }
      if language == "C" || language == "POSIX" || language == "en" { break }
    }
    return byLanguage[""]
  }

  // MARK: Elements

  /// Calls `body` with each element until it answers false.
  private func forEachElement(
    _ body: (_ name: String, _ attributes: [String: String], _ content: String?) -> Bool
  ) {
    var rest = text[...]
    while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[(open + 1)...]
      if rest.starts(with: "!--".utf8) {
        guard let end = Self.firstIndex(of: Array("-->".utf8), in: rest) else { return }
        rest = rest[(end + 3)...]
        continue
      }
      guard let close = rest.firstIndex(of: UInt8(ascii: ">")) else { return }
      let tag = rest[..<close]
      rest = rest[(close + 1)...]
      guard let first = tag.first, first != UInt8(ascii: "/"), first != UInt8(ascii: "?"),
        first != UInt8(ascii: "!")
      else { continue }
      let (name, attributes) = Self.parse(tag)
      var content: String?
      if tag.last != UInt8(ascii: "/") {
        let end = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
        content = XMLText.unescaped(String(decoding: rest[..<end], as: UTF8.self))
      }
      if !body(name, attributes, content) { return }
    }
  }

  private static func parse(_ tag: ArraySlice<UInt8>) -> (String, [String: String]) {
    let isSpace = { (byte: UInt8) in byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }
    let name = tag.prefix { !isSpace($0) && $0 != UInt8(ascii: "/") }
    var attributes: [String: String] = [:]
    var rest = tag[name.endIndex...]
    while let equals = rest.firstIndex(of: UInt8(ascii: "=")) {
      let key = rest[..<equals].drop(while: isSpace).prefix { !isSpace($0) }
      rest = rest[(equals + 1)...].drop(while: isSpace)
      guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
        let end = rest.dropFirst().firstIndex(of: quote)
      else { break }
      let value = rest[(rest.startIndex + 1)..<end]
      attributes[String(decoding: key, as: UTF8.self)] = XMLText.unescaped(
        String(decoding: value, as: UTF8.self))
      rest = rest[(end + 1)...]
    }
    return (String(decoding: name, as: UTF8.self), attributes)
  }

  private static func firstIndex(of pattern: [UInt8], in text: ArraySlice<UInt8>) -> Int? {
    var index = text.startIndex
    while index + pattern.count <= text.endIndex {
      if text[index...].starts(with: pattern) { return index }
      index += 1
    }
    return nil
  }
}
