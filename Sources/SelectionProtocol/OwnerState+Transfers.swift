extension OwnerState {
  /// A property of a watched window was deleted.
  ///
  /// - Parameter serial: The event's serial: what came before the transfer's last store is not about that.
  public mutating func propertyDeleted(
    _ key: TransferKey, serial: UInt64, now: Instant
  ) -> [OwnerAction] {
    guard var transfer = transfers[key], serial >= transfer.lastSerial else { return [] }
    let action = transfer.state.propertyDeleted(now: now)
    transfers[key] = transfer
    return perform(action, key)
  }

  /// A watched window does not exist any more.
  public mutating func windowDestroyed(_ window: Window) -> [OwnerAction] {
    var actions: [OwnerAction] = []
    for key in transfers.keys.filter({ $0.window == window }) { actions += end(key) }
    // Requests whose stores are under way end by the outcome of these; the others have nobody to answer.
    for request in requests.values.filter({ $0.event.requestor == window && !$0.isStoring }) {
      actions += dropProducts(of: request) + forget(request)
    }
    return actions
  }

  /// A chunk is on its way to the server.
  ///
  /// - Parameters:
  ///   - serial: Request number of the chunk's store.
  ///   - byteCount: How much of it was stored, if not all.
  public mutating func chunkSent(_ key: TransferKey, serial: UInt64, byteCount: Int? = nil) {
    transfers[key]?.lastSerial = serial
    if let byteCount { transfers[key]?.state.chunkShortened(to: byteCount) }
  }

  /// A chunk could not be stored, or its bytes could not be had.
  ///
  /// - Parameter serial: Request number of the chunk's store: what belongs to an earlier transfer on the same place
  ///   does not concern the one that is there now.
  public mutating func chunkFailed(_ key: TransferKey, serial: UInt64) -> [OwnerAction] {
    guard var transfer = transfers[key], serial >= transfer.firstSerial else { return [] }
    let action = transfer.state.sourceFailed()
    transfers[key] = transfer
    return perform(action, key)
  }

  /// The server had no memory for a chunk: it is tried in smaller ones, and so are later transfers.
  ///
  /// - Parameter serial: Request number of the chunk's store.
  public mutating func chunkRefused(_ key: TransferKey, serial: UInt64) -> [OwnerAction] {
    memoryIsShort()
    guard var transfer = transfers[key], serial >= transfer.firstSerial else { return [] }
    // Something was stored after it: there is a hole in what the requestor got.
    guard serial >= transfer.lastSerial else { return chunkFailed(key, serial: serial) }
    let action = transfer.state.chunkRefused()
    transfers[key] = transfer
    return perform(action, key)
  }

  /// What is stored from now on is smaller; what was said to be welcome in larger pieces, too.
  mutating func memoryIsShort() {
    isMemoryShort = true
    configuration.chunkSize = max(
      min(configuration.chunkSize, Self.leastChunkSize), configuration.chunkSize / 2 & ~3)
  }

  /// Chunks are made no smaller than this for later transfers' sake, in bytes.
  static var leastChunkSize: Int { 65_536 }

  /// Time passed: announces what is late, drops who is idle.
  public mutating func deadlinePassed(now: Instant) -> [OwnerAction] {
    guard let nextCheck = deadline, nextCheck <= now else { return [] }
    var actions: [OwnerAction] = []
    let late = requests.values.filter { $0.deadline.map { $0 <= now } ?? false }.map(\.id)
    for id in late.sorted(by: { $0.rawValue < $1.rawValue }) {
      actions += deadlinePassed(for: id, now: now)
    }
    for (key, transfer) in transfers where transfer.state.deadline <= now {
      var transfer = transfer
      let action = transfer.state.deadlinePassed(now: now)
      transfers[key] = transfer
      actions += perform(action, key)
    }
    recomputeDeadline()
    return actions
  }

  private mutating func deadlinePassed(for id: RequestID, now: Instant) -> [OwnerAction] {
    guard var request = requests[id] else { return [] }
    var actions: [OwnerAction] = []
    for entry in request.conversions.indices {
      guard case .producing(let product) = request.conversions[entry].progress else { continue }
      if !request.conversions[entry].answersLate {
        if request.softDeadline <= now {
          request.conversions[entry].progress = .announced(product)
        }
      } else if request.hardDeadline <= now {
        request.conversions[entry].progress = .failed
        productOwners[product] = nil
        actions.append(.release(product))
      }
    }
    requests[id] = request
    return actions + advance(line(of: request.event))
  }

  mutating func perform(_ action: OutgoingTransfer.Action, _ key: TransferKey) -> [OwnerAction] {
    guard let transfer = transfers[key] else { return [] }
    func store(_ content: PropertyContent) -> [OwnerAction] {
      let store = PropertyStore(
        property: key.property, type: transfer.type, format: transfer.format, content: content)
      return [.storeChunk(key, store)]
    }
    switch action {
    case .none:
      return []
    case .writeChunk(let range):
      return store(.product(transfer.product, range))
    case .writeTerminator:
      return store(.empty)
    case .finish:
      return [
        .delivered(transfer.period, targetIndex: transfer.targetIndex, requestor: key.window)
      ] + end(key)
    case .abandon:
      return [.deleteProperty(key.window, key.property)] + end(key)
    }
  }

  /// A new request takes the place of a running transfer.
  mutating func replace(_ key: TransferKey) -> [OwnerAction] {
    transfers[key] == nil ? [] : end(key)
  }

  mutating func end(_ key: TransferKey) -> [OwnerAction] {
    guard let transfer = transfers.removeValue(forKey: key) else { return [] }
    productOwners[transfer.product] = nil
    let left = transfersOnWindow[key.window, default: 1] - 1
    transfersOnWindow[key.window] = left > 0 ? left : nil
    if let client = client(of: key.window) {
      let left = transfersOfClient[client, default: 1] - 1
      transfersOfClient[client] = left > 0 ? left : nil
    }
    forgetDeadlineIfIdle()
    return [.release(transfer.product), .unwatch(key.window)] + release(transfer.period)
  }
}
