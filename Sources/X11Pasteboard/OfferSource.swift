import CoreTransferable
import Foundation
import SelectionFormats
import Synchronization

/// Where the canonical bytes of an offered representation come from.
enum OfferSource: Sendable {
  /// Made when it was copied.
  case bytes([UInt8])
  /// Made when asked for.
  case export(ExportableRepresentation)
  /// The file of a representation, named by its URI. `place` tells the files of one offer apart.
  case fileURI(ExportableRepresentation, place: Int)
  /// Several, in order.
  indirect case joined([OfferSource], separator: String)

  /// The bytes.
  ///
  /// - Parameters:
  ///   - files: Keeps the files that are handed out by name; `nil` where none may be.
  ///   - deadline: When to stop waiting for exporters.
  /// - Throws: `TransferError`, `SelectionFormatError`.
  func bytes(
    keeping files: HandedOutFiles?, until deadline: ContinuousClock.Instant
  ) async throws -> [UInt8] {
    switch self {
    case .bytes(let bytes):
      return bytes
    case .export(let exportable):
      return Array(try await exportable.loadData(until: deadline))
    case .fileURI(let exportable, let place):
      guard let files else { throw CancellationError() }
      let url = try await files.file(of: exportable, place, until: deadline)
      return Array(try FileURI.uri(path: url.path(percentEncoded: false)).utf8)
    case .joined(let sources, let separator):
      var joined: [UInt8] = []
      for (index, source) in sources.enumerated() {
        if index > 0 { joined += Array(separator.utf8) }
        joined += try await source.bytes(keeping: files, until: deadline)
      }
      return joined
    }
  }
}

/// Files that were handed out by name: everybody who asks gets one and the same, and it stays while this does.
final class HandedOutFiles: Sendable {
  private let files = Mutex<[Int: TransferFile]>([:])

  /// The file of a representation.
  func file(
    of exportable: ExportableRepresentation, _ place: Int, until deadline: ContinuousClock.Instant
  ) async throws -> URL {
    if let file = files.withLock({ $0[place] }) { return file.url }
    let file = try await exportable.loadFile(for: .handingOver, until: deadline)
    return files.withLock { files in
      // Somebody else may have been faster.
      if let first = files[place] { return first.url }
      files[place] = file
      return file.url
    }
  }
}
