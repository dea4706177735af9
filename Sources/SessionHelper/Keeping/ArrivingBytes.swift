internal import XlibTransport

/// Bytes of a target while they come: as long as they are those of another target of the same copy, they take no
/// memory of their own.
///
/// A text is offered in half a dozen forms, which are the same bytes most of the time. Together they would soon be more
/// than one copy may take, and the picture or the formula behind them would be lost.
final class ArrivingBytes {
  /// Anything smaller is stored once more: finding its equal would cost more than it takes.
  private static let leastShared = 65_536

  private let limit: Int
  private let others: [KeptBytes]
  /// What has the same bytes so far.
  private var twin: KeptBytes?
  private var sharedCount = 0
  private var own: KeptBytes?

  /// - Parameters:
  ///   - limit: How many bytes all values together may take.
  ///   - others: What was read of the copy.
  init(limit: Int, beside others: [KeptBytes]) {
    self.limit = limit
    self.others = others.filter { $0.byteCount >= Self.leastShared }
  }

  /// How much memory the next piece takes, with what was shared before where it is the first one that differs.
  func storage(for piece: UnsafeRawBufferPointer) -> Int {
    if own != nil { return piece.count }
    return match(piece) == nil ? sharedCount + piece.count : 0
  }

  /// Adds the next piece.
  func append(_ piece: UnsafeRawBufferPointer) throws(KeptBytes.Exhausted) {
    if own == nil, let twin = match(piece) {
      self.twin = twin
      sharedCount += piece.count
    } else {
      try separate().append(piece)
    }
  }

  /// How much memory the end takes: that of the shared bytes where the other target has more of them.
  var storageToEnd: Int { own == nil && twin?.byteCount != sharedCount ? sharedCount : 0 }

  /// All the bytes.
  func end() throws(KeptBytes.Exhausted) -> KeptBytes {
    if own == nil, let twin, twin.byteCount == sharedCount { return twin }
    return try separate()
  }

  private func match(_ piece: UnsafeRawBufferPointer) -> KeptBytes? {
    if let twin { return twin.holds(piece, at: sharedCount) ? twin : nil }
    return others.first { $0.holds(piece, at: 0) }
  }

  /// Bytes of its own, which begin with what was shared.
  private func separate() throws(KeptBytes.Exhausted) -> KeptBytes {
    if let own { return own }
    let bytes = KeptBytes(limit: limit)
    if let twin { try bytes.append(twin, count: sharedCount) }
    own = bytes
    return bytes
  }
}
