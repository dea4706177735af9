/// What a dynamic type identifier (`dyn.a…`) says about its type.
///
/// The text `?0=<supertypes>:<class>=<tags>`, or `<class>=<tags>` without a supertype, is written five bits at a time,
/// highest first, with 32 letters; spare bits at the end are zero. Frequent identifiers are written as one character.
/// Inside a tag `:`, `,`, `=` and `\` are preceded by `\`.
struct DynamicIdentifier: Hashable, Sendable {
  /// Identifiers of the types the dynamic type conforms to.
  var supertypes: [String]
  /// The tags in the order they were written. Never empty.
  var tags: [Tag]

  /// A tag with its class.
  struct Tag: Hashable, Sendable {
    var tagClass: TagClass
    var value: String
  }

  /// Describes a type by one tag. Filename extensions and MIME types are lower-cased.
  init(tag: String, tagClass: TagClass, supertype: String?) {
    let folds = tagClass == .filenameExtension || tagClass == .mimeType
    supertypes = supertype.map { [$0] } ?? []
    tags = [Tag(tagClass: tagClass, value: folds ? tag.lowercased() : tag)]
  }

  /// Decodes an identifier.
  /// - Returns: nil unless `identifier` is exactly what an encoder writes: only letters of the alphabet, no more of them
  ///   than needed, spare bits zero, UTF-8 without zero bytes, and at least one tag.
  init?(_ identifier: some StringProtocol) {
    guard Self.hasPrefix(identifier), let text = Self.decode(identifier.utf8.dropFirst(5)) else {
      return nil
    }
    supertypes = []
    tags = []
    var fields = Self.split(text[...], at: UInt8(ascii: ":"))
    if text.first == UInt8(ascii: "?") {
      guard let (key, values) = Self.pair(fields.removeFirst().dropFirst()), key == "0" else {
        return nil
      }
      supertypes = values.map(Self.expandedSupertype)
    }
    for field in fields {
      guard let (key, values) = Self.pair(field) else { return nil }
      let tagClass = TagClass(rawValue: Self.expanded(key) ?? key)
      tags += values.map { Tag(tagClass: tagClass, value: $0) }
    }
    if tags.isEmpty { return nil }
  }

  static func hasPrefix(_ identifier: some StringProtocol) -> Bool {
    identifier.utf8.starts(with: "dyn.a".utf8) { $0 == $1 }
  }

  /// The identifier, `dyn.a…`.
  var identifier: String {
    var text: [UInt8] = []
    if !supertypes.isEmpty {
      text += "?0=".utf8
      for (index, supertype) in supertypes.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text += Self.abbreviated(supertype).map { [$0] } ?? Self.escaped(supertype)
      }
    }
    var previous: TagClass?
    for tag in tags {
      if tag.tagClass == previous {
        text.append(UInt8(ascii: ","))
      } else {
        if !text.isEmpty { text.append(UInt8(ascii: ":")) }
        // A class of that name would be read as the list of supertypes.
        if text.isEmpty, tag.tagClass.rawValue.utf8.first == UInt8(ascii: "?") {
          text.append(Self.backslash)
        }
        text +=
          Self.abbreviated(tag.tagClass.rawValue).map { [$0] }
          ?? Self.escaped(tag.tagClass.rawValue)
        text.append(UInt8(ascii: "="))
      }
      text += Self.escaped(tag.value)
      previous = tag.tagClass
    }
    return "dyn.a" + String(decoding: Self.encode(text), as: UTF8.self)
  }

  // MARK: Abbreviations

  private static let abbreviations: [(UInt8, String)] = [
    (UInt8(ascii: "0"), "UTTypeConformsTo"),
    (UInt8(ascii: "1"), "public.filename-extension"),
    (UInt8(ascii: "2"), "com.apple.ostype"),
    (UInt8(ascii: "3"), "public.mime-type"),
    (UInt8(ascii: "4"), "com.apple.nspboard-type"),
    (UInt8(ascii: "5"), "public.url-scheme"),
    (UInt8(ascii: "6"), "public.data"),
    (UInt8(ascii: "7"), "public.text"),
    (UInt8(ascii: "8"), "public.plain-text"),
    (UInt8(ascii: "9"), "public.utf16-plain-text"),
    (UInt8(ascii: "A"), "com.apple.traditional-mac-plain-text"),
    (UInt8(ascii: "B"), "public.image"),
    (UInt8(ascii: "C"), "public.video"),
    (UInt8(ascii: "D"), "public.audio"),
    (UInt8(ascii: "E"), "public.directory"),
    (UInt8(ascii: "F"), "public.folder"),
  ]

  private static func abbreviated(_ identifier: String) -> UInt8? {
    abbreviations.first { $0.1 == identifier }?.0
  }

  private static func expanded(_ code: String) -> String? {
    guard code.utf8.count == 1, let byte = code.utf8.first else { return nil }
    return abbreviations.first { $0.0 == byte }?.1
  }

  /// Newer systems write supertypes as two digits whose meaning is not published; all types are items.
  private static func expandedSupertype(_ code: String) -> String {
    if let identifier = expanded(code) { return identifier }
    return code.utf8.count <= 2 ? "public.item" : code
  }

  // MARK: Fields

  private static let backslash = UInt8(ascii: "\\")

  private static func escaped(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case backslash, UInt8(ascii: ":"), UInt8(ascii: ","), UInt8(ascii: "="):
        result += [backslash, byte]
      default: result.append(byte)
      }
    }
    return result
  }

  private static func unescaped(_ bytes: ArraySlice<UInt8>) -> String? {
    var result: [UInt8] = []
    var isEscaped = false
    for byte in bytes {
      if byte == backslash, !isEscaped {
        isEscaped = true
      } else {
        result.append(byte)
        isEscaped = false
      }
    }
    return isEscaped ? nil : String(validating: result, as: UTF8.self)
  }

  private static func split(
    _ text: ArraySlice<UInt8>, at separator: UInt8, limit: Int = .max
  ) -> [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    var start = text.startIndex
    var isEscaped = false
    for index in text.indices {
      if isEscaped {
        isEscaped = false
      } else if text[index] == backslash {
        isEscaped = true
      } else if text[index] == separator, result.count + 1 < limit {
        result.append(text[start..<index])
        start = index + 1
      }
    }
    result.append(text[start...])
    return result
  }

  private static func pair(_ field: ArraySlice<UInt8>) -> (String, [String])? {
    let halves = split(field, at: UInt8(ascii: "="), limit: 2)
    guard halves.count == 2, let key = unescaped(halves[0]), !key.isEmpty else { return nil }
    var values: [String] = []
    for part in split(halves[1], at: UInt8(ascii: ",")) {
      guard let value = unescaped(part) else { return nil }
      values.append(value)
    }
    return (key, values)
  }

  // MARK: Letters

  private static let alphabet: StaticString = "abcdefghkmnpqrstuvwxyz0123456789"

  private static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var buffer = 0
    var bits = 0
    for byte in bytes {
      buffer = buffer << 8 | Int(byte)
      bits += 8
      while bits >= 5 {
        bits -= 5
        result.append(alphabet.utf8Start[buffer >> bits & 31])
      }
      buffer &= 1 << bits - 1
    }
    if bits > 0 { result.append(alphabet.utf8Start[buffer << (5 - bits) & 31]) }
    return result
  }

  private static func decode(_ letters: some Sequence<UInt8>) -> [UInt8]? {
    var result: [UInt8] = []
    var buffer = 0
    var bits = 0
    for letter in letters {
      guard let value = value(of: letter) else { return nil }
      buffer = buffer << 5 | value
      bits += 5
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: buffer >> bits))
        buffer &= 1 << bits - 1
      }
    }
    return bits < 5 && buffer == 0 && !result.isEmpty && !result.contains(0) ? result : nil
  }

  private static func value(of letter: UInt8) -> Int? {
    for index in 0..<32 where alphabet.utf8Start[index] == letter { return index }
    return nil
  }
}
