public import Foundation
import UniformTypeIdentifiers

/// An object that an item provider can offer.
public protocol NSItemProviderWriting: NSObjectProtocol, SendableMetatype {
  /// The identifiers of the content types every object of the class offers, best first.
  static var writableTypeIdentifiersForItemProvider: [String] { get }

  /// The identifiers of the content types this object offers, best first; those of the class unless an
  /// object says otherwise.
  var writableTypeIdentifiersForItemProvider: [String] { get }

  /// Who may see a content type of this object; every program unless an object says otherwise.
  /// - Parameter typeIdentifier: The identifier of the content type.
  func itemProviderVisibilityForRepresentation(
    withTypeIdentifier typeIdentifier: String
  ) -> NSItemProviderRepresentationVisibility

  /// Makes the data of a content type.
  /// - Parameters:
  ///   - typeIdentifier: The identifier of the content type.
  ///   - completionHandler: To be called once, with the data or an error.
  /// - Returns: A progress, if there is one.
  func loadData(
    withTypeIdentifier typeIdentifier: String,
    forItemProviderCompletionHandler completionHandler:
      @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress?
}

extension NSItemProviderWriting {
  /// The identifiers of the content types of the class.
  public var writableTypeIdentifiersForItemProvider: [String] {
    Self.writableTypeIdentifiersForItemProvider
  }

  /// Every program.
  public func itemProviderVisibilityForRepresentation(
    withTypeIdentifier typeIdentifier: String
  ) -> NSItemProviderRepresentationVisibility {
    .all
  }
}

/// An object that can be made of what an item provider offers.
///
/// `String` and `URL` are among them, other than on Apple's systems: so the compiler takes `object as? String` for what
/// it is, the cast of an `NSString` to the value it stands for.
public protocol NSItemProviderReading: SendableMetatype {
  /// The identifiers of the content types objects can be made of, best first.
  static var readableTypeIdentifiersForItemProvider: [String] { get }

  /// Makes an object.
  /// - Parameters:
  ///   - data: The data.
  ///   - typeIdentifier: The identifier of the data's content type.
  /// - Returns: The object.
  /// - Throws: An error if the data is not of that content type.
  static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> Self
}

extension NSItemProvider {
  fileprivate static func made<Object>(_ object: NSObject, _ type: Object.Type) throws -> Object {
    guard let object = object as? Object else {
      throw error(.unexpectedValueClassError, "\(type) is not what \(Swift.type(of: object)) is")
    }
    return object
  }
}

extension NSString: NSItemProviderWriting, NSItemProviderReading {
  /// UTF-8 text.
  public static var writableTypeIdentifiersForItemProvider: [String] {
    [UTType.utf8PlainText.identifier]
  }

  /// Text in any encoding that its content type tells.
  public static var readableTypeIdentifiersForItemProvider: [String] {
    [UTType.utf8PlainText, .plainText].map(\.identifier)
  }

  /// The text as UTF-8.
  public func loadData(
    withTypeIdentifier typeIdentifier: String,
    forItemProviderCompletionHandler completionHandler:
      @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress? {
    completionHandler(Data(String(describing: self).utf8), nil)
    return nil
  }

  /// Decodes text.
  public static func object(
    withItemProviderData data: Data, typeIdentifier: String
  ) throws -> Self {
    let offered = OfferedContent(contentType: NSItemProvider.contentType(typeIdentifier))
    let text = try TextDecoding.text(of: data, offeredAs: offered)
    return try NSItemProvider.made(NSString(string: text), Self.self)
  }
}

extension NSURL: NSItemProviderWriting, NSItemProviderReading {
  /// A URL, and the URL of a file.
  public static var writableTypeIdentifiersForItemProvider: [String] {
    [UTType.url, .fileURL].map(\.identifier)
  }

  /// A URL, and for a file the URL of a file, which comes first.
  public var writableTypeIdentifiersForItemProvider: [String] {
    (isFileURL ? [UTType.fileURL, .url] : [.url]).map(\.identifier)
  }

  /// A URL of any kind.
  public static var readableTypeIdentifiersForItemProvider: [String] {
    [UTType.url.identifier]
  }

  /// The URL's own spelling.
  public func loadData(
    withTypeIdentifier typeIdentifier: String,
    forItemProviderCompletionHandler completionHandler:
      @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress? {
    completionHandler(Data(absoluteString.utf8), nil)
    return nil
  }

  /// Reads the first URL of a list.
  public static func object(
    withItemProviderData data: Data, typeIdentifier: String
  ) throws -> Self {
    let url = try URLDecoding.url(of: data)
    guard let object = NSURL(string: url.absoluteString) else {
      throw URLDecoding.Failure.notAURL(url.absoluteString)
    }
    return try NSItemProvider.made(object, Self.self)
  }
}

extension String: NSItemProviderReading {
  /// Text in any encoding that its content type tells.
  public static var readableTypeIdentifiersForItemProvider: [String] {
    NSString.readableTypeIdentifiersForItemProvider
  }

  /// Decodes text.
  public static func object(
    withItemProviderData data: Data, typeIdentifier: String
  ) throws -> String {
    try NSString.object(withItemProviderData: data, typeIdentifier: typeIdentifier) as String
  }
}

extension URL: NSItemProviderReading {
  /// A URL of any kind.
  public static var readableTypeIdentifiersForItemProvider: [String] {
    NSURL.readableTypeIdentifiersForItemProvider
  }

  /// Reads the first URL of a list.
  public static func object(withItemProviderData data: Data, typeIdentifier: String) throws -> URL {
    try NSURL.object(withItemProviderData: data, typeIdentifier: typeIdentifier) as URL
  }
}
