import ContentTypes
public import CoreTransferable
import Foundation
import SelectionFormats
import UniformTypeIdentifiers

extension Pasteboard {
  /// Pastes items of a type.
  ///
  /// The type's own order decides: for its first importing representation the owner's equal content type is asked
  /// for, then conforming ones, and so on through its representations. What the owner lists but does not give is
  /// passed over. Files that a file manager copied become items by what the files are.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - limits: How long the owner may take, and how much it may send.
  /// - Returns: The items: one, or several where the owner offers a list of files or links, or this process copied
  ///   several.
  /// - Throws: `PasteboardError`; `empty` where there is nothing, `notOnOffer` names what is on offer, `cancelled`
  ///   when the task was cancelled.
  public func paste<Item: Transferable & Sendable>(
    _ type: Item.Type, limits: Limits = Limits()
  ) async throws -> [Item] {
    switch try await offer(limits: limits) {
    case .none:
      throw PasteboardError.empty(selection)
    case .own(let items, let targets):
      return try await paste(type, from: items, targets: targets, limits: limits)
    case .targets(let targets):
      return try await paste(type, from: targets, isListed: true, limits: limits)
    case .unlisted:
      let wanted = Item.importableRepresentations().map(\.contentType.contentType)
      let probes = wanted.flatMap { OfferedTargets.probes(for: $0) }
      return try await paste(
        type, from: OfferedTargets(probes.map(\.name)), isListed: false, limits: limits)
    }
  }

  /// Whether `paste` would find something of use for a type. Fetches no more than lists of targets and files.
  ///
  /// - Parameters:
  ///   - type: The type of the items.
  ///   - limits: How long the owner may take.
  /// - Throws: `PasteboardError`, as for `contentTypes`.
  public func canPaste<Item: Transferable & Sendable>(
    _ type: Item.Type, limits: Limits = Limits()
  ) async throws -> Bool {
    let offer = try await offer(limits: limits)
    if !Item.importCandidates(offered: offer.contentTypes).isEmpty { return true }
    switch offer {
    case .none, .unlisted: return false
    case .own(let items, _): return try await !files(of: items, for: type, before: nil).isEmpty
    case .targets(let targets):
      return try await !files(of: targets, for: type, before: nil, limits: limits).isEmpty
    }
  }

  func paste<Item: Transferable & Sendable>(
    _ type: Item.Type, from offered: OfferedTargets, isListed: Bool, limits: Limits
  ) async throws -> [Item] {
    let types = offered.contentTypes.map { UTType($0) }
    let candidates = Item.importCandidates(offered: types)
    // A file may suit a better representation than the text of its path does.
    let files = try await files(
      of: offered, for: type, before: candidates.first?.representation, limits: limits)
    if !files.isEmpty { return try await items(of: files, offered: types) }
    var last: (any Error)?
    var refused: Set<String> = []
    var tried: Set<String> = []
    var isFileMissing = false
    for candidate in candidates {
      let wanted = candidate.contentType.contentType
      // The text of its path is no more the file than its name is.
      if isFileMissing, candidate.representation.wantsFileItself { continue }
      let importer = candidate.representation.contentType.identifier
      for target in Self.targets(for: wanted, of: offered) where !refused.contains(target.name) {
        // Text arrives decoded, so one text target will do for every kind of text; a link is no file.
        let isSame =
          target.contentType == wanted || (target.isPlainText && wanted.conforms(to: .text))
        let attempt = "\(importer) \(wanted.identifier) \(target.name)"
        guard isSame || target.isURIs, tried.insert(attempt).inserted else { continue }
        do {
          return try await receive(candidate, target, from: offered, limits: limits)
        } catch let error as PasteboardError where error.allowsAnotherTarget {
          if error.code == .refused { refused.insert(target.name) }
          last = error
        } catch let error as PasteboardError where error.code == .notOnOffer {
          isFileMissing = true
          last = error
          break
        }
      }
    }
    if !candidates.isEmpty {
      let rest = try await self.files(of: offered, for: type, before: nil, limits: limits)
      if !rest.isEmpty { return try await items(of: rest, offered: types) }
    }
    if let last { throw last }
    throw notOnOffer(type, isListed ? types : nil)
  }

  /// - Parameter offered: `nil` where the owner does not say.
  func notOnOffer<Item: Transferable>(_ type: Item.Type, _ offered: [UTType]?) -> PasteboardError {
    let takes = Item.importedContentTypes()
    let wants = takes.isEmpty ? "it imports nothing" : "it takes \(takes.listed)"
    let has =
      switch offered {
      case nil: "the owner does not say what it offers"
      case .some([]): "the owner offers nothing that is content"
      case .some(let types): "on offer are \(types.listed)"
      }
    return PasteboardError(
      .notOnOffer, selection, "nothing on \(selection) is of use for \(type): \(wants); \(has)",
      offered: offered ?? [])
  }

  private func receive<Item: Transferable & Sendable>(
    _ candidate: ImportCandidate<Item>, _ target: OfferedTarget, from offered: OfferedTargets,
    limits: Limits
  ) async throws -> [Item] {
    let wanted = candidate.contentType.contentType
    let representation = candidate.representation
    let types = offered.contentTypes.map { UTType($0) }
    if case .file = representation.kind, target.codec == .bytes {
      let file = try await receiveFile(
        target, as: candidate.contentType, from: offered, fallback: String(describing: Item.self),
        limits: limits)
      return [
        try await importing(Item.self, types, from: candidate.contentType, target: target.name) {
          try await representation.importing(received: file, offeredAs: candidate.contentType)
        }
      ]
    }
    let data = try await receiveData(target, as: wanted, offered: types, limits: limits) {
      representation.accepts(.url)
    }
    var items: [Item] = []
    let isAboutLinks = wanted == .fileURL || wanted == .url
    for part in Self.parts(data, of: wanted, target) {
      // A list that is taken for files may turn out to be one of links.
      let isFile = isAboutLinks && FileURI.isFileURI(String(decoding: part, as: UTF8.self))
      let isLink = wanted == .fileURL && !isFile
      if isFile, representation.wantsFileItself {
        throw missingFile(part, Item.self, target.name, types)
      }
      items.append(
        try await importing(Item.self, types, from: candidate.contentType, target: target.name) {
          try await representation.importing(
            data: part, offeredAs: isLink ? .url : candidate.contentType,
            charset: target.isPlainText ? nil : target.charset?.name)
        })
    }
    return items
  }

  /// - Parameter target: What it was asked for as; `nil` for this process's own copy.
  func missingFile<Item: Transferable>(
    _ uri: Data, _ type: Item.Type, _ target: String?, _ offered: [UTType]
  ) -> PasteboardError {
    let shown = TargetName.escaped(String(decoding: uri.prefix(300), as: UTF8.self))
    return PasteboardError(
      .notOnOffer, selection,
      "no \(type) can be made of \(shown), which is on \(selection): the file is not there, is elsewhere, or is of "
        + "no use for it",
      contentType: .fileURL, target: target.map { TargetName.escaped($0) }, offered: offered)
  }

  /// The targets to try for a content type. A list of links comes before the target of a single one: Qt offers both of
  /// several files or links, and only the list holds them all.
  private static func targets(
    for wanted: ContentType, of offered: OfferedTargets
  ) -> [OfferedTarget] {
    let targets = offered.candidates(for: wanted)
    guard wanted == .url else { return targets }
    return targets.filter { $0.codec == .uriList } + targets.filter { $0.codec != .uriList }
  }

  /// A list of files or links is as many items; a link may carry a title, which is none of its own.
  private static func parts(_ data: Data, of type: ContentType, _ target: OfferedTarget) -> [Data] {
    guard type == .fileURL || type == .url else { return [data] }
    let lines = data.split(separator: UInt8(ascii: "\n")).map { Data($0) }
    return type == .url && target.codec != .uriList ? Array(lines.prefix(1)) : lines
  }

  func importing<Item: Transferable & Sendable>(
    _ type: Item.Type, _ offered: [UTType], from contentType: UTType? = nil,
    target: String? = nil, _ body: () async throws -> Item
  ) async throws -> Item {
    do {
      return try await body()
    } catch {
      throw PasteboardError(
        importing: type, error, selection, from: contentType, target: target, offered: offered)
    }
  }
}

extension Charset {
  /// The name for whoever decodes the text, where the content type does not tell.
  fileprivate var name: String? {
    switch self {
    case .named(let name): name
    case .latin1: "iso-8859-1"
    case .utf16, .utf16LittleEndian, .utf16BigEndian, .utf8, .latin1OrUTF8: nil
    }
  }
}
