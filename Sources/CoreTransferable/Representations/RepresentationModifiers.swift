extension TransferRepresentation {
  /// Limits who may see the representation. Nested limits add up: the narrowest holds.
  /// - Parameter visibility: Who may see it.
  /// - Returns: The limited representation.
  public func visibility(
    _ visibility: TransferRepresentationVisibility
  ) -> some TransferRepresentation<Self.Item> {
    ModifiedRepresentation(base: self) {
      $0.visibility = $0.visibility.narrowed(to: visibility)
    }
  }

  /// Offers the representation only for items that meet a condition. Import is not affected.
  /// - Parameter condition: Whether an item can be exported; cheap, and called whenever an item is
  ///   offered or asked for.
  /// - Returns: The conditional representation.
  public func exportingCondition(
    _ condition: @escaping @Sendable (Self.Item) -> Bool
  ) -> _ConditionalTransferRepresentation<Self> {
    _ConditionalTransferRepresentation(base: self, condition: condition)
  }

  /// Suggests a name for the file a receiver makes. The last name in a type's representations is
  /// the one that counts.
  /// - Parameter fileName: The name with its extension.
  /// - Returns: The named representation.
  public func suggestedFileName(_ fileName: String) -> some TransferRepresentation<Self.Item> {
    ModifiedRepresentation(base: self) { $0.fileName = { _ in fileName } }
  }

  /// Suggests a name for the file a receiver makes, made from the item. The last name in a type's
  /// representations is the one that counts.
  /// - Parameter fileName: The name with its extension, or `nil` for none.
  /// - Returns: The named representation.
  public func suggestedFileName(
    _ fileName: @escaping @Sendable (Self.Item) -> String?
  ) -> some TransferRepresentation<Self.Item> {
    ModifiedRepresentation(base: self) { $0.fileName = fileName }
  }
}

/// A representation offered only for items that meet a condition.
public struct _ConditionalTransferRepresentation<Base>: TransferRepresentation
where Base: TransferRepresentation {
  public typealias Item = Base.Item

  private let base: Base
  private let condition: @Sendable (Item) -> Bool

  init(base: Base, condition: @escaping @Sendable (Item) -> Bool) {
    self.base = base
    self.condition = condition
  }

  /// Has no body.
  public var body: Never { return noBody() }
}

extension _ConditionalTransferRepresentation: PrimitiveRepresentation {
  func descriptions(in context: DescriptionContext) -> [RepresentationDescription<Item>] {
    RepresentationDescription.list(of: base, in: context).map { description in
      var description = description
      let inner = description.condition
      let condition = condition
      description.condition = { item in condition(item) && (inner?(item) ?? true) }
      return description
    }
  }
}

/// A representation whose descriptions are changed before use.
struct ModifiedRepresentation<Base: TransferRepresentation>: PrimitiveRepresentation {
  typealias Item = Base.Item

  let base: Base
  let change: @Sendable (inout RepresentationDescription<Item>) -> Void

  var body: Never { return noBody() }

  func descriptions(in context: DescriptionContext) -> [RepresentationDescription<Item>] {
    RepresentationDescription.list(of: base, in: context).map { description in
      var description = description
      change(&description)
      return description
    }
  }
}
