import SelectionFormats
import SelectionProtocol
import UniformTypeIdentifiers
import XlibTransport

/// What there is on a selection.
enum OnOffer: Sendable {
  /// Nobody owns it.
  case none
  /// This process's own items, and the targets that other programs are offered of them.
  case own(OwnItems, targets: [String])
  /// The owner's list.
  case targets(OfferedTargets)
  /// An owner that keeps its list to itself.
  case unlisted

  /// The content types, each once, in the owner's order.
  var contentTypes: [UTType] {
    switch self {
    case .none: []
    case .own(let items, let targets):
      items.contentTypes(with: OfferedTargets(targets).contentTypes.map { UTType($0) })
    case .targets(let targets): targets.contentTypes.map { UTType($0) }
    case .unlisted:
      OfferedTargets(OfferedTargets.probes().map(\.name)).contentTypes.map { UTType($0) }
    }
  }
}

extension Pasteboard {
  /// Finds out what there is: for this process's own copy without a transfer, else by TARGETS.
  ///
  /// - Throws: `PasteboardError`.
  func offer(limits: Limits) async throws -> OnOffer {
    let name = selection.name
    let seen: OnOffer? = try await run { connection in
      let atom = connection.atom(name)
      // The server is asked, since the notice that another program took over may still be under way.
      let owner = connection.currentOwner(of: atom)
      guard owner != .none else { return OnOffer.none }
      guard connection.isOwn(owner) else { return nil }
      return OwnItems.offered(atom, on: connection).map { items in
        .own(items, targets: connection.offer(of: atom)?.targets.map(\.name) ?? [])
      }
    }
    if let seen { return seen }
    do {
      return .targets(OfferedTargets(try await targetNames(limits: limits.forTargets)))
    } catch let error as PasteboardError {
      switch error.code {
      case .empty: return .none
      case .refused, .invalidContent: return .unlisted
      default: throw error
      }
    }
  }
}
