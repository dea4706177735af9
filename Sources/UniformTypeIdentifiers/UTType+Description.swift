internal import ContentTypes

extension UTType {
  /// What people call the type, in the user's language where known. May come from a supertype; nil for dynamic types.
  public var localizedDescription: String? {
    isDynamic ? nil : contentType.typeDescription
  }

  /// The version of the type's declaration.
  public var version: Int? { contentType.version }

  /// Where the type is described.
  public var referenceURL: URL? { contentType.referenceURL.flatMap { URL(string: $0) } }
}
