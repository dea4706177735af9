import SelectionProtocol

/// The bytes of one conversion, from the wish to the release.
struct Product {
  let period: PeriodID
  let targetIndex: Int
  var isReported = false
  var payload: (any Payload)?
  var cancel: (() -> Void)?
}

/// The stores of one request, between the sending and the confirmation.
private struct Stores {
  let request: RequestID
  let serials: [UInt64]
  /// Places of those whose bytes cannot be had.
  let unreadable: [Int]
  /// The requestor, where one of them announces a transfer.
  let announcedTo: Window?
}

/// Requests of others: what the owner's state asks for is carried out here.
extension SelectionConnection {
  func produced(_ id: ProductID, _ payload: (any Payload)?, typeName: String?) {
    // What was reported once is being sent, and must not change.
    guard let product = products[id], !product.isReported else { return }
    products[id]?.isReported = true
    products[id]?.payload = payload
    products[id]?.cancel = nil
    perform(
      owner.produced(
        id, byteCount: payload?.byteCount, type: typeName.map { atom($0) }, now: .now))
  }

  // MARK: Actions

  /// Carries actions out, and what follows from them, until nothing is left.
  ///
  /// All stores of a round are confirmed by one round trip.
  func perform(_ more: [OwnerAction]) {
    actions += more
    guard !isPerforming, !x.isDead else { return }
    isPerforming = true
    defer { isPerforming = false }
    while !actions.isEmpty {
      var stores: [Stores] = []
      var index = 0
      while index < actions.count {
        carryOut(actions[index], &stores)
        index += 1
      }
      actions.removeAll(keepingCapacity: true)
      guard !stores.isEmpty else { continue }
      x.synchronize()
      guard !x.isDead else { return }
      confirm(stores)
    }
  }

  private func confirm(_ stores: [Stores]) {
    var errors: [UInt64: ServerError] = [:]
    while let error = x.takeError() { errors[error.serial] = error }
    let now = Instant.now
    for store in stores {
      let failures =
        errors.isEmpty
        ? [] : store.serials.enumerated().filter { errors[$0.element] != nil }.map(\.offset)
      let causes = failures.compactMap { errors[store.serials[$0]] }
      let outcome: StoreOutcome =
        if causes.contains(where: { $0.missingWindow != nil }) {
          .windowGone
        } else if causes.contains(where: \.isOutOfMemory) {
          .outOfMemory
        } else if failures.isEmpty, store.unreadable.isEmpty {
          .stored(serials: store.serials)
        } else {
          .rejected(Set(failures + store.unreadable).sorted())
        }
      actions += owner.stored(
        store.request, outcome, chunkSize: store.announcedTo.flatMap { chunkSize(of: $0) }, now: now
      )
    }
    for error in errors.values.sorted(by: { $0.serial < $1.serial }) { failed(error) }
  }

  private func carryOut(
    _ action: OwnerAction, _ stores: inout [Stores]
  ) {
    switch action {
    case .watch(let window):
      addMask(EventMask.propertyChange | EventMask.structure, to: window)
    case .unwatch(let window):
      removeMask(EventMask.propertyChange | EventMask.structure, from: window)
    case .store(let request, let window, let properties):
      var serials: [UInt64] = []
      var unreadable: [Int] = []
      for (place, property) in properties.enumerated() {
        let serial = x.nextSerial
        var byteCount: Int?
        if store(property, on: window, byteCount: &byteCount) {
          serials.append(serial)
        } else {
          // No request was sent, and the next one takes the number.
          serials.append(0)
          unreadable.append(place)
        }
      }
      let announced = properties.contains { $0.type == atoms.incr } ? window : nil
      stores.append(
        Stores(request: request, serials: serials, unreadable: unreadable, announcedTo: announced))
    case .storeChunk(let key, let property):
      let serial = x.nextSerial
      var byteCount: Int?
      if store(property, on: key.window, byteCount: &byteCount) {
        chunks.append(serial, key)
        owner.chunkSent(key, serial: serial, byteCount: byteCount)
      } else {
        actions += owner.chunkFailed(key, serial: serial)
      }
    case .deleteProperty(let window, let property):
      x.deleteProperty(window, property)
    case .readPairs(let request, let window, let property):
      let (pairs, type) = readPairs(window, property)
      actions += owner.pairsRead(request, pairs: pairs, type: type)
    case .produce(let id, let period, let targetIndex, let asker):
      produce(id, period, targetIndex, asker)
    case .release(let id):
      products.removeValue(forKey: id)?.cancel?()
    case .notify(let request, let property):
      x.notify(request, property: property)
    case .releasePeriod(let period):
      offers[period] = nil
    case .delivered(let period, let targetIndex, let requestor):
      guard let offer = offers[period], offer.targets.indices.contains(targetIndex) else { return }
      offer.onDelivered?(offer.targets[targetIndex].name, requestor)
    }
  }

  private func produce(
    _ id: ProductID, _ period: PeriodID, _ targetIndex: Int, _ asker: Asker
  ) {
    products[id] = Product(period: period, targetIndex: targetIndex)
    guard let targets = offers[period]?.targets, targets.indices.contains(targetIndex) else {
      return produced(id, nil, typeName: nil)
    }
    let target = targets[targetIndex]
    let ticket = ProductionTicket(product: id, mailbox: mailbox, asker: asker)
    switch target.produce(ticket) {
    case .ready(let payload, let typeName):
      produced(id, payload, typeName: typeName)
    case .pending(let cancel):
      // Its thread may have reported already, but not yet have been heard.
      products[id]?.cancel = cancel
    case .failed:
      produced(id, nil, typeName: nil)
    }
  }

  /// - Parameter byteCount: How much was stored of a product's range, if not all.
  /// - Returns: False where the bytes cannot be had.
  private func store(
    _ store: PropertyStore, on window: Window, byteCount: inout Int?
  ) -> Bool {
    switch store.content {
    case .atoms(let atoms):
      x.changeProperty(window, store.property, type: store.type, numbers: atoms.map(\.rawValue))
    case .numbers(let numbers):
      x.changeProperty(window, store.property, type: store.type, numbers: numbers)
    case .empty:
      x.changeProperty(
        window, store.property, type: store.type, format: store.format,
        bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    case .product(let id, let range):
      guard let payload = products[id]?.payload else { return false }
      let area = UnsafeMutableRawBufferPointer(
        start: scratch.baseAddress, count: min(scratch.count, range.count))
      do {
        let isCut =
          range.upperBound < payload.byteCount && store.type == atomTable.known("UTF8_STRING")
        try payload.withBytes(in: range, scratch: area) {
          var bytes = $0
          // Tk decodes each chunk by itself: a character must not lie in two.
          if isCut, let whole = bytes.countOfWholeCharacters {
            byteCount = whole
            bytes = UnsafeRawBufferPointer(rebasing: bytes[..<whole])
          }
          x.changeProperty(
            window, store.property, type: store.type, format: store.format, bytes: bytes)
        }
      } catch {
        return false
      }
    }
    return true
  }

  private func readPairs(_ window: Window, _ property: Atom) -> ([UInt32]?, Atom) {
    // One slice of the most pairs that are served, and one more, so that too many are seen as such.
    let length = 2 * (owner.configuration.pairs + 1)
    return x.readProperty(window, property, offset: 0, length: length, delete: false) {
      slice, bytes in
      guard let slice, slice.format == 32 else { return (nil, .none) }
      let items = (0..<(bytes.count / 4)).map {
        bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
      }
      return (slice.bytesAfter == 0 ? items : nil, slice.type)
    }
  }

  /// The most bytes that a requestor says it takes at once; `nil` where it says nothing.
  private func chunkSize(of requestor: Window) -> Int? {
    let said = x.readProperty(requestor, chunkProperty, offset: 0, length: 1, delete: false) {
      slice, _ in
      slice?.type == .cardinal && slice?.format == 32 ? slice?.firstItem : nil
    }
    guard let said, said > owner.configuration.chunkSize else { return nil }
    return min(Int(said), Self.largestChunk, x.largestPropertySize)
  }

  func addMask(_ mask: Int, to window: Window) {
    if let whole = masks.add(mask, to: window, serial: x.nextSerial) {
      x.selectInput(window, mask: whole)
    }
  }

  func removeMask(_ mask: Int, from window: Window) {
    if let whole = masks.remove(mask, from: window) { x.selectInput(window, mask: whole) }
  }
}
