import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// Owners that lie, stall and die, against our requestor.
@Suite(.serialized) struct HostileOwnerTests: OwnerSceneSuite {
  let scene: OwnerScene

  init() throws { scene = try OwnerScene() }

  @Test func silenceEndsAtTheLimit() throws {
    let start = Instant.now
    let running = try begin(limits: TransferLimits(response: 300))
    try end(running)
    #expect(running.failure == .transfer(.noAnswer))
    #expect(Instant.now < start + 1_500)
    // The answer that comes too late is taken off, and reaches nobody.
    try peer.ask("store \(running.window) \(running.property) UTF8_STRING 8 5")
    try peer.ask("notify \(running.request)")
    #expect(try answer("deleted \(running.window) \(running.property)") == "done")
    #expect(running.bytes.value.isEmpty)
    try expectNextIsFine()
  }

  @Test func noOwnerIsToldAtOnce() throws {
    try peer.ask("disown CLIPBOARD 0")
    let start = Instant.now
    let (result, _) = try requestor.paste(requestor.atoms.clipboard, requestor.atoms.targets)
    guard case .failure(let failure) = result, failure.code == .noOwner else {
      Issue.record("\(result)")
      return
    }
    #expect(Instant.now < start + 300)
  }

  @Test func refusalIsTold() throws {
    for target in ["UTF8_STRING", "NONE"] {
      let running = try begin()
      // Some owners refuse with target None.
      try peer.ask("notify \(running.window) CLIPBOARD \(target) NONE 0")
      try end(running)
      #expect(running.failure == .transfer(.refused))
    }
    try expectNextIsFine()
  }

  @Test func anAnswerForAnotherSelectionOrPropertyIsNone() throws {
    let running = try begin()
    try peer.ask("store \(running.window) OTHER UTF8_STRING 8 5")
    try peer.ask("notify \(running.window) PRIMARY UTF8_STRING \(running.property) 0")
    try peer.ask("notify \(running.window) CLIPBOARD UTF8_STRING OTHER 0")
    try end(running)
    #expect(running.failure == .transfer(.refused))
    try expectNextIsFine()
  }

  @Test func positiveNoticeWithoutPropertyIsAFailure() throws {
    let running = try begin()
    try peer.ask("notify \(running.request)")
    try end(running)
    #expect(running.failure == .transfer(.missingProperty))
    try expectNextIsFine()
  }

  @Test(arguments: [8, 16, 32]) func emptyIsNotAbsent(format: Int) throws {
    let running = try begin()
    try peer.ask("store \(running.window) \(running.property) UTF8_STRING \(format) 0")
    try peer.ask("notify \(running.request)")
    try end(running)
    #expect(running.reply?.byteCount == 0)
    #expect(running.reply?.format == format)
    #expect(running.reply?.type == requestor.atom("UTF8_STRING"))
    #expect(try answer("deleted \(running.window) \(running.property)") == "done")
  }

  @Test(arguments: [16, 32]) func itemsArriveInHostOrder(format: Int) throws {
    let running = try begin()
    // The highest bit must not be taken for a sign.
    try peer.ask("store \(running.window) \(running.property) WINDOW \(format) xffffff80ffffffff")
    try peer.ask("notify \(running.request)")
    try end(running)
    #expect(running.bytes.value == [0xFF, 0xFF, 0xFF, 0x80, 0xFF, 0xFF, 0xFF, 0xFF])
    #expect(running.reply?.type == requestor.atom("WINDOW"))
  }

  @Test func aHugePlainPropertyIsReadWhole() throws {
    let running = try begin()
    for _ in 0..<100 {
      try peer.ask("append \(running.window) \(running.property) UTF8_STRING 8 200802")
    }
    try peer.ask("notify \(running.request)")
    try end(running)
    #expect(running.bytes.value == (0..<100).flatMap { _ in text(200_802) })
    #expect(try answer("deleted \(running.window) \(running.property)") == "done")
  }

  @Test(
    arguments: [
      "x10000000", "x00000000", "xffffffff", "x00000080", "x0100000005000000", "x",
    ])
  func theNumberInTheHeaderIsAHint(hex: String) throws {
    let running = try begin()
    try header(running, hex)
    try chunk(running, "1000")
    try chunk(running, "7")
    try chunk(running, "0")
    try end(running)
    #expect(running.bytes.value == text(1_000) + text(7))
    #expect(running.reply?.type == requestor.atom("UTF8_STRING"))
    try expectNextIsFine()
  }

  @Test func targetsMayComeByINCR() throws {
    let running = try begin("TARGETS", limits: .targets)
    try header(running)
    try peer.ask("atoms \(running.window) \(running.property) ATOM TARGETS NONE UTF8_STRING")
    #expect(try answer("deleted \(running.window) \(running.property)") == "done")
    try peer.ask("atoms \(running.window) \(running.property) ATOM image/png #4294967295 #900000")
    #expect(try answer("deleted \(running.window) \(running.property)") == "done")
    try chunk(running, "0", type: "ATOM", format: 32)
    try end(running)
    let listed = running.bytes.value.withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map { Atom(raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
    // Numbers that are no atoms have no names, and end nothing.
    #expect(
      requestor.names(of: listed) == ["TARGETS", nil, "UTF8_STRING", "image/png", nil, nil])
    try expectNextIsFine()
  }

  @Test func aChunkOfAnotherTypeKeepsTheFirst() throws {
    let running = try begin()
    try header(running)
    try chunk(running, "10")
    try chunk(running, "10", type: "STRING")
    try chunk(running, "0", type: "INTEGER", format: 32)
    try end(running)
    #expect(running.bytes.value == text(10) + text(10))
    #expect(running.reply?.type == requestor.atom("UTF8_STRING"))
  }

  @Test(arguments: ["UTF8_STRING 32 8", "INCR 32 4"])
  func aChunkOfAnotherKindIsAFailure(content: String) throws {
    let running = try begin()
    try header(running)
    if content.hasPrefix("UTF8") { try chunk(running, "10") }
    try peer.ask("store \(running.window) \(running.property) \(content)")
    try end(running)
    #expect(running.failure == .transfer(.inconsistent))
    try expectNextIsFine()
  }

  @Test func aSlowOwnerSucceedsAsLongAsItMoves() throws {
    let running = try begin(limits: TransferLimits(response: 500, idle: 400))
    try header(running)
    for _ in 0..<4 {
      let pause = Instant.now + 250
      #expect(try turn([requestor]) { Instant.now < pause })
      try chunk(running, "3")
    }
    try chunk(running, "0")
    try end(running)
    #expect(running.bytes.value == (0..<4).flatMap { _ in text(3) })
  }

  @Test func stoppingInTheMiddleIsAFailureInTime() throws {
    let running = try begin(limits: TransferLimits(idle: 300))
    try header(running)
    try chunk(running, "1000")
    let start = Instant.now
    // Touching the window without bringing anything is no progress.
    for _ in 0..<5 {
      try peer.ask("store \(running.window) OTHER UTF8_STRING 8 5")
      try requestor.turn(until: .now)
    }
    try end(running)
    #expect(running.failure == .transfer(.stalled))
    #expect(Instant.now < start + 1_500)
    // What it writes later is drained.
    try chunk(running, "1000")
    try chunk(running, "0")
    #expect(running.bytes.value.count == 1_000)
    try expectNextIsFine()
  }

  @Test(arguments: ["exit", "kill", "destroy"], [false, true])
  func anOwnerThatDiesIsSeenSoon(how: String, isWatched: Bool) throws {
    let watch = isWatched ? requestor.watch(requestor.atoms.clipboard) { _ in } : nil
    for chunks in [0, 1] {
      let doomed = try Peer(display: server.display)
      let its = try doomed.ask("window")
      #expect(try doomed.ask("own CLIPBOARD \(its) 0") == "owned")
      let outcome = Box<ConversionOutcome?>(nil)
      requestor.convert(
        Conversion(
          selection: requestor.atoms.clipboard, target: requestor.atom("UTF8_STRING"),
          limits: TransferLimits(response: 20_000, idle: 20_000)),
        receive: { _, _, _ in }, completion: { outcome.value = $0 })
      let request = try doomed.ask("requested", turning: [requestor])
      if chunks > 0 {
        let words = request.split(separator: " ").map(String.init)
        try doomed.ask("store \(words[0]) \(words[3]) INCR 32 4")
        try doomed.ask("notify \(request)")
        _ = try doomed.ask("deleted \(words[0]) \(words[3])", turning: [requestor])
        try doomed.ask("store \(words[0]) \(words[3]) UTF8_STRING 8 1000")
        _ = try doomed.ask("deleted \(words[0]) \(words[3])", turning: [requestor])
      }
      let start = Instant.now
      switch how {
      case "exit": try doomed.order("exit")
      case "kill": doomed.kill()
      default: try doomed.ask("destroy \(its)")
      }
      #expect(try turn([requestor], within: 5_000) { outcome.value == nil })
      guard case .failure(let failure) = outcome.value else {
        Issue.record("\(String(describing: outcome.value))")
        continue
      }
      #expect(failure.code == .transfer(.ownerGone))
      #expect(Instant.now < start + 1_000)
    }
    if let watch { requestor.unwatch(watch) }
    #expect(requestor.load.conversions == 0)
  }

  @Test func anOwnerWhoseWindowIsGoneMayStillAnswerAtOnce() throws {
    let running = try begin()
    try peer.ask("destroy \(window)")
    try peer.ask("store \(running.window) \(running.property) UTF8_STRING 8 5")
    try peer.ask("notify \(running.request)")
    try end(running)
    #expect(running.bytes.value == text(5))
  }

  @Test func anEndlessOwnerIsStoppedByTheLimitOfBytes() throws {
    let running = try begin(limits: TransferLimits(byteCount: 1_000_000))
    try peer.order("endless \(running.window) \(running.property) UTF8_STRING 100000")
    try peer.order("sync")
    let stores = try Peer(display: server.display)
    try stores.ask("store \(running.window) \(running.property) INCR 32 4")
    try stores.ask("notify \(running.request)")
    try end(running)
    #expect(running.failure == .transfer(.tooLarge))
    #expect(running.bytes.value.count == 1_000_000)
    // It is drained for a while, and then its window is destroyed: the owner sees the end.
    #expect(try peer.line(turning: [requestor]).hasPrefix("chunks"))
    #expect(requestor.load.retiredWindows == 0)
  }

  @Test func aCancelledTransferIsDrained() throws {
    let running = try begin()
    try header(running)
    try chunk(running, "1000")
    requestor.cancel(try #require(running.token))
    #expect(running.failure == .transfer(.cancelled))
    requestor.cancel(try #require(running.token))
    try chunk(running, "1000")
    try chunk(running, "0")
    #expect(running.bytes.value.count == 1_000)
    try expectNextIsFine()
  }

  @Test func aReceiverMayCancelThrowOrAskForMore() throws {
    struct Full: Error {}
    let outcomes = Box<[ConversionFailure.Code?]>([])
    let token = Box<ConversionToken?>(nil)
    let inner = Box<Int>(0)
    let requestor = requestor
    let conversion = Conversion(
      selection: requestor.atoms.clipboard, target: requestor.atom("UTF8_STRING"))
    func note(_ result: ConversionOutcome) {
      if case .failure(let failure) = result {
        outcomes.value.append(failure.code)
      } else {
        outcomes.value.append(nil)
      }
    }
    for mode in 0..<3 {
      token.value = requestor.convert(
        conversion,
        receive: { _, _, _ in
          switch mode {
          case 0: if let token = token.value { requestor.cancel(token) }
          case 1: throw Full()
          default: break
          }
        },
        completion: { result in
          note(result)
          guard mode == 2 else { return }
          // A completion may begin the next one.
          requestor.convert(
            conversion, receive: { bytes, _, _ in inner.value += bytes.count }, completion: note)
        })
      for _ in 0..<(mode == 2 ? 2 : 1) {
        let request = try peer.ask("requested", turning: [requestor])
        let words = request.split(separator: " ").map(String.init)
        try peer.ask("store \(words[0]) \(words[3]) UTF8_STRING 8 200000")
        try peer.ask("notify \(request)")
        let count = outcomes.value.count
        #expect(try turn([requestor]) { outcomes.value.count == count })
      }
    }
    #expect(outcomes.value == [.transfer(.cancelled), .receiver, nil, nil])
    #expect(inner.value == 200_000)
    #expect(requestor.load.conversions == 0)
  }

  @Test func anotherOwnerInTheMiddleDoesNotDisturb() throws {
    let running = try begin()
    try header(running)
    let other = try SelectionConnection(display: server.display)
    try other.acquire(
      other.atoms.clipboard,
      Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("new"))]))
    try chunk(running, "1000")
    try chunk(running, "0")
    try end(running)
    #expect(running.bytes.value == text(1_000))
    let (_, bytes) = try requestor.paste(
      requestor.atoms.clipboard, requestor.atom("UTF8_STRING"), with: [other])
    #expect(bytes == Array("new".utf8))
  }

  @Test func manyConversionsAtOnceNeverMix() throws {
    let serving = try Peer(display: server.display)
    let its = try serving.ask("window")
    #expect(try serving.ask("own CLIPBOARD \(its) 0") == "owned")
    #expect(try serving.ask("serve UTF8_STRING 70000 16384") == "serving")
    let results = Box<[[UInt8]]>([])
    var failures = 0
    for _ in 0..<64 {
      let bytes = Box<[UInt8]>([])
      requestor.convert(
        Conversion(
          selection: requestor.atoms.clipboard, target: requestor.atom("UTF8_STRING"),
          limits: TransferLimits(response: 20_000)),
        receive: { chunk, _, _ in bytes.value += chunk },
        completion: { result in
          if case .failure = result { failures += 1 }
          results.value.append(bytes.value)
        })
    }
    #expect(try turn([requestor], within: 30_000) { results.value.count < 64 })
    #expect(failures == 0)
    #expect(results.value.allSatisfy { $0 == text(70_000) })
  }
}
