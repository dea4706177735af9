public import UniformTypeIdentifiers

/// Transfers an item as a file; the file is never read into memory on its way.
public struct FileRepresentation<Item>: TransferRepresentation where Item: Transferable {
  private let contentType: UTType
  private let exporter: Exporter<Item>?
  private let importer: Importer<Item>?

  /// Transfers the item both ways.
  /// - Parameters:
  ///   - contentType: The content type of the file.
  ///   - shouldAttemptToOpenInPlace: Whether the importing closure would rather have the sender's
  ///     own file than a copy.
  ///   - exporting: Names the file; called anew for each receiver, perhaps by several at once.
  ///   - importing: Makes an item of a received file, which is gone when the closure returns.
  public init(
    contentType: UTType,
    shouldAttemptToOpenInPlace: Bool = false,
    exporting: @escaping @Sendable @concurrent (Item) async throws -> SentTransferredFile,
    importing: @escaping @Sendable @concurrent (ReceivedTransferredFile) async throws -> Item
  ) {
    self.contentType = contentType
    exporter = .file(allowsOpenInPlace: shouldAttemptToOpenInPlace, exporting)
    importer = Importer(
      .file(shouldAttemptToOpenInPlace: shouldAttemptToOpenInPlace, importing))
  }

  /// Only exports the item.
  /// - Parameters:
  ///   - exportedContentType: The content type of the file.
  ///   - shouldAllowToOpenInPlace: Whether a receiver may be told that the file can be opened in
  ///     place; what it gets is up to ``SentTransferredFile/allowAccessingOriginalFile``.
  ///   - exporting: Names the file; called anew for each receiver, perhaps by several at once.
  public init(
    exportedContentType: UTType,
    shouldAllowToOpenInPlace: Bool = false,
    exporting: @escaping @Sendable @concurrent (Item) async throws -> SentTransferredFile
  ) {
    contentType = exportedContentType
    exporter = .file(allowsOpenInPlace: shouldAllowToOpenInPlace, exporting)
    importer = nil
  }

  /// Only imports the item.
  /// - Parameters:
  ///   - importedContentType: The content type of the file.
  ///   - shouldAttemptToOpenInPlace: Whether the closure would rather have the sender's own file
  ///     than a copy.
  ///   - importing: Makes an item of a received file, which is gone when the closure returns.
  public init(
    importedContentType: UTType,
    shouldAttemptToOpenInPlace: Bool = false,
    importing: @escaping @Sendable @concurrent (ReceivedTransferredFile) async throws -> Item
  ) {
    contentType = importedContentType
    exporter = nil
    importer = Importer(
      .file(shouldAttemptToOpenInPlace: shouldAttemptToOpenInPlace, importing))
  }

  /// Has no body.
  public var body: Never { return noBody() }
}

extension FileRepresentation: PrimitiveRepresentation {
  func descriptions(in context: DescriptionContext) -> [RepresentationDescription<Item>] {
    [
      RepresentationDescription(
        contentType: contentType, exporter: exporter, importer: importer)
    ]
  }
}
