import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// Connections that break, and connections that live long.
@Suite(.serialized) struct LifeTests {
  @Test func everybodyWhoWaitsIsToldOfALostConnection() throws {
    let server = try XServer()
    let connection = try SelectionConnection(display: server.display)
    let peer = try Peer(display: server.display)
    let window = try peer.ask("window")
    #expect(try peer.ask("own PRIMARY \(window) 0") == "owned")
    let told = Box<[String]>([])
    // A requestor in mid-INCR, an owner that is silent, a watcher, a hand-over, a producer, and posted work.
    try connection.acquire(
      connection.atoms.clipboard,
      Offer(
        targets: [
          .init(name: "UTF8_STRING", payload: MemoryPayload(text(1_000_000))),
          .init(name: "image/png") { _ in .pending(cancel: { told.value.append("producer") }) },
        ], onLost: { told.value.append("owner") }))
    try peer.order("convert \(window) CLIPBOARD UTF8_STRING P 0")
    _ = try peer.ask("notified", turning: [connection])
    try peer.order("convert \(window) CLIPBOARD image/png Q 0")
    _ = try peer.ask("notified", turning: [connection])
    connection.convert(
      Conversion(selection: .primary, target: connection.atom("UTF8_STRING")),
      receive: { _, _, _ in },
      completion: { result in
        guard case .failure(let failure) = result else { return }
        told.value.append(failure.code == .connectionLost ? "conversion" : "\(failure.code)")
        // Whoever asks for more in the midst of it is told too.
        connection.convert(
          Conversion(selection: .primary, target: .string), receive: { _, _, _ in },
          completion: { result in
            if case .failure(let failure) = result, failure.code == .connectionLost {
              told.value.append("again")
            }
          })
      })
    _ = connection.watch(
      connection.atoms.clipboard, ended: { told.value.append("watcher") }, { _ in })
    connection.onConnectionLost = { _ in told.value.append("connection") }
    connection.whenIdle { told.value.append("idle") }
    try connection.turn(until: .now + 50)
    let posted = Flag()
    server.kill()
    connection.mailbox.post { if $0.isLost { posted.setTrue() } }
    let start = Instant.now
    #expect(throws: DisplayError.self) { while true { try connection.turn(until: .now + 5_000) } }
    #expect(Instant.now < start + 500)
    #expect(
      Set(told.value) == [
        "producer", "owner", "conversion", "again", "watcher", "connection", "idle",
      ])
    #expect(told.value.count == 7)
    #expect(!connection.isOwner(of: connection.atoms.clipboard))
    #expect(!connection.isServing && !connection.isConverting)
    // What comes later is refused at once, and nothing waits or spins.
    #expect(!connection.mailbox.post { _ in })
    #expect(throws: AcquisitionFailure.self) {
      try connection.acquire(connection.atoms.clipboard, Offer(targets: []))
    }
    let outcome = Box<HandOverOutcome?>(nil)
    connection.handOver { outcome.value = $0 }
    #expect(outcome.value == .connectionLost)
    #expect(throws: DisplayError.self) { try connection.turn() }
  }

  @Test func postedWorkRunsOnceEvenIfItIsTheOneThatFindsTheLoss() throws {
    let server = try XServer()
    let connection = try SelectionConnection(display: server.display)
    server.kill()
    let ran = Flag()
    let second = Flag()
    connection.mailbox.post { connection in
      _ = connection.serverTime()
      ran.setTrue()
      connection.mailbox.post { _ in second.setTrue() }
    }
    #expect(throws: DisplayError.self) { while true { try connection.turn(until: .now + 1_000) } }
    #expect(ran.value && second.value)
  }

  @Test func closingTellsEverybody() throws {
    let server = try XServer()
    let connection = try SelectionConnection(display: server.display)
    let lost = Box(0)
    try connection.acquire(
      connection.atoms.clipboard,
      Offer(
        targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))],
        onLost: { lost.value += 1 }))
    let ran = Flag()
    connection.mailbox.post { if $0.isLost { ran.setTrue() } }
    connection.close()
    connection.close()
    #expect(lost.value == 1)
    #expect(ran.value)
    #expect(throws: DisplayError.self) { try connection.turn() }
    let other = try SelectionConnection(display: server.display)
    #expect(other.currentOwner(of: other.atoms.clipboard) == .none)
  }

  @Test func aClosureMayCloseTheConnection() throws {
    let server = try XServer()
    for size in [10, 300_000] {
      let owner = try SelectionConnection(display: server.display)
      try owner.acquire(
        owner.atoms.clipboard,
        Offer(
          targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(text(size)))],
          onDelivered: { _, _ in owner.close() }))
      let requestor = try SelectionConnection(display: server.display)
      let ends = Box(0)
      requestor.convert(
        Conversion(selection: owner.atoms.clipboard, target: requestor.atom("UTF8_STRING")),
        receive: { _, _, _ in requestor.close() }, completion: { _ in ends.value += 1 })
      // Who is closed throws: with a small content the owner first, which was delivered all the same.
      #expect(throws: DisplayError.self) { try turn([owner, requestor]) { true } }
      if owner.isLost {
        #expect(throws: DisplayError.self) { try turn([requestor]) { true } }
      }
      #expect(ends.value == 1)
      #expect(requestor.isLost)
      if !owner.isLost { #expect(try turn([owner], within: 5_000) { owner.isServing }) }
    }
  }

  @Test func twoDisplaysInOneProcessDoNotDisturbEachOther() throws {
    let servers = [try XServer(), try XServer()]
    let owners = try servers.map { try SelectionConnection(display: $0.display) }
    let requestors = try servers.map { try SelectionConnection(display: $0.display) }
    for (index, owner) in owners.enumerated() {
      try owner.acquire(
        owner.atoms.clipboard,
        Offer(targets: [
          .init(name: "UTF8_STRING", payload: MemoryPayload(pattern(500_000, seed: index)))
        ]))
    }
    for index in 0..<2 {
      let (result, bytes) = try requestors[index].paste(
        requestors[index].atoms.clipboard, requestors[index].atom("UTF8_STRING"),
        with: owners + [requestors[1 - index]])
      #expect(try result.get().byteCount == 500_000)
      #expect(bytes == pattern(500_000, seed: index))
    }
    // One server ends: the connections to the other one go on.
    servers[0].kill()
    #expect(throws: DisplayError.self) { while true { try owners[0].turn(until: .now + 1_000) } }
    let (result, _) = try requestors[1].paste(
      requestors[1].atoms.clipboard, requestors[1].atom("UTF8_STRING"), with: [owners[1]])
    #expect(try result.get().byteCount == 500_000)
  }

  @Test func aConnectionPastesFromItselfThroughTheServer() throws {
    let server = try XServer()
    let connection = try SelectionConnection(display: server.display)
    let lost = Box(0)
    // Around the size of a chunk, and of the largest requests with and without BIG-REQUESTS.
    let sizes = [
      0, 1, 3, 4, 258_047, 258_048, 258_049, 262_140, 262_144, 1_048_575, 1_048_576, 1_048_577,
      16_777_184, 16_777_212, 20 << 20,
    ]
    for size in sizes {
      try connection.acquire(
        connection.atoms.clipboard,
        Offer(
          targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(pattern(size)))],
          onLost: { lost.value += 1 }))
      for _ in 0..<3 {
        let (result, bytes) = try connection.paste(
          connection.atoms.clipboard, connection.atom("UTF8_STRING"))
        #expect(try result.get().byteCount == size)
        #expect(bytes == pattern(size))
      }
    }
    #expect(lost.value == sizes.count - 1)
  }

  @Test func copiesInTheMidstOfPastesNeverMix() throws {
    let server = try XServer()
    let owner = try SelectionConnection(display: server.display)
    let readers = try (0..<4).map { _ in try SelectionConnection(display: server.display) }
    let clipboard = owner.atoms.clipboard
    let utf8 = owner.atom("UTF8_STRING")
    let size = 700_000
    let whole = Box(0)
    let spoiled = Box(0)
    var copies = 0
    func copy() throws {
      // Each content is one byte over and over, so that a mixture shows.
      let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: copies), count: size)
      try owner.acquire(
        clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(bytes))]))
      copies += 1
    }
    func paste(_ reader: SelectionConnection) {
      let count = Box(0)
      let seen = Box<Set<UInt8>>([])
      reader.convert(
        Conversion(selection: clipboard, target: utf8),
        receive: { chunk, _, _ in
          count.value += chunk.count
          if let first = chunk.first, let last = chunk.last { seen.value.formUnion([first, last]) }
        },
        completion: { result in
          let isWhole = (try? result.get()) != nil && count.value == size && seen.value.count == 1
          if isWhole { whole.value += 1 } else { spoiled.value += 1 }
          if whole.value < 200 { paste(reader) }
        })
    }
    try copy()
    for reader in readers { paste(reader) }
    while whole.value < 200, spoiled.value == 0 {
      for connection in [owner] + readers { try connection.turn(until: .now + 1) }
      if copies < 200 { try copy() }
    }
    #expect(spoiled.value == 0)
    #expect(copies > 20)
    #expect(
      try turn([owner] + readers) { owner.isServing || readers.contains(where: \.isConverting) })
    #expect(owner.load.offers == 1)
    #expect(owner.load.products == 0)
  }

  @Test func thousandsOfCopiesAndPastesLeaveNothing() throws {
    let server = try XServer()
    let owner = try SelectionConnection(display: server.display)
    let requestor = try SelectionConnection(display: server.display)
    let peer = try Peer(display: server.display)
    let clipboard = owner.atoms.clipboard
    func census(_ name: String) throws -> (windows: Int, atom: Int, descriptors: Int) {
      let words = try peer.ask("census \(name)").split(separator: " ").compactMap { Int($0) }
      let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
      return (words[0], words[1], descriptors)
    }
    func copyAndPaste(_ size: Int, seed: Int) throws {
      let content = pattern(size, seed: seed)
      try owner.acquire(
        clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(content))]))
      let (result, bytes) = try requestor.paste(
        clipboard, requestor.atom("UTF8_STRING"), with: [owner])
      #expect(try result.get().byteCount == size)
      #expect(bytes == content)
    }
    // What is made once is made by the first ones.
    for size in [1, 300_000] { try copyAndPaste(size, seed: 0) }
    let before = try census("BEFORE")
    for round in 0..<2_000 {
      try copyAndPaste(round % 50 == 0 ? 300_000 : round % 100, seed: round)
    }
    let after = try census("AFTER")
    #expect(after.atom == before.atom + 1)
    // Windows of ended INCR transfers stay a while for their owners' sake, and never more than sixty-four.
    #expect(after.windows <= before.windows + 64)
    // Other suites of this process have descriptors too, but not thousands.
    #expect(after.descriptors <= before.descriptors + 200)
    #expect(owner.load.watchedWindows <= 1)
    #expect(owner.load.products == 0)
    #expect(owner.load.offers == 1)
    #expect(requestor.load.watchedWindows <= 1 + requestor.load.retiredWindows)
  }

  @Test func connectionsThatEndGiveEverythingBack() throws {
    let server = try XServer()
    let kept = try SelectionConnection(display: server.display)
    func descriptors() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    let before = try descriptors()
    // A server takes 256 clients at most.
    for round in 0..<300 {
      let connection = try SelectionConnection(display: server.display)
      _ = connection.serverTime()
      if round % 2 == 0 { connection.close() }
    }
    #expect(try descriptors() <= before + 200)
    #expect(kept.serverTime() != .current)
  }

  @Test func aChildInheritsNoConnection() throws {
    let server = try XServer()
    let connection = try SelectionConnection(display: server.display)
    let result = try run("/bin/sh", ["-c", "ls -l /proc/self/fd"])
    #expect(!result.text.contains("socket"))
    #expect(!result.text.contains("eventfd"))
    #expect(!connection.isLost)
  }

  @Test func idleConnectionsSleep() throws {
    let server = try XServer()
    let connection = try SelectionConnection(display: server.display)
    try connection.acquire(
      connection.atoms.clipboard,
      Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))]))
    _ = connection.watch(connection.atoms.clipboard) { _ in }
    _ = try turn([connection], within: 100) { true }
    // One turn without anything to do lasts until its deadline, and takes no time of the processor.
    var before = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
    let start = Instant.now
    try connection.turn(until: start + 500)
    #expect(Instant.now >= start + 500)
    var after = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
    let used = (after.tv_sec - before.tv_sec) * 1_000_000_000 + after.tv_nsec - before.tv_nsec
    #expect(used < 20_000_000)
  }
}
