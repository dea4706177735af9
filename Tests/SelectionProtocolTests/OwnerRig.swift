import SelectionProtocol
import Testing

/// An owner on a fake server: carries its actions out, and keeps the books that the invariants speak of.
struct OwnerRig {
  /// How a target's bytes come about.
  enum Source {
    case ready([UInt8], type: Atom? = nil)
    case pending
    case failing
  }

  var state: OwnerState
  var server = FakeServer()
  var now = Instant(milliseconds: 1_000)
  let window = Window(7)

  /// Sources by target index, for each period.
  var sources: [PeriodID: [Source]] = [:]
  /// Bytes of products that are alive.
  var products: [ProductID: [UInt8]?] = [:]
  var pending: [ProductID] = []
  var askers: [ProductID: Asker] = [:]

  // The books.
  var notices: [(request: SelectionRequest, property: Atom)] = []
  var watches: [Window: Int] = [:]
  var releasedPeriods: [PeriodID] = []
  var delivered: [(period: PeriodID, index: Int, requestor: Window)] = []
  var produced = 0
  var released = 0
  /// Violations found while carrying actions out.
  var faults: [String] = []

  /// Number of the request of the last acquisition.
  private(set) var acquisitionSerial: UInt64 = 0

  // Failures on demand.
  var failsNextStores = 0
  var failsChunks = false
  /// So many chunks find no memory in the server.
  var refusesNextChunks = 0
  /// Properties that the server takes for no atoms.
  var badProperties: Set<Atom> = []
  /// Bytes of products that cannot be had any more: storing them fails.
  var unreadable = false

  init(configuration: OwnerState.Configuration = OwnerState.Configuration()) {
    state = OwnerState(atoms: testAtoms, configuration: configuration)
  }

  @discardableResult
  mutating func acquire(
    _ targets: [(AdvertisedTarget, Source)], selection: Atom = testAtoms.clipboard,
    time: UInt32 = 5_000, storable: Bool = false
  ) -> PeriodID {
    server.serial += 1
    acquisitionSerial = server.serial
    let (period, actions) = state.acquired(
      selection, window: window, time: ServerTime(time), serial: server.serial,
      targets: targets.map(\.0), storable: storable)
    sources[period] = targets.map(\.1)
    perform(actions)
    return period
  }

  mutating func request(
    _ requestor: Window, _ target: Atom, _ property: Atom, time: UInt32 = 0,
    selection: Atom = testAtoms.clipboard
  ) {
    server.create(requestor)
    request(
      SelectionRequest(
        owner: window, requestor: requestor, selection: selection, target: target,
        property: property, time: ServerTime(time)))
  }

  mutating func request(_ event: SelectionRequest) { perform(state.requested(event, now: now)) }

  mutating func finish(_ product: ProductID, _ bytes: [UInt8]?, type: Atom? = nil) {
    pending.removeAll { $0 == product }
    if products[product] != nil { products[product] = .some(bytes) }
    perform(state.produced(product, byteCount: bytes?.count, type: type, now: now))
  }

  mutating func pass(_ milliseconds: Int64) {
    now = now + milliseconds
    if let deadline = state.deadline, deadline <= now { perform(state.deadlinePassed(now: now)) }
  }

  /// Lets the owner see what the server has for it.
  mutating func handleEvents() {
    while !server.ownerEvents.isEmpty { handle(server.ownerEvents.removeFirst()) }
  }

  mutating func handle(_ event: FakeServer.OwnerEvent) {
    switch event {
    case .request(let request): self.request(request)
    case .deleted(let key, let serial):
      perform(state.propertyDeleted(key, serial: serial, now: now))
    case .destroyed(let window): perform(state.windowDestroyed(window))
    case .chunkFailed(let key, let serial): perform(state.chunkFailed(key, serial: serial))
    case .chunkRefused(let key, let serial): perform(state.chunkRefused(key, serial: serial))
    }
  }

  /// Deletes a property as the requestor does, and lets the owner see it.
  mutating func delete(_ window: Window, _ property: Atom) {
    server.delete(TransferKey(window: window, property: property), byOwner: false)
    handleEvents()
  }

  subscript(window: Window, property: Atom) -> StoredProperty? {
    server[TransferKey(window: window, property: property)]
  }

  // MARK: Actions

  /// Carries actions out in rounds, whose stores are confirmed together, as the transport does.
  mutating func perform(_ first: [OwnerAction]) {
    var actions = first
    while !actions.isEmpty {
      var confirmations: [(RequestID, StoreOutcome)] = []
      var index = 0
      while index < actions.count {
        let more = carryOut(actions[index], &confirmations)
        actions += more
        index += 1
      }
      actions = []
      for (id, outcome) in confirmations { actions += state.stored(id, outcome, now: now) }
    }
  }

  private mutating func carryOut(
    _ action: OwnerAction, _ confirmations: inout [(RequestID, StoreOutcome)]
  ) -> [OwnerAction] {
    switch action {
    case .watch(let window):
      server.serial += 1
      watches[window, default: 0] += 1
      if server.windows.contains(window) { server.selected.insert(window) }
    case .unwatch(let window):
      server.serial += 1
      watches[window, default: 0] -= 1
      if watches[window, default: 0] < 0 { faults.append("more unwatch than watch on \(window)") }
      if watches[window] == 0 {
        watches[window] = nil
        server.selected.remove(window)
      }
    case .store(let id, let window, let stores):
      confirmations.append((id, store(stores, on: window)))
    case .storeChunk(let key, let chunk):
      guard let property = property(chunk) else {
        return state.chunkFailed(key, serial: server.serial + 1)
      }
      if refusesNextChunks > 0 {
        refusesNextChunks -= 1
        server.serial += 1
        server.ownerEvents.append(.chunkRefused(key, serial: server.serial))
        state.chunkSent(key, serial: server.serial)
      } else if failsChunks {
        server.serial += 1
        server.ownerEvents.append(.chunkFailed(key, serial: server.serial))
        state.chunkSent(key, serial: server.serial)
      } else {
        if !server.store(key, property, kind: .chunk) {
          server.ownerEvents.append(.chunkFailed(key, serial: server.serial))
        }
        state.chunkSent(key, serial: server.serial)
      }
    case .deleteProperty(let window, let property):
      server.delete(TransferKey(window: window, property: property), byOwner: true)
    case .readPairs(let id, let window, let property):
      let list = server[TransferKey(window: window, property: property)]
      let pairs = list.flatMap { $0.format == 32 ? numbers($0.bytes) : nil }
      return state.pairsRead(id, pairs: pairs, type: list?.type ?? .none)
    case .produce(let id, let period, let index, let asker):
      produced += 1
      products[id] = .some(nil)
      askers[id] = asker
      guard let source = sources[period]?[index] else {
        faults.append("a product of a period that was released")
        return state.produced(id, byteCount: nil, now: now)
      }
      switch source {
      case .ready(let bytes, let type):
        products[id] = bytes
        return state.produced(id, byteCount: bytes.count, type: type, now: now)
      case .pending: pending.append(id)
      case .failing: return state.produced(id, byteCount: nil, now: now)
      }
    case .release(let id):
      released += 1
      if products.removeValue(forKey: id) == nil { faults.append("\(id) released twice") }
      pending.removeAll { $0 == id }
    case .notify(let request, let property):
      notices.append((request, property))
      server.serial += 1
      if server.windows.contains(request.requestor) {
        server.requestorEvents.append(.notify(request, property: property))
      }
    case .releasePeriod(let period):
      if sources.removeValue(forKey: period) == nil { faults.append("\(period) released twice") }
      releasedPeriods.append(period)
    case .delivered(let period, let index, let requestor):
      if sources[period] == nil { faults.append("delivered from a period that was released") }
      delivered.append((period, index, requestor))
    }
    return []
  }

  private mutating func store(_ stores: [PropertyStore], on window: Window) -> StoreOutcome {
    var serials: [UInt64] = []
    var isStored = true
    var rejected: [Int] = []
    let fails = failsNextStores > 0
    if fails { failsNextStores -= 1 }
    for (position, store) in stores.enumerated() {
      guard let property = property(store), !badProperties.contains(store.property) else {
        rejected.append(position)
        serials.append(server.serial)
        continue
      }
      // An allocation fails for one of them; the others are stored.
      if fails, position == stores.count / 2 {
        server.serial += 1
        isStored = false
      } else if !server.store(
        TransferKey(window: window, property: store.property), property,
        kind: store.content.isProduct ? .content : .answer)
      {
        return .windowGone
      }
      serials.append(server.serial)
    }
    if !server.windows.contains(window) { return .windowGone }
    guard isStored else { return .outOfMemory }
    return rejected.isEmpty ? .stored(serials: serials) : .rejected(rejected)
  }

  private mutating func property(_ store: PropertyStore) -> StoredProperty? {
    let content: [UInt8]
    switch store.content {
    case .atoms(let atoms): content = bytes(atoms.map(\.rawValue))
    case .numbers(let numbers): content = bytes(numbers)
    case .empty: content = []
    case .product(let id, let range):
      guard !unreadable, let product = products[id], let product, range.upperBound <= product.count
      else {
        if products[id] == nil { faults.append("bytes of \(id), which was released") }
        return nil
      }
      content = Array(product[range])
    }
    return StoredProperty(type: store.type, format: store.format, bytes: content)
  }

  // MARK: The books

  /// What holds at any moment.
  func expectSound(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(faults == [], sourceLocation: sourceLocation)
  }

  /// What holds when everything is over and the selection is given up.
  func expectEmpty(sourceLocation: SourceLocation = #_sourceLocation) {
    expectSound(sourceLocation: sourceLocation)
    #expect(watches == [:], sourceLocation: sourceLocation)
    #expect(products.isEmpty, sourceLocation: sourceLocation)
    #expect(produced == released, sourceLocation: sourceLocation)
    #expect(!state.isBusy, sourceLocation: sourceLocation)
    #expect(state.deadline == nil, sourceLocation: sourceLocation)
  }
}

extension AdvertisedTarget {
  /// A target whose reply has its own type.
  init(_ target: Atom, format: Int = 8) { self.init(target: target, type: target, format: format) }
}

extension PropertyContent {
  var isProduct: Bool { if case .product = self { true } else { false } }
}
