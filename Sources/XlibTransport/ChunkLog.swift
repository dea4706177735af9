import SelectionProtocol

/// The chunks that were stored without waiting for the server's word, by request number, until it has spoken.
///
/// Request numbers only grow, so it is a queue.
struct ChunkLog {
  private var entries: [(serial: UInt64, key: TransferKey)] = []
  private var start = 0

  var isEmpty: Bool { start == entries.count }

  mutating func append(_ serial: UInt64, _ key: TransferKey) { entries.append((serial, key)) }

  /// The transfer whose chunk was stored by that request.
  func key(of serial: UInt64) -> TransferKey? {
    var low = start
    var high = entries.count
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].serial < serial { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].serial == serial ? entries[low].key : nil
  }

  /// Forgets what the server has dealt with, errors included.
  mutating func discard(through serial: UInt64) {
    while start < entries.count, entries[start].serial <= serial { start += 1 }
    if start == entries.count {
      entries.removeAll(keepingCapacity: true)
      start = 0
    } else if start > 1_024 {
      entries.removeFirst(start)
      start = 0
    }
  }
}
