/// Several representations in order of preference, as the builder makes them.
public struct TupleTransferRepresentation<Item, Value>: TransferRepresentation
where Item: Transferable, Value: Sendable {
  private let value: Value
  private let children: [any TransferRepresentation<Item>]

  init(_ value: Value, children: [any TransferRepresentation<Item>]) {
    self.value = value
    self.children = children
  }

  /// The representations in order.
  public var body: some TransferRepresentation<Item> {
    RepresentationList(children: children)
  }
}

/// The builder's tuple with its element types erased, so that it can be walked.
struct RepresentationList<Item: Transferable>: PrimitiveRepresentation {
  let children: [any TransferRepresentation<Item>]

  var body: Never { return noBody() }

  func descriptions(in context: DescriptionContext) -> [RepresentationDescription<Item>] {
    children.flatMap { RepresentationDescription.list(of: $0, in: context) }
  }
}
