internal import ContentTypes
internal import Synchronization

extension UTType {
  /// Names a type this program owns.
  ///
  /// The type should be declared, in `UTExportedTypeDeclarations` or with `declare(_:as:)`. An undeclared one works all
  /// the same; the first use of its identifier is reported once on standard error.
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - parentType: What the type conforms to while it is not declared; data when nil.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    let known = UndeclaredTypes.known(
      identifier, conformingTo: parentType, key: "UTExportedTypeDeclarations", verb: "exported")
    self.init(known)
  }

  /// Names a type that somebody else owns.
  ///
  /// Should another type be the preferred owner of its preferred filename extension, that type is the result.
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - parentType: What the type conforms to while it is not declared; data when nil.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    let known = UndeclaredTypes.known(
      identifier, conformingTo: parentType, key: "UTImportedTypeDeclarations", verb: "imported")
    self.init(known.preferredOwnerOfExtension)
  }

  /// Names a type by its identifier, whether or not somebody declared it.
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - allowUndeclared: Whether to accept an identifier nobody declared here. Such a type conforms to nothing.
  /// - Returns: nil when the text cannot be an identifier, or is not declared and must be.
  public init?(identifier: String, allowUndeclared: Bool) {
    BundleDeclarations.load()
    guard
      let type = allowUndeclared ? ContentType(validating: identifier) : ContentType(identifier)
    else { return nil }
    self.init(type)
  }

  /// Whether this program owns a declared type or only knows it.
  public enum DeclarationKind: Hashable, Sendable {
    /// The program owns the type: its declaration beats all others.
    case exported
    /// Somebody else owns the type; the declaration still beats the system's.
    case imported

    fileprivate var kind: TypeDeclaration.Kind { self == .exported ? .exported : .imported }
  }

  /// Declares a type in code, as an entry of an Info.plist would.
  /// - Parameters:
  ///   - identifier: Letters, digits, `-`, `_` and `.`.
  ///   - kind: Whether this program owns the type.
  ///   - supertypes: What it conforms to.
  ///   - filenameExtensions: Without period, preferred one first.
  ///   - mimeTypes: Preferred one first.
  ///   - typeDescription: What people call the type.
  ///   - version: The version of the declaration.
  ///   - referenceURL: Where the type is described.
  /// - Returns: The type.
  /// - Throws: `UTTypeDeclarationError` when the identifier or a tag is malformed, or the identifier has been declared
  ///   differently before.
  @discardableResult
  public static func declare(
    _ identifier: String, as kind: DeclarationKind, conformingTo supertypes: [UTType] = [.data],
    filenameExtensions: [String] = [], mimeTypes: [String] = [],
    description typeDescription: String? = nil, version: Int? = nil, referenceURL: URL? = nil
  ) throws -> UTType {
    let declaration = TypeDeclaration(
      identifier: identifier, conformsTo: supertypes.map(\.identifier),
      filenameExtensions: filenameExtensions, mimeTypes: mimeTypes,
      typeDescription: typeDescription, version: version,
      referenceURL: referenceURL?.absoluteString)
    BundleDeclarations.load()
    if let problem = ContentType.declare(declaration, as: kind.kind) {
      throw UTTypeDeclarationError(problem)
    }
    return UTType(ContentType(mentioned: identifier))
  }

  /// Declares the types in an Info.plist.
  /// - Parameter file: An XML or binary property list with `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`.
  /// - Returns: What is wrong with single declarations. They are left out; the others count.
  /// - Throws: When the file cannot be read, or is not a property list with a dictionary.
  @discardableResult
  public static func declareTypes(inInfoPlistAt file: URL) throws -> [UTTypeDeclarationError] {
    BundleDeclarations.load()
    return try DeclarationList(propertyList: Data(contentsOf: file)).declare()
      .map(UTTypeDeclarationError.init)
  }

  /// The types in an Info.plist as a package file of the shared MIME database, for `xdg-mime install`.
  /// - Parameter file: An XML or binary property list with `UTExportedTypeDeclarations` or `UTImportedTypeDeclarations`.
  /// - Returns: The XML document and what is wrong with single declarations, which are left out.
  /// - Throws: When the file cannot be read, or is not a property list with a dictionary.
  public static func sharedMIMEPackage(
    ofInfoPlistAt file: URL
  ) throws -> (xml: String, problems: [UTTypeDeclarationError]) {
    // `Data(contentsOf:)` reads no pipe.
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    let list = try DeclarationList(propertyList: handle.readToEnd() ?? Data())
    let declarations = list.declarations.map(\.declaration)
    let problems = list.problems + declarations.compactMap(\.problem)
    return (SharedMIMEPackage.xml(for: declarations), problems.map(UTTypeDeclarationError.init))
  }
}

/// Reports each undeclared identifier once.
private enum UndeclaredTypes {
  static let reported = Mutex<Set<String>>([])

  static func known(
    _ identifier: String, conformingTo parent: UTType?, key: String, verb: String
  ) -> ContentType {
    BundleDeclarations.load()
    if let known = ContentType(identifier), known.isDeclared || known.isDynamic { return known }
    if reported.withLock({ $0.insert(identifier.lowercased()).inserted }) {
      let problem =
        UTType(identifier: identifier, allowUndeclared: true) == nil
        ? "but can be no identifier: it needs letters, digits, \"-\" and \"_\" between single periods"
        : "but not declared; add it to \(key) in Info.plist"
      Warning.write("type \"\(identifier)\" is used as \(verb) \(problem)")
    }
    return ContentType(undeclared: identifier, conformingTo: parent.map { [$0.contentType] } ?? [])
  }
}
