import ContentTypes
import CoreTransferable
import Foundation
import SelectionFormats
import UniformTypeIdentifiers

/// A file that somebody copied, with a way to import it as what it is.
struct FileCandidate<Item: Transferable>: Sendable {
  let file: URL
  let representation: ImportableRepresentation<Item>
  let contentType: UTType
}

extension Pasteboard {
  /// The files on offer that can be imported as what they are.
  ///
  /// - Parameter best: Only representations before this one count; with `nil`, all do.
  /// - Throws: `PasteboardError` where nothing can follow: `connectionLost`, `cancelled`, `ownerGone`, …
  func files<Item: Transferable & Sendable>(
    of offered: OfferedTargets, for type: Item.Type, before best: ImportableRepresentation<Item>?,
    limits: Limits
  ) async throws -> [FileCandidate<Item>] {
    guard Self.mayTakeFiles(type, before: best) else { return [] }
    // Beside the target of a link a list may be one of links; what is in it tells.
    for target in offered.candidates(for: .fileURL)
    where target.isURIs && (target.contentType == .fileURL || target.codec == .uriList) {
      do {
        let urls = try await fileURLs(target, limits: limits)
        return urls.compactMap { Self.candidate($0, before: best) }
      } catch let error as PasteboardError where !error.allowsAnotherTarget {
        throw error
      } catch {
        continue
      }
    }
    return []
  }

  /// The files that this process itself copied, as what they are.
  func files<Item: Transferable & Sendable>(
    of own: OwnItems, for type: Item.Type, before best: ImportableRepresentation<Item>?
  ) async throws -> [FileCandidate<Item>] {
    guard Self.mayTakeFiles(type, before: best) else { return [] }
    var files: [FileCandidate<Item>] = []
    for item in own.items {
      guard let exportable = item.first(where: { $0.contentType == .fileURL }) else { continue }
      let data: Data
      do {
        data = try await exportable.loadData(until: .now + ItemOffer.exportDeadline)
      } catch {
        throw PasteboardError(importing: type, error, selection, offered: own.contentTypes)
      }
      guard let url = URL(dataRepresentation: data, relativeTo: nil), url.isFileURL,
        let file = Self.candidate(url, before: best)
      else { continue }
      files.append(file)
    }
    return files
  }

  /// Imports files.
  func items<Item: Transferable & Sendable>(
    of files: [FileCandidate<Item>], offered: [UTType]
  ) async throws -> [Item] {
    var items: [Item] = []
    for candidate in files {
      items.append(
        try await importing(Item.self, offered) {
          try await candidate.representation.importing(
            file: candidate.file, isOriginal: true, offeredAs: candidate.contentType)
        })
    }
    return items
  }

  /// What the owner calls the file that it offers; `nil` where it names none, or several.
  func suggestedFileName(in offered: OfferedTargets, limits: Limits) async -> String? {
    for target in offered.candidates(for: .fileURL)
    where target.isURIs && target.contentType == .fileURL {
      guard let urls = try? await fileURLs(target, limits: limits.forHint) else { continue }
      return urls.count == 1 ? urls[0].lastPathComponent : nil
    }
    return nil
  }

  private func fileURLs(_ target: OfferedTarget, limits: Limits) async throws -> [URL] {
    let reply = try await receiveReply(target, offered: [], limits: limits)
    let list = try TargetDecoder().fileList(reply, of: target)
    let hosts = [ProcessInfo.processInfo.hostName]
    return list.uris.compactMap { uri in
      guard let path = try? FileURI.path(of: uri, hostNames: hosts),
        let text = String(validating: path, as: UTF8.self)
      else { return nil }
      return URL(filePath: text, directoryHint: .checkFileSystem)
    }
  }

  private static func mayTakeFiles<Item: Transferable>(
    _ type: Item.Type, before best: ImportableRepresentation<Item>?
  ) -> Bool {
    let limit = best.map { Self.place(of: $0) } ?? Int.max
    let all = Item.importableRepresentations()
    if best?.wantsFileItself == true { return true }
    // Whoever takes the file's name itself is given that.
    if all.contains(where: { $0.contentType == .fileURL }) { return false }
    return all.prefix(limit).contains { !$0.accepts(.fileURL) }
      || (best == nil && all.contains { $0.wantsFileItself })
  }

  private static func place<Item: Transferable>(of best: ImportableRepresentation<Item>) -> Int {
    Item.importableRepresentations().firstIndex { $0.contentType == best.contentType } ?? .max
  }

  private static func candidate<Item: Transferable>(
    _ file: URL, before best: ImportableRepresentation<Item>?
  ) -> FileCandidate<Item>? {
    guard let type = ContentType.ofFile(atPath: file.path(percentEncoded: false)),
      let candidate = Item.importCandidates(offered: [UTType(type)]).first
    else { return nil }
    if let best {
      let place = place(of: candidate.representation)
      let limit = self.place(of: best)
      guard place < limit || (place == limit && best.wantsFileItself) else { return nil }
    }
    return FileCandidate(
      file: file, representation: candidate.representation, contentType: candidate.contentType)
  }
}

extension ImportableRepresentation {
  /// Whether this takes any file, so that the name of one is taken only for want of the file itself.
  var wantsFileItself: Bool {
    guard case .file = kind else { return false }
    return contentType == .data || contentType == .item
  }
}
