import SelectionProtocol
import Testing

private let text = Atom(200)
private let place = Atom(300)
private let requestor = Window(50)

/// INCR as seen from `OwnerState`: invariants 7, 9, 10 and 12.
struct OwnerTransferTests {
  private func rig(
    chunk: Int = 16, _ content: OwnerRig.Source = .ready(pattern(100)),
    configure: (inout OwnerState.Configuration) -> Void = { _ in }
  ) -> OwnerRig {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = chunk
    configure(&configuration)
    var rig = OwnerRig(configuration: configuration)
    rig.acquire([(AdvertisedTarget(text), content)])
    return rig
  }

  @Test("the header says how much comes, within what fits a positive number", arguments: [17, 100])
  func header(count: Int) {
    var rig = rig(.ready(pattern(count)))
    rig.request(requestor, text, place)
    #expect(
      rig[requestor, place]
        == StoredProperty(type: testAtoms.incr, format: 32, bytes: bytes([UInt32(count)])))
  }

  @Test("the header of more than two gigabytes is clamped")
  func hugeHeader() {
    var rig = rig(.pending)
    rig.server.create(requestor)
    let request = SelectionRequest(
      owner: rig.window, requestor: requestor, selection: testAtoms.clipboard, target: text,
      property: place, time: .current)
    rig.request(request)
    let actions = rig.state.produced(rig.pending[0], byteCount: 3 << 30, now: rig.now)
    let content = actions.compactMap { action -> PropertyContent? in
      if case .store(_, _, let stores) = action { stores.first?.content } else { nil }
    }
    #expect(content == [.numbers([UInt32(Int32.max)])])
  }

  @Test("9: the window is watched before the header is stored")
  func watchFirst() {
    var rig = rig()
    rig.server.create(requestor)
    let request = SelectionRequest(
      owner: rig.window, requestor: requestor, selection: testAtoms.clipboard, target: text,
      property: place, time: .current)
    guard case .produce(let product, _, _, _) = rig.state.requested(request, now: rig.now).first
    else {
      Issue.record("no product was asked for")
      return
    }
    let actions = rig.state.produced(product, byteCount: 100, now: rig.now)
    #expect(actions.first == .watch(requestor))
    #expect(actions.count == 2)
  }

  @Test("9: a deletion from before the header is not taken for the start")
  func earlyDeletion() {
    var rig = rig()
    rig.server.create(requestor)
    rig.server.selected.insert(requestor)
    let key = TransferKey(window: requestor, property: place)
    rig.server.store(key, StoredProperty(type: .string, format: 8, bytes: [1]), byOwner: false)
    rig.server.delete(key, byOwner: false)
    rig.request(requestor, text, place)
    rig.handleEvents()
    #expect(rig[requestor, place]?.type == testAtoms.incr)
    rig.delete(requestor, place)
    #expect(rig[requestor, place]?.type == text)
  }

  @Test("9: a deletion from before the last chunk does not call for the next one")
  func earlyDeletionOfChunk() {
    var rig = rig()
    rig.request(requestor, text, place)
    let key = TransferKey(window: requestor, property: place)
    // The requestor deletes the header, and something of its own that it puts in the same place.
    rig.server.delete(key, byOwner: false)
    rig.server.store(key, StoredProperty(type: .string, format: 8, bytes: [1]), byOwner: false)
    rig.server.delete(key, byOwner: false)
    rig.handleEvents()
    #expect(rig[requestor, place]?.bytes == Array(pattern(100)[..<16]))
  }

  @Test("9: a deletion that comes before the store is confirmed starts the transfer")
  func fastRequestor() {
    var rig = rig()
    rig.request(requestor, text, place)
    // The event lies in the queue while the owner waits for the server's word.
    rig.server.delete(TransferKey(window: requestor, property: place), byOwner: false)
    #expect(rig.server.ownerEvents.count == 1)
    rig.handleEvents()
    #expect(rig[requestor, place]?.bytes == Array(pattern(100)[..<16]))
  }

  @Test("10: a new request takes the place of a running transfer; another one goes on")
  func replaced() {
    var rig = rig()
    rig.request(requestor, text, place)
    rig.request(requestor, text, Atom(301))
    rig.delete(requestor, place)
    rig.delete(requestor, place)
    rig.request(requestor, text, place, time: 1)
    #expect(rig.watches[requestor] == 2)
    #expect(rig[requestor, place]?.type == testAtoms.incr)
    var received: [[UInt8]] = []
    for property in [place, Atom(301)] {
      var all: [UInt8] = []
      rig.delete(requestor, property)
      while let chunk = rig[requestor, property], !chunk.bytes.isEmpty {
        all += chunk.bytes
        rig.delete(requestor, property)
      }
      rig.delete(requestor, property)
      received.append(all)
    }
    #expect(received == [pattern(100), pattern(100)])
    rig.expectEmpty()
  }

  @Test("10: a small answer on a transfer's place ends the transfer")
  func replacedBySmall() {
    var rig = rig()
    rig.request(requestor, text, place)
    rig.delete(requestor, place)
    rig.request(requestor, testAtoms.timestamp, place)
    #expect(rig[requestor, place]?.type == .integer)
    rig.delete(requestor, place)
    #expect(rig[requestor, place] == nil)
    rig.expectEmpty()
  }

  @Test("10: two late answers for one place, announced in one round: the later one holds")
  func announcedTogether() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .pending), (AdvertisedTarget(Atom(201)), .pending)])
    rig.request(requestor, text, place)
    rig.request(requestor, Atom(201), place)
    let products = rig.pending
    rig.pass(400)
    #expect(rig.notices.count == 2)
    #expect(rig.watches[requestor] == 1)
    rig.finish(products[1], [2])
    rig.finish(products[0], [1])
    rig.delete(requestor, place)
    #expect(rig[requestor, place]?.bytes == [2])
    rig.delete(requestor, place)
    rig.delete(requestor, place)
    rig.expectEmpty()
  }

  @Test("10: a chunk of the former transfer that failed does not end the new one")
  func formerChunkFailed() {
    var rig = rig()
    rig.request(requestor, text, place)
    let early = rig.server.serial
    rig.request(requestor, text, place, time: 1)
    rig.handle(.chunkFailed(TransferKey(window: requestor, property: place), serial: early - 1))
    #expect(rig.state.isBusy)
    rig.handle(
      .chunkFailed(TransferKey(window: requestor, property: place), serial: rig.server.serial))
    rig.handleEvents()
    rig.expectEmpty()
  }

  @Test("12: beyond the limits of transfers a request is refused, and others go on")
  func limits() {
    var rig = rig { configuration in
      configuration.transfersPerWindow = 3
      configuration.transfers = 5
    }
    for index in 0..<4 { rig.request(requestor, text, Atom(UInt32(400 + index))) }
    #expect(rig.notices.map { $0.property == .none } == [false, false, false, true])
    for index in 0..<3 { rig.request(Window(UInt32(60 + index)), text, place) }
    #expect(rig.notices.suffix(3).map { $0.property == .none } == [false, false, true])
    // Small answers need no room.
    rig.request(Window(70), testAtoms.timestamp, place)
    #expect(rig.notices.last?.property == place)
    for window in [requestor, Window(60), Window(61)] { rig.server.destroy(window) }
    rig.handleEvents()
    rig.expectEmpty()
  }

  @Test("12: one client alone cannot use up what there is for all")
  func limitsOfClients() {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 16
    configuration.clientMask = 0x1FE0_0000
    configuration.transfersPerClient = 3
    configuration.requestsPerClient = 5
    var rig = OwnerRig(configuration: configuration)
    rig.acquire([
      (AdvertisedTarget(text), .ready(pattern(40))), (AdvertisedTarget(Atom(201)), .pending),
    ])
    let greedy = (0..<8).map { Window(0x20_0000 + UInt32($0)) }
    let modest = Window(0x40_0000)
    for window in greedy { rig.request(window, text, place) }
    #expect(rig.state.transferCount == 3)
    for window in greedy { rig.request(window, Atom(201), Atom(309)) }
    #expect(rig.state.requestCount == 5)
    rig.request(modest, text, place)
    rig.request(modest, Atom(201), Atom(309))
    #expect(rig.notices.filter { $0.property == .none }.count == 8)
    #expect(rig.state.transferCount == 4)
    #expect(rig.state.requestCount == 6)
    // What ends makes room again.
    rig.server.destroy(greedy[0])
    rig.handleEvents()
    rig.request(greedy[7], text, Atom(308))
    #expect(rig.notices.last?.property == Atom(308))
    for window in greedy + [modest] { rig.server.destroy(window) }
    rig.handleEvents()
    while let product = rig.pending.first { rig.finish(product, nil) }
    for window in greedy + [modest] { rig.perform(rig.state.windowDestroyed(window)) }
    rig.expectEmpty()
  }

  @Test("an idle transfer is dropped without its end", arguments: [0, 1, 3])
  func idle(deletions: Int) {
    var rig = rig()
    rig.request(requestor, text, place)
    for _ in 0..<deletions {
      rig.pass(29_999)
      rig.delete(requestor, place)
    }
    rig.pass(29_999)
    #expect(rig.state.isBusy)
    rig.pass(1)
    rig.handleEvents()
    #expect(rig[requestor, place] == nil)
    #expect(!rig.server.stores.contains { $0.property.bytes.isEmpty })
    rig.expectEmpty()
  }

  @Test(
    "a chunk that cannot be stored, or whose bytes are gone, ends the transfer without its end",
    arguments: [true, false])
  func failingChunk(isUnreadable: Bool) {
    var rig = rig()
    rig.request(requestor, text, place)
    rig.delete(requestor, place)
    if isUnreadable { rig.unreadable = true } else { rig.failsChunks = true }
    rig.delete(requestor, place)
    rig.handleEvents()
    #expect(rig[requestor, place] == nil)
    #expect(!rig.server.stores.contains { $0.property.bytes.isEmpty })
    #expect(rig.delivered.isEmpty)
    rig.expectEmpty()
  }

  @Test(
    "a chunk that finds no memory is sent again in halves, and everything arrives",
    arguments: [1, 2, 3])
  func refusedChunks(count: Int) {
    var rig = OwnerRig()
    let content = pattern(300_000)
    rig.acquire([(AdvertisedTarget(text), .ready(content))])
    rig.request(requestor, text, place)
    rig.refusesNextChunks = count
    var received: [UInt8] = []
    var largest = 0
    rig.delete(requestor, place)
    while let chunk = rig[requestor, place]?.bytes, !chunk.isEmpty {
      received += chunk
      largest = max(largest, chunk.count)
      rig.delete(requestor, place)
    }
    rig.delete(requestor, place)
    #expect(received == content)
    #expect(largest == 258_048 >> count)
    // Later ones begin smaller, but not below what is worth it.
    #expect(rig.state.configuration.chunkSize == max(65_536, 258_048 >> count))
    rig.expectEmpty()
  }

  @Test("a server that has no memory at all ends the transfer without its end")
  func noMemory() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready(pattern(300_000)))])
    rig.request(requestor, text, place)
    rig.refusesNextChunks = 100
    rig.delete(requestor, place)
    #expect(rig[requestor, place] == nil)
    #expect(rig.refusesNextChunks > 90)
    rig.expectEmpty()
  }

  @Test("3: what finds no memory at once is refused, and comes by INCR when it is asked for again")
  func refusedStore() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready(pattern(200_000)))])
    rig.failsNextStores = 1
    rig.request(requestor, text, place)
    #expect(rig.notices.map(\.property) == [.none])
    #expect(rig[requestor, place] == nil)
    rig.request(requestor, text, place)
    #expect(rig.notices.map(\.property) == [.none, place])
    #expect(rig[requestor, place]?.type == testAtoms.incr)
    rig.server.destroy(requestor)
    rig.handleEvents()
    rig.expectEmpty()
  }

  @Test("7: a transfer goes on with its own content after the selection was lost or taken anew")
  func snapshot() {
    var rig = rig()
    rig.request(requestor, text, place)
    rig.delete(requestor, place)
    let period = rig.acquire([(AdvertisedTarget(text), .ready(pattern(100, seed: 9)))], time: 5_001)
    rig.perform(rig.state.cleared(testAtoms.clipboard, window: rig.window, serial: .max).actions)
    #expect(rig.releasedPeriods == [period])
    var received: [UInt8] = []
    while let chunk = rig[requestor, place], !chunk.bytes.isEmpty {
      received += chunk.bytes
      rig.delete(requestor, place)
    }
    rig.delete(requestor, place)
    #expect(received == pattern(100))
    #expect(rig.releasedPeriods.count == 2)
    rig.expectEmpty()
  }

  @Test("the deadline is the earliest, and nobody is woken when all is over")
  func deadlines() {
    var rig = rig(.pending)
    #expect(rig.state.deadline == nil)
    rig.request(requestor, text, place)
    #expect(rig.state.deadline == rig.now + 400)
    rig.pass(100)
    rig.request(Window(51), text, place)
    #expect(rig.state.deadline == rig.now + 300)
    rig.pass(300)
    #expect(rig.state.deadline == rig.now + 100)
    rig.pass(100)
    for window in [requestor, Window(51)] { rig.server.destroy(window) }
    rig.handleEvents()
    #expect(rig.state.deadline == nil)
    rig.expectEmpty()
  }
}
