import Foundation
import SelectionProtocol
import Synchronization
import Testing

/// How many random schedules there are.
enum RandomWalk {
  /// For each walk; `SCHEDULES` sets another number.
  static let schedules: UInt64 =
    ProcessInfo.processInfo.environment["SCHEDULES"].flatMap { UInt64($0) } ?? 60_000

  /// Runs schedules on all cores, and finds the first seed with a fault.
  static func firstFault(_ faults: @escaping @Sendable (UInt64) -> [String]) -> String? {
    let found = Mutex<(seed: UInt64, faults: [String])?>(nil)
    let lanes = UInt64(max(2, ProcessInfo.processInfo.activeProcessorCount))
    DispatchQueue.concurrentPerform(iterations: Int(lanes)) { lane in
      for seed in stride(from: UInt64(lane), to: schedules, by: Int(lanes)) {
        if seed % 256 == 0, found.withLock({ $0 != nil }) { return }
        let these = faults(seed)
        guard !these.isEmpty else { continue }
        found.withLock { if seed < $0?.seed ?? .max { $0 = (seed, these) } }
        return
      }
    }
    return found.withLock { $0.map { "seed \($0.seed): \($0.faults)" } }
  }
}

/// Random schedules of legal and illegal events; each is repeated by its seed.
@Suite(.serialized) struct RandomWalkTests {
  @Test("an owner among hostile requestors keeps its invariants")
  func owner() {
    #expect(
      RandomWalk.firstFault { seed in
        var walk = OwnerWalk(seed: seed)
        walk.run()
        return walk.faults
      } == nil)
  }

  @Test("owner and requestors agree, whatever is lost and whenever")
  func pair() {
    #expect(
      RandomWalk.firstFault { seed in
        var walk = PairWalk(seed: seed)
        walk.run()
        return walk.faults
      } == nil)
  }

  @Test("a requestor believes nothing that is not whole")
  func requestor() {
    #expect(RandomWalk.firstFault { requestorWalk(seed: $0) } == nil)
  }
}

/// Throws everything at one owner.
private struct OwnerWalk {
  private var random: SplitMix
  private var rig: OwnerRig
  private var requests: [SelectionRequest: Int] = [:]
  private var destroyed: Set<Window> = []
  private var contents: Set<[UInt8]> = [[]]
  private var serial = 0
  /// Number of the request that acquired the clipboard last.
  private var acquisition: UInt64 = 0
  private(set) var faults: [String] = []

  private static let targets = (0..<5).map { Atom(UInt32(200 + $0)) }
  private static let places = (0..<4).map { Atom(UInt32(300 + $0)) }
  private static let manager = Atom(150)

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = [4, 8, 16, 64].randomElement(using: &random) ?? 4
    if random.chance(30) { configuration.transfersPerWindow = 2 }
    if random.chance(30) { configuration.transfers = 4 }
    if random.chance(30) { configuration.requests = 5 }
    if random.chance(30) { configuration.pairs = 3 }
    rig = OwnerRig(configuration: configuration)
  }

  mutating func run() {
    for _ in 0..<Int.random(in: 10..<60, using: &random) {
      step()
      if rig.faults.count > 0 { break }
    }
    finish()
  }

  private mutating func step() {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: acquire()
    case 1...6: request()
    case 7...10: handleSomeEvents()
    case 11, 12: deleteSomething()
    case 13: pass()
    case 14, 15: report()
    case 16: misfortune()
    case 17: illegal()
    case 18:
      let window = window()
      rig.server.destroy(window)
      destroyed.insert(window)
    default: random.chance(50) ? rig.perform(rig.state.relinquished(testAtoms.clipboard)) : clear()
    }
  }

  /// A clear, perhaps one of an earlier ownership (invariant 8).
  private mutating func clear() {
    let serial = UInt64(Int(rig.server.serial) + Int.random(in: -3...1, using: &random))
    let isOwned = rig.state.currentPeriod(of: testAtoms.clipboard) != nil
    let (lost, actions) = rig.state.cleared(
      testAtoms.clipboard, window: rig.window, serial: serial)
    if (lost != nil) != (isOwned && serial >= acquisition) {
      faults.append("a clear by request \(serial), an acquisition by \(acquisition)")
    }
    rig.perform(actions)
  }

  private mutating func window() -> Window { Window(UInt32.random(in: 50..<54, using: &random)) }

  private mutating func content(_ format: Int) -> [UInt8] {
    serial += 1
    let items = [0, 1, 2, 3, 5, 16, 17, 40].randomElement(using: &random) ?? 0
    let content = pattern(items * format / 8, seed: serial * 1_009)
    contents.insert(content)
    return content
  }

  private mutating func acquire() {
    var targets: [(AdvertisedTarget, OwnerRig.Source)] = []
    for _ in 0..<Int.random(in: 0..<5, using: &random) {
      let format = [8, 8, 16, 32].randomElement(using: &random) ?? 8
      let target = Self.targets.randomElement(using: &random) ?? .none
      let source: OwnerRig.Source =
        switch Int.random(in: 0..<5, using: &random) {
        case 0: .failing
        case 1, 2: .pending
        default: .ready(content(format), type: random.chance(20) ? .string : nil)
        }
      targets.append(
        (
          AdvertisedTarget(
            target: target, type: target, format: format, answersLate: random.chance(10)), source
        ))
    }
    let selection = random.chance(80) ? testAtoms.clipboard : Self.manager
    rig.acquire(targets, selection: selection, storable: random.chance(50))
    if selection == testAtoms.clipboard { acquisition = rig.acquisitionSerial }
  }

  private mutating func request() {
    let window = window()
    rig.server.create(window)
    let place = random.chance(10) ? Atom.none : Self.places.randomElement(using: &random) ?? .none
    var target = Self.targets.randomElement(using: &random) ?? .none
    switch Int.random(in: 0..<12, using: &random) {
    case 0: target = testAtoms.targets
    case 1: target = testAtoms.timestamp
    case 2: target = testAtoms.saveTargets
    case 3: target = .none
    case 4...6:
      target = testAtoms.multiple
      if place != .none, random.chance(90) { writePairs(window, place) }
    default: break
    }
    let event = SelectionRequest(
      owner: random.chance(95) ? rig.window : Window(8), requestor: window,
      selection: random.chance(80) ? testAtoms.clipboard : Self.manager, target: target,
      property: place, time: ServerTime(UInt32.random(in: 0..<2, using: &random)))
    requests[event, default: 0] += 1
    rig.request(event)
  }

  private mutating func writePairs(_ window: Window, _ place: Atom) {
    let atoms = Self.targets + Self.places + [testAtoms.multiple, testAtoms.targets, .none]
    let count = Int.random(in: 0..<9, using: &random)
    let pairs = (0..<count).map { _ in (atoms.randomElement(using: &random) ?? .none).rawValue }
    rig.server.store(
      TransferKey(window: window, property: place),
      StoredProperty(
        type: Atom(321), format: random.chance(90) ? 32 : 8, bytes: bytes(pairs)), byOwner: false)
  }

  private mutating func handleSomeEvents() {
    for _ in 0..<Int.random(in: 1..<6, using: &random) where !rig.server.ownerEvents.isEmpty {
      rig.handle(rig.server.ownerEvents.removeFirst())
    }
  }

  private mutating func deleteSomething() {
    for _ in 0..<Int.random(in: 1..<8, using: &random) {
      let property = (Self.places + Self.targets).randomElement(using: &random) ?? .none
      let window = window()
      rig.server.delete(TransferKey(window: window, property: property), byOwner: false)
      if random.chance(70) { rig.handleEvents() }
    }
  }

  private mutating func pass() {
    rig.pass([1, 100, 300, 400, 10_000, 30_000, 60_000].randomElement(using: &random) ?? 1)
  }

  private mutating func report() {
    guard let product = rig.pending.randomElement(using: &random) else { return }
    let bytes = random.chance(75) ? content([8, 32].randomElement(using: &random) ?? 8) : nil
    rig.finish(product, bytes)
    if random.chance(30) {
      rig.perform(rig.state.produced(product, byteCount: 7, now: rig.now))
    }
  }

  private mutating func misfortune() {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: rig.failsNextStores += 1
    case 1: rig.failsChunks.toggle()
    default: rig.unreadable.toggle()
    }
  }

  /// Reports that nobody asked for, or that come too late.
  private mutating func illegal() {
    let key = TransferKey(
      window: window(), property: Self.places.randomElement(using: &random) ?? .none)
    let id = RequestID(rawValue: Int.random(in: 0..<60, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: rig.perform(rig.state.stored(id, .stored(serials: []), now: rig.now))
    case 1: rig.perform(rig.state.stored(id, .windowGone, now: rig.now))
    case 2: rig.perform(rig.state.pairsRead(id, pairs: [1, 2], type: .atom))
    case 3:
      let product = ProductID(rawValue: Int.random(in: 0..<60, using: &random))
      // Only what is over, or never was: a living product's report is an ordinary one.
      if rig.products[product] == nil {
        rig.perform(rig.state.produced(product, byteCount: 3, now: rig.now))
      }
    case 4: rig.handle(.chunkFailed(key, serial: 1))
    default: rig.handle(.deleted(key, serial: 1))
    }
  }

  /// Lets everything end, and looks at the books.
  private mutating func finish() {
    for selection in [testAtoms.clipboard, Self.manager] {
      rig.perform(rig.state.relinquished(selection))
    }
    var rounds = 0
    while rig.state.isBusy, rounds < 100 {
      rounds += 1
      rig.handleEvents()
      guard rig.state.isBusy else { break }
      guard let deadline = rig.state.deadline else {
        faults.append("busy without deadline")
        break
      }
      rig.pass(max(1, deadline.milliseconds - rig.now.milliseconds))
    }
    faults += rig.faults
    if rig.state.isBusy { faults.append("still busy") }
    if rig.state.deadline != nil { faults.append("a deadline without anything to do") }
    if !rig.watches.isEmpty { faults.append("watches left: \(rig.watches)") }
    if !rig.products.isEmpty { faults.append("products left: \(rig.products.count)") }
    if rig.produced != rig.released {
      faults.append("produced \(rig.produced), released \(rig.released)")
    }
    if !rig.sources.isEmpty { faults.append("periods left: \(rig.sources.count)") }
    countNotices()
    checkGrammar()
  }

  private mutating func countNotices() {
    var notices: [SelectionRequest: Int] = [:]
    for notice in rig.notices { notices[notice.request, default: 0] += 1 }
    for (request, count) in requests {
      let answers = notices.removeValue(forKey: request) ?? 0
      let isExact = !destroyed.contains(request.requestor)
      if answers > count || (isExact && answers != count) {
        faults.append("\(answers) notices for \(count) requests \(request)")
      }
    }
    if !notices.isEmpty { faults.append("notices without request") }
  }

  /// What follows a header is a content in whole chunks, and it is ended only if it is complete.
  private mutating func checkGrammar() {
    var collected: [TransferKey: [UInt8]] = [:]
    for (key, property, kind) in rig.server.stores {
      if kind == .chunk {
        guard var all = collected[key] else {
          faults.append("a chunk without header")
          continue
        }
        all += property.bytes
        collected[key] = all
        guard property.bytes.isEmpty else { continue }
        if !contents.contains(all) { faults.append("ended with a torso of \(all.count) bytes") }
        collected[key] = nil
      } else {
        collected[key] = property.type == testAtoms.incr ? [] : nil
        if kind == .content, !contents.contains(property.bytes) {
          faults.append("a small answer that is no content")
        }
      }
    }
  }
}

/// One honest owner and several honest requestors, in a world where windows and time go by.
private struct PairWalk {
  private var random: SplitMix
  private var rig: OwnerRig
  private var pastings: [Pasting] = []
  private var contents: [Window: [UInt8]] = [:]
  private var pending: [(window: Window, product: ProductID)] = []
  private(set) var faults: [String] = []
  private let target = Atom(200)

  init(seed: UInt64) {
    random = SplitMix(seed: seed)
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = [4, 12, 64].randomElement(using: &random) ?? 4
    rig = OwnerRig(configuration: configuration)
  }

  mutating func run() {
    for index in 0..<Int.random(in: 1..<6, using: &random) { begin(index) }
    var steps = 0
    while steps < 2_000, !pastings.allSatisfy({ $0.isOver }) {
      steps += 1
      step()
    }
    rig.perform(rig.state.relinquished(testAtoms.clipboard))
    drain()
    for pasting in pastings {
      if pasting.isFinished, pasting.bytes != contents[pasting.key.window] {
        faults.append("a success with \(pasting.bytes.count) bytes that are not the content")
      }
    }
    faults += rig.faults
    if !rig.watches.isEmpty || !rig.products.isEmpty || rig.state.isBusy {
      faults.append("something is left")
    }
  }

  private mutating func begin(_ index: Int) {
    // A new content for each requestor: the former periods go on for their own.
    let content = pattern(Int.random(in: 0..<200, using: &random), seed: index * 7 + 1)
    let isLate = random.chance(30)
    rig.acquire([(AdvertisedTarget(target), isLate ? .pending : .ready(content))])
    let window = Window(UInt32(50 + index))
    contents[window] = content
    var pasting = Pasting(window: window, property: Atom(300), now: rig.now)
    pasting.sliceUnits = Int.random(in: 1..<5, using: &random)
    pastings.append(pasting)
    rig.request(window, target, Atom(300))
    if isLate, let product = rig.pending.last { pending.append((window, product)) }
  }

  private mutating func step() {
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<45:
      guard !rig.server.requestorEvents.isEmpty else { return pass() }
      deliver(rig.server.requestorEvents.removeFirst())
    case 45..<90:
      guard !rig.server.ownerEvents.isEmpty else { return pass() }
      rig.handle(rig.server.ownerEvents.removeFirst())
    case 90..<95:
      guard !pending.isEmpty else { return }
      let (window, product) = pending.removeFirst()
      guard rig.pending.contains(product) else { return }
      rig.finish(product, random.chance(85) ? contents[window] : nil)
    case 95: rig.unreadable = random.chance(5)
    case 96:
      let index = Int.random(in: 0..<pastings.count, using: &random)
      if case .fail(let failure) = pastings[index].transfer.cancel() {
        pastings[index].failure = failure
        rig.server.destroy(pastings[index].key.window)
      }
    default: pass()
    }
  }

  private mutating func pass() {
    rig.pass([1, 1, 10, 200, 400, 5_000].randomElement(using: &random) ?? 1)
    for index in pastings.indices where !pastings[index].isOver {
      if case .fail(let failure) = pastings[index].transfer.deadlinePassed(now: rig.now) {
        pastings[index].failure = failure
        rig.server.destroy(pastings[index].key.window)
      }
    }
  }

  private mutating func deliver(_ event: FakeServer.RequestorEvent) {
    for index in pastings.indices where !pastings[index].isOver {
      switch event {
      case .notify(let request, let property):
        if request.requestor == pastings[index].key.window {
          pastings[index].notified(property, &rig)
        }
      case .changed(let key):
        if key == pastings[index].key { pastings[index].changed(&rig) }
      }
    }
  }

  private mutating func drain() {
    var rounds = 0
    while rig.state.isBusy, rounds < 200 {
      rounds += 1
      rig.handleEvents()
      rig.pass(30_000)
    }
  }
}

/// Throws everything at one requestor.
private func requestorWalk(seed: UInt64) -> [String] {
  var random = SplitMix(seed: seed)
  var faults: [String] = []
  var now = Instant(milliseconds: 1_000)
  let limits = TransferLimits(
    response: 100, idle: 200, byteCount: Int.random(in: 0..<100, using: &random))
  var state = IncomingTransfer(limits: limits, incr: testAtoms.incr, now: now)
  var delivered = 0
  var ends = 0
  var isReading = false
  for _ in 0..<60 {
    let wasOver = state.isOver
    let action: IncomingTransfer.Action
    var slice: PropertySlice?
    switch isReading ? 0 : Int.random(in: 0..<9, using: &random) {
    case 0, 1:
      if random.chance(85) {
        slice = PropertySlice(
          type: random.chance(15) ? testAtoms.incr : Atom(UInt32.random(in: 0..<3, using: &random)),
          format: [8, 8, 8, 32].randomElement(using: &random) ?? 8,
          byteCount: Int.random(in: 0..<16, using: &random),
          bytesAfter: random.chance(70) ? 0 : Int.random(in: 1..<9, using: &random),
          firstItem: .random(in: 0 ... .max, using: &random))
      }
      action = state.sliceRead(slice, now: now)
    case 2, 3:
      action = state.notified(property: random.chance(10) ? .none : Atom(300), now: now)
    case 4, 5: action = state.propertyChanged(now: now)
    case 6:
      now = now + Int64.random(in: 0..<120, using: &random)
      action = state.deadlinePassed(now: now)
      if action == .none, !state.isOver, state.deadline <= now {
        faults.append("outlived its deadline")
      }
    case 7: action = random.chance(10) ? state.cancel() : .none
    default:
      action =
        random.chance(10)
        ? state.ownerWindowDestroyed(now: now)
        : random.chance(10) ? state.ownerDisconnected() : .none
    }
    if wasOver, action != .none { faults.append("\(action) after the end") }
    isReading = false
    switch action {
    case .none: break
    case .read, .deliverThenRead: isReading = true
    case .deliverThenWait: break
    case .deliverThenFinish:
      ends += 1
      if state.wasIncremental { faults.append("an INCR ended by a chunk") }
    case .finish:
      ends += 1
      if !state.wasIncremental || slice?.byteCount != 0 { faults.append("ended without its end") }
    case .fail: ends += 1
    }
    switch action {
    case .deliverThenRead, .deliverThenWait, .deliverThenFinish:
      delivered += slice?.byteCount ?? 0
      if slice == nil { faults.append("delivered nothing") }
    case .none, .read, .finish, .fail: break
    }
    if state.isOver != (ends > 0) { faults.append("over without an end, or not over with one") }
  }
  if delivered != state.byteCount || delivered > limits.byteCount {
    faults.append(
      "\(delivered) bytes delivered, \(state.byteCount) counted, limit \(limits.byteCount)")
  }
  if ends > 1 { faults.append("ended \(ends) times") }
  return faults
}
