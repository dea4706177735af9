internal import ContentTypes
@_exported public import Foundation

/// A type as an object, for interfaces that need one.
///
/// The corresponding Apple class has the same name; in Objective-C it is `UTType`.
public final class UTTypeReference: NSObject, NSCopying, NSSecureCoding, @unchecked Sendable {
  // Unchecked only because NSObject is not declared Sendable: there is nothing but this constant.
  private let type: UTType

  /// Makes an object of a type.
  /// - Parameter type: The type.
  public init(_ type: UTType) { self.type = type }

  /// Finds a declared type, or reads a dynamic identifier.
  /// - Parameter identifier: In any case.
  public convenience init?(_ identifier: String) {
    guard let type = UTType(identifier) else { return nil }
    self.init(type)
  }

  /// Finds the preferred type with a filename extension.
  /// - Parameters:
  ///   - filenameExtension: Without period.
  ///   - supertype: What the type must conform to.
  public convenience init?(
    filenameExtension: String, conformingTo supertype: UTTypeReference = UTTypeReference(.data)
  ) {
    guard
      let type = UTType(filenameExtension: filenameExtension, conformingTo: supertype.type)
    else { return nil }
    self.init(type)
  }

  /// Finds the preferred type with a MIME type.
  /// - Parameters:
  ///   - mimeType: With or without parameters.
  ///   - supertype: What the type must conform to.
  public convenience init?(
    mimeType: String, conformingTo supertype: UTTypeReference = UTTypeReference(.data)
  ) {
    guard let type = UTType(mimeType: mimeType, conformingTo: supertype.type) else { return nil }
    self.init(type)
  }

  /// Finds the preferred type with a tag.
  /// - Parameters:
  ///   - tag: The tag.
  ///   - tagClass: The identifier of its class.
  ///   - supertype: What the type must conform to; nil for anything.
  public convenience init?(tag: String, tagClass: String, conformingTo supertype: UTTypeReference?)
  {
    guard
      let type = UTType(
        tag: tag, tagClass: UTTagClass(rawValue: tagClass), conformingTo: supertype?.type)
    else { return nil }
    self.init(type)
  }

  /// Names a type this program owns.
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - parentType: What the type conforms to while it is not declared; data when nil.
  public convenience init(
    exportedAs identifier: String, conformingTo parentType: UTTypeReference? = nil
  ) {
    self.init(UTType(exportedAs: identifier, conformingTo: parentType?.type))
  }

  /// Names a type that somebody else owns.
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - parentType: What the type conforms to while it is not declared; data when nil.
  public convenience init(
    importedAs identifier: String, conformingTo parentType: UTTypeReference? = nil
  ) {
    self.init(UTType(importedAs: identifier, conformingTo: parentType?.type))
  }

  /// Finds all types with a tag, preferred ones first.
  /// - Parameters:
  ///   - tag: The tag.
  ///   - tagClass: The identifier of its class.
  ///   - supertype: What the types must conform to; nil for anything.
  public static func types(
    tag: String, tagClass: String, conformingTo supertype: UTTypeReference?
  ) -> [UTTypeReference] {
    UTType.types(tag: tag, tagClass: UTTagClass(rawValue: tagClass), conformingTo: supertype?.type)
      .map { UTTypeReference($0) }
  }

  /// The identifier in its canonical spelling.
  public var identifier: String { type.identifier }
  /// The first of the declared filename extensions, without period.
  public var preferredFilenameExtension: String? { type.preferredFilenameExtension }
  /// The first of the declared MIME types.
  public var preferredMIMEType: String? { type.preferredMIMEType }
  /// What people call the type.
  public var localizedDescription: String? { type.localizedDescription }
  /// The version of the type's declaration.
  public var version: Int? { type.version }
  /// Where the type is described.
  public var referenceURL: URL? { type.referenceURL }
  /// Whether the identifier was made from a tag.
  public var isDynamic: Bool { type.isDynamic }
  /// Whether the system or this program declares the type.
  public var isDeclared: Bool { type.isDeclared }
  /// Whether the type belongs to the public domain.
  public var isPublic: Bool { type.isPublic }
  /// All tags by the identifier of their class.
  public var tags: [String: [String]] {
    Dictionary(uniqueKeysWithValues: type.tags.map { ($0.key.rawValue, $0.value) })
  }
  /// All types this one conforms to, directly or not, without itself.
  public var supertypes: Set<UTTypeReference> { Set(type.supertypes.map { UTTypeReference($0) }) }

  /// Whether the type is another type or one of its subtypes.
  /// - Parameter other: The type to be.
  public func conforms(to other: UTTypeReference) -> Bool { type.conforms(to: other.type) }

  /// Whether the type is a proper supertype of another.
  /// - Parameter other: The possible subtype.
  public func isSupertype(of other: UTTypeReference) -> Bool { type.isSupertype(of: other.type) }

  /// Whether the type is a proper subtype of another.
  /// - Parameter other: The possible supertype.
  public func isSubtype(of other: UTTypeReference) -> Bool { type.isSubtype(of: other.type) }

  // MARK: NSObject

  /// Whether an object is the same type.
  public override func isEqual(_ object: Any?) -> Bool {
    (object as? UTTypeReference)?.type == type
  }

  /// The same for equal types.
  public override var hash: Int { type.hashValue }

  /// The identifier.
  public override var description: String { type.description }

  /// The identifier and what kind of type it names.
  public override var debugDescription: String { type.debugDescription }

  /// The object itself: it cannot change.
  public func copy(with zone: NSZone? = nil) -> Any { self }

  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the identifier.
  /// - Parameter coder: A keyed archiver.
  public func encode(with coder: NSCoder) {
    coder.encode(type.identifier as NSString, forKey: "identifier")
  }

  /// Reads an identifier, declared here or not.
  /// - Parameter coder: A keyed unarchiver.
  /// - Returns: nil when what is there cannot be an identifier.
  public init?(coder: NSCoder) {
    guard let text = coder.decodeObject(of: NSString.self, forKey: "identifier"),
      let type = UTType(identifier: String(describing: text), allowUndeclared: true)
    else { return nil }
    self.type = type
  }

  fileprivate var value: UTType { type }
}

extension UTType: ReferenceConvertible, _ObjectiveCBridgeable {
  /// The type as an object.
  public typealias ReferenceType = UTTypeReference

  /// The type as an object.
  public func _bridgeToObjectiveC() -> UTTypeReference { UTTypeReference(self) }

  /// The value of an object.
  public static func _forceBridgeFromObjectiveC(
    _ source: UTTypeReference, result: inout UTType?
  ) {
    result = source.value
  }

  /// The value of an object.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: UTTypeReference, result: inout UTType?
  ) -> Bool {
    result = source.value
    return true
  }

  /// The value of an object; the absence of one is an item.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: UTTypeReference?) -> UTType {
    source?.value ?? .item
  }
}
