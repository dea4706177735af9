extension OwnerState {
  /// Moves a line on: stores and refuses as far as the first request that is not ready.
  mutating func advance(_ line: Line) -> [OwnerAction] {
    var actions: [OwnerAction] = []
    while let id = lines[line]?.first, var request = requests[id] {
      if request.isStoring || request.isWaitingForPairs || request.isProducing { break }
      if !request.isRefused, request.pairs == nil,
        request.conversions.allSatisfy({ $0.progress == .failed })
      {
        request.isRefused = true
      }
      var dropped: [ProductID] = []
      guard !request.isRefused, let stores = stores(for: &request, dropping: &dropped) else {
        actions += refuse(request)
        continue
      }
      for product in dropped {
        productOwners[product] = nil
        actions.append(.release(product))
      }
      request.isStoring = true
      requests[id] = request
      let window = request.event.requestor
      if request.pairs != nil {
        actions += replace(TransferKey(window: window, property: request.property))
      }
      for entry in request.conversions.indices {
        let conversion = request.conversions[entry]
        guard conversion.progress != .failed else { continue }
        if conversion.goesByINCR {
          requests[id]?.conversions[entry].headerIsStored = true
          actions.append(.watch(window))
        }
        actions += replace(TransferKey(window: window, property: conversion.property))
      }
      actions.append(.store(id, request.event.requestor, stores))
      break
    }
    return actions
  }

  /// The properties of a request; `nil` where it is beyond the limits.
  ///
  /// - Parameter dropped: Products of entries that are beyond the limits.
  private func stores(
    for request: inout Request, dropping dropped: inout [ProductID]
  ) -> [PropertyStore]? {
    let window = request.event.requestor
    var room = min(
      configuration.transfers - transfers.count,
      configuration.transfersPerWindow - transfersOnWindow[window, default: 0])
    if let client = client(of: window) {
      room = min(room, configuration.transfersPerClient - transfersOfClient[client, default: 0])
    }
    var stores: [PropertyStore] = []
    for entry in request.conversions.indices {
      let conversion = request.conversions[entry]
      switch conversion.progress {
      case .ready(let content):
        stores.append(
          PropertyStore(
            property: conversion.property, type: conversion.type, format: conversion.format,
            content: content))
      case .announced, .incremental:
        guard room > 0 else {
          if request.pairs == nil { return nil }
          if let product = conversion.product { dropped.append(product) }
          request.conversions[entry].progress = .failed
          continue
        }
        room -= 1
        var lowerBound: UInt32 = 1
        if case .incremental(_, let byteCount) = conversion.progress {
          lowerBound = UInt32(min(max(1, byteCount), Int(Int32.max)))
        }
        stores.append(
          PropertyStore(
            property: conversion.property, type: atoms.incr, format: 32,
            content: .numbers([lowerBound])))
      case .producing, .failed:
        continue
      }
    }
    if var pairs = request.pairs {
      let failed = request.conversions.indices.filter {
        request.conversions[$0].progress == .failed
      }
      if !failed.isEmpty {
        for entry in failed {
          pairs[2 * entry] = 0
          pairs[2 * entry + 1] = 0
        }
        stores.append(
          PropertyStore(
            property: request.property, type: request.pairsType, format: 32,
            content: .numbers(pairs)))
      }
    }
    return stores
  }

  /// The stores of a request were confirmed, or failed.
  ///
  /// - Parameter chunkSize: The most bytes in one property that the requestor said it takes; `nil` where it said nothing.
  public mutating func stored(
    _ id: RequestID, _ outcome: StoreOutcome, chunkSize: Int? = nil, now: Instant
  ) -> [OwnerAction] {
    guard var request = requests[id], request.isStoring else { return [] }
    request.chunkSize =
      isMemoryShort ? configuration.chunkSize : chunkSize ?? configuration.chunkSize
    let window = request.event.requestor
    var actions: [OwnerAction] = []
    let announcedAsINCR = request.conversions.filter(\.goesByINCR)
    switch outcome {
    case .windowGone:
      for _ in announcedAsINCR { actions.append(.unwatch(window)) }
      actions += dropProducts(of: request) + forget(request) + windowDestroyed(window)
      return actions + advance(line(of: request.event))
    case .rejected(let places):
      let stored = request.conversions.indices.filter { request.conversions[$0].isStored }
      guard request.pairs != nil, !places.isEmpty, places.allSatisfy(stored.indices.contains) else {
        return withdraw(request)
      }
      return storeAgain(request, without: Set(places.map { stored[$0] }))
    case .outOfMemory:
      memoryIsShort()
      return withdraw(request)
    case .stored(let serials):
      var index = 0
      var delivered: [OwnerAction] = []
      for conversion in request.conversions where conversion.isStored {
        let serial = serials.indices.contains(index) ? serials[index] : 0
        index += 1
        // Two requests for one place may have been stored in one round: the later one holds.
        actions += replace(TransferKey(window: window, property: conversion.property))
        let (first, later) = begin(conversion, of: request, serial: serial, now: now)
        actions += first
        delivered += later
      }
      let isFailed =
        request.pairs == nil && request.conversions.allSatisfy { $0.progress == .failed }
      actions.append(.notify(request.event, property: isFailed ? .none : request.property))
      // Whoever ends after the delivery ends after the notice.
      return actions + delivered + forget(request) + advance(line(of: request.event))
    }
  }

  /// Takes back whatever was stored, and refuses.
  private mutating func withdraw(_ request: Request) -> [OwnerAction] {
    let window = request.event.requestor
    let announced = request.conversions.count(where: \.goesByINCR)
    var actions = [OwnerAction](repeating: .unwatch(window), count: announced)
    for conversion in request.conversions where conversion.isStored {
      // A transfer that was opened there in the same round would take the deletion for the requestor's.
      actions += replace(TransferKey(window: window, property: conversion.property))
      actions.append(.deleteProperty(window, conversion.property))
    }
    return actions + refuse(request) + advance(line(of: request.event))
  }

  /// Some entries of a MULTIPLE failed only when they were stored: the list has to say so, and the others are stored
  /// anew along with it.
  private mutating func storeAgain(_ request: Request, without failed: Set<Int>) -> [OwnerAction] {
    var request = request
    let window = request.event.requestor
    var actions: [OwnerAction] = []
    for entry in request.conversions.indices {
      let conversion = request.conversions[entry]
      if conversion.goesByINCR { actions.append(.unwatch(window)) }
      request.conversions[entry].headerIsStored = false
      if failed.contains(entry) {
        if let product = conversion.product, productOwners[product] != nil {
          productOwners[product] = nil
          actions.append(.release(product))
        }
        request.conversions[entry].progress = .failed
      } else if conversion.progress == .failed, conversion.headerIsStored {
        // Its product failed while its header was being stored.
        actions.append(.deleteProperty(window, conversion.property))
      }
    }
    request.isStoring = false
    requests[request.id] = request
    return actions + advance(line(of: request.event))
  }

  /// What becomes of one conversion whose property is stored: before the notice, and after it.
  private mutating func begin(
    _ conversion: Conversion, of request: Request, serial: UInt64, now: Instant
  ) -> ([OwnerAction], [OwnerAction]) {
    let window = request.event.requestor
    let key = TransferKey(window: window, property: conversion.property)
    guard let period = request.period else { return ([], []) }
    switch conversion.progress {
    case .ready(let content):
      guard case .product(let product, _) = content, let index = conversion.targetIndex else {
        return ([], [])
      }
      productOwners[product] = nil
      return (
        [.release(product)], [.delivered(period, targetIndex: index, requestor: window)]
      )
    case .failed:
      // The product failed while its header was being stored.
      return ([.deleteProperty(window, conversion.property), .unwatch(window)], [])
    case .announced(let product):
      open(key, product, nil, conversion, request, serial, now)
    case .incremental(let product, let byteCount):
      open(key, product, byteCount, conversion, request, serial, now)
    case .producing:
      break
    }
    return ([], [])
  }

  private mutating func open(
    _ key: TransferKey, _ product: ProductID, _ byteCount: Int?, _ conversion: Conversion,
    _ request: Request, _ serial: UInt64, _ now: Instant
  ) {
    guard let period = request.period else { return }
    let state = OutgoingTransfer(
      byteCount: byteCount, chunkSize: request.chunkSize,
      idleLimit: configuration.idleLimit, sourceLimit: configuration.hardDeadline, now: now)
    transfers[key] = Transfer(
      state: state, product: product, type: conversion.type, format: conversion.format,
      period: period,
      targetIndex: conversion.targetIndex ?? 0, firstSerial: serial, lastSerial: serial)
    transfersOnWindow[key.window, default: 0] += 1
    if let client = client(of: key.window) { transfersOfClient[client, default: 0] += 1 }
    productOwners[product] = .transfer(key)
    retain(period)
    consider(state.deadline)
  }

  private mutating func refuse(_ request: Request) -> [OwnerAction] {
    [.notify(request.event, property: .none)] + dropProducts(of: request) + forget(request)
  }

  mutating func dropProducts(of request: Request) -> [OwnerAction] {
    var actions: [OwnerAction] = []
    for conversion in request.conversions {
      guard let product = conversion.product, productOwners[product] != nil else { continue }
      productOwners[product] = nil
      actions.append(.release(product))
    }
    return actions
  }

  mutating func forget(_ request: Request) -> [OwnerAction] {
    if requests.removeValue(forKey: request.id) != nil,
      let client = client(of: request.event.requestor)
    {
      let left = requestsOfClient[client, default: 1] - 1
      requestsOfClient[client] = left > 0 ? left : nil
    }
    let line = line(of: request.event)
    lines[line]?.removeAll { $0 == request.id }
    if lines[line]?.isEmpty == true { lines[line] = nil }
    forgetDeadlineIfIdle()
    return request.period.map { release($0) } ?? []
  }
}

extension OwnerState.Conversion {
  var isProducing: Bool {
    if case .producing = progress { true } else { false }
  }

  /// Whether the product has not been reported yet.
  var isUnreported: Bool {
    switch progress {
    case .producing, .announced: true
    case .ready, .incremental, .failed: false
    }
  }

  /// Whether a store of this conversion's property was asked for.
  var isStored: Bool { progress != .failed || headerIsStored }

  var product: ProductID? {
    switch progress {
    case .producing(let product), .announced(let product), .incremental(let product, _): product
    case .ready(.product(let product, _)): product
    case .ready, .failed: nil
    }
  }

  var goesByINCR: Bool {
    switch progress {
    case .announced, .incremental: true
    case .producing, .ready: false
    case .failed: headerIsStored
    }
  }
}
