public import CoreTransferable
import SelectionProtocol
import XlibTransport

/// How something is copied.
public struct CopyOptions: OptionSet, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A secret: clipboard managers are told not to keep it (`x-kde-passwordManagerHint`).
  public static let sensitive = CopyOptions(rawValue: 1)
}

extension Pasteboard {
  /// Offers an item on the selection, in every representation that may leave the process.
  ///
  /// It returns when the X server has confirmed the ownership. Exporters run when a program pastes, except for plain
  /// text, which is exported at once if that is quick.
  ///
  /// - Throws: `PasteboardError`: `nothingToOffer`, `ownershipRefused`, `connectionLost`.
  @discardableResult
  public func copy<Item: Transferable & Sendable>(
    _ item: Item, options: CopyOptions = []
  ) async throws -> Ownership {
    let exportables = item.exportableRepresentations()
    let offer = await ItemOffer(exportables.filter { $0.visibility == .all })
    return try await own(
      offer, LocalItem(exportables), options: options, name: String(describing: Item.self))
  }

  /// Offers several items: files as a list of files, texts as lines. Items that are neither cannot be offered
  /// together, since a selection carries one item.
  ///
  /// - Throws: As for one item.
  @discardableResult
  public func copy<Item: Transferable & Sendable>(
    _ items: [Item], options: CopyOptions = []
  ) async throws -> Ownership {
    if items.count == 1, let item = items.first { return try await copy(item, options: options) }
    let exportables = items.map { item in
      item.exportableRepresentations().filter { $0.visibility == .all }
    }
    let offer = try await ItemOffer(joining: exportables)
    return try await own(
      offer, nil, options: options, name: "\(items.count) items of \(Item.self)")
  }

  private func own(
    _ offer: ItemOffer, _ local: LocalItem?, options: CopyOptions, name: String
  ) async throws -> Ownership {
    guard !offer.representations.isEmpty else {
      throw PasteboardError(
        .nothingToOffer, selection,
        "\(name) has no representation that may leave this process: all are conditional on something that does "
          + "not hold, limited to the process itself, or only for importing")
    }
    let ownership = Ownership(selection, bridge: bridge)
    let selection = selection
    let isSensitive = options.contains(.sensitive)
    try await run { connection in
      let atom = connection.atom(selection.name)
      // A weak reference, since the connection must not keep itself alive through what it serves.
      let ended: () -> Void = { [weak connection] in
        ownership.ended(connection?.isLost ?? true ? .connectionLost : .replaced)
      }
      var transport = offer.offer(isSensitive: isSensitive, onLost: ended)
      transport.content = local
      do {
        let time = try connection.acquire(atom, transport)
        ownership.acquired(at: time.rawValue)
      } catch AcquisitionFailure.lostToAnotherClient(let window) {
        throw PasteboardError(
          .ownershipRefused, selection,
          "\(selection) went to another program (window 0x\(String(window.rawValue, radix: 16))) in the same moment"
        )
      } catch AcquisitionFailure.connectionLost(let error) {
        throw PasteboardError(error, selection)
      }
    }
    return ownership
  }
}

/// What this process itself pastes of its own copy: every representation, without the way through the server.
final class LocalItem: Sendable {
  let exportables: [ExportableRepresentation]

  init(_ exportables: [ExportableRepresentation]) { self.exportables = exportables }
}
