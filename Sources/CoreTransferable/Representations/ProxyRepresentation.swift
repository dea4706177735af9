import Foundation
import UniformTypeIdentifiers

/// Transfers an item as another transferable value.
///
/// The proxied type's representations take this one's place, in their order, with their own content
/// types, visibility and conditions. The file name a proxied type suggests counts only if the
/// item's own type suggests none.
public struct ProxyRepresentation<Item, ProxyRepresentation>: TransferRepresentation
where Item: Transferable, ProxyRepresentation: Transferable {
  private enum Exporting: Sendable {
    case immediate(@Sendable (Item) throws -> ProxyRepresentation)
    case asynchronous(@Sendable @concurrent (Item) async throws -> ProxyRepresentation)
  }

  private let exporting: Exporting?
  private let importing: (@Sendable @concurrent (ProxyRepresentation) async throws -> Item)?

  /// Only imports the item.
  /// - Parameter importing: Makes an item of the other value.
  public init(importing: @escaping @Sendable (ProxyRepresentation) throws -> Item) {
    exporting = nil
    self.importing = { try importing($0) }
  }

  /// Only imports the item.
  /// - Parameter importing: Makes an item of the other value.
  public init(
    importing: @escaping @Sendable @concurrent (ProxyRepresentation) async throws -> Item
  ) {
    exporting = nil
    self.importing = importing
  }

  /// Only exports the item.
  /// - Parameter exporting: Makes the other value; cheap, since it may be called to see what can be
  ///   offered.
  public init(exporting: @escaping @Sendable (Item) throws -> ProxyRepresentation) {
    self.exporting = .immediate(exporting)
    importing = nil
  }

  /// Only exports the item.
  /// - Parameter exporting: Makes the other value.
  @available(*, deprecated, message: "Use a synchronous exporting closure")
  public init(
    exporting: @escaping @Sendable @concurrent (Item) async throws -> ProxyRepresentation
  ) {
    self.exporting = .asynchronous(exporting)
    importing = nil
  }

  /// Transfers the item both ways.
  /// - Parameters:
  ///   - exporting: Makes the other value; cheap, since it may be called to see what can be offered.
  ///   - importing: Makes an item of the other value.
  public init(
    exporting: @escaping @Sendable (Item) throws -> ProxyRepresentation,
    importing: @escaping @Sendable (ProxyRepresentation) throws -> Item
  ) {
    self.exporting = .immediate(exporting)
    self.importing = { try importing($0) }
  }

  /// Transfers the item both ways.
  /// - Parameters:
  ///   - exporting: Makes the other value.
  ///   - importing: Makes an item of the other value.
  @available(*, deprecated, message: "Use a synchronous exporting closure")
  public init(
    exporting: @escaping @Sendable @concurrent (Item) async throws -> ProxyRepresentation,
    importing: @escaping @Sendable @concurrent (ProxyRepresentation) async throws -> Item
  ) {
    self.exporting = .asynchronous(exporting)
    self.importing = importing
  }

  /// Transfers the item both ways.
  /// - Parameters:
  ///   - exporting: Makes the other value; cheap, since it may be called to see what can be offered.
  ///   - importing: Makes an item of the other value.
  public init(
    exporting: @escaping @Sendable (Item) throws -> ProxyRepresentation,
    importing: @escaping @Sendable @concurrent (ProxyRepresentation) async throws -> Item
  ) {
    self.exporting = .immediate(exporting)
    self.importing = importing
  }

  /// Has no body.
  public var body: Never { return noBody() }
}

extension ProxyRepresentation: PrimitiveRepresentation {
  func descriptions(in context: DescriptionContext) -> [RepresentationDescription<Item>] {
    guard let inner = context.entering(ProxyRepresentation.self) else { return [] }
    return RepresentationDescription<ProxyRepresentation>.all(in: inner).map(forwarded)
  }

  private func forwarded(
    _ proxied: RepresentationDescription<ProxyRepresentation>
  ) -> RepresentationDescription<Item> {
    var description = RepresentationDescription<Item>(
      contentType: proxied.contentType,
      exporter: proxied.exporter.flatMap { forwarded($0, condition: proxied.condition) },
      importer: proxied.importer.flatMap(forwarded))
    description.visibility = proxied.visibility
    // An asynchronous exporter cannot be asked before the data is wanted.
    guard case .immediate(let exporting) = exporting else { return description }
    if let condition = proxied.condition {
      // An item without a proxy has nothing to offer through it.
      description.condition = { item in (try? exporting(item)).map(condition) ?? false }
    }
    if let fileName = proxied.fileName ?? proxied.proxiedFileName {
      description.proxiedFileName = { item in (try? exporting(item)).flatMap(fileName) }
    }
    return description
  }

  private func forwarded(
    _ exporter: Exporter<ProxyRepresentation>,
    condition: (@Sendable (ProxyRepresentation) -> Bool)?
  ) -> Exporter<Item>? {
    guard let exporting else { return nil }
    let proxy: @Sendable @concurrent (Item) async throws -> ProxyRepresentation =
      switch exporting {
      case .immediate(let exporting): { try exporting($0) }
      case .asynchronous(let exporting):
        {
          let value = try await exporting($0)
          guard condition?(value) ?? true else { throw UnmetCondition() }
          return value
        }
      }
    switch exporter {
    case .data(let data):
      return .data { try await data(try await proxy($0)) }
    case .file(let allowsOpenInPlace, let file):
      return .file(allowsOpenInPlace: allowsOpenInPlace) { try await file(try await proxy($0)) }
    }
  }

  private func forwarded(_ importer: Importer<ProxyRepresentation>) -> Importer<Item>? {
    guard let importing else { return nil }
    let action: Importer<Item>.Action =
      switch importer.action {
      case .data(let item):
        .data { try await importing(try await item($0, $1)) }
      case .file(let shouldAttemptToOpenInPlace, let item):
        .file(shouldAttemptToOpenInPlace: shouldAttemptToOpenInPlace) {
          try await importing(try await item($0))
        }
      }
    return Importer(
      action, isListed: importer.isListed, takesConforming: importer.takesConforming)
  }
}
