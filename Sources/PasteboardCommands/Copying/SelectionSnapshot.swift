internal import Glibc
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// Everything that a selection offers, fetched: each target's bytes, as they came.
struct SelectionSnapshot {
  struct Target {
    var name: String
    var typeName: String
    var format: Int
    var bytes: [UInt8]
  }

  var targets: [Target] = []
  var isSensitive = false

  /// The most bytes that are fetched.
  private static let limit = 256 << 20

  /// Fetches what a selection offers.
  ///
  /// - Returns: nil where nobody owns it.
  init?(_ reader: SelectionReader) throws(CommandFailure) {
    guard reader.connection.currentOwner(of: reader.selection) != .none else { return nil }
    let offered = try reader.offeredTargets()
    // What says cut, or that the content is secret, goes along though it is no content.
    let notes = [TargetName.kdeCutSelection, TargetName.passwordManagerHint]
    let wanted =
      offered?.targets.filter { $0.mayBeData || notes.contains($0.name) }
      ?? OfferedTargets.probes()
    var left = Self.limit
    for target in wanted {
      let atom = reader.connection.atom(target.name)
      let limits = TransferLimits(byteCount: left)
      let (outcome, bytes) = try reader.bytes(of: atom, limits: limits)
      switch outcome {
      case .success(let reply):
        left -= bytes.count
        // The items of what was received take four bytes each; atoms mean something else elsewhere.
        guard reply.format != 32 else { continue }
        let type = reader.connection.names(of: [reply.type])[0] ?? target.name
        targets.append(
          Target(name: target.name, typeName: type, format: reply.format, bytes: bytes))
      case .failure(let failure):
        switch failure.code {
        case .transfer(.refused), .transfer(.missingProperty): continue
        default: throw reader.failure(failure, target.name, limits: limits)
        }
      }
    }
    isSensitive = offered?.hasPasswordHint == true
  }

  /// Offers it again.
  var offer: Offer {
    Offer(
      targets: targets.map { target in
        Offer.Target(
          name: target.name, typeName: target.typeName, format: target.format,
          payload: MemoryPayload(target.bytes))
      }, isStorable: !isSensitive)
  }
}
