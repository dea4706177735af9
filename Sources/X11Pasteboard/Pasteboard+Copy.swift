public import CoreTransferable
import SelectionProtocol
import XlibTransport

/// How something is copied.
public struct CopyOptions: OptionSet, Sendable {
  /// The bits of the options.
  public let rawValue: Int

  /// Options of these bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A secret: clipboard managers are told not to keep it (`x-kde-passwordManagerHint`).
  public static let sensitive = CopyOptions(rawValue: 1)
}

extension Pasteboard {
  /// Offers an item on the selection, in every representation that may leave the process.
  ///
  /// It returns when the X server has confirmed the ownership. The item is taken as it is now. Exporters run when a
  /// program pastes, anew each time, except for plain text, which is exported at once if that is quick.
  /// Representations whose visibility is limited are seen by this process alone.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - options: How it is copied.
  /// - Returns: The ownership. What is offered stays on offer until it is replaced or cleared, whether or not this is
  ///   kept.
  /// - Throws: `PasteboardError`: `nothingToOffer`, `ownershipRefused`, `connectionLost`, `timedOut` when the X server
  ///   does not answer, `cancelled`.
  @discardableResult
  public func copy<Item: Transferable & Sendable>(
    _ item: Item, options: CopyOptions = []
  ) async throws -> Ownership {
    let exportables = item.exportableRepresentations()
    guard !exportables.isEmpty else {
      throw nothingToOffer(
        "\(Item.self) has no representation for this value: it only imports, or its conditions do not hold"
      )
    }
    let offer = await ItemOffer(exportables.filter { $0.visibility == .all })
    return try await own(offer, [exportables], options)
  }

  /// Offers several items as one: files as a list of files, links as a list of links, texts as lines.
  ///
  /// Items that are none of these cannot be offered together, since a selection carries one item.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - options: How they are copied.
  /// - Returns: The ownership, as for one item.
  /// - Throws: `PasteboardError`, as for one item; `nothingToOffer` for no item, too.
  @discardableResult
  public func copy<Item: Transferable & Sendable>(
    _ items: [Item], options: CopyOptions = []
  ) async throws -> Ownership {
    if items.count == 1, let item = items.first { return try await copy(item, options: options) }
    guard !items.isEmpty else { throw nothingToOffer("there is no \(Item.self) to copy") }
    let exportables = items.map { $0.exportableRepresentations() }
    let offer = await ItemOffer(
      joining: exportables.map { item in item.filter { $0.visibility == .all } })
    guard !offer.representations.isEmpty else {
      throw nothingToOffer(
        "\(items.count) items of \(Item.self) cannot be offered together: they have neither files, links nor "
          + "texts in common; copy one, or a type that holds them all")
    }
    return try await own(offer, exportables, options)
  }

  private func nothingToOffer(_ message: String) -> PasteboardError {
    PasteboardError(.nothingToOffer, selection, message)
  }

  private func own(
    _ offer: ItemOffer, _ items: [[ExportableRepresentation]], _ options: CopyOptions
  ) async throws -> Ownership {
    let selection = selection
    let bridge = bridge
    let isSensitive = options.contains(.sensitive)
    let period = OwnershipPeriod()
    let content = OwnItems(
      items, period: period,
      namesFiles: offer.namesFiles, bridge: bridge)
    do {
      let time = try await bridge.run(
        orElse: { connection in
          // Cancelled in the moment of the acquisition: nobody would know of the ownership.
          let atom = connection.atom(selection.name)
          if OwnItems.offered(atom, on: connection) === content { connection.relinquish(atom) }
        },
        { connection in
          // A weak reference, since the connection must not keep itself alive through what it serves.
          var transport = offer.offer(isSensitive: isSensitive) { [weak connection] in
            period.ended(connection?.isLost ?? true ? .connectionLost : .replaced)
          }
          transport.content = content
          return try connection.acquire(connection.atom(selection.name), transport).rawValue
        })
      return Ownership(selection, serverTime: time, period: period, bridge: bridge)
    } catch AcquisitionFailure.lostToAnotherClient(let window) {
      throw PasteboardError(
        .ownershipRefused, selection,
        "\(selection) went to another program (window 0x\(String(window.rawValue, radix: 16))) in the same moment"
      )
    } catch {
      throw PasteboardError(error, selection)
    }
  }
}
