/// Tells the desktop about types a program declares.
///
/// The result is a package file of the shared MIME database, for `xdg-mime install --mode user FILE`. A type keeps its
/// first declared MIME type as name; without one it is named `application/x-uti.` and its identifier, as on X selections.
///
/// Source: the Shared MIME-info Database specification, "The source XML files".
public enum SharedMIMEPackage {
  /// Writes a package file.
  /// - Parameter declarations: The types. Declarations with a `problem` are left out.
  /// - Returns: An XML document in UTF-8.
  public static func xml(for declarations: [TypeDeclaration]) -> String {
    let usable = declarations.filter { $0.problem == nil }
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<mime-info xmlns=\"http://www.freedesktop.org/standards/shared-mime-info\">",
    ]
    for declaration in usable {
      lines.append("  <mime-type type=\(quoted(name(of: declaration)))>")
      let comment = declaration.typeDescription ?? declaration.identifier
      lines.append("    <comment>\(XMLText.escaped(comment))</comment>")
      for parent in parents(of: declaration, among: usable) {
        lines.append("    <sub-class-of type=\(quoted(parent))/>")
      }
      for tag in declaration.filenameExtensions {
        lines.append("    <glob pattern=\(quoted("*." + literal(tag)))/>")
      }
      for alias in aliases(of: declaration) {
        lines.append("    <alias type=\(quoted(alias))/>")
      }
      lines.append("  </mime-type>")
    }
    lines.append("</mime-info>")
    return lines.joined(separator: "\n") + "\n"
  }

  /// A file name that `xdg-mime` accepts: it asks for a vendor's prefix of letters and a hyphen.
  /// - Parameter identifier: The identifier of one of the types, for example `com.example.note`.
  /// - Returns: For example `example-note.xml`.
  public static func fileName(for identifier: String) -> String {
    var parts = identifier.split(separator: ".")[...]
    if parts.count > 2 { parts = parts.dropFirst() }
    let letters = (parts.popFirst() ?? "").unicodeScalars.filter {
      $0.isASCII && $0.properties.isAlphabetic
    }
    let vendor = letters.isEmpty ? "vendor" : String(String.UnicodeScalarView(letters))
    let rest = parts.joined(separator: "-").filter { $0 != "/" }
    return vendor + "-" + (rest.isEmpty ? "types" : rest) + ".xml"
  }

  /// The MIME type a declared type gets.
  /// - Parameter declaration: The type.
  public static func name(of declaration: TypeDeclaration) -> String {
    declaration.mimeTypes.lazy.compactMap(MIMEType.init).first?.name
      ?? ContentType.identifierPrefix + declaration.identifier
  }

  private static func aliases(of declaration: TypeDeclaration) -> [String] {
    let own = name(of: declaration)
    let all =
      declaration.mimeTypes.compactMap { MIMEType($0)?.name }
      + [ContentType.identifierPrefix + declaration.identifier]
    var result: [String] = []
    for alias in all where alias != own && !result.contains(alias) && MIMEType(alias) != nil {
      result.append(alias)
    }
    return result
  }

  /// The nearest supertypes that have a MIME type; that everything is an octet stream goes without saying.
  private static func parents(
    of declaration: TypeDeclaration, among declarations: [TypeDeclaration]
  ) -> [String] {
    var result: [String] = []
    var seen: Set<String> = [declaration.identifier.asciiLowercased]
    var waiting = declaration.conformsTo[...]
    while let identifier = waiting.popFirst() {
      guard seen.insert(identifier.asciiLowercased).inserted else { continue }
      let sibling = declarations.first {
        $0.identifier.asciiLowercased == identifier.asciiLowercased
      }
      if let sibling {
        append(name(of: sibling), to: &result)
        continue
      }
      let type = ContentType(mentioned: identifier)
      if type == .text {
        append("text/plain", to: &result)
      } else if let name = type.freedesktopMIMETypes.first ?? type.mimeTypes.first {
        if type != .data { append(name, to: &result) }
      } else {
        waiting += type.parents(database: .shared).map(\.identifier)
      }
    }
    return result.filter { $0 != name(of: declaration) }
  }

  private static func append(_ name: String, to names: inout [String]) {
    if let name = MIMEType(name)?.name, !names.contains(name) { names.append(name) }
  }

  /// An extension as part of a pattern.
  private static func literal(_ tag: String) -> String {
    tag.map { "*?[\\".contains($0) ? "[\($0)]" : String($0) }.joined()
  }

  private static func quoted(_ text: String) -> String { "\"" + XMLText.escaped(text) + "\"" }
}
