internal import ContentTypes
@_exported public import Foundation

extension UTType {
  /// Finds the type of a file: by what it is, its extended attribute `user.mime_type`, its name, and last by its content.
  ///
  /// A directory is a folder, or what its extension means among directories. A symbolic link stands for the file it leads
  /// to; one that leads nowhere is a `symbolicLink`.
  /// - Parameter file: A file URL.
  /// - Returns: nil when the URL is not that of a file, or there is nothing.
  public init?(contentsOf file: URL) {
    BundleDeclarations.load()
    guard file.isFileURL, let type = ContentType.ofFile(atPath: file.path) else { return nil }
    self.init(type)
  }

  /// Recognises data by its start, with the magic rules of the shared MIME database.
  /// - Parameter data: The data, or its first few thousand bytes.
  /// - Returns: nil when no rule matches.
  public init?(sniffing data: Data) {
    BundleDeclarations.load()
    let head = data.prefix(ContentType.sniffedLength)
    guard let type = head.withUnsafeBytes({ ContentType.sniff($0) }) else { return nil }
    self.init(type)
  }
}

extension URLResourceKey {
  /// Asks for the type of a file.
  ///
  /// Foundation on Linux fetches only the values it knows, so this key asks it for the path, and
  /// `URLResourceValues.contentType` finds the type from there.
  public static var contentTypeKey: URLResourceKey { .pathKey }
}

extension URLResourceValues {
  /// The type of the file, if `contentTypeKey` was asked for. A symbolic link is a `symbolicLink`.
  public var contentType: UTType? {
    BundleDeclarations.load()
    guard let path else { return nil }
    return ContentType.ofFile(atPath: path, followingSymbolicLinks: false).map(UTType.init)
  }
}
