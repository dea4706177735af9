import CoreTransferable
import Foundation
import SelectionFormats
import UniformTypeIdentifiers

extension Pasteboard {
  /// Pastes what this process itself copied.
  ///
  /// - Parameter targets: What other programs are offered of it. Some of that is not among the item's own
  ///   representations: a link as text, a file by its name.
  func paste<Item: Transferable & Sendable>(
    _ type: Item.Type, from own: OwnItems, targets: [String], limits: Limits
  ) async throws -> [Item] {
    let isOfUse = own.items.contains { item in
      !Item.importCandidates(offered: item.map(\.contentType)).isEmpty
    }
    if !isOfUse {
      do {
        return try await paste(type, from: OfferedTargets(targets), isListed: true, limits: limits)
      } catch let error as PasteboardError where error.code == .notOnOffer {
        // What follows says why.
      }
    }
    return try await paste(type, from: own)
  }

  private func paste<Item: Transferable & Sendable>(
    _ type: Item.Type, from own: OwnItems
  ) async throws -> [Item] {
    var items: [Item] = []
    var useless: PasteboardError?
    for exportables in own.items {
      do {
        items.append(try await paste(type, from: exportables, own))
      } catch let error as PasteboardError where error.code == .notOnOffer {
        // As with a list of another program's files: those that are of no use are passed over.
        useless = useless ?? error
      }
    }
    if items.isEmpty, let useless { throw useless }
    return items
  }

  private func paste<Item: Transferable & Sendable>(
    _ type: Item.Type, from exportables: [ExportableRepresentation], _ own: OwnItems
  ) async throws -> Item {
    let offered = exportables.map(\.contentType)
    let deadline = ContinuousClock.now + ItemOffer.exportDeadline
    var last: PasteboardError?
    let candidates = Item.importCandidates(offered: offered)
    if let best = candidates.first, best.representation.wantsFileItself {
      let files = try await files(
        of: OwnItems([exportables], period: own.period, bridge: bridge), for: type,
        before: best.representation)
      if let file = files.first { return try await items(of: [file], offered: offered)[0] }
    }
    for candidate in candidates {
      // The text of its path is no more the file than its name is.
      if last?.code == .notOnOffer, candidate.representation.wantsFileItself { continue }
      guard
        let exportable = exportables.first(where: { $0.contentType == candidate.contentType })
      else { continue }
      do {
        return try await importing(type, offered) {
          if candidate.representation.wantsFileItself, candidate.contentType.conforms(to: .url) {
            let uri = try await exportable.loadData(until: deadline)
            if FileURI.isFileURI(String(decoding: uri, as: UTF8.self)) {
              throw missingFile(uri, type, nil, offered)
            }
          }
          if case .file = candidate.representation.kind {
            let file = try await exportable.loadFile(for: .handingOver, until: deadline)
            return try await candidate.representation.importing(
              received: file, offeredAs: candidate.contentType)
          }
          let data = try await exportable.loadData(until: deadline)
          return try await candidate.representation.importing(
            data: data, offeredAs: candidate.contentType)
        }
      } catch let error as PasteboardError
        where error.allowsAnotherTarget || error.code == .notOnOffer
      {
        last = error
      }
    }
    let files = try await files(
      of: OwnItems([exportables], period: own.period, bridge: bridge), for: type, before: nil)
    if let file = files.first {
      return try await items(of: [file], offered: offered)[0]
    }
    if let last { throw last }
    throw notOnOffer(type, offered)
  }
}
