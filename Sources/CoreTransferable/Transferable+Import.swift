public import Foundation
public import UniformTypeIdentifiers

extension Transferable {
  /// The content types values of this type can be imported from, in order of preference.
  /// - Returns: The content types, each once.
  public static func importedContentTypes() -> [UTType] {
    listed(RepresentationDescription<Self>.all().filter { $0.importer?.isListed ?? false })
  }

  /// The content types values of this type can be imported from, in order of preference.
  /// - Returns: The content types, each once.
  public func importedContentTypes() -> [UTType] {
    Self.importedContentTypes()
  }

  /// Imports a value from a file, which stays as it is.
  ///
  /// An importing closure that wants a file gets a private copy, unless it attempts to open files in
  /// place; one that wants data gets the file's contents, mapped if they are large.
  /// - Parameters:
  ///   - file: The file.
  ///   - contentType: The file's content type. With `nil` it follows from the name; if nothing imports
  ///     that type, each importing representation is tried in order.
  /// - Throws: ``TransferError``. Cancellation takes effect at once, even if the importing closure
  ///   goes on.
  public init(importing file: URL, contentType: UTType?) async throws {
    let importer = DirectImport<Self>()
    let inferred = contentType ?? UTType(nameOf: file)
    self = try await importer.first(
      of: inferred, isCertain: contentType != nil
    ) { representation, offered in
      try await representation.importing(file: file, isOriginal: true, offeredAs: offered)
    }
  }

  /// Imports a value from data.
  /// - Parameters:
  ///   - data: The data.
  ///   - contentType: The data's content type. With `nil`, each importing representation is tried in
  ///     order.
  /// - Throws: ``TransferError``. Cancellation takes effect at once, even if the importing closure
  ///   goes on.
  public init(importing data: Data, contentType: UTType?) async throws {
    let importer = DirectImport<Self>()
    self = try await importer.first(
      of: contentType, isCertain: contentType != nil
    ) { representation, offered in
      try await representation.importing(data: data, offeredAs: offered)
    }
  }
}

/// Chooses among a type's importing representations for content that is already here.
struct DirectImport<Item: Transferable> {
  let representations = Item.importableRepresentations()

  /// The first item that a representation makes.
  /// - Parameters:
  ///   - contentType: What the content is, if known.
  ///   - isCertain: Whether the caller said so; if not, representations of other types are tried too.
  ///   - attempt: Imports by a representation, given the content type to call the content.
  func first(
    of contentType: UTType?, isCertain: Bool,
    attempt: (ImportableRepresentation<Item>, UTType) async throws -> Item
  ) async throws -> Item {
    var failure: TransferError?
    for (representation, offered) in choices(contentType, isCertain: isCertain) {
      do {
        return try await attempt(representation, offered)
      } catch let error as TransferError where error.code == .importFailed {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    throw TransferError(
      .notImportable, item: Item.self, contentType: contentType,
      available: Item.importedContentTypes(),
      reason: "no representation of \(Item.self) imports it")
  }

  private func choices(
    _ contentType: UTType?, isCertain: Bool
  ) -> [(ImportableRepresentation<Item>, UTType)] {
    if let contentType {
      let matching = representations.filter { accepts(contentType, $0) }
      if isCertain || !matching.isEmpty { return matching.map { ($0, contentType) } }
    }
    return representations.filter(\.importer.isListed).map { ($0, $0.contentType) }
  }

  // A representation of plain bytes says nothing about what it can read. What is dropped on it or
  // pasted is taken, but content that the caller names is taken only under the bytes' own name.
  private func accepts(
    _ contentType: UTType, _ representation: ImportableRepresentation<Item>
  ) -> Bool {
    let isUnspecific = [UTType.data, .item].contains(representation.contentType)
    return isUnspecific
      ? contentType == representation.contentType : representation.accepts(contentType)
  }
}
