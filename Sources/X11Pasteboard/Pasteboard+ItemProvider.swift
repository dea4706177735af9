import ContentTypes
public import CoreTransferable
import Foundation
import SelectionFormats
public import UniformTypeIdentifiers

extension Pasteboard {
  /// A provider of what is on offer, which asks the owner when something is loaded from it.
  ///
  /// - Parameter types: The content types that are wanted, or supertypes of them; with none, all.
  /// - Throws: `PasteboardError`; `notOnOffer` where nothing conforms to any of them.
  public func itemProvider(
    conformingTo types: [UTType] = [], limits: Limits = Limits()
  ) async throws -> NSItemProvider {
    let offered = try await contentTypes(limits: limits)
    let wanted = offered.filter { type in
      types.isEmpty || types.contains { type.conforms(to: $0) }
    }
    guard !wanted.isEmpty else {
      let names = types.map(\.identifier).joined(separator: ", ")
      throw PasteboardError(
        offered.isEmpty ? .empty : .notOnOffer, selection,
        offered.isEmpty
          ? "nothing is on \(selection): no program owns it"
          : "nothing on \(selection) conforms to \(names); on offer are "
            + offered.map(\.identifier).joined(separator: ", "),
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

  /// The bytes of a content type, as the owner gives them; text comes as UTF-8.
  ///
  /// - Throws: `PasteboardError`.
  public func data(of type: UTType, limits: Limits = Limits()) async throws -> Data {
    let wanted = type.contentType
    let targets: OfferedTargets
    switch try await offer(limits: limits) {
    case .none:
      throw PasteboardError(.empty, selection, "nothing is on \(selection): no program owns it")
    case .targets(let offered, let local):
      if let exportable = local?.exportables.first(where: { $0.contentType.conforms(to: type) }) {
        return try await exportable.loadData()
      }
      targets = offered
    case .unlisted:
      targets = OfferedTargets(OfferedTargets.probes(for: wanted).map(\.name))
    }
    let offered = targets.contentTypes.uniqueTypes
    var last: (any Error)?
    for target in targets.candidates(for: wanted) {
      do {
        let reply = try await receiveBytes(target, offered: offered, limits: limits)
        return Data(
          try TargetDecoder().content(reply, of: target, as: target.contentType ?? wanted))
      } catch let error as PasteboardError where !error.allowsAnotherTarget {
        throw error
      } catch {
        last = error
      }
    }
    if let error = last as? PasteboardError { throw error }
    throw PasteboardError(
      last == nil ? .notOnOffer : .invalidContent, selection,
      last.map { "\($0)" }
        ?? "\(type.identifier) is not on \(selection); on offer are "
        + offered.map(\.identifier).joined(separator: ", "),
      offered: offered, underlying: last)
  }
}
