/// A way of naming types other than by identifier, for example by filename extension.
///
/// The corresponding Apple type is `UTTagClass`.
public struct TagClass: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The identifier of the class, for example `public.mime-type`.
  public let rawValue: String

  /// Names a class.
  /// - Parameter rawValue: The identifier of the class.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Filename extensions, without the leading period.
  public static var filenameExtension: TagClass { TagClass(rawValue: "public.filename-extension") }

  /// MIME types, without parameters.
  public static var mimeType: TagClass { TagClass(rawValue: "public.mime-type") }

  /// The identifier of the class.
  public var description: String { rawValue }
}
