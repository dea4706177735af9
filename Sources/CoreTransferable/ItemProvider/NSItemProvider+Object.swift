public import Foundation
import UniformTypeIdentifiers

extension NSItemProvider {
  /// Makes a provider that offers an object.
  /// - Parameter object: The object.
  public convenience init(object: any NSItemProviderWriting) {
    self.init()
    registerObject(object, visibility: .all)
  }

  /// Offers an object in all its content types. Those that are offered already stay as they are.
  /// - Parameters:
  ///   - object: The object. It may be used on any thread.
  ///   - visibility: Who may see it; an object's own limits add to it.
  public func registerObject(
    _ object: any NSItemProviderWriting, visibility: NSItemProviderRepresentationVisibility
  ) {
    let object = Unshared(object)
    for identifier in object.value.writableTypeIdentifiersForItemProvider {
      let own = object.value.itemProviderVisibilityForRepresentation(
        withTypeIdentifier: identifier)
      registerDataRepresentation(
        forTypeIdentifier: identifier,
        visibility: own.rawValue > visibility.rawValue ? own : visibility
      ) { completion in
        object.value.loadData(
          withTypeIdentifier: identifier, forItemProviderCompletionHandler: completion)
      }
    }
  }

  /// Offers an object that is made when it is first asked for.
  /// - Parameters:
  ///   - objectClass: The object's class, which tells its content types.
  ///   - visibility: Who may see it.
  ///   - loadHandler: Makes the object, and calls what it is given once, with the object or an error.
  public func registerObject(
    ofClass objectClass: any NSItemProviderWriting.Type,
    visibility: NSItemProviderRepresentationVisibility,
    loadHandler:
      @escaping @Sendable (
        @escaping @Sendable ((any NSItemProviderWriting)?, (any Error)?) -> Void
      ) -> Progress?
  ) {
    for identifier in objectClass.writableTypeIdentifiersForItemProvider {
      registerDataRepresentation(forTypeIdentifier: identifier, visibility: visibility) {
        completion in
        loadHandler { object, error in
          guard let object, error == nil else {
            completion(
              nil, error ?? Self.error(.itemUnavailableError, "The load handler made no object"))
            return
          }
          _ = object.loadData(
            withTypeIdentifier: identifier, forItemProviderCompletionHandler: completion)
        }
      }
    }
  }

  /// Offers a value such as a `String` or a `URL` that is made when it is first asked for.
  /// - Parameters:
  ///   - type: The value's type, which tells its content types.
  ///   - visibility: Who may see it.
  ///   - loadHandler: Makes the value, and calls what it is given once, with the value or an error.
  public func registerObject<T>(
    ofClass type: T.Type, visibility: NSItemProviderRepresentationVisibility,
    loadHandler: @escaping @Sendable (@escaping @Sendable (T?, (any Error)?) -> Void) -> Progress?
  )
  where T: _ObjectiveCBridgeable, T: SendableMetatype, T._ObjectiveCType: NSItemProviderWriting {
    registerObject(ofClass: T._ObjectiveCType.self, visibility: visibility) { completion in
      loadHandler { value, error in
        completion(value?._bridgeToObjectiveC(), error)
      }
    }
  }

  /// Whether an object of a class can be made of what is on offer.
  /// - Parameter objectClass: The class.
  /// - Returns: Whether it can.
  // Values have overloads of their own.
  @_disfavoredOverload
  public func canLoadObject(ofClass objectClass: any NSItemProviderReading.Type) -> Bool {
    readableContentType(of: objectClass) != nil
  }

  /// Loads an object.
  /// - Parameters:
  ///   - objectClass: The class, whose readable content types are tried in its order.
  ///   - completionHandler: Called once, on any thread, with the object or an error.
  /// - Returns: A progress that counts bytes and cancels.
  // Values have overloads of their own.
  @_disfavoredOverload
  @discardableResult
  public func loadObject(
    ofClass objectClass: any NSItemProviderReading.Type,
    completionHandler: @escaping @Sendable ((any NSItemProviderReading)?, (any Error)?) -> Void
  ) -> Progress {
    guard let contentType = readableContentType(of: objectClass) else {
      let offered = registeredTypeIdentifiers.joined(separator: ", ")
      completionHandler(
        nil,
        Self.error(
          .unavailableCoercionError,
          "No \(objectClass) can be made of what is on offer: "
            + "\(offered.isEmpty ? "nothing" : offered)"))
      return Progress(totalUnitCount: 0)
    }
    return loadDataRepresentation(for: contentType) { data, error in
      guard let data else {
        completionHandler(nil, error)
        return
      }
      do {
        completionHandler(
          try objectClass.object(
            withItemProviderData: data, typeIdentifier: contentType.identifier), nil)
      } catch {
        completionHandler(
          nil,
          Self.error(
            .unavailableCoercionError,
            "No \(objectClass) could be made of \(contentType.identifier)", underlying: error))
      }
    }
  }

  /// Whether a value such as `String` or `URL` can be made of what is on offer.
  /// - Parameter type: The type.
  /// - Returns: Whether it can.
  public func canLoadObject<T>(ofClass type: T.Type) -> Bool
  where T: _ObjectiveCBridgeable, T: SendableMetatype, T._ObjectiveCType: NSItemProviderReading {
    canLoadObject(ofClass: T._ObjectiveCType.self)
  }

  /// Loads a value such as `String` or `URL`.
  /// - Parameters:
  ///   - type: The type.
  ///   - completionHandler: Called once, on any thread, with the value or an error.
  /// - Returns: A progress that counts bytes and cancels.
  @discardableResult
  public func loadObject<T>(
    ofClass type: T.Type, completionHandler: @escaping @Sendable (T?, (any Error)?) -> Void
  ) -> Progress
  where T: _ObjectiveCBridgeable, T: SendableMetatype, T._ObjectiveCType: NSItemProviderReading {
    loadObject(ofClass: T._ObjectiveCType.self) { object, error in
      var value: T?
      if let object = object as? T._ObjectiveCType {
        _ = T._conditionallyBridgeFromObjectiveC(object, result: &value)
      }
      completionHandler(value, error)
    }
  }

  private func readableContentType(of objectClass: any NSItemProviderReading.Type) -> UTType? {
    let offered = registeredContentTypes
    for identifier in objectClass.readableTypeIdentifiersForItemProvider {
      let readable = Self.contentType(identifier)
      if let match = offered.first(where: { $0 == readable })
        ?? offered.first(where: { $0.conforms(to: readable) })
      {
        return match
      }
    }
    return nil
  }
}

/// An object handed to a provider for good: whoever offers it agrees that any thread uses it.
struct Unshared<Value>: @unchecked Sendable {
  // Safe as far as the object is: item providers have always used objects on threads of their own.
  let value: Value

  init(_ value: Value) { self.value = value }
}
