import ContentTypes
public import Foundation
import Synchronization
public import UniformTypeIdentifiers

extension NSItemProvider {
  /// Offers everything a transferable value exports.
  ///
  /// The content types are those of the value's type. The value is made once, when one of them is
  /// first asked for; an exporting condition that is then false is an error of that load.
  /// - Parameter transferable: Makes the value.
  public func register<T>(_ transferable: @autoclosure @escaping @Sendable () -> T)
  where T: Transferable {
    let value = LazyValue(transferable)
    for description in RepresentationDescription<T>.all() where description.exporter != nil {
      let contentType = description.contentType
      let opensInPlace =
        if case .file(let allowsOpenInPlace, _)? = description.exporter {
          allowsOpenInPlace
        } else {
          false
        }
      add(
        ItemRegistration(
          contentType: contentType,
          visibility: NSItemProviderRepresentationVisibility(description.visibility),
          opensInPlace: opensInPlace,
          loader: .transferable { try value.get().exportable(exactly: contentType) }))
    }
  }

  /// Offers data.
  /// - Parameters:
  ///   - contentType: The content type.
  ///   - visibility: Who may see it.
  ///   - loadHandler: Makes the data, and calls what it is given once, with the data or an error. Its
  ///     progress is followed and cancelled.
  public func registerDataRepresentation(
    for contentType: UTType, visibility: NSItemProviderRepresentationVisibility = .all,
    loadHandler:
      @escaping @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?
  ) {
    add(
      ItemRegistration(
        contentType: contentType, visibility: visibility, opensInPlace: false,
        loader: .data(loadHandler)))
  }

  /// Offers a file.
  /// - Parameters:
  ///   - contentType: The content type.
  ///   - visibility: Who may see it.
  ///   - openInPlace: Whether the file itself may be handed over; otherwise receivers get copies.
  ///   - loadHandler: Names the file, and calls what it is given once, with the file or an error. The
  ///     flag, whether access is to be coordinated, has no effect. Its progress is followed and
  ///     cancelled.
  public func registerFileRepresentation(
    for contentType: UTType, visibility: NSItemProviderRepresentationVisibility = .all,
    openInPlace: Bool = false,
    loadHandler:
      @escaping @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?
  ) {
    add(
      ItemRegistration(
        contentType: contentType, visibility: visibility, opensInPlace: openInPlace,
        loader: .file(loadHandler)))
  }

  /// Offers data. The corresponding method by content type is preferred.
  /// - Parameters:
  ///   - typeIdentifier: The identifier of the content type.
  ///   - visibility: Who may see it.
  ///   - loadHandler: Makes the data.
  public func registerDataRepresentation(
    forTypeIdentifier typeIdentifier: String, visibility: NSItemProviderRepresentationVisibility,
    loadHandler:
      @escaping @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?
  ) {
    registerDataRepresentation(
      for: Self.registeredType(typeIdentifier), visibility: visibility, loadHandler: loadHandler)
  }

  /// Offers a file. The corresponding method by content type is preferred.
  /// - Parameters:
  ///   - typeIdentifier: The identifier of the content type.
  ///   - fileOptions: Whether the file itself may be handed over.
  ///   - visibility: Who may see it.
  ///   - loadHandler: Names the file.
  public func registerFileRepresentation(
    forTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = [],
    visibility: NSItemProviderRepresentationVisibility,
    loadHandler:
      @escaping @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?
  ) {
    registerFileRepresentation(
      for: Self.registeredType(typeIdentifier), visibility: visibility,
      openInPlace: fileOptions.contains(.openInPlace), loadHandler: loadHandler)
  }

  /// The content types on offer, in order of preference.
  public var registeredContentTypes: [UTType] { registrations.map(\.contentType) }

  /// The content types whose file itself may be handed over.
  public var registeredContentTypesForOpenInPlace: [UTType] {
    registrations.filter(\.opensInPlace).map(\.contentType)
  }

  /// The content types on offer that conform to another.
  /// - Parameter contentType: The other content type.
  /// - Returns: The content types, in order of preference.
  public func registeredContentTypes(conformingTo contentType: UTType) -> [UTType] {
    registeredContentTypes.filter { $0.conforms(to: contentType) }
  }

  /// The identifiers of the content types on offer, in order of preference.
  public var registeredTypeIdentifiers: [String] { registeredContentTypes.map(\.identifier) }

  /// The identifiers of the content types on offer.
  /// - Parameter fileOptions: With `.openInPlace`, only those whose file itself may be handed over.
  /// - Returns: The identifiers, in order of preference.
  public func registeredTypeIdentifiers(fileOptions: NSItemProviderFileOptions) -> [String] {
    offered(fileOptions).map(\.contentType.identifier)
  }

  /// Whether something on offer conforms to a content type.
  /// - Parameter typeIdentifier: The identifier of the content type.
  /// - Returns: Whether it does.
  public func hasItemConformingToTypeIdentifier(_ typeIdentifier: String) -> Bool {
    hasRepresentationConforming(toTypeIdentifier: typeIdentifier, fileOptions: [])
  }

  /// Whether something on offer conforms to a content type.
  /// - Parameters:
  ///   - typeIdentifier: The identifier of the content type.
  ///   - fileOptions: With `.openInPlace`, only what may be handed over itself counts.
  /// - Returns: Whether it does.
  public func hasRepresentationConforming(
    toTypeIdentifier typeIdentifier: String, fileOptions: NSItemProviderFileOptions = []
  ) -> Bool {
    let contentType = Self.contentType(typeIdentifier)
    return offered(fileOptions).contains { $0.contentType.conforms(to: contentType) }
  }

  private func offered(_ fileOptions: NSItemProviderFileOptions) -> [ItemRegistration] {
    registrations.filter { !fileOptions.contains(.openInPlace) || $0.opensInPlace }
  }

  // An identifier that is not known to the system is as good as any other between two programs. To ask about one makes
  // nothing known.
  static func contentType(_ typeIdentifier: String) -> UTType {
    UTType(typeIdentifier) ?? UTType(ContentType(mentioned: typeIdentifier))
  }

  static func registeredType(_ typeIdentifier: String) -> UTType {
    UTType(typeIdentifier) ?? UTType(ContentType(undeclared: typeIdentifier))
  }
}

/// A value made once, when it is first needed.
private final class LazyValue<Value: Sendable>: Sendable {
  private let make: @Sendable () -> Value
  private let made = Mutex<Value?>(nil)

  init(_ make: @escaping @Sendable () -> Value) {
    self.make = make
  }

  func get() -> Value {
    made.withLock { made in
      if let made { return made }
      let value = make()
      made = value
      return value
    }
  }
}

extension Transferable {
  /// The representation of exactly this content type.
  func exportable(exactly contentType: UTType) throws -> ExportableRepresentation {
    let exportable = exportableRepresentations()
    if let match = exportable.first(where: { $0.contentType == contentType }) { return match }
    throw TransferError(
      .conditionFalse, item: Self.self, contentType: contentType,
      available: exportable.map(\.contentType),
      reason: "this value does not meet the representation's exporting condition")
  }
}
