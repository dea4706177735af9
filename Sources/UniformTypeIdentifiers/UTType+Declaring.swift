internal import ContentTypes
internal import Synchronization

extension UTType {
  /// Names a type this program owns.
  ///
  /// The type should be declared in `UTExportedTypeDeclarations` or with `UTType.declare(_:as:)`. An undeclared one works
  /// all the same; the first use of its identifier is reported once on standard error.
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - parentType: What the type conforms to while it is not declared; data when nil.
  public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) {
    BundleDeclarations.load()
    if let known = ContentType(identifier), known.isDeclared || known.isDynamic {
      self.init(known)
      return
    }
    UndeclaredTypes.warn(identifier, key: "UTExportedTypeDeclarations", verb: "exported")
    self.init(
      ContentType(undeclared: identifier, conformingTo: [parentType?.contentType].compactMap { $0 })
    )
  }

  /// Names a type that somebody else owns.
  ///
  /// Should another type be the preferred owner of its preferred filename extension, that type is the result.
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - parentType: What the type conforms to while it is not declared; data when nil.
  public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) {
    BundleDeclarations.load()
    if let known = ContentType(identifier), known.isDeclared || known.isDynamic {
      self.init(known.preferredOwnerOfExtension)
      return
    }
    UndeclaredTypes.warn(identifier, key: "UTImportedTypeDeclarations", verb: "imported")
    self.init(
      ContentType(undeclared: identifier, conformingTo: [parentType?.contentType].compactMap { $0 })
    )
  }
}

/// Reports each undeclared identifier once.
private enum UndeclaredTypes {
  static let reported = Mutex<Set<String>>([])

  static func warn(_ identifier: String, key: String, verb: String) {
    guard reported.withLock({ $0.insert(identifier.lowercased()).inserted }) else { return }
    Warning.write(
      "type \"\(identifier)\" is used as \(verb) but not declared; add it to \(key) in Info.plist")
  }
}
