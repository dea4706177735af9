extension ContentType {
  /// What people call the type: from the declaration, or inherited from a supertype; nil for dynamic types.
  public var typeDescription: String? {
    declaration?.typeDescription
  }

  /// The version of the declaration.
  public var version: Int? { declaration?.version }

  /// Where the type is described, as the declaration says.
  public var referenceURL: String? { declaration?.referenceURL }

  /// The spellings this type has on freedesktop systems: the shared MIME database's canonical one first, then aliases.
  ///
  /// Use them beside `mimeTypes`; other programs on this machine may know only these.
  public var freedesktopMIMETypes: [String] {
    guard case .system(let row) = storage else { return mimeTypes }
    return SystemTypes.freedesktopMIMETypes(row)
  }
}
