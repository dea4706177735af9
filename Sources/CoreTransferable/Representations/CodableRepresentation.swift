public import Foundation
public import UniformTypeIdentifiers

/// Transfers a `Codable` item as encoded data, JSON unless coders are given.
@preconcurrency
public struct CodableRepresentation<Item, Encoder, Decoder>: TransferRepresentation, Sendable
where
  Item: Transferable, Item: Decodable, Item: Encodable,
  Encoder: TopLevelEncoder, Encoder: Sendable, Decoder: TopLevelDecoder, Decoder: Sendable,
  Encoder.Output == Data, Decoder.Input == Data
{
  private let contentType: UTType
  private let encoder: Encoder
  private let decoder: Decoder

  /// Transfers the item as JSON.
  /// - Parameters:
  ///   - itemType: The item's type.
  ///   - contentType: The content type of the encoded item.
  public init(for itemType: Item.Type = Item.self, contentType: UTType)
  where Encoder == JSONEncoder, Decoder == JSONDecoder {
    self.init(contentType: contentType, encoder: JSONEncoder(), decoder: JSONDecoder())
  }

  /// Transfers the item as the coders write and read it.
  /// - Parameters:
  ///   - itemType: The item's type.
  ///   - contentType: The content type of the encoded item.
  ///   - encoder: Encodes an item; used by several receivers at once.
  ///   - decoder: Decodes an item; used by several imports at once.
  public init(
    for itemType: Item.Type = Item.self, contentType: UTType, encoder: Encoder, decoder: Decoder
  ) {
    self.contentType = contentType
    self.encoder = encoder
    self.decoder = decoder
  }

  /// Has no body.
  public var body: Never { return noBody() }
}

extension CodableRepresentation: PrimitiveRepresentation {
  func descriptions(in context: DescriptionContext) -> [RepresentationDescription<Item>] {
    let encoder = encoder
    let decoder = decoder
    return [
      RepresentationDescription(
        contentType: contentType,
        exporter: .data { try encoder.encode($0) },
        importer: Importer(.data { data, _ in try decoder.decode(Item.self, from: data) }))
    ]
  }
}
