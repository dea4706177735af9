public import Foundation
public import UniformTypeIdentifiers

extension Transferable {
  /// The content types values of this type can be exported as, in order of preference.
  /// - Parameter visibility: Who asks: a representation limited to the own process is seen by
  ///   `.ownProcess`, but not by `.all`.
  /// - Returns: The content types, each once.
  public static func exportedContentTypes(
    visibility: TransferRepresentationVisibility = .all
  ) -> [UTType] {
    listed(
      RepresentationDescription<Self>.all().filter {
        $0.exporter != nil && $0.visibility.includes(visibility)
      })
  }

  /// The content types this value can be exported as now, in order of preference. Those whose
  /// exporting condition is false for this value are left out.
  /// - Parameter visibility: Who asks: a representation limited to the own process is seen by
  ///   `.ownProcess`, but not by `.all`.
  /// - Returns: The content types, each once.
  public func exportedContentTypes(
    _ visibility: TransferRepresentationVisibility = .all
  ) -> [UTType] {
    exportableRepresentations().filter { $0.visibility.includes(visibility) }.map(\.contentType)
  }

  /// The name this value suggests for a file it is exported to.
  public var suggestedFilename: String? {
    fileName(from: RepresentationDescription<Self>.all())
  }

  /// Exports this value as data.
  ///
  /// A representation that makes a file has the file's contents mapped into memory.
  /// - Parameter contentType: The content type wanted; the first representation that conforms to it
  ///   is used. With `nil`, the first that exports.
  /// - Returns: The data.
  /// - Throws: ``TransferError``. Cancellation takes effect at once, even if the exporting closure
  ///   goes on.
  public func exported(as contentType: UTType?) async throws -> Data {
    try await exportable(as: contentType).loadData()
  }

  /// Exports this value to a file.
  ///
  /// The file gets the suggested name, made safe, with a number if that name is taken. It appears
  /// whole or not at all. A representation that makes a file is copied by the kernel, sharing blocks
  /// where the file system can.
  /// - Parameters:
  ///   - destinationDirectory: An existing directory.
  ///   - contentType: The content type wanted; the first representation that conforms to it is used.
  ///     With `nil`, the first that exports.
  /// - Returns: The new file, which is the caller's.
  /// - Throws: ``TransferError``. Cancellation takes effect at once, even if the exporting closure
  ///   goes on.
  public func export(
    to destinationDirectory: URL, contentType: UTType?
  ) async throws -> URL {
    try await exportable(as: contentType).export(to: destinationDirectory)
  }

  /// Exports this value to a temporary file for as long as a closure runs.
  /// - Parameters:
  ///   - contentType: The content type wanted; the first representation that conforms to it is used.
  ///     With `nil`, the first that exports.
  ///   - fileHandler: Uses the file: the sender's own if it allows that, else a copy that is removed
  ///     when the closure returns or throws.
  /// - Returns: What the closure returns.
  /// - Throws: ``TransferError``, or what the closure throws.
  public func withExportedFile<Result>(
    contentType: UTType?, fileHandler: (URL) async throws -> Result
  ) async throws -> Result {
    let file = try await exportable(as: contentType).loadFile(for: .handingOver)
    defer { file.remove() }
    return try await fileHandler(file.url)
  }

  /// The representation to use for a content type: the first, in the type's order, that conforms.
  package func exportable(as contentType: UTType?) throws -> ExportableRepresentation {
    let descriptions = RepresentationDescription<Self>.all()
    let exportable = exportables(from: descriptions)
    guard let contentType else {
      if let first = exportable.first { return first }
      throw unavailable(contentType, descriptions, available: [])
    }
    if var match = exportable.first(where: { $0.contentType.conforms(to: contentType) }) {
      match.requestedType = contentType
      return match
    }
    throw unavailable(contentType, descriptions, available: exportable.map(\.contentType))
  }

  private func unavailable(
    _ contentType: UTType?, _ descriptions: [RepresentationDescription<Self>],
    available: [UTType]
  ) -> TransferError {
    let isConditional = descriptions.contains {
      $0.exporter != nil && (contentType.map($0.contentType.conforms(to:)) ?? true)
    }
    return TransferError(
      isConditional ? .conditionFalse : .notExportable, item: Self.self, contentType: contentType,
      available: available,
      reason: isConditional
        ? "this value does not meet the representation's exporting condition"
        : "no representation of \(Self.self) exports it")
  }
}
