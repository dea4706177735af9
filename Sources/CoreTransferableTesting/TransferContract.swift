public import CoreTransferable
import Foundation
public import UniformTypeIdentifiers

/// Checks that a transferable type keeps what its representations promise.
///
/// It works with any test framework, and finds nothing in a type that is right:
///
/// ```swift
/// let contract = TransferContract<Profile>()
/// let violations = await contract.violations(for: Profile(name: "Ada"))
/// #expect(violations.isEmpty)
/// ```
///
/// For each value it checks
/// - the declared types: each once, and those of the value among those of its type, in the same order;
/// - that every type on offer can be exported as data and as a file, and no other type can;
/// - the round trip through data and through a file, for each type that goes both ways; folders go through files only;
/// - the order: a type that brings the value back comes before those that do not;
/// - that damaged data and foreign types end in an error in time;
/// - that the suggested name is one a file can have.
public struct TransferContract<Item: Transferable>: Sendable {
  /// The types that carry less than the whole value, so that a round trip need not bring it back.
  public var lossyContentTypes: Set<UTType> = []

  /// How long one export or import may take, in seconds.
  public var timeLimit: Double = 10

  let isEqual: @Sendable (Item, Item) -> Bool

  /// Makes a contract for values that are compared by a closure.
  /// - Parameter isEqual: Whether two values are as good as equal.
  public init(isEqual: @escaping @Sendable (Item, Item) -> Bool) {
    self.isEqual = isEqual
  }

  /// Makes a contract for values that can be compared.
  public init() where Item: Equatable {
    self.init { $0 == $1 }
  }

  /// What a value of the type does that its representations do not promise, or the other way round.
  /// - Parameter value: The value; give several in turn, among them empty and large ones.
  /// - Returns: The violations; empty if there are none.
  public func violations(for value: Item) async -> [TransferViolation] {
    var found = declarationViolations(of: value)
    for representation in value.exportableRepresentations() {
      found += await exportViolations(of: representation, value)
    }
    found += await refusalViolations(of: value)
    return found
  }

  var deadline: ContinuousClock.Instant { .now + .seconds(timeLimit) }

  private func declarationViolations(of value: Item) -> [TransferViolation] {
    var found: [TransferViolation] = []
    let declared = Item.exportedContentTypes(visibility: .ownProcess)
    let offered = value.exportedContentTypes(.ownProcess)
    if declared.filter(Set(offered).contains) != offered {
      found.append(
        TransferViolation(
          .declaredTypes, nil,
          "the value offers \(Self.list(offered)), its type declares \(Self.list(declared))"))
    }
    let imported = Set(Item.importedContentTypes())
    let whole = offered.map { imported.contains($0) && !lossyContentTypes.contains($0) }
    if let partial = whole.firstIndex(of: false), let late = whole.lastIndex(of: true),
      partial < late
    {
      found.append(
        TransferViolation(
          .order, offered[late],
          "it brings the value back, but comes after \(offered[partial].identifier), which does not"
        ))
    }
    if let name = value.suggestedFilename, !Self.isFileName(name) {
      found.append(
        TransferViolation(.fileName, nil, "'\(name)' is not a name that a file can have"))
    }
    return found
  }

  private static func isFileName(_ name: String) -> Bool {
    !["", ".", ".."].contains(name) && name.utf8.count <= 255
      && !name.unicodeScalars.contains { $0 == "/" || $0.properties.generalCategory == .control }
  }

  private static func list(_ types: [UTType]) -> String {
    types.isEmpty ? "nothing" : types.map(\.identifier).joined(separator: ", ")
  }
}

/// A promise that a transferable type does not keep.
public struct TransferViolation: Sendable, CustomStringConvertible {
  /// What the promise is about.
  public enum Promise: String, Sendable {
    /// The content types a value offers are among those of its type, in the same order.
    case declaredTypes
    /// The content types that bring the value back come first.
    case order
    /// What is offered can be exported.
    case export
    /// What is exported brings the value back.
    case roundTrip
    /// What cannot be used ends in an error, in time.
    case refusal
    /// The suggested name is one a file can have.
    case fileName
  }

  /// What the promise is about.
  public let promise: Promise
  /// The content type concerned, if it is one in particular.
  public let contentType: UTType?
  /// What happened instead.
  public let message: String

  init(_ promise: Promise, _ contentType: UTType?, _ message: String) {
    self.promise = promise
    self.contentType = contentType
    self.message = message
  }

  /// The promise, the content type and what happened.
  public var description: String {
    let type = contentType.map { " (\($0.identifier))" } ?? ""
    return "\(promise.rawValue)\(type): \(message)"
  }
}
