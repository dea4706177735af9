public import ContentTypes
@_exported public import Foundation

/// A way of naming types other than by identifier, for example by filename extension.
///
/// The corresponding Apple type has the same name.
public struct UTTagClass: RawRepresentable, Hashable, Sendable, Codable {
  /// The identifier of the class, for example `public.mime-type`.
  public var rawValue: String

  /// Names a class.
  /// - Parameter rawValue: The identifier of the class.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The class a content type knows by the same identifier.
  /// - Parameter tagClass: The class.
  public init(_ tagClass: TagClass) { rawValue = tagClass.rawValue }

  /// The same class for content types.
  public var tagClass: TagClass { TagClass(rawValue: rawValue) }

  /// Filename extensions, without the leading period.
  public static var filenameExtension: UTTagClass { UTTagClass(.filenameExtension) }

  /// MIME types, without parameters.
  public static var mimeType: UTTagClass { UTTagClass(.mimeType) }
}

extension UTTagClass: CustomStringConvertible, CustomDebugStringConvertible {
  /// The identifier of the class.
  public var description: String { rawValue }

  /// The identifier of the class with the name of this type.
  public var debugDescription: String { "UTTagClass(\(rawValue))" }
}
