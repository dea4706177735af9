/// A type as a program declares it, in an Info.plist or in code.
public struct TypeDeclaration: Hashable, Sendable {
  /// Whether the program owns the type or only knows it.
  public enum Kind: Hashable, Sendable {
    /// The program owns the type: its declaration beats all others.
    case exported
    /// Somebody else owns the type: the declaration helps while the owner is absent, and beats the system's.
    case imported
  }

  /// The identifier, for example `com.example.note`.
  public var identifier: String
  /// Identifiers of the types it conforms to.
  public var conformsTo: [String]
  /// Filename extensions without period, preferred one first.
  public var filenameExtensions: [String]
  /// MIME types, preferred one first.
  public var mimeTypes: [String]
  /// Tags of other classes.
  public var otherTags: [TagClass: [String]]
  /// What people call the type.
  public var typeDescription: String?
  /// The version of the declaration.
  public var version: Int?
  /// Where the type is described.
  public var referenceURL: String?

  /// Declares a type.
  /// - Parameters:
  ///   - identifier: Letters, digits, `-`, `_` and `.`; see `problem`.
  ///   - conformsTo: Identifiers of its supertypes.
  ///   - filenameExtensions: Without period, preferred one first.
  ///   - mimeTypes: Preferred one first.
  ///   - otherTags: Tags of other classes.
  ///   - typeDescription: What people call the type.
  ///   - version: The version of the declaration.
  ///   - referenceURL: Where the type is described.
  public init(
    identifier: String, conformsTo: [String] = [], filenameExtensions: [String] = [],
    mimeTypes: [String] = [], otherTags: [TagClass: [String]] = [:],
    typeDescription: String? = nil, version: Int? = nil, referenceURL: String? = nil
  ) {
    self.identifier = identifier
    self.conformsTo = conformsTo
    self.filenameExtensions = filenameExtensions
    self.mimeTypes = mimeTypes
    self.otherTags = otherTags
    self.typeDescription = typeDescription
    self.version = version
    self.referenceURL = referenceURL
  }

  /// Why the declaration cannot be used, or nil when it can.
  public var problem: String? {
    if !ContentType.isWellFormed(identifier) {
      return "\"\(identifier)\" is not a type identifier"
    }
    if identifier.asciiLowercased.hasPrefix("dyn.") {
      return "\"\(identifier)\" begins with \"dyn.\", which is reserved for dynamic types"
    }
    for parent in conformsTo where !ContentType.isWellFormed(parent) {
      return "\"\(identifier)\" conforms to \"\(parent)\", which is not a type identifier"
    }
    for tag in filenameExtensions where !ContentType.isWellFormed(filenameExtension: tag) {
      return "\"\(identifier)\" has the filename extension \"\(tag)\", which cannot be one"
    }
    for tag in mimeTypes where MIMEType(tag) == nil {
      return "\"\(identifier)\" has the MIME type \"\(tag)\", which is not of the form type/subtype"
    }
    return nil
  }
}
