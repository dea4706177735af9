import CoreTransferable
import SelectionProtocol
import UniformTypeIdentifiers
import XlibTransport

/// What this process offers, as it pastes it itself: every representation, without the way through the server.
final class OwnItems: Sendable {
  /// The representations of each item, best first.
  let items: [[ExportableRepresentation]]
  let period: OwnershipPeriod
  /// Who offers something goes on serving it though nobody holds anything of it any more.
  private let bridge: SelectionBridge

  init(
    _ items: [[ExportableRepresentation]], period: OwnershipPeriod, bridge: SelectionBridge
  ) {
    self.items = items
    self.period = period
    self.bridge = bridge
  }

  /// What every item can be exported as, in the first one's order.
  var contentTypes: [UTType] {
    guard let first = items.first else { return [] }
    return first.map(\.contentType).filter { type in
      items.allSatisfy { item in item.contains { $0.contentType == type } }
    }
  }

  /// The items on offer, as far as the connection knows; called on its thread.
  static func offered(_ selection: Atom, on connection: SelectionConnection) -> OwnItems? {
    connection.offer(of: selection)?.content as? OwnItems
  }
}
