import ContentTypes
public import CoreTransferable
import Foundation
import SelectionFormats
import Synchronization
public import UniformTypeIdentifiers

extension Pasteboard {
  /// A provider of what is on offer, which asks the owner when something is loaded from it.
  ///
  /// - Parameters:
  ///   - types: The content types that are wanted, or supertypes of them; with none, all.
  ///   - limits: How long the owner may take, and how much it may send, for each load.
  /// - Throws: `PasteboardError`; `notOnOffer` where nothing conforms to any of them.
  public func itemProvider(
    conformingTo types: [UTType] = [], limits: Limits = Limits()
  ) async throws -> NSItemProvider {
    let offered = try await contentTypes(limits: limits)
    guard !offered.isEmpty else { throw PasteboardError.empty(selection) }
    let wanted = offered.filter { type in
      types.isEmpty || types.contains { type.conforms(to: $0) }
    }
    guard !wanted.isEmpty else {
      throw PasteboardError(
        .notOnOffer, selection,
        "nothing on \(selection) conforms to \(types.listed); on offer are \(offered.listed)",
        offered: offered)
    }
    let provider = NSItemProvider()
    for type in wanted {
      // What may be large goes through a file, never through memory unless data is asked for.
      if type.conforms(to: .text) || type.conforms(to: .url) {
        registerData(of: type, on: provider, limits: limits)
      } else {
        registerFile(of: type, on: provider, limits: limits)
      }
    }
    return provider
  }

  private func registerData(of type: UTType, on provider: NSItemProvider, limits: Limits) {
    provider.registerDataRepresentation(for: type) { [self] completion in
      let progress = Progress(totalUnitCount: 1)
      let task = Task.detached { [self] in
        do {
          let data = try await data(of: type, limits: limits)
          progress.completedUnitCount = 1
          completion(data, nil)
        } catch {
          completion(nil, error)
        }
      }
      progress.cancellationHandler = { task.cancel() }
      return progress
    }
  }

  private func registerFile(of type: UTType, on provider: NSItemProvider, limits: Limits) {
    // Whoever gets a file copies it after it was named; it stays as long as the provider does.
    let received = ReceivedFiles()
    provider.registerFileRepresentation(for: type, openInPlace: true) { [self] completion in
      let progress = Progress(totalUnitCount: 1)
      let task = Task.detached { [self] in
        do {
          let file = try await file(of: type, limits: limits)
          received.keep(file)
          progress.completedUnitCount = 1
          completion(file.url, file.isOriginal, nil)
        } catch {
          completion(nil, false, error)
        }
      }
      progress.cancellationHandler = { task.cancel() }
      return progress
    }
  }

  /// Providers of what is on offer: one for each where several files or links are, else one.
  ///
  /// - Parameters:
  ///   - types: The content types that are wanted, or supertypes of them; with none, all.
  ///   - limits: How long the owner may take, and how much it may send, for each load.
  /// - Throws: `PasteboardError`; `notOnOffer` where nothing conforms to any of them.
  public func itemProviders(
    conformingTo types: [UTType] = [], limits: Limits = Limits()
  ) async throws -> [NSItemProvider] {
    let provider = try await itemProvider(conformingTo: types, limits: limits)
    let areURLs = provider.registeredContentTypes.contains { $0.conforms(to: .url) }
    guard areURLs else { return [provider] }
    let urls = try await paste(URL.self, limits: limits)
    guard urls.count > 1 else { return [provider] }
    // As objects, since a link that is registered as a value says that it may be a file.
    return urls.map { NSItemProvider(object: $0 as NSURL) }
  }

  /// The bytes of a content type, as the owner gives them; plain text comes as UTF-8, lists of files as lines of URIs.
  ///
  /// - Parameters:
  ///   - type: The content type, or a supertype of what is wanted.
  ///   - limits: How long the owner may take, and how much it may send.
  /// - Throws: `PasteboardError`; `notOnOffer` names what is on offer.
  public func data(of type: UTType, limits: Limits = Limits()) async throws -> Data {
    switch try await offer(limits: limits) {
    case .none:
      throw PasteboardError.empty(selection)
    case .own(let own, let targets):
      if own.contentTypes.contains(where: { $0.conforms(to: type) }) {
        return try await data(of: type, from: own)
      }
      return try await data(of: type, from: OfferedTargets(targets), limits: limits)
    case .targets(let targets):
      return try await data(of: type, from: targets, limits: limits)
    case .unlisted:
      let probes = OfferedTargets.probes(for: type.contentType).map(\.name)
      return try await data(of: type, from: OfferedTargets(probes), limits: limits)
    }
  }

  private func data(
    of type: UTType, from targets: OfferedTargets, limits: Limits
  ) async throws -> Data {
    let wanted = type.contentType
    let offered = targets.contentTypes.map { UTType($0) }
    return try await first(of: targets.candidates(for: wanted), type, offered) { target in
      try await receiveData(
        target, as: target.isPlainText ? wanted : target.contentType ?? wanted, offered: offered,
        limits: limits)
    }
  }

  /// The bytes of a content type in a file.
  private func file(of type: UTType, limits: Limits) async throws -> TransferFile {
    let offer = try await offer(limits: limits)
    switch offer {
    case .none:
      throw PasteboardError.empty(selection)
    case .own(let own, _):
      let exportable = own.items.first?.first { $0.contentType.conforms(to: type) }
      guard let exportable else { throw notOnOffer(type, own.contentTypes) }
      do {
        return try await exportable.loadFile(until: .now + ItemOffer.exportDeadline)
      } catch {
        throw PasteboardError(importing: Data.self, error, selection, offered: own.contentTypes)
      }
    case .targets(let targets):
      let candidates = targets.candidates(for: type.contentType).filter { $0.codec == .bytes }
      return try await first(of: candidates, type, offer.contentTypes) { target in
        try await receiveFile(target, as: type, from: targets, fallback: "Item", limits: limits)
      }
    case .unlisted:
      throw notOnOffer(type, offer.contentTypes)
    }
  }

  /// What the first target gives that gives anything.
  private func first<Value>(
    of targets: [OfferedTarget], _ type: UTType, _ offered: [UTType],
    _ receive: (OfferedTarget) async throws -> Value
  ) async throws -> Value {
    var last: PasteboardError?
    for target in targets {
      do {
        return try await receive(target)
      } catch let error as PasteboardError where error.allowsAnotherTarget {
        last = error
      }
    }
    throw last ?? notOnOffer(type, offered)
  }

  private func data(of type: UTType, from own: OwnItems) async throws -> Data {
    let offered = own.contentTypes
    guard
      let chosen = offered.first(where: { $0 == type })
        ?? offered.first(where: { $0.conforms(to: type) })
    else { throw notOnOffer(type, offered) }
    var joined = Data()
    for (index, item) in own.items.enumerated() {
      guard let exportable = item.first(where: { $0.contentType == chosen }) else { continue }
      if index > 0 { joined.append(UInt8(ascii: "\n")) }
      do {
        joined.append(try await exportable.loadData(until: .now + ItemOffer.exportDeadline))
      } catch {
        throw PasteboardError(importing: Data.self, error, selection, offered: offered)
      }
    }
    return joined
  }

  private func notOnOffer(_ type: UTType, _ offered: [UTType]) -> PasteboardError {
    PasteboardError(
      .notOnOffer, selection,
      "\(type.shownName) is not on \(selection); on offer are \(offered.listed)",
      contentType: type, offered: offered)
  }
}

/// Files that live as long as the provider that named them.
private final class ReceivedFiles: Sendable {
  private let files = Mutex<[TransferFile]>([])
  func keep(_ file: TransferFile) { files.withLock { $0.append(file) } }
}
