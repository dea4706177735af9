import ContentTypes
public import CoreTransferable
import Foundation
import SelectionFormats
import SelectionProtocol
import UniformTypeIdentifiers
import XlibTransport

extension Pasteboard {
  /// What an owner says that it offers.
  enum OnOffer: Sendable {
    /// Nobody owns the selection.
    case none
    /// The owner's list; the item itself where it is this process's own.
    case targets(OfferedTargets, local: LocalItem?)
    /// An owner that keeps its list to itself.
    case unlisted
  }

  /// Pastes items of a type.
  ///
  /// The type's own order decides: for its first importing representation the owner's equal content type is asked
  /// for, then conforming ones, and so on through its representations. What the owner lists but does not give is
  /// passed over.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - limits: How long the owner may take, and how much it may send. They count progress, so that a long
  ///     transfer that moves is not cut.
  /// - Returns: The items: one, or several where the owner offers a list of files or links.
  /// - Throws: `PasteboardError`; `notOnOffer` names what is on offer. `CancellationError` does not occur: a
  ///   cancelled paste throws `cancelled`.
  public func paste<Item: Transferable & Sendable>(
    _ type: Item.Type, limits: Limits = Limits()
  ) async throws -> [Item] {
    switch try await offer(limits: limits) {
    case .none:
      throw PasteboardError(.empty, selection, "nothing is on \(selection): no program owns it")
    case .targets(_, let local?):
      return [try await paste(type, from: local)]
    case .targets(let targets, nil):
      return try await paste(type, from: targets, isListed: true, limits: limits)
    case .unlisted:
      let probes = OfferedTargets(OfferedTargets.probes().map(\.name))
      return try await paste(type, from: probes, isListed: false, limits: limits)
    }
  }

  func offer(limits: Limits) async throws -> OnOffer {
    let name = selection.name
    let local: LocalItem?? = try await run { connection in
      let atom = connection.atom(name)
      guard connection.isOwner(of: atom), let content = connection.offer(of: atom)?.content else {
        return .none
      }
      return .some(content as? LocalItem)
    }
    let list: ReceivedList
    do {
      list = try await targetList(limits: limits.forTargets)
    } catch let error as PasteboardError {
      switch error.code {
      case .empty: return .none
      case .refused, .invalidContent: return .unlisted
      default: throw error
      }
    }
    return .targets(OfferedTargets(list.names), local: local.flatMap(\.self))
  }

  // MARK: From this process

  private func paste<Item: Transferable & Sendable>(
    _ type: Item.Type, from local: LocalItem
  ) async throws -> Item {
    let offered = local.exportables.map(\.contentType)
    var last: (any Error)?
    for candidate in Item.importCandidates(offered: offered) {
      guard
        let exportable = local.exportables.first(where: { $0.contentType == candidate.contentType })
      else { continue }
      do {
        if case .file = candidate.representation.kind {
          let file = try await exportable.loadFile(for: .handingOver)
          return try await candidate.representation.importing(
            received: file, offeredAs: candidate.contentType)
        }
        let data = try await exportable.loadData()
        return try await candidate.representation.importing(
          data: data, offeredAs: candidate.contentType)
      } catch {
        last = error
      }
    }
    throw failure(type, offered: offered, last: last)
  }

  // MARK: From another process

  private func paste<Item: Transferable & Sendable>(
    _ type: Item.Type, from offered: OfferedTargets, isListed: Bool, limits: Limits
  ) async throws -> [Item] {
    let types = offered.contentTypes.uniqueTypes
    var last: (any Error)?
    var tried: Set<String> = []
    for candidate in Item.importCandidates(offered: types) {
      let wanted = candidate.contentType.contentType
      for target in offered.candidates(for: wanted) {
        // Text arrives decoded, so one text target will do for every kind of text; a link is no file.
        let isSame =
          target.contentType == wanted || (target.isPlainText && wanted.conforms(to: .text))
        guard isSame || target.isURIs, tried.insert("\(wanted.identifier) \(target.name)").inserted
        else { continue }
        do {
          return try await receive(candidate, target, offered: types, limits: limits)
        } catch let error as PasteboardError where !error.allowsAnotherTarget {
          throw error
        } catch {
          last = error
        }
      }
    }
    if let files = try await importFiles(type, from: offered, types: types, limits: limits) {
      return files
    }
    throw failure(type, offered: isListed ? types : [], last: last)
  }

  private func failure<Item: Transferable>(
    _ type: Item.Type, offered: [UTType], last: (any Error)?
  ) -> PasteboardError {
    if let error = last as? PasteboardError { return error }
    if let last {
      return PasteboardError(
        .importFailed, selection, "\(type) could not be made of what is on \(selection): \(last)",
        offered: offered, underlying: last)
    }
    let takes = Item.importableRepresentations().map(\.contentType.identifier)
    let wants = takes.isEmpty ? "it imports nothing" : "it takes " + takes.joined(separator: ", ")
    let has =
      offered.isEmpty
      ? "the owner does not say what it offers"
      : "on offer are " + offered.map(\.identifier).joined(separator: ", ")
    return PasteboardError(
      .notOnOffer, selection, "nothing on \(selection) is of use for \(type): \(wants); \(has)",
      offered: offered)
  }

  private func receive<Item: Transferable & Sendable>(
    _ candidate: ImportCandidate<Item>, _ target: OfferedTarget, offered: [UTType], limits: Limits
  ) async throws -> [Item] {
    let wanted = candidate.contentType.contentType
    let representation = candidate.representation
    if case .file = representation.kind, target.codec == .bytes {
      let file = try await receiveFile(
        target, as: candidate.contentType, fallback: String(describing: Item.self),
        offered: offered, limits: limits)
      return [
        try await importing {
          try await representation.importing(received: file, offeredAs: candidate.contentType)
        }
      ]
    }
    let reply = try await receiveBytes(target, offered: offered, limits: limits)
    let bytes: [UInt8]
    do {
      bytes = try TargetDecoder().content(reply, of: target, as: wanted)
    } catch {
      throw PasteboardError(
        .invalidContent, selection, "\(error)", offered: offered, underlying: error)
    }
    var items: [Item] = []
    for part in Self.parts(bytes, of: wanted) {
      items.append(
        try await importing {
          try await representation.importing(data: Data(part), offeredAs: candidate.contentType)
        })
    }
    return items
  }

  /// A list of files is as many items; a link may carry a title, which is none of its own.
  private static func parts(_ bytes: [UInt8], of type: ContentType) -> [ArraySlice<UInt8>] {
    guard type == .fileURL || type == .url else { return [bytes[...]] }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    return type == .url ? Array(lines.prefix(1)) : lines
  }

  private func importing<Item>(_ body: () async throws -> Item) async throws -> Item {
    do {
      return try await body()
    } catch let error as TransferError where error.code == .cancelled {
      throw PasteboardError(.cancelled, selection, "the paste was cancelled", underlying: error)
    } catch {
      throw PasteboardError(
        .importFailed, selection, "what is on \(selection) could not be imported: \(error)",
        underlying: error)
    }
  }

  /// Files that a file manager copied, as items of what the files are.
  private func importFiles<Item: Transferable & Sendable>(
    _ type: Item.Type, from offered: OfferedTargets, types: [UTType], limits: Limits
  ) async throws -> [Item]? {
    guard offered.contentTypes.contains(.fileURL) else { return nil }
    for target in offered.candidates(for: .fileURL) where target.isURIs {
      guard let reply = try? await receiveBytes(target, offered: types, limits: limits),
        let list = try? TargetDecoder().fileList(reply, of: target),
        let paths = try? list.paths(hostNames: [ProcessInfo.processInfo.hostName])
      else { continue }
      var items: [Item] = []
      for path in paths {
        let url = URL(filePath: String(decoding: path, as: UTF8.self))
        guard let contentType = ContentType.ofFile(atPath: url.path(percentEncoded: false)),
          let candidate = Item.importCandidates(offered: [UTType(contentType)]).first
        else { continue }
        items.append(
          try await importing {
            try await candidate.representation.importing(
              file: url, isOriginal: true, offeredAs: candidate.contentType)
          })
      }
      if !items.isEmpty { return items }
    }
    return nil
  }
}
