import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// Requestors that do what nobody expects, against our owner.
@Suite(.serialized) struct HostileRequestorTests {
  private let server: XServer
  private let owner: SelectionConnection
  private let peer: Peer
  private let window: String

  init() throws {
    server = try XServer()
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 65_536
    owner = try SelectionConnection(display: server.display, configuration: configuration)
    peer = try Peer(display: server.display)
    window = try peer.ask("window")
  }

  private var clipboard: Atom { owner.atoms.clipboard }

  @discardableResult
  private func own(_ targets: [(name: String, size: Int)]) throws -> ServerTime {
    try owner.acquire(
      clipboard,
      Offer(targets: targets.map { .init(name: $0.name, payload: MemoryPayload(text($0.size))) }))
  }

  private func convert(
    _ target: String, _ property: String, time: UInt32 = 0, window: String? = nil
  ) throws {
    try peer.order("convert \(window ?? self.window) CLIPBOARD \(target) \(property) \(time)")
  }

  private func notified() throws -> String { try peer.ask("notified", turning: [owner]) }

  private func answer(_ words: String) throws -> String { try peer.ask(words, turning: [owner]) }

  /// Nothing is left of any request.
  private func expectQuiet() throws {
    #expect(try turn([owner], within: 10_000) { owner.isServing })
    #expect(owner.load.watchedWindows <= 1)
    #expect(owner.load.products == 0)
  }

  @Test func everyRequestIsAnsweredOnceWithItsOwnFields() throws {
    let time = try own([("UTF8_STRING", 3)]).rawValue
    let targets = [
      "UTF8_STRING", "TARGETS", "TIMESTAMP", "NOSUCH", "DELETE", "image/png", "MULTIPLE",
    ]
    for (index, target) in (targets + targets + targets).enumerated() {
      let stamp = [0, time - 1, time, time &+ 1_000_000][index % 4]
      try convert(target, "P\(index)", time: stamp)
      let property =
        ["UTF8_STRING", "TARGETS", "TIMESTAMP"].contains(target) ? "P\(index)" : "NONE"
      #expect(try notified() == "\(window) CLIPBOARD \(target) \(property) \(stamp)")
    }
    try expectQuiet()
  }

  @Test func timestampIsTheAcquisitionTime() throws {
    let first = try own([("UTF8_STRING", 3)])
    let second = try own([("UTF8_STRING", 3)])
    #expect(second.isAfter(first))
    try convert("TIMESTAMP", "P")
    _ = try notified()
    #expect(try peer.ask("number \(window) P") == "INTEGER 32 \(second.rawValue)")
  }

  @Test func targetsAreListedInOrderWithoutDuplicates() throws {
    try own([("image/png", 1), ("UTF8_STRING", 1), ("image/png", 2), ("text/html", 1)])
    try convert("TARGETS", "P")
    _ = try notified()
    #expect(
      try peer.ask("list \(window) P")
        == "ATOM 32 TARGETS MULTIPLE TIMESTAMP SAVE_TARGETS image/png UTF8_STRING text/html")
  }

  @Test func propertyNoneIsAnsweredInTheTargetsProperty() throws {
    try own([("UTF8_STRING", 10)])
    for target in ["UTF8_STRING", "TARGETS"] {
      try convert(target, "NONE")
      #expect(try notified() == "\(window) CLIPBOARD \(target) \(target) 0")
      #expect(try peer.ask("read \(window) \(target)") != "absent")
    }
    try convert("MULTIPLE", "NONE")
    #expect(try notified() == "\(window) CLIPBOARD MULTIPLE NONE 0")
  }

  @Test func junkInThePropertyIsReplacedOrLeftAlone() throws {
    try own([("UTF8_STRING", 5)])
    for property in ["P", "Q"] { try peer.ask("store \(window) \(property) WINDOW 32 64") }
    let junk = try peer.ask("read \(window) Q")
    try convert("UTF8_STRING", "P")
    _ = try notified()
    #expect(try peer.ask("read \(window) P") == describe("UTF8_STRING", 5))
    try convert("NOSUCH", "Q")
    _ = try notified()
    #expect(try peer.ask("read \(window) Q") == junk)
  }

  @Test func fastRequestorStartsBeforeTheNotice() throws {
    try own([("UTF8_STRING", 200_000)])
    for round in 0..<20 {
      try convert("UTF8_STRING", "P\(round)")
      try peer.order("greedy \(window) P\(round)")
      #expect(try peer.line(turning: [owner]).hasPrefix("early INCR 32 4"))
      #expect(try answer("written \(window) P\(round)") == "done")
      #expect(try peer.ask("read \(window) P\(round)").hasPrefix("UTF8_STRING 8 65536"))
      _ = try notified()
      #expect(
        try answer("drain \(window) P\(round)") == "drained 200000 \(digest(text(200_000)))")
    }
    try expectQuiet()
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 131_072, 131_073, 1_000_000])
  func strictReaderSeesExactlyTheGrammar(size: Int) throws {
    try own([("UTF8_STRING", size)])
    try convert("UTF8_STRING", "P")
    _ = try notified()
    let seen = try answer("fetch \(window) P")
    if size <= 65_536 {
      #expect(seen == "plain " + describe("UTF8_STRING", size))
    } else {
      let chunks = (size + 65_535) / 65_536
      #expect(seen == "incr \(size) \(chunks) 65536 " + describe("UTF8_STRING", size))
    }
    try expectQuiet()
  }

  @Test(arguments: [200_000, 258_048, 258_049])
  func ordinarySizesComeInOnePieceForThoseWithoutINCR(size: Int) throws {
    let owner = try SelectionConnection(display: server.display)
    try owner.acquire(
      clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(text(size)))]))
    try convert("UTF8_STRING", "P")
    _ = try peer.ask("notified", turning: [owner])
    let seen = try peer.ask("fetch \(window) P", turning: [owner])
    #expect(seen.hasPrefix(size <= 258_048 ? "plain" : "incr 258049 2 258048"))
    #expect(seen.hasSuffix(describe("UTF8_STRING", size)))
  }

  @Test func targetsAreThoseOfTheCopyThatIsThere() throws {
    for names in [["UTF8_STRING", "STRING"], ["image/png"], [], ["text/html", "UTF8_STRING"]] {
      try own(names.map { ($0, 3) })
      try convert("TARGETS", "P")
      _ = try notified()
      let list = try peer.ask("list \(window) P").split(separator: " ").map(String.init)
      #expect(list == ["ATOM", "32", "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS"] + names)
      // Each of them converts, and nothing else does.
      for target in list.dropFirst(2) where target != "MULTIPLE" {
        try convert(target, "Q")
        #expect(try notified() == "\(window) CLIPBOARD \(target) Q 0")
      }
      for target in [
        "UTF8_STRING", "STRING", "image/png", "text/html", "DELETE", "PIXMAP", "LENGTH",
      ]
      where !names.contains(target) {
        try convert(target, "Q")
        #expect(try notified() == "\(window) CLIPBOARD \(target) NONE 0")
      }
    }
    try expectQuiet()
  }

  @Test func requestorThatStopsIsDroppedAndHoldsNobodyUp() throws {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 65_536
    configuration.idleLimit = 2_000
    let owner = try SelectionConnection(display: server.display, configuration: configuration)
    func notified() throws -> String { try peer.ask("notified", turning: [owner]) }
    func answer(_ words: String) throws -> String { try peer.ask(words, turning: [owner]) }
    try owner.acquire(
      clipboard,
      Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(text(1_000_000)))]))
    // One never deletes the header, one stops after a chunk.
    try convert("UTF8_STRING", "P1")
    _ = try notified()
    try convert("UTF8_STRING", "P2")
    _ = try notified()
    _ = try peer.ask("take \(window) P2")
    _ = try answer("written \(window) P2")
    let other = try peer.ask("window")
    for _ in 0..<4 {
      try convert("UTF8_STRING", "P", window: other)
      _ = try notified()
      #expect(try answer("fetch \(other) P").hasPrefix("incr 1000000"))
    }
    #expect(try turn([owner], within: 5_000) { owner.isServing })
    // No terminator: what was not fetched is gone instead.
    #expect(try peer.ask("read \(window) P1") == "absent")
    #expect(try peer.ask("read \(window) P2") == "absent")
    #expect(owner.load.watchedWindows <= 1)
    #expect(owner.load.products == 0)
  }

  @Test func windowsThatVanishAtAnyMomentLeaveNothing() throws {
    try own([("UTF8_STRING", 500_000), ("image/png", 10)])
    for round in 0..<50 {
      let doomed = try peer.ask("window")
      switch round % 5 {
      case 0:
        // Gone before the request is seen.
        try convert("UTF8_STRING", "P", window: doomed)
        try peer.ask("destroy \(doomed)")
      case 1:
        try convert("UTF8_STRING", "P", window: doomed)
        _ = try notified()
        try peer.ask("destroy \(doomed)")
      case 2:
        try convert("UTF8_STRING", "P", window: doomed)
        _ = try notified()
        _ = try peer.ask("take \(doomed) P")
        try peer.ask("destroy \(doomed)")
      case 3:
        try convert("UTF8_STRING", "P", window: doomed)
        _ = try notified()
        _ = try peer.ask("take \(doomed) P")
        _ = try answer("written \(doomed) P")
        try peer.ask("destroy \(doomed)")
      default:
        try peer.ask("atoms \(doomed) L ATOM_PAIR UTF8_STRING A image/png B TARGETS C")
        try convert("MULTIPLE", "L", window: doomed)
        try peer.ask("destroy \(doomed)")
      }
    }
    try convert("image/png", "P")
    // Notices of the doomed may still be there; ours comes at last.
    while try !notified().hasPrefix("\(window) ") {}
    try expectQuiet()
  }

  @Test func aWindowMadeAnewWithTheSameNumberIsAnotherOne() throws {
    try own([("UTF8_STRING", 300_000)])
    let reused = try peer.ask("window")
    for _ in 0..<10 {
      try convert("UTF8_STRING", "P", window: reused)
      _ = try notified()
      _ = try peer.ask("take \(reused) P")
      _ = try answer("written \(reused) P")
      // Destroyed, made anew and asking again before the owner sees anything of it.
      try peer.ask("recreate \(reused)")
      try convert("UTF8_STRING", "P", window: reused)
      _ = try notified()
      #expect(
        try answer("fetch \(reused) P") == "incr 300000 5 65536 " + describe("UTF8_STRING", 300_000)
      )
    }
    try expectQuiet()
  }

  @Test func clientThatDiesInMidTransferLeavesNothing() throws {
    try own([("UTF8_STRING", 500_000)])
    for _ in 0..<10 {
      let doomed = try Peer(display: server.display)
      let its = try doomed.ask("window")
      try doomed.order("convert \(its) CLIPBOARD UTF8_STRING P 0")
      _ = try doomed.ask("notified", turning: [owner])
      _ = try doomed.ask("take \(its) P")
      _ = try doomed.ask("written \(its) P", turning: [owner])
      doomed.kill()
    }
    try expectQuiet()
  }

  @Test func multipleServesEachEntryAndMarksFailures() throws {
    try own([("UTF8_STRING", 7), ("image/png", 9)])
    for type in ["ATOM_PAIR", "ATOM", "INTEGER"] {
      try peer.ask(
        "atoms \(window) L \(type) UTF8_STRING UTF8_STRING NOSUCH B TARGETS C MULTIPLE D "
          + "image/png NONE image/png UTF8_STRING image/png L TIMESTAMP E image/png F LAST")
      try convert("MULTIPLE", "L")
      #expect(try notified() == "\(window) CLIPBOARD MULTIPLE L 0")
      #expect(
        try peer.ask("list \(window) L")
          == "\(type) 32 UTF8_STRING UTF8_STRING NONE NONE TARGETS C NONE NONE NONE NONE NONE NONE "
          + "NONE NONE TIMESTAMP E image/png F LAST")
      #expect(try peer.ask("take \(window) UTF8_STRING") == describe("UTF8_STRING", 7))
      #expect(try peer.ask("take \(window) F") == describe("image/png", 9))
      #expect(try peer.ask("read \(window) B") == "absent")
      #expect(try peer.ask("take \(window) E").hasPrefix("INTEGER 32 4"))
    }
    try expectQuiet()
  }

  @Test func multipleWithoutListOrWithNonsenseIsRefused() throws {
    try own([("UTF8_STRING", 7)])
    try convert("MULTIPLE", "L")
    #expect(try notified() == "\(window) CLIPBOARD MULTIPLE NONE 0")
    try peer.ask("store \(window) L STRING 8 16")
    try convert("MULTIPLE", "L")
    #expect(try notified() == "\(window) CLIPBOARD MULTIPLE NONE 0")
    try peer.ask("store \(window) L ATOM_PAIR 32 200000")
    try convert("MULTIPLE", "L")
    #expect(try notified() == "\(window) CLIPBOARD MULTIPLE NONE 0")
    try peer.ask("atoms \(window) L ATOM_PAIR")
    try convert("MULTIPLE", "L")
    #expect(try notified() == "\(window) CLIPBOARD MULTIPLE L 0")
    // Numbers that are no atoms fail as entries do, or as a whole; the owner lives.
    try peer.ask("atoms \(window) L ATOM_PAIR UTF8_STRING #4294967295 #4000000000 B UTF8_STRING C")
    try convert("MULTIPLE", "L")
    _ = try notified()
    try expectQuiet()
  }

  @Test func parallelTransfersOfOneMultipleDrainInReverse() throws {
    let names = (0..<8).map { "application/x-\($0)" }
    try own(names.map { ($0, 300_000) })
    try peer.ask(
      "atoms \(window) L ATOM_PAIR " + names.map { "\($0) \($0)" }.joined(separator: " "))
    try convert("MULTIPLE", "L")
    _ = try notified()
    for name in names.reversed() {
      #expect(
        try answer("fetch \(window) \(name)") == "incr 300000 5 65536 " + describe(name, 300_000))
    }
    try expectQuiet()
  }

  @Test func aSecondRequestOnTheSamePlaceTakesItOver() throws {
    try own([("UTF8_STRING", 300_000), ("image/png", 200_000)])
    try convert("UTF8_STRING", "P")
    _ = try notified()
    _ = try peer.ask("take \(window) P")
    _ = try answer("written \(window) P")
    try convert("image/png", "P")
    _ = try notified()
    #expect(
      try answer("fetch \(window) P") == "incr 200000 4 65536 " + describe("image/png", 200_000))
    try expectQuiet()
  }

  @Test func pipelinedRequestsAreAnsweredInOrder() throws {
    let tickets = Box<[ProductionTicket]>([])
    try owner.acquire(
      clipboard,
      Offer(targets: [
        .init(name: "UTF8_STRING") {
          tickets.value.append($0)
          return .pending(cancel: {})
        }
      ]))
    for index in 0..<5 { try convert("UTF8_STRING", "P\(index)", time: 7) }
    #expect(try turn([owner]) { tickets.value.count < 5 })
    for index in [3, 1, 4, 2] {
      if index == 2 {
        tickets.value[index].fail()
      } else {
        tickets.value[index].succeed(MemoryPayload("x"))
      }
    }
    tickets.value[0].succeed(MemoryPayload("x"))
    for index in 0..<5 {
      let property = index == 2 ? "NONE" : "P\(index)"
      #expect(try notified() == "\(window) CLIPBOARD UTF8_STRING \(property) 7")
    }
    try expectQuiet()
  }

  @Test func aSlowProducerIsAnnouncedInTimeAndHoldsNobodyUp() throws {
    let ticket = Box<ProductionTicket?>(nil)
    try owner.acquire(
      clipboard,
      Offer(targets: [
        .init(name: "image/png") {
          ticket.value = $0
          return .pending(cancel: {})
        }, .init(name: "UTF8_STRING", payload: MemoryPayload("quick")),
      ]))
    let start = Instant.now
    try convert("image/png", "P")
    let other = try peer.ask("window")
    try convert("UTF8_STRING", "Q", window: other)
    #expect(try notified().hasPrefix(other))
    #expect(Instant.now < start + 350)
    #expect(try notified() == "\(window) CLIPBOARD image/png P 0")
    #expect(Instant.now < start + 460)
    try #require(ticket.value).succeed(MemoryPayload(text(200_000)))
    #expect(try answer("fetch \(window) P") == "incr 1 4 65536 " + describe("image/png", 200_000))
    try expectQuiet()
  }

  @Test func ownershipLostInMidTransferDoesNotCutIt() throws {
    let lost = Box(0)
    try owner.acquire(
      clipboard,
      Offer(
        targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(text(500_000)))],
        onLost: { lost.value += 1 }))
    try convert("UTF8_STRING", "P")
    _ = try notified()
    let other = try peer.ask("window")
    #expect(try peer.ask("own CLIPBOARD \(other) 0") == "owned")
    #expect(try turn([owner]) { lost.value == 0 })
    #expect(!owner.isOwner(of: clipboard))
    #expect(
      try answer("fetch \(window) P") == "incr 500000 8 65536 " + describe("UTF8_STRING", 500_000))
    #expect(lost.value == 1)
    try expectQuiet()
  }

  @Test func aFloodOfRequestsLeavesDeadlinesAndWorkAlive() throws {
    try own([("UTF8_STRING", 100)])
    try peer.order("flood \(window) CLIPBOARD UTF8_STRING 5000")
    let ran = Flag()
    let other = try SelectionConnection(display: server.display)
    // Work posted in the flood runs in the next round, and another client's paste is served in the midst of it.
    owner.mailbox.post { _ in ran.setTrue() }
    try owner.turn(until: .now)
    #expect(ran.value)
    let (result, bytes) = try other.paste(clipboard, other.atom("UTF8_STRING"), with: [owner])
    #expect(try result.get().byteCount == 100)
    #expect(bytes == text(100))
    #expect(try answer("count 5000") == "counted")
    try expectQuiet()
  }

  @Test(arguments: [false, true])
  func manyTransfersAtOnce(areOnOneWindow: Bool) throws {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 16_384
    // The last one waits for all the others.
    configuration.idleLimit = 300_000
    let owner = try SelectionConnection(display: server.display, configuration: configuration)
    let names = (0..<80).map { "application/x-\($0)" }
    try owner.acquire(
      clipboard,
      Offer(targets: names.map { .init(name: $0, payload: MemoryPayload(text(40_000))) }))
    var windows: [String] = []
    for name in names {
      let window = areOnOneWindow ? self.window : try peer.ask("window")
      windows.append(window)
      try convert(name, name, window: window)
    }
    for _ in names { #expect(try !peer.ask("notified", turning: [owner]).contains("NONE")) }
    #expect(owner.load.transfers == 80)
    for (name, window) in zip(names, windows).reversed() {
      #expect(
        try peer.ask("fetch \(window) \(name)", turning: [owner]) == "incr 40000 3 16384 "
          + describe(name, 40_000))
    }
    try expectQuiet()
  }

  @Test(arguments: ["replace", "truncate"])
  func aFileThatChangesIsNotEndedAsIfItWereWhole(change: String) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try Data(text(400_000)).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let payload = try FilePayload(path: file.path)
    try owner.acquire(clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: payload)]))
    try convert("UTF8_STRING", "P")
    _ = try notified()
    _ = try peer.ask("take \(window) P")
    _ = try answer("written \(window) P")
    let handle = try FileHandle(forWritingTo: file)
    if change == "truncate" {
      try handle.truncate(atOffset: 100_000)
    } else {
      try handle.write(contentsOf: Data([1, 2, 3]))
    }
    try handle.close()
    _ = try peer.ask("take \(window) P")
    #expect(try turn([owner], within: 5_000) { owner.isServing })
    #expect(try peer.ask("read \(window) P") == "absent")
    // A new request gets nothing either.
    try convert("UTF8_STRING", "Q")
    _ = try notified()
    _ = try peer.ask("take \(window) Q")
    try expectQuiet()
    #expect(try peer.ask("read \(window) Q") == "absent")
  }

  @Test func forgedEventsAreNotBelieved() throws {
    let lost = Box(false)
    try owner.acquire(
      clipboard,
      Offer(
        targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(text(300_000)))],
        onLost: { lost.value = true }))
    try convert("UTF8_STRING", "P")
    _ = try notified()
    let target = owner.currentOwner(of: clipboard).rawValue
    try peer.ask("forge \(target) clear CLIPBOARD")
    try peer.ask("forge \(target) destroy \(window)")
    try peer.ask("forge \(target) deleted \(window) P")
    #expect(
      try answer("fetch \(window) P") == "incr 300000 5 65536 " + describe("UTF8_STRING", 300_000))
    #expect(!lost.value)
    #expect(owner.isOwner(of: clipboard))
  }
}
