import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// Owners and bystanders that answer twice, forge, or hold the server, against our requestor.
@Suite(.serialized) struct OwnerAttackTests: OwnerSceneSuite {
  let scene: OwnerScene

  init() throws { scene = try OwnerScene() }

  // MARK: Answers

  @Test func aSecondAnswerChangesNothing() throws {
    let plain = try begin()
    try peer.ask("store \(plain.window) \(plain.property) UTF8_STRING 8 5")
    for _ in 0..<3 { try peer.ask("notify \(plain.request)") }
    try peer.ask("notify \(plain.window) CLIPBOARD UTF8_STRING NONE 0")
    try end(plain)
    #expect(plain.bytes.value == text(5))
    let large = try begin()
    try header(large)
    try chunk(large, "100")
    // A refusal or another yes in the midst of it comes too late to mean anything.
    try peer.ask("notify \(large.window) CLIPBOARD UTF8_STRING NONE 0")
    try peer.ask("notify \(large.request)")
    try chunk(large, "7")
    try chunk(large, "0")
    try end(large)
    #expect(large.bytes.value == text(100) + text(7))
    let refused = try begin()
    try peer.ask("notify \(refused.window) CLIPBOARD UTF8_STRING NONE 0")
    try peer.ask("store \(refused.window) \(refused.property) UTF8_STRING 8 5")
    try peer.ask("notify \(refused.request)")
    try end(refused)
    #expect(refused.failure == .transfer(.refused))
    try expectNextIsFine()
  }

  @Test(arguments: ["STRING 0", "NONE 0", "UTF8_STRING 1", "UTF8_STRING 4294967295"])
  func theWindowSaysWhatAnAnswerIsAbout(targetAndTime: String) throws {
    let words = targetAndTime.split(separator: " ")
    let running = try begin()
    try peer.ask("store \(running.window) \(running.property) UTF8_STRING 8 5")
    try peer.ask("notify \(running.window) CLIPBOARD \(words[0]) \(running.property) \(words[1])")
    try end(running)
    #expect(running.bytes.value == text(5))
  }

  @Test("Content with a hole that a bystander made is never a success", arguments: [0, 1, 2])
  func aBystanderDeletesAChunk(place: Int) throws {
    let running = try begin()
    try header(running)
    for index in 0..<3 {
      if index == place {
        // Held, so that the chunk is stored and deleted again before the requestor sees it.
        try peer.ask("store \(running.window) \(running.property) UTF8_STRING 8 100")
        try peer.ask("take \(running.window) \(running.property)")
        try peer.ask("store \(running.window) \(running.property) UTF8_STRING 8 50")
        _ = try turn([requestor], within: 5_000) { running.outcome.value == nil }
        break
      }
      try chunk(running, "100")
    }
    try end(running)
    #expect(running.failure == .transfer(.inconsistent))
    try expectNextIsFine()
  }

  @Test("Nor is the first chunk where a bystander deleted the header before it was read")
  func aBystanderDeletesTheHeader() throws {
    for isAnswered in [false, true] {
      let running = try begin()
      try peer.ask("store \(running.window) \(running.property) INCR 32 4")
      if isAnswered { try peer.ask("notify \(running.request)") }
      try peer.ask("take \(running.window) \(running.property)")
      if !isAnswered { try peer.ask("notify \(running.request)") }
      try peer.ask("store \(running.window) \(running.property) UTF8_STRING 8 100")
      try end(running)
      #expect(
        running.failure == .transfer(.missingProperty)
          || running.failure == .transfer(.inconsistent))
    }
    try expectNextIsFine()
  }

  @Test func chunksThatAreAppendedAreTakenOnce() throws {
    let running = try begin()
    try header(running)
    // Two appends before anything is read are one chunk and a notice of what is not there any more.
    try peer.ask("append \(running.window) \(running.property) UTF8_STRING 8 100")
    try peer.ask("append \(running.window) \(running.property) UTF8_STRING 8 50")
    #expect(try answer("deleted \(running.window) \(running.property)") == "done")
    // Nor is there a chunk in what is replaced before it is read.
    try peer.ask("store \(running.window) \(running.property) UTF8_STRING 8 9")
    try chunk(running, "20")
    try chunk(running, "0")
    try end(running)
    #expect(running.bytes.value.prefix(150) == (text(100) + text(50))[...])
    #expect(running.bytes.value.suffix(20) == text(20)[...])
    try expectNextIsFine()
  }

  @Test(arguments: [1, 1_000, 100_000])
  func longListsOfTargetsArriveWhole(count: Int) throws {
    let running = try begin("TARGETS", limits: .targets)
    for part in stride(from: 0, to: count, by: 50_000) {
      let size = 4 * min(50_000, count - part)
      try peer.ask("append \(running.window) \(running.property) ATOM 32 \(size)")
    }
    try peer.ask("notify \(running.request)")
    try end(running)
    #expect(running.bytes.value.count == 4 * count)
    let atoms = running.bytes.value.withUnsafeBytes { raw in
      (0..<count).map { Atom(raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
    // Most of them are no atoms at all.
    #expect(requestor.names(of: atoms).count == count)
    try expectNextIsFine()
  }

  @Test func moreTargetsThanAnybodyHasEndIt() throws {
    let running = try begin("TARGETS", limits: .targets)
    for _ in 0..<5 {
      try peer.ask("append \(running.window) \(running.property) ATOM 32 252000")
    }
    try peer.ask("notify \(running.request)")
    try end(running)
    #expect(running.failure == .transfer(.tooLarge))
    try expectNextIsFine()
  }

  // MARK: Forged events

  @Test func forgedEventsAreNotBelieved() throws {
    let running = try begin(limits: TransferLimits(response: 20_000))
    try peer.ask("forge \(running.window) destroy \(window)")
    try peer.ask("forge \(running.window) deleted \(running.window) \(running.property)")
    try peer.ask("forge \(running.window) clear CLIPBOARD")
    // A notice for a window that is none, or for one that waits for nothing.
    try peer.ask("notify \(window) CLIPBOARD UTF8_STRING P 0")
    let pause = Instant.now + 400
    #expect(try turn([requestor]) { Instant.now < pause })
    #expect(running.outcome.value == nil)
    try header(running)
    try peer.ask("forge \(running.window) deleted \(running.window) \(running.property)")
    try peer.ask("forge \(running.window) destroy \(window)")
    try chunk(running, "10")
    try chunk(running, "0")
    try end(running)
    #expect(running.bytes.value == text(10))
  }

  @Test func aForgedYesWithoutDataIsAFailureAndNoEmptyContent() throws {
    let running = try begin()
    let forger = try Peer(display: server.display)
    try forger.ask("notify \(running.request)")
    try end(running)
    #expect(running.failure == .transfer(.missingProperty))
    // The true answer comes afterwards, and is taken off.
    try peer.ask("store \(running.window) \(running.property) UTF8_STRING 8 5")
    try peer.ask("notify \(running.request)")
    #expect(try answer("deleted \(running.window) \(running.property)") == "done")
    try expectNextIsFine()
  }

  @Test func aWindowOfOursThatAnotherClientDestroysEndsItsConversionAtOnce() throws {
    let running = try begin(limits: TransferLimits(response: 60_000))
    try peer.ask("destroy \(running.window)")
    try end(running, within: 5_000)
    #expect(running.failure == .transfer(.inconsistent))
    try expectNextIsFine()
    let late = try begin(limits: TransferLimits(response: 60_000, idle: 60_000))
    try header(late)
    try chunk(late, "10")
    try peer.ask("destroy \(late.window)")
    try end(late, within: 5_000)
    #expect(late.failure == .transfer(.inconsistent))
    try expectNextIsFine()
  }

  // MARK: Windows

  @Test func anOwnerMayUseAWindowOfOurs() throws {
    let other = try SelectionConnection(display: server.display)
    try other.acquire(
      .primary, Offer(targets: [.init(name: "STRING", payload: MemoryPayload("x"))]))
    let own = other.currentOwner(of: .primary).rawValue
    #expect(try peer.ask("own CLIPBOARD \(own) 0") == "owned")
    try expectNextIsFine()
    // It dies, and its window does not.
    let watched = Box<[SelectionNotice.Reason]>([])
    _ = requestor.watch(requestor.atoms.clipboard) { watched.value.append($0.reason) }
    let running = try begin(limits: TransferLimits(response: 20_000))
    let start = Instant.now
    peer.kill()
    try end(running, within: 10_000)
    #expect(running.failure == .transfer(.ownerGone))
    #expect(Instant.now < start + 5_000)
    #expect(try turn([requestor], within: 5_000) { watched.value != [.ownerGone] })
    withExtendedLifetime(other) {}
  }

  @Test func whereTheOwnerChangesBetweenTwoConversionsEitherMayAnswer() throws {
    // Two conversions of one paste bear one time, and the second one does not look for the owner first.
    let time = requestor.serverTime()
    func begin() throws -> (request: String, words: [Substring], over: Box<Int?>) {
      let over = Box<Int?>(nil)
      requestor.convert(
        Conversion(
          selection: requestor.atoms.clipboard, target: .string,
          limits: TransferLimits(response: 20_000), time: time),
        receive: { _, _, _ in }, completion: { over.value = (try? $0.get().byteCount) ?? -1 })
      let request = try peer.ask("requested", turning: [requestor])
      return (request, request.split(separator: " "), over)
    }
    func answer(_ running: (request: String, words: [Substring], over: Box<Int?>)) throws {
      try peer.ask("store \(running.words[0]) \(running.words[3]) STRING 8 5")
      try peer.ask("notify \(running.request)")
      #expect(try turn([requestor]) { running.over.value == nil })
      #expect(running.over.value == 5)
    }
    try answer(try begin())
    let next = try peer.ask("window")
    #expect(try peer.ask("own CLIPBOARD \(next) 0") == "owned")
    let second = try begin()
    // As if the former owner had been asked: the end of the new one's window says nothing then.
    try peer.ask("destroy \(next)")
    let later = Instant.now + IncomingTransfer.graceAfterOwnerGone + 50
    #expect(try turn([requestor]) { Instant.now < later })
    #expect(second.over.value == nil)
    try answer(second)
  }

  @Test func anOwnerThatEndsWhenAnotherTakesOverDisturbsNobody() throws {
    // Each owner goes away the moment it has lost the selection, as xclip does, and the next one takes its time.
    let slow = try SelectionConnection(display: server.display)
    var generations: [SelectionConnection] = []
    for round in 0..<20 {
      let old = try SelectionConnection(display: server.display)
      generations.append(old)
      try old.acquire(
        old.atoms.clipboard, Offer(targets: [.init(name: "STRING", payload: MemoryPayload("old"))]))
      let ticket = Box<ProductionTicket?>(nil)
      let bytes = Box<[UInt8]>([])
      let outcome = Box<ConversionOutcome?>(nil)
      try slow.acquire(
        slow.atoms.clipboard,
        Offer(targets: [
          .init(name: "STRING") {
            ticket.value = $0
            return .pending(cancel: {})
          }
        ]))
      requestor.convert(
        Conversion(selection: slow.atoms.clipboard, target: .string),
        receive: { chunk, _, _ in bytes.value += chunk }, completion: { outcome.value = $0 })
      old.close()
      #expect(try turn([requestor, slow]) { ticket.value == nil })
      if round == 0 {
        // Longer than the grace of an owner that is gone.
        let later = Instant.now + IncomingTransfer.graceAfterOwnerGone + 50
        #expect(try turn([requestor, slow]) { Instant.now < later })
      }
      ticket.value?.succeed(MemoryPayload("new"))
      #expect(try turn([requestor, slow]) { outcome.value == nil })
      #expect(try outcome.value?.get().byteCount == 3)
      #expect(bytes.value == Array("new".utf8))
    }
  }

  // MARK: The server

  @Test func deadlinesHoldWhileAnotherClientHoldsTheServer() throws {
    let running = try begin(limits: TransferLimits(response: 500))
    let grabber = try Peer(display: server.display)
    #expect(try grabber.ask("grab") == "done")
    let start = Instant.now
    try end(running, within: 10_000)
    #expect(running.failure == .transfer(.noAnswer))
    #expect(Instant.now < start + 3_000)
    #expect(try grabber.ask("ungrab") == "done")
    try expectNextIsFine()
  }

  @Test func aServerThatStandsStillDoesNotStopTheDeadlines() throws {
    let running = try begin(limits: TransferLimits(response: 500))
    server.suspend()
    let start = Instant.now
    try end(running, within: 10_000)
    server.suspend(false)
    #expect(running.failure == .transfer(.noAnswer))
    #expect(Instant.now < start + 3_000)
    try expectNextIsFine()
  }
}
