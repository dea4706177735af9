public import Foundation
public import UniformTypeIdentifiers

/// Transfers an item as data that closures make and read.
public struct DataRepresentation<Item>: TransferRepresentation where Item: Transferable {
  private let contentType: UTType
  private let exporting: (@Sendable @concurrent (Item) async throws -> Data)?
  private let importing: (@Sendable @concurrent (Data) async throws -> Item)?

  /// Transfers the item both ways.
  /// - Parameters:
  ///   - contentType: The content type of the data.
  ///   - exporting: Makes the data; called anew for each receiver, perhaps by several at once.
  ///   - importing: Makes an item of received data.
  public init(
    contentType: UTType,
    exporting: @escaping @Sendable @concurrent (Item) async throws -> Data,
    importing: @escaping @Sendable @concurrent (Data) async throws -> Item
  ) {
    self.contentType = contentType
    self.exporting = exporting
    self.importing = importing
  }

  /// Only exports the item.
  /// - Parameters:
  ///   - exportedContentType: The content type of the data.
  ///   - exporting: Makes the data; called anew for each receiver, perhaps by several at once.
  public init(
    exportedContentType: UTType,
    exporting: @escaping @Sendable @concurrent (Item) async throws -> Data
  ) {
    contentType = exportedContentType
    self.exporting = exporting
    importing = nil
  }

  /// Only imports the item.
  /// - Parameters:
  ///   - importedContentType: The content type of the data.
  ///   - importing: Makes an item of received data.
  public init(
    importedContentType: UTType,
    importing: @escaping @Sendable @concurrent (Data) async throws -> Item
  ) {
    contentType = importedContentType
    exporting = nil
    self.importing = importing
  }

  /// Transfers the item both ways. Some articles spell the initializer like this.
  /// - Parameters:
  ///   - exportedContentType: The content type of the data, both ways.
  ///   - exporting: Makes the data.
  ///   - importing: Makes an item of received data.
  @available(
    *, deprecated, renamed: "init(contentType:exporting:importing:)",
    message: "A representation that goes both ways is spelled 'contentType:'"
  )
  public init(
    exportedContentType: UTType,
    exporting: @escaping @Sendable @concurrent (Item) async throws -> Data,
    importing: @escaping @Sendable @concurrent (Data) async throws -> Item
  ) {
    self.init(contentType: exportedContentType, exporting: exporting, importing: importing)
  }

  /// Has no body.
  public var body: Never { return noBody() }
}

extension DataRepresentation: PrimitiveRepresentation {
  func descriptions(in context: DescriptionContext) -> [RepresentationDescription<Item>] {
    [
      RepresentationDescription(
        contentType: contentType,
        exporter: exporting.map { .data($0) },
        importer: importing.map { importing in
          Importer(.data { data, _ in try await importing(data) })
        })
    ]
  }
}
