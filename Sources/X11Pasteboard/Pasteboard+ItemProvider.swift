import ContentTypes
public import CoreTransferable
import Foundation
import SelectionFormats
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
    return provider
  }

  /// Providers of what is on offer: one for each file where several files are, else one.
  ///
  /// - Parameters:
  ///   - types: The content types that are wanted, or supertypes of them; with none, all.
  ///   - limits: How long the owner may take, and how much it may send, for each load.
  /// - Throws: `PasteboardError`; `notOnOffer` where nothing conforms to any of them.
  public func itemProviders(
    conformingTo types: [UTType] = [], limits: Limits = Limits()
  ) async throws -> [NSItemProvider] {
    let provider = try await itemProvider(conformingTo: types, limits: limits)
    guard provider.registeredContentTypes.contains(.fileURL) else { return [provider] }
    let urls = try await paste(URL.self, limits: limits)
    guard urls.count > 1 else { return [provider] }
    return urls.map { url in
      let provider = NSItemProvider()
      provider.register(url)
      return provider
    }
  }

  /// The bytes of a content type, as the owner gives them; text comes as UTF-8, lists of files as lines of URIs.
  ///
  /// - Parameters:
  ///   - type: The content type, or a supertype of what is wanted.
  ///   - limits: How long the owner may take, and how much it may send.
  /// - Throws: `PasteboardError`; `notOnOffer` names what is on offer.
  public func data(of type: UTType, limits: Limits = Limits()) async throws -> Data {
    let wanted = type.contentType
    let targets: OfferedTargets
    switch try await offer(limits: limits) {
    case .none:
      throw PasteboardError.empty(selection)
    case .own(let own):
      return try await data(of: type, from: own)
    case .targets(let offered):
      targets = offered
    case .unlisted:
      targets = OfferedTargets(OfferedTargets.probes(for: wanted).map(\.name))
    }
    let offered = targets.contentTypes.map { UTType($0) }
    var last: PasteboardError?
    for target in targets.candidates(for: wanted) {
      do {
        return try await receiveData(
          target, as: target.isPlainText ? wanted : target.contentType ?? wanted, offered: offered,
          limits: limits)
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
      "\(type.identifier) is not on \(selection); on offer are \(offered.listed)",
      offered: offered)
  }
}
