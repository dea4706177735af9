import Foundation
import UniformTypeIdentifiers

/// Makes a file name out of what another program, or a model, suggests.
package enum SafeFileName {
  /// The longest name Linux file systems take, in bytes.
  package static let greatestLength = 255

  /// A name that stays inside its directory on every file system.
  ///
  /// Separators and control characters become `_`, so do characters that change the direction of
  /// text, which make one extension look like another. `.`, `..` and names without anything visible
  /// are replaced, and a name that is too long loses the end of its stem, not its extension.
  /// - Parameters:
  ///   - suggestion: The suggested name, or `nil`.
  ///   - fallback: The stem used when the suggestion holds nothing usable.
  ///   - contentType: The content type of the file. It decides the extension, unless the suggestion
  ///     has one that fits or the type has none.
  /// - Returns: A name of 1 to 255 bytes.
  package static func make(
    _ suggestion: String?, fallback: String, contentType: UTType?
  ) -> String {
    let cleaned = cleaned(suggestion ?? "")
    var (stem, pathExtension) = split(cleaned.isEmpty ? self.cleaned(fallback) : cleaned)
    if stem.isEmpty { stem = "Item" }
    if let contentType {
      (stem, pathExtension) = fitted(stem, pathExtension, to: contentType)
    }
    return shortened(stem, pathExtension)
  }

  private static func cleaned(_ name: String) -> String {
    let scalars = name.unicodeScalars.map { isUnsafe($0) ? "_" : $0 }
    // A leading dot would hide the file, leading and trailing spaces cannot be seen. Scalars, not
    // characters: with an accent on it a dot is another character, but the same first byte.
    let trimmed = scalars.drop(while: isTrimmed).reversed().drop(while: isTrimmed).reversed()
    var result = String.UnicodeScalarView()
    result.append(contentsOf: trimmed)
    return String(result)
  }

  private static func isTrimmed(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "." || scalar.properties.isWhitespace
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "/", "\\": true
    case "\u{2028}", "\u{2029}": true
    case "\u{200E}", "\u{200F}", "\u{061C}", "\u{202A}"..."\u{202E}", "\u{2066}"..."\u{2069}": true
    default: scalar.properties.generalCategory == .control
    }
  }

  private static func split(_ name: String) -> (stem: String, pathExtension: String?) {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return (name, nil) }
    let pathExtension = name[name.index(after: dot)...]
    guard !pathExtension.isEmpty, pathExtension.utf8.count <= 32,
      pathExtension.allSatisfy({ !$0.isWhitespace })
    else { return (name, nil) }
    return (String(name[..<dot]), String(pathExtension))
  }

  private static func fitted(
    _ stem: String, _ pathExtension: String?, to contentType: UTType
  ) -> (String, String?) {
    guard let preferred = preferredExtension(for: contentType) else { return (stem, pathExtension) }
    guard let pathExtension else { return (stem, preferred) }
    let own = contentType.tags[.filenameExtension] ?? []
    if own.contains(where: { $0.lowercased() == pathExtension.lowercased() }) {
      return (stem, pathExtension)
    }
    // "v1.2" is a name with a dot in it, though the second section of the manual has that extension.
    let isNumber = pathExtension.utf8.allSatisfy {
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    let named = isNumber ? nil : UTType(filenameExtension: pathExtension)
    if let named, named.conforms(to: contentType) { return (stem, pathExtension) }
    // "picture.png" as text becomes "picture.txt".
    if let named, !named.isDynamic { return (stem, preferred) }
    return ("\(stem).\(pathExtension)", preferred)
  }

  // A type without an extension of its own, such as UTF-8 text, is opened as what it is most nearly.
  private static func preferredExtension(for contentType: UTType) -> String? {
    if let own = contentType.preferredFilenameExtension { return own }
    return contentType.supertypes
      .filter { $0.preferredFilenameExtension != nil }
      .max { ($0.supertypes.count, $1.identifier) < ($1.supertypes.count, $0.identifier) }?
      .preferredFilenameExtension
  }

  private static func shortened(_ stem: String, _ pathExtension: String?) -> String {
    let suffix = pathExtension.map { ".\($0)" } ?? ""
    var stem = stem
    while stem.utf8.count + suffix.utf8.count > greatestLength, !stem.isEmpty {
      stem.removeLast()
    }
    return stem.isEmpty ? prefix(of: suffix) : stem + suffix
  }

  private static func prefix(of suffix: String) -> String {
    // One character may be longer than a whole name; then nothing of the stem is left.
    "Item" + (suffix.utf8.count <= greatestLength - 4 ? suffix : "")
  }
}
