/// A type that says how its values travel between programs: by copy and paste, drag and drop, or
/// as files.
///
/// Order the representations by preference, the richest first: a receiver takes the first one it
/// understands.
///
/// The corresponding Apple protocol is `CoreTransferable.Transferable`.
@preconcurrency
public protocol Transferable: Sendable {
  /// The type of ``transferRepresentation``.
  associatedtype Representation: TransferRepresentation

  /// How a value of this type is exported and imported.
  @TransferRepresentationBuilder<Self>
  static var transferRepresentation: Representation { get }
}

/// One way, or several in order of preference, to export and import an item.
///
/// Compose your own from existing ones by giving a `body`.
public protocol TransferRepresentation<Item>: Sendable {
  /// The type whose values travel.
  associatedtype Item: Transferable

  /// The type of ``body-swift.property``; `Never` for the representations of this module.
  associatedtype Body: TransferRepresentation

  /// The representations this one is composed of.
  @TransferRepresentationBuilder<Self.Item>
  var body: Self.Body { get }
}

extension Never: Transferable {
  /// Nothing: there is no value to transfer.
  public static var transferRepresentation: Never { return noBody() }
}

extension Never: TransferRepresentation {
  public typealias Item = Never
  public typealias Body = Never

  /// Nothing: a representation without a body.
  public var body: Never { return noBody() }
}
