public import Foundation
import UniformTypeIdentifiers

// The oldest way to offer and load, by objects that can be archived.
extension NSItemProvider {
  /// Takes a loaded object, or an error.
  public typealias CompletionHandler = @Sendable ((any NSSecureCoding)?, (any Error)?) -> Void

  /// Makes an object: calls the completion handler, which is never `nil`, once. The class and the options, which tell
  /// what the receiver would like on Apple's systems, are `nil` here.
  public typealias LoadHandler =
    @Sendable (
      _ completionHandler: CompletionHandler?, _ expectedValueClass: AnyClass?,
      _ options: [AnyHashable: Any]?
    ) -> Void

  /// Makes a provider that offers text, a URL, a file or data.
  /// - Parameters:
  ///   - item: A `String`, `URL` or `Data`, or an object of their classes. The URL of a file offers the file, unless the
  ///     content type is one of URLs.
  ///   - typeIdentifier: The identifier of its content type.
  public convenience init(item: (any NSSecureCoding)?, typeIdentifier: String?) {
    self.init()
    guard let item, let typeIdentifier else { return }
    let shared = Unshared(item)
    registerItem(forTypeIdentifier: typeIdentifier) { completion, _, _ in
      completion(shared.value, nil)
    }
  }

  /// Offers an object that is made when it is asked for.
  /// - Parameters:
  ///   - typeIdentifier: The identifier of the content type.
  ///   - loadHandler: Makes a `String`, `URL` or `Data`, or an object of their classes.
  public func registerItem(
    forTypeIdentifier typeIdentifier: String, loadHandler: @escaping LoadHandler
  ) {
    let contentType = Self.registeredType(typeIdentifier)
    registerDataRepresentation(for: contentType, visibility: .all) { completion in
      loadHandler(
        { item, error in
          guard let item, error == nil else {
            completion(
              nil, error ?? Self.error(.itemUnavailableError, "The load handler made no object"))
            return
          }
          do {
            completion(try Self.data(of: item, as: contentType), nil)
          } catch {
            completion(nil, error)
          }
        }, nil, nil)
      return nil
    }
  }

  /// Loads an object: an `NSURL` for a URL, an `NSString` for plain text, else `NSData`. A cast to `URL`, `String` or
  /// `Data` succeeds.
  /// - Parameters:
  ///   - typeIdentifier: The identifier of the content type.
  ///   - options: Have no effect.
  ///   - completionHandler: Called once, on any thread, with the object or an error.
  public func loadItem(
    forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil,
    completionHandler: CompletionHandler? = nil
  ) {
    let asked = Self.contentType(typeIdentifier)
    let contentType = (try? registration(for: asked))?.contentType ?? asked
    loadDataRepresentation(for: contentType) { data, error in
      guard let data else {
        completionHandler?(nil, error)
        return
      }
      do {
        completionHandler?(try Self.object(of: data, as: contentType), nil)
      } catch {
        completionHandler?(
          nil,
          Self.error(
            .unavailableCoercionError,
            "The content is not what \(typeIdentifier) says", underlying: error))
      }
    }
  }

  /// Loads an object: an `NSURL` for a URL, an `NSString` for plain text, else `NSData`. A cast to `URL`, `String` or
  /// `Data` succeeds.
  /// - Parameters:
  ///   - typeIdentifier: The identifier of the content type.
  ///   - options: Have no effect.
  /// - Returns: The object.
  /// - Throws: An error of ``errorDomain``, or one that the item's own handler gave.
  public func loadItem(
    forTypeIdentifier typeIdentifier: String, options: [AnyHashable: Any]? = nil
  ) async throws -> sending any NSSecureCoding {
    let item: Unshared<any NSSecureCoding> = try await withCheckedThrowingContinuation {
      continuation in
      let answer = Answer(continuation)
      loadItem(forTypeIdentifier: typeIdentifier, options: options) { item, error in
        answer.give(item.map(Unshared.init), error)
      }
    }
    return item.value
  }

  /// Makes a picture of the item for people to see; `nil` if there is none.
  public var previewImageHandler: LoadHandler? {
    get { previewHandler }
    set { previewHandler = newValue }
  }

  /// Loads the picture that ``previewImageHandler`` makes.
  /// - Parameters:
  ///   - options: Passed on to the handler.
  ///   - completionHandler: Called once, on any thread, with the picture or an error.
  public func loadPreviewImage(
    options: [AnyHashable: Any]? = nil, completionHandler: @escaping CompletionHandler
  ) {
    guard let handler = previewHandler else {
      completionHandler(
        nil, Self.error(.itemUnavailableError, "The item provider has no preview image"))
      return
    }
    handler(completionHandler, nil, options)
  }

  /// Loads the picture that ``previewImageHandler`` makes.
  /// - Parameter options: Passed on to the handler.
  /// - Returns: The picture.
  /// - Throws: An error of ``errorDomain``, or one that the handler gave.
  public func loadPreviewImage(
    options: [AnyHashable: Any]? = nil
  ) async throws -> sending any NSSecureCoding {
    let picture: Unshared<any NSSecureCoding> = try await withCheckedThrowingContinuation {
      continuation in
      let answer = Answer(continuation)
      loadPreviewImage(options: options) { picture, error in
        answer.give(picture.map(Unshared.init), error)
      }
    }
    return picture.value
  }

  private static func data(of item: any NSSecureCoding, as contentType: UTType) throws -> Data {
    switch item {
    case let url as URL:
      guard url.isFileURL, !contentType.conforms(to: .url) else {
        return Data(url.absoluteString.utf8)
      }
      return try FileContents.data(of: url, isPrivate: false)
    case let text as String:
      return Data(text.utf8)
    case let data as Data:
      return data
    default:
      return try NSKeyedArchiver.archivedData(withRootObject: item, requiringSecureCoding: true)
    }
  }

  private static func object(
    of data: Data, as contentType: UTType
  ) throws -> any NSSecureCoding {
    if contentType.conforms(to: .url) {
      return try NSURL.object(
        withItemProviderData: data, typeIdentifier: contentType.identifier)
    }
    if contentType.conforms(to: .plainText) {
      return try NSString.object(
        withItemProviderData: data, typeIdentifier: contentType.identifier)
    }
    return NSData(data: data)
  }
}
