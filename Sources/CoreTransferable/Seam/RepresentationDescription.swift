import Foundation
import UniformTypeIdentifiers

/// A representation that describes itself instead of having a body.
protocol PrimitiveRepresentation<Item>: TransferRepresentation where Body == Never {
  /// What it offers, in order of preference.
  func descriptions(in context: DescriptionContext) -> [RepresentationDescription<Item>]
}

/// The body of a representation that has none. Nothing here asks for it.
func noBody() -> Never {
  fatalError("A representation without a body was asked for its body")
}

/// What has been entered on the way to a representation, so that types which are each other's
/// proxies, and bodies made of themselves, come to an end.
struct DescriptionContext: Sendable {
  private(set) var proxied: [ObjectIdentifier]
  private(set) var depth = 0

  // Far deeper than any body that ends, and shallow enough for the smallest thread's stack.
  private static let greatestDepth = 64

  init(item: any Transferable.Type) {
    proxied = [ObjectIdentifier(item)]
  }

  /// The context inside a proxied type, or `nil` if that type is already being described.
  func entering(_ item: any Transferable.Type) -> DescriptionContext? {
    guard !proxied.contains(ObjectIdentifier(item)) else { return nil }
    var context = self
    context.proxied.append(ObjectIdentifier(item))
    return context
  }

  /// The context inside a body, or `nil` if it is nested too deeply to end.
  func enteringBody() -> DescriptionContext? {
    guard depth < Self.greatestDepth else { return nil }
    var context = self
    context.depth += 1
    return context
  }
}

/// How an item is turned into data or a file.
enum Exporter<Item: Transferable>: Sendable {
  case data(@Sendable @concurrent (Item) async throws -> Data)
  case file(
    allowsOpenInPlace: Bool, @Sendable @concurrent (Item) async throws -> SentTransferredFile)
}

/// What a sender says its content is.
struct OfferedContent: Sendable {
  let contentType: UTType
  /// The text encoding, where the sender names one that the content type does not tell.
  var charset: String?
}

/// How data or a file is turned into an item.
struct Importer<Item: Transferable>: Sendable {
  enum Action: Sendable {
    /// Takes the data and what it was offered as.
    case data(@Sendable @concurrent (Data, OfferedContent) async throws -> Item)
    case file(
      shouldAttemptToOpenInPlace: Bool,
      @Sendable @concurrent (ReceivedTransferredFile) async throws -> Item)
  }

  let action: Action

  /// Whether the content type appears among the imported content types.
  var isListed = true

  /// Whether content of a type that conforms to the importer's is taken too.
  var takesConforming = true

  init(_ action: Action, isListed: Bool = true, takesConforming: Bool = true) {
    self.action = action
    self.isListed = isListed
    self.takesConforming = takesConforming
  }
}

/// One representation of an item with everything around it resolved.
struct RepresentationDescription<Item: Transferable>: Sendable {
  var contentType: UTType
  var visibility = TransferRepresentationVisibility.all
  /// Whether an item can be exported; `nil` if every item can.
  var condition: (@Sendable (Item) -> Bool)?
  /// The name the item's own type suggests.
  var fileName: (@Sendable (Item) -> String?)?
  /// The name a proxied type suggests, which counts only if the item's own type suggests none.
  var proxiedFileName: (@Sendable (Item) -> String?)?
  var exporter: Exporter<Item>?
  var importer: Importer<Item>?

  init(contentType: UTType, exporter: Exporter<Item>?, importer: Importer<Item>?) {
    self.contentType = contentType
    self.exporter = exporter
    self.importer = importer
  }

  /// All representations of the item's type, nested ones in place.
  static func all() -> [RepresentationDescription<Item>] {
    all(in: DescriptionContext(item: Item.self))
  }

  /// All representations of the item's type, which a context has just entered.
  static func all(in context: DescriptionContext) -> [RepresentationDescription<Item>] {
    guard Item.self != Never.self else { return [] }
    return converted(Item.transferRepresentation, in: context)
  }

  /// The representations a representation consists of.
  static func list<R: TransferRepresentation>(
    of representation: R, in context: DescriptionContext
  ) -> [RepresentationDescription<Item>] where R.Item == Item {
    if let primitive = representation as? any PrimitiveRepresentation {
      return opened(primitive, in: context)
    }
    // A bodiless representation from outside this module describes nothing that could be asked for.
    guard R.Body.self != Never.self, let inner = context.enteringBody() else { return [] }
    return converted(representation.body, in: inner)
  }

  private static func opened<P: PrimitiveRepresentation>(
    _ primitive: P, in context: DescriptionContext
  ) -> [RepresentationDescription<Item>] {
    primitive.descriptions(in: context) as? [RepresentationDescription<Item>] ?? []
  }

  // The protocols do not bind the item of a body, or of a type's representation, to its owner's. In
  // practice they are equal, because the builder demands it; one of another item offers nothing here.
  private static func converted<R: TransferRepresentation>(
    _ representation: R, in context: DescriptionContext
  ) -> [RepresentationDescription<Item>] {
    RepresentationDescription<R.Item>.list(of: representation, in: context)
      as? [RepresentationDescription<Item>] ?? []
  }
}

/// Thrown by an exporter that finds only while exporting that the item's condition is false.
struct UnmetCondition: Error {}
