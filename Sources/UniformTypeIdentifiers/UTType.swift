public import ContentTypes
@_exported public import Foundation

/// A type of data, named by a uniform type identifier such as `public.png`.
///
/// The corresponding Apple type has the same name. This one stands on `ContentType`, which also says where types come
/// from and which type a tag means.
///
/// What this port decides where Apple's documentation is silent:
/// - `UTType(_:)` finds an undeclared identifier once the process has named it with `init(exportedAs:)` or
///   `init(importedAs:)`; `isDeclared` stays false.
/// - An undeclared exported or imported type without a parent conforms to `data`.
/// - Decoding accepts an identifier nobody declared here: it may have been declared where it was encoded.
public struct UTType: Hashable, Sendable {
  /// The same type without Foundation.
  public let contentType: ContentType

  /// Wraps a content type.
  /// - Parameter contentType: The type.
  public init(_ contentType: ContentType) { self.contentType = contentType }

  // MARK: Finding

  /// Finds a declared type, or reads a dynamic identifier.
  /// - Parameter identifier: In any case.
  /// - Returns: nil for an identifier unknown to the system and this process, and for a malformed dynamic one.
  public init?(_ identifier: String) {
    BundleDeclarations.load()
    guard let type = ContentType(identifier) else { return nil }
    self.init(type)
  }

  /// Finds the preferred type with a filename extension.
  /// - Parameters:
  ///   - filenameExtension: Without period, in any case.
  ///   - supertype: What the type must conform to.
  /// - Returns: nil when the text cannot be an extension. An extension no declared type has gives a dynamic type.
  public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
    self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
  }

  /// Finds the preferred type with a MIME type.
  /// - Parameters:
  ///   - mimeType: In any case, with or without parameters.
  ///   - supertype: What the type must conform to.
  /// - Returns: nil when the text is not a MIME type. A MIME type no declared type has gives a dynamic type.
  public init?(mimeType: String, conformingTo supertype: UTType = .data) {
    self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
  }

  /// Finds the preferred type with a tag.
  /// - Parameters:
  ///   - tag: The tag.
  ///   - tagClass: Its class.
  ///   - supertype: What the type must conform to; nil for anything.
  /// - Returns: nil when the tag is not valid in its class. A tag no declared type has gives a dynamic type.
  public init?(tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?) {
    BundleDeclarations.load()
    guard
      let type = ContentType(
        tag: tag, tagClass: tagClass.tagClass, conformingTo: supertype?.contentType)
    else { return nil }
    self.init(type)
  }

  /// Finds all types with a tag, preferred ones first.
  /// - Parameters:
  ///   - tag: The tag.
  ///   - tagClass: Its class.
  ///   - supertype: What the types must conform to; nil for anything.
  /// - Returns: Empty when the tag is not valid in its class; a dynamic type alone when no declared type has the tag.
  public static func types(
    tag: String, tagClass: UTTagClass, conformingTo supertype: UTType?
  ) -> [UTType] {
    BundleDeclarations.load()
    return ContentType.types(
      tag: tag, tagClass: tagClass.tagClass, conformingTo: supertype?.contentType
    ).map(UTType.init)
  }

  // MARK: Properties

  /// The identifier in its canonical spelling.
  public var identifier: String { contentType.identifier }

  /// The first of the declared filename extensions, without period.
  public var preferredFilenameExtension: String? { contentType.preferredFilenameExtension }

  /// The first of the declared MIME types.
  public var preferredMIMEType: String? { contentType.preferredMIMEType }

  /// All tags by class, preferred ones first.
  public var tags: [UTTagClass: [String]] {
    var result: [UTTagClass: [String]] = [:]
    for (tagClass, values) in contentType.tags { result[UTTagClass(tagClass)] = values }
    return result
  }

  /// Whether the identifier was made from a tag, because nobody declared a type for it.
  public var isDynamic: Bool { contentType.isDynamic }

  /// Whether the system or this program declares the type.
  public var isDeclared: Bool { contentType.isDeclared }

  /// Whether the type belongs to the public domain: its identifier begins with `public.`.
  public var isPublic: Bool { contentType.isPublic }

  // MARK: Conformance

  /// Whether the type is another type or, directly or not, one of its subtypes.
  /// - Parameter type: The type to be.
  public func conforms(to type: UTType) -> Bool { contentType.conforms(to: type.contentType) }

  /// Whether the type is a proper supertype of another.
  /// - Parameter type: The possible subtype.
  public func isSupertype(of type: UTType) -> Bool {
    contentType.isSupertype(of: type.contentType)
  }

  /// Whether the type is a proper subtype of another.
  /// - Parameter type: The possible supertype.
  public func isSubtype(of type: UTType) -> Bool { contentType.isSubtype(of: type.contentType) }

  /// All types this one conforms to, directly or not, without itself.
  public var supertypes: Set<UTType> { Set(contentType.supertypes.map(UTType.init)) }
}

extension UTType: CustomStringConvertible, CustomDebugStringConvertible {
  /// The identifier.
  public var description: String { identifier }

  /// The identifier and what kind of type it names.
  public var debugDescription: String {
    let kind = isDynamic ? "dynamic" : isDeclared ? "declared" : "not declared"
    return "<UTType \(identifier) (\(kind))>"
  }
}

extension UTType: Codable {
  /// Reads an identifier.
  /// - Parameter decoder: Holds one string.
  /// - Throws: `DecodingError.dataCorrupted` when the string cannot be an identifier.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let identifier = try container.decode(String.self)
    BundleDeclarations.load()
    guard let type = ContentType(validating: identifier) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\"\(identifier)\" is not a uniform type identifier")
    }
    self.init(type)
  }

  /// Writes the identifier.
  /// - Parameter encoder: Receives one string.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(identifier)
  }
}
