import CoreTransferable
import Foundation
import UniformTypeIdentifiers

extension TransferContract {
  /// Exports by one representation and imports what came out.
  func exportViolations(
    of representation: ExportableRepresentation, _ value: Item
  ) async -> [TransferViolation] {
    let type = representation.contentType
    var found: [TransferViolation] = []
    var isFolder = false
    do {
      let file = try await representation.loadFile(until: deadline)
      isFolder = (try? file.url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory == true
      found += await roundTripViolations(type, value, "a file") {
        try await $0.importing(
          file: file.url, isOriginal: true, offeredAs: type, until: deadline)
      }
    } catch {
      return [TransferViolation(.export, type, "exporting a file failed: \(error)")]
    }
    do {
      let data = try await representation.loadData(until: deadline)
      // As data a folder is an archive of it, which is no folder to its importer.
      if !isFolder {
        found += await roundTripViolations(type, value, "data") {
          try await $0.importing(data: data, offeredAs: type, until: deadline)
        }
      }
      found += await damageViolations(type, data)
    } catch {
      found.append(TransferViolation(.export, type, "exporting data failed: \(error)"))
    }
    return found
  }

  private func roundTripViolations(
    _ type: UTType, _ value: Item, _ carrier: String,
    importing: (ImportableRepresentation<Item>) async throws -> Item
  ) async -> [TransferViolation] {
    guard let importer = importer(of: type) else { return [] }
    do {
      let back = try await importing(importer)
      guard !lossyContentTypes.contains(type), !isEqual(value, back) else { return [] }
      return [
        TransferViolation(.roundTrip, type, "\(carrier) brought back \(back) instead of \(value)")
      ]
    } catch {
      return [TransferViolation(.roundTrip, type, "importing \(carrier) failed: \(error)")]
    }
  }

  /// Imports data that is cut short, empty or changed. It may be refused or taken, but must end.
  private func damageViolations(_ type: UTType, _ data: Data) async -> [TransferViolation] {
    guard let importer = importer(of: type) else { return [] }
    var found: [TransferViolation] = []
    var changed = data
    if !changed.isEmpty { changed[changed.startIndex + changed.count / 2] ^= 0xFF }
    for (damaged, how) in [
      (Data(), "empty"), (Data(data.prefix(data.count / 2)), "cut short"), (changed, "changed"),
    ] {
      do {
        _ = try await importer.importing(data: damaged, offeredAs: type, until: deadline)
      } catch let error as TransferError where error.code == .timedOut {
        found.append(TransferViolation(.refusal, type, "\(how) data: \(error.message)"))
      } catch {
        continue
      }
    }
    return found
  }

  /// Asks for what is not on offer.
  func refusalViolations(of value: Item) async -> [TransferViolation] {
    var found: [TransferViolation] = []
    let foreign = UTType(exportedAs: "org.x11pasteboard.contract.foreign", conformingTo: .item)
    if let data = try? await value.exported(as: foreign) {
      found.append(
        TransferViolation(.refusal, foreign, "\(data.count) bytes exported as a foreign type"))
    }
    let offered = value.exportedContentTypes(.ownProcess)
    for type in Item.exportedContentTypes(visibility: .ownProcess)
    where !offered.contains(where: { $0.conforms(to: type) }) {
      if (try? await value.exported(as: type)) != nil {
        found.append(TransferViolation(.refusal, type, "exported although it is not on offer"))
      }
    }
    return found
  }

  private func importer(of type: UTType) -> ImportableRepresentation<Item>? {
    guard Item.importedContentTypes().contains(type) else { return nil }
    return Item.importCandidates(offered: [type]).first?.representation
  }
}
