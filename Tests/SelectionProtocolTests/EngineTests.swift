import SelectionProtocol
import Testing

private let text = Atom(200)
private let place = Atom(300)
private let chunk = 258_048

/// Owner and requestor, joined by a fake server.
struct EngineTests {
  static let sizes = [
    0, 1, 3, 4, 5, 258_047, 258_048, 258_049, 262_140, 262_144, 2 * chunk - 1, 2 * chunk,
    2 * chunk + 1, 4 * chunk, 4 * chunk + 4, 1_000_003,
  ]

  @Test(
    "every size arrives whole, by INCR exactly above the chunk size", arguments: EngineTests.sizes)
  func everySize(size: Int) {
    var rig = OwnerRig()
    let content = pattern(size)
    rig.acquire([(AdvertisedTarget(text), .ready(content))])
    var pasting = Pasting(window: Window(50), property: place, now: rig.now)
    rig.request(Window(50), text, place)
    pasting.run(&rig)
    #expect(pasting.isFinished)
    #expect(pasting.failure == nil)
    #expect(pasting.bytes == content)
    #expect(pasting.transfer.type == text)
    #expect(pasting.transfer.byteCount == size)
    #expect(pasting.transfer.wasIncremental == (size > chunk))
    #expect(rig.delivered.count == 1)
    rig.expectEmpty()
    // The grammar: a header, whole chunks that are never empty, one terminator; or one store.
    let stores = rig.server.stores.filter { $0.key.property == place }.map(\.property)
    if size > chunk {
      #expect(stores.first?.type == testAtoms.incr)
      #expect(stores.last == StoredProperty(type: text, format: 8, bytes: []))
      let chunks = stores.dropFirst().dropLast()
      #expect(chunks.allSatisfy { $0.type == text && $0.format == 8 })
      #expect(chunks.dropLast().allSatisfy { $0.bytes.count == chunk })
      #expect(chunks.allSatisfy { !$0.bytes.isEmpty })
      #expect(chunks.count == (size + chunk - 1) / chunk)
    } else {
      #expect(stores.count == 1)
    }
  }

  @Test(
    "items are never cut", arguments: [8, 16, 32], [4, 6, 7, 10, 64])
  func formats(format: Int, chunkSize: Int) {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = chunkSize
    for items in 0..<40 {
      var rig = OwnerRig(configuration: configuration)
      let content = pattern(items * format / 8)
      rig.acquire([(AdvertisedTarget(text, format: format), .ready(content))])
      var pasting = Pasting(window: Window(50), property: place, now: rig.now)
      pasting.sliceUnits = 1
      rig.request(Window(50), text, place)
      pasting.run(&rig)
      #expect(pasting.bytes == content)
      #expect(pasting.transfer.format == format)
      let stores = rig.server.stores.dropFirst(content.count > chunkSize ? 1 : 0).map(\.property)
      #expect(stores.allSatisfy { $0.format == format && $0.bytes.count % (format / 8) == 0 })
      rig.expectEmpty()
    }
  }

  @Test(
    "a failure at any chunk leaves the requestor without success", arguments: 0...6, [true, false])
  func failurePoints(chunks: Int, isUnreadable: Bool) {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 16
    var rig = OwnerRig(configuration: configuration)
    let content = pattern(100)
    rig.acquire([(AdvertisedTarget(text), .ready(content))])
    var pasting = Pasting(window: Window(50), property: place, now: rig.now)
    rig.request(Window(50), text, place)
    while !pasting.isOver, pasting.bytes.count < chunks * 16 { step(&pasting, &rig) }
    if isUnreadable { rig.unreadable = true } else { rig.failsChunks = true }
    pasting.run(&rig)
    if chunks * 16 >= 100 - 16, pasting.bytes.count == 100 {
      // All chunks were out; of the terminator only the store can fail.
      #expect(isUnreadable == pasting.isFinished)
    } else {
      #expect(!pasting.isFinished)
      #expect(!rig.server.stores.contains { $0.property.bytes.isEmpty })
    }
    if !pasting.isOver {
      rig.now = rig.now + 10_000
      #expect(pasting.transfer.deadlinePassed(now: rig.now) == .fail(.stalled))
    }
    rig.expectEmpty()
  }

  @Test(
    "a producer that is late, at any time", arguments: [0, 399, 400, 5_000], [0, 10, 16, 17, 100])
  func lateProducer(delay: Int64, size: Int) {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 16
    var rig = OwnerRig(configuration: configuration)
    rig.acquire([(AdvertisedTarget(text), .pending)])
    var pasting = Pasting(window: Window(50), property: place, now: rig.now)
    rig.request(Window(50), text, place)
    rig.pass(delay)
    pasting.run(&rig)
    rig.finish(rig.pending[0], pattern(size))
    pasting.run(&rig)
    #expect(pasting.isFinished)
    #expect(pasting.bytes == pattern(size))
    rig.expectEmpty()
  }

  @Test("sixty-four requestors at once, and as many on one window")
  func parallel() {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 16
    for isOneWindow in [false, true] {
      var rig = OwnerRig(configuration: configuration)
      let contents = (0..<64).map { pattern(100 + $0, seed: $0) }
      rig.acquire(
        contents.enumerated().map { (AdvertisedTarget(Atom(UInt32(500 + $0))), .ready($1)) })
      var all = (0..<64).map { index in
        Pasting(
          window: Window(isOneWindow ? 50 : UInt32(1_000 + index)),
          property: Atom(UInt32(700 + index)), now: rig.now)
      }
      for (index, pasting) in all.enumerated() {
        rig.request(pasting.key.window, Atom(UInt32(500 + index)), pasting.key.property)
      }
      while !rig.server.requestorEvents.isEmpty || !rig.server.ownerEvents.isEmpty {
        if !rig.server.requestorEvents.isEmpty {
          let event = rig.server.requestorEvents.removeFirst()
          for index in all.indices { deliver(event, to: &all[index], &rig) }
        }
        if !rig.server.ownerEvents.isEmpty { rig.handle(rig.server.ownerEvents.removeFirst()) }
      }
      #expect(all.map(\.bytes) == contents)
      #expect(all.allSatisfy { $0.isFinished })
      rig.expectEmpty()
    }
  }

  private func step(_ pasting: inout Pasting, _ rig: inout OwnerRig) {
    if !rig.server.requestorEvents.isEmpty {
      deliver(rig.server.requestorEvents.removeFirst(), to: &pasting, &rig)
    } else if !rig.server.ownerEvents.isEmpty {
      rig.handle(rig.server.ownerEvents.removeFirst())
    }
  }

  private func deliver(
    _ event: FakeServer.RequestorEvent, to pasting: inout Pasting, _ rig: inout OwnerRig
  ) {
    switch event {
    case .notify(let request, let property):
      // Several conversions of one window are told apart by their properties.
      if request.requestor == pasting.key.window, request.property == pasting.key.property {
        pasting.notified(property, &rig)
      }
    case .changed(let key):
      if key == pasting.key { pasting.changed(&rig) }
    }
  }
}
