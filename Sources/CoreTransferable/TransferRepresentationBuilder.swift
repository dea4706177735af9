public import Foundation

/// Combines the representations listed in a `transferRepresentation` or a `body`.
///
/// A block holds one to ten representations and no control flow. For conditions there is
/// ``TransferRepresentation/exportingCondition(_:)``, for more than ten a representation of your own.
@resultBuilder
public struct TransferRepresentationBuilder<Item> where Item: Transferable {
  /// Lets the item type of a ``CodableRepresentation`` be inferred.
  /// - Parameter content: The representation.
  /// - Returns: The same representation.
  public static func buildExpression<Encoder, Decoder>(
    _ content: CodableRepresentation<Item, Encoder, Decoder>
  ) -> CodableRepresentation<Item, Encoder, Decoder>
  where
    Item: Decodable, Item: Encodable, Encoder: TopLevelEncoder, Decoder: TopLevelDecoder,
    Encoder.Output == Data, Decoder.Input == Data
  {
    content
  }

  /// Takes a representation of the item.
  /// - Parameter content: The representation.
  /// - Returns: The same representation.
  public static func buildExpression<R>(_ content: R) -> R
  where R: TransferRepresentation, R.Item == Item {
    content
  }

  /// Takes the only representation of a block.
  /// - Parameter content: The representation.
  /// - Returns: The same representation.
  public static func buildBlock<Content>(_ content: Content) -> Content
  where Content: TransferRepresentation, Content.Item == Item {
    content
  }
}

extension TransferRepresentationBuilder {
  /// Combines two representations, the preferred one first.
  /// - Returns: The representations in order.
  public static func buildBlock<C1: TransferRepresentation, C2: TransferRepresentation>(
    _ c1: C1, _ c2: C2
  ) -> TupleTransferRepresentation<Item, (C1, C2)>
  where C1.Item == Item, C2.Item == Item {
    TupleTransferRepresentation((c1, c2), children: [c1, c2])
  }

  /// Combines three representations, the preferred one first.
  /// - Returns: The representations in order.
  public static func buildBlock<
    C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation
  >(
    _ c1: C1, _ c2: C2, _ c3: C3
  ) -> TupleTransferRepresentation<Item, (C1, C2, C3)>
  where C1.Item == Item, C2.Item == Item, C3.Item == Item {
    TupleTransferRepresentation((c1, c2, c3), children: [c1, c2, c3])
  }

  /// Combines four representations, the preferred one first.
  /// - Returns: The representations in order.
  public static func buildBlock<
    C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation,
    C4: TransferRepresentation
  >(
    _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4
  ) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4)>
  where C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item {
    TupleTransferRepresentation((c1, c2, c3, c4), children: [c1, c2, c3, c4])
  }

  /// Combines five representations, the preferred one first.
  /// - Returns: The representations in order.
  public static func buildBlock<
    C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation,
    C4: TransferRepresentation, C5: TransferRepresentation
  >(
    _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5
  ) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4, C5)>
  where C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item {
    TupleTransferRepresentation((c1, c2, c3, c4, c5), children: [c1, c2, c3, c4, c5])
  }

  /// Combines six representations, the preferred one first.
  /// - Returns: The representations in order.
  public static func buildBlock<
    C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation,
    C4: TransferRepresentation, C5: TransferRepresentation, C6: TransferRepresentation
  >(
    _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6
  ) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4, C5, C6)>
  where
    C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item,
    C6.Item == Item
  {
    TupleTransferRepresentation((c1, c2, c3, c4, c5, c6), children: [c1, c2, c3, c4, c5, c6])
  }

  /// Combines seven representations, the preferred one first.
  /// - Returns: The representations in order.
  public static func buildBlock<
    C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation,
    C4: TransferRepresentation, C5: TransferRepresentation, C6: TransferRepresentation,
    C7: TransferRepresentation
  >(
    _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6, _ c7: C7
  ) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4, C5, C6, C7)>
  where
    C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item,
    C6.Item == Item, C7.Item == Item
  {
    TupleTransferRepresentation(
      (c1, c2, c3, c4, c5, c6, c7), children: [c1, c2, c3, c4, c5, c6, c7])
  }

  /// Combines eight representations, the preferred one first.
  /// - Returns: The representations in order.
  public static func buildBlock<
    C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation,
    C4: TransferRepresentation, C5: TransferRepresentation, C6: TransferRepresentation,
    C7: TransferRepresentation, C8: TransferRepresentation
  >(
    _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6, _ c7: C7, _ c8: C8
  ) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4, C5, C6, C7, C8)>
  where
    C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item,
    C6.Item == Item, C7.Item == Item, C8.Item == Item
  {
    TupleTransferRepresentation(
      (c1, c2, c3, c4, c5, c6, c7, c8), children: [c1, c2, c3, c4, c5, c6, c7, c8])
  }

  /// Combines nine representations, the preferred one first.
  /// - Returns: The representations in order.
  public static func buildBlock<
    C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation,
    C4: TransferRepresentation, C5: TransferRepresentation, C6: TransferRepresentation,
    C7: TransferRepresentation, C8: TransferRepresentation, C9: TransferRepresentation
  >(
    _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6, _ c7: C7, _ c8: C8, _ c9: C9
  ) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4, C5, C6, C7, C8, C9)>
  where
    C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item,
    C6.Item == Item, C7.Item == Item, C8.Item == Item, C9.Item == Item
  {
    TupleTransferRepresentation(
      (c1, c2, c3, c4, c5, c6, c7, c8, c9), children: [c1, c2, c3, c4, c5, c6, c7, c8, c9])
  }

  /// Combines ten representations, the preferred one first.
  /// - Returns: The representations in order.
  public static func buildBlock<
    C1: TransferRepresentation, C2: TransferRepresentation, C3: TransferRepresentation,
    C4: TransferRepresentation, C5: TransferRepresentation, C6: TransferRepresentation,
    C7: TransferRepresentation, C8: TransferRepresentation, C9: TransferRepresentation,
    C10: TransferRepresentation
  >(
    _ c1: C1, _ c2: C2, _ c3: C3, _ c4: C4, _ c5: C5, _ c6: C6, _ c7: C7, _ c8: C8, _ c9: C9,
    _ c10: C10
  ) -> TupleTransferRepresentation<Item, (C1, C2, C3, C4, C5, C6, C7, C8, C9, C10)>
  where
    C1.Item == Item, C2.Item == Item, C3.Item == Item, C4.Item == Item, C5.Item == Item,
    C6.Item == Item, C7.Item == Item, C8.Item == Item, C9.Item == Item, C10.Item == Item
  {
    TupleTransferRepresentation(
      (c1, c2, c3, c4, c5, c6, c7, c8, c9, c10),
      children: [c1, c2, c3, c4, c5, c6, c7, c8, c9, c10])
  }
}
