import CoreTransferable
import SelectionProtocol
import UniformTypeIdentifiers
import XlibTransport

/// What this process offers, as it pastes it itself: every representation, without the way through the server.
final class OwnItems: Sendable {
  /// The representations of each item, best first.
  let items: [[ExportableRepresentation]]
  let period: OwnershipPeriod
  /// Whether other programs are offered files by their names.
  private let namesFiles: Bool
  /// Who offers something goes on serving it though nobody holds anything of it any more.
  private let bridge: SelectionBridge

  init(
    _ items: [[ExportableRepresentation]], period: OwnershipPeriod, namesFiles: Bool = false,
    bridge: SelectionBridge
  ) {
    self.items = items
    self.period = period
    self.namesFiles = namesFiles
    self.bridge = bridge
  }

  /// What every item can be exported as, in the first one's order.
  var contentTypes: [UTType] {
    guard let first = items.first else { return [] }
    return first.map(\.contentType).filter { type in
      items.allSatisfy { item in item.contains { $0.contentType == type } }
    }
  }

  /// What there is for this process: its own types, and what other programs are offered besides.
  func contentTypes(with shared: [UTType]) -> [UTType] {
    // A list of links looks like one of files to whoever knows only its target.
    let additional = shared.filter { $0 != .fileURL || namesFiles }
    return additional.reduce(into: contentTypes) { types, type in
      if !types.contains(where: { $0.conforms(to: type) }) { types.append(type) }
    }
  }

  /// The items on offer, as far as the connection knows; called on its thread.
  static func offered(_ selection: Atom, on connection: SelectionConnection) -> OwnItems? {
    connection.offer(of: selection)?.content as? OwnItems
  }
}
