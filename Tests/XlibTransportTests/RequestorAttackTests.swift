import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// Clients that mean harm, or know nothing, against our owner: windows that are none of theirs, forged events, floods.
@Suite(.serialized) struct RequestorAttackTests {
  private let server: XServer
  private let owner: SelectionConnection
  private let peer: Peer
  private let window: String
  private let lost = Box(0)

  init() throws {
    server = try XServer()
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 65_536
    owner = try SelectionConnection(display: server.display, configuration: configuration)
    peer = try Peer(display: server.display)
    window = try peer.ask("window")
    let lost = lost
    try owner.acquire(
      owner.atoms.clipboard,
      Offer(
        targets: [
          .init(name: "UTF8_STRING", payload: MemoryPayload(text(300_000))),
          .init(name: "STRING", payload: MemoryPayload(text(7))),
        ], onLost: { lost.value += 1 }))
  }

  private var clipboard: Atom { owner.atoms.clipboard }
  private var ownWindow: String { String(owner.currentOwner(of: clipboard).rawValue) }

  private func answer(_ words: String) throws -> String { try peer.ask(words, turning: [owner]) }

  private func convert(
    _ target: String, _ property: String, time: UInt32 = 0, window: String? = nil
  ) throws {
    try peer.order("convert \(window ?? self.window) CLIPBOARD \(target) \(property) \(time)")
  }

  /// An honest client gets what it asks for, whatever went before.
  private func expectService() throws {
    let other = try SelectionConnection(display: server.display)
    let (result, bytes) = try other.paste(clipboard, other.atom("UTF8_STRING"), with: [owner])
    #expect(try result.get().type == other.atom("UTF8_STRING"))
    #expect(bytes == text(300_000))
    #expect(lost.value == 0)
    #expect(!owner.isLost)
  }

  private func expectQuiet() throws {
    #expect(try turn([owner], within: 20_000) { owner.isServing })
    #expect(owner.load.watchedWindows <= 1)
    #expect(owner.load.products == 0)
    #expect(owner.load.requests == 0)
  }

  // MARK: Windows

  @Test func theRootWindowIsARequestorLikeAnother() throws {
    let root = try peer.ask("root")
    try convert("UTF8_STRING", "P", window: root)
    // The notice goes to whoever created the window: nobody here.
    _ = try answer("written \(root) P")
    _ = try peer.ask("take \(root) P")
    _ = try answer("written \(root) P")
    #expect(try answer("drain \(root) P") == "drained 300000 \(digest(text(300_000)))")
    try expectQuiet()
    try expectService()
  }

  @Test(arguments: ["P", "INTEGER", "X11PASTEBOARD_DATA"])
  func ourOwnWindowsAsRequestorsHarmNothing(property: String) throws {
    let own = ownWindow
    for target in ["STRING", "UTF8_STRING", "TARGETS", "MULTIPLE", "NOSUCH"] {
      try convert(target, property, window: own)
      _ = try peer.ask("sync")
      try owner.turn(until: .now + 100)
      // Its time comes by a property of that window.
      #expect(owner.serverTime() != .current)
    }
    try expectService()
    let before = owner.serverTime()
    let time = try owner.acquire(
      clipboard, Offer(targets: [.init(name: "STRING", payload: MemoryPayload("again"))]))
    #expect(!before.isAfter(time))
    #expect(owner.isOwner(of: clipboard))
  }

  @Test(arguments: [0, 1, 999_999])
  func forgedRequestsForNoWindowAreAnsweredNothing(requestor: Int) throws {
    let own = ownWindow
    for target in ["UTF8_STRING", "STRING", "TARGETS", "MULTIPLE", "NONE"] {
      for property in ["P", "NONE"] {
        try peer.order("forgerequest \(own) \(requestor) CLIPBOARD \(target) \(property) 0")
      }
    }
    try peer.order("forgerequest \(own) \(window) NONE UTF8_STRING P 0")
    #expect(try answer("notified") == "\(window) NONE UTF8_STRING NONE 0")
    try expectQuiet()
    try expectService()
  }

  @Test func anotherClientsTimeIsNotTheServers() throws {
    let own = ownWindow
    let before = owner.serverTime()
    // Long ago, and far ahead; and the true thing, but by somebody else and a while before it is looked at.
    for time in [1, UInt32.max, before.rawValue &+ 1_000_000] {
      try peer.ask("forge \(own) written \(own) INTEGER \(time)")
    }
    try peer.ask("append \(own) INTEGER INTEGER 32 4")
    _ = try peer.ask("sync")
    for _ in 0..<3 {
      let time = owner.serverTime()
      #expect(!before.isAfter(time))
      #expect(time.rawValue &- before.rawValue < 60_000)
    }
    #expect(
      try owner.acquire(
        clipboard, Offer(targets: [.init(name: "STRING", payload: MemoryPayload("again"))]))
        != .current)
    #expect(owner.isOwner(of: clipboard))
  }

  @Test func whoHoldsTheServerDelaysAnswersAndLosesNone() throws {
    let ticket = Box<ProductionTicket?>(nil)
    try owner.acquire(
      .primary,
      Offer(targets: [
        .init(name: "image/png") {
          ticket.value = $0
          return .pending(cancel: {})
        }, .init(name: "STRING", payload: MemoryPayload(text(7))),
      ]))
    try peer.order("convert \(window) PRIMARY image/png P 0")
    #expect(try turn([owner]) { ticket.value == nil })
    let holder = try Peer(display: server.display)
    #expect(try holder.ask("hold 900") == "held")
    // It becomes due in the meantime, and another one asks.
    try peer.order("convert \(window) PRIMARY STRING Q 0")
    #expect(try holder.line(turning: [owner]) == "done")
    var notices = [try answer("notified"), try answer("notified")]
    notices.sort()
    #expect(
      notices == ["\(window) PRIMARY STRING Q 0", "\(window) PRIMARY image/png P 0"])
    try #require(ticket.value).succeed(MemoryPayload(text(200_000)))
    #expect(try answer("fetch \(window) P") == "incr 1 4 65536 " + describe("image/png", 200_000))
    try expectQuiet()
  }

  @Test func anOwnWindowThatAnotherClientDestroysIsMadeAnew() throws {
    let notices = Box<[SelectionNotice]>([])
    _ = owner.watch(clipboard) { notices.value.append($0) }
    try owner.turn(until: .now)
    try peer.ask("destroy \(ownWindow)")
    #expect(try turn([owner], within: 5_000) { lost.value == 0 || notices.value.isEmpty })
    #expect(lost.value == 1)
    #expect(!owner.isOwner(of: clipboard))
    #expect(notices.value.map(\.reason) == [.ownerGone])
    try owner.acquire(
      clipboard, Offer(targets: [.init(name: "STRING", payload: MemoryPayload("again"))]))
    #expect(owner.isOwner(of: clipboard))
    #expect(try turn([owner], within: 5_000) { notices.value.count < 2 })
    #expect(notices.value.last?.reason == .newOwner)
    try convert("STRING", "P")
    #expect(try answer("notified") == "\(window) CLIPBOARD STRING P 0")
    // Once more, and this time it is a copy that finds it out.
    try peer.ask("destroy \(ownWindow)")
    let time = try owner.acquire(
      clipboard, Offer(targets: [.init(name: "STRING", payload: MemoryPayload("third"))]))
    #expect(time != .current)
    #expect(try turn([owner], within: 5_000) { notices.value.count < 3 })
    #expect(owner.isOwner(of: clipboard))
    #expect(owner.currentOwner(of: clipboard) != .none)
    #expect(owner.load.watchedWindows <= 1)
  }

  @Test func whoTakesTheSelectionWithOurWindowIsTheOwnerAllTheSame() throws {
    let own = ownWindow
    #expect(try peer.ask("own CLIPBOARD \(own) 0") == "owned")
    #expect(try turn([owner], within: 5_000) { lost.value == 0 })
    #expect(!owner.isOwner(of: clipboard))
    let other = try SelectionConnection(display: server.display)
    let outcome = Box<ConversionOutcome?>(nil)
    other.convert(
      Conversion(selection: clipboard, target: .string), receive: { _, _, _ in },
      completion: { outcome.value = $0 })
    let request = try peer.ask("requested", turning: [owner, other])
    let words = request.split(separator: " ")
    try peer.ask("store \(words[0]) \(words[3]) STRING 8 3")
    try peer.ask("notify \(request)")
    #expect(try turn([owner, other], within: 5_000) { outcome.value == nil })
    #expect(try outcome.value?.get().byteCount == 3)
  }

  // MARK: Properties

  @Test func propertiesWithUnlikelyNamesServe() throws {
    for number in try peer.ask("weird").split(separator: " ") {
      try convert("UTF8_STRING", String(number))
      #expect(try !answer("notified").contains("NONE"))
      #expect(
        try answer("fetch \(window) \(number)")
          == "incr 300000 5 65536 " + describe("UTF8_STRING", 300_000))
      // As a target they are not on offer, and without property they would name it.
      try convert(String(number), "NONE")
      #expect(try answer("notified").hasSuffix("NONE 0"))
    }
    try expectQuiet()
  }

  @Test func aRequestorThatWritesThePropertyItselfSpoilsOnlyItsOwn() throws {
    try convert("UTF8_STRING", "P")
    _ = try answer("notified")
    _ = try peer.ask("take \(window) P")
    _ = try answer("written \(window) P")
    // In place of the chunk, and once more after it is gone; two deletions without anything in between.
    try peer.ask("store \(window) P STRING 8 9")
    _ = try peer.ask("take \(window) P")
    _ = try answer("written \(window) P")
    try peer.ask("append \(window) P UTF8_STRING 8 9")
    for _ in 0..<12 {
      _ = try peer.ask("take \(window) P")
      try owner.turn(until: .now + 50)
    }
    #expect(try turn([owner], within: 5_000) { owner.isServing })
    try expectQuiet()
    try expectService()
  }

  @Test(arguments: [0, 1, 2, 1_000, 1_024, 1_025, 10_000])
  func listsOfAnyLengthAreAnsweredOnce(count: Int) throws {
    try peer.ask("pairs \(window) L STRING \(count)")
    let list = try peer.ask("read \(window) L")
    try convert("MULTIPLE", "L")
    let isServed = count <= 1_024
    #expect(
      try answer("notified") == "\(window) CLIPBOARD MULTIPLE \(isServed ? "L" : "NONE") 0")
    #expect(try peer.ask("read \(window) L") == list)
    for index in Set([0, count / 2, count - 1]) where (0..<count).contains(index) {
      #expect(
        try peer.ask("take \(window) Q\(index)") == (isServed ? describe("STRING", 7) : "absent"))
    }
    // The next notice is the next request's.
    try convert("STRING", "P")
    #expect(try answer("notified") == "\(window) CLIPBOARD STRING P 0")
    try expectQuiet()
  }

  @Test func anEntryWhosePropertyIsNoAtomFailsAlone() throws {
    try peer.ask(
      "atoms \(window) L ATOM_PAIR STRING A STRING #4294967295 #4000000000 B UTF8_STRING #500000 "
        + "UTF8_STRING C TARGETS D")
    try convert("MULTIPLE", "L")
    #expect(try answer("notified") == "\(window) CLIPBOARD MULTIPLE L 0")
    #expect(
      try peer.ask("list \(window) L")
        == "ATOM_PAIR 32 STRING A NONE NONE NONE NONE NONE NONE UTF8_STRING C TARGETS D")
    #expect(try peer.ask("take \(window) A") == describe("STRING", 7))
    #expect(
      try answer("fetch \(window) C") == "incr 300000 5 65536 " + describe("UTF8_STRING", 300_000))
    #expect(try peer.ask("read \(window) D").hasPrefix("ATOM 32"))
    try expectQuiet()
  }

  @Test func aLongListOfAWindowThatIsGoneLeavesNothing() throws {
    for _ in 0..<3 {
      let doomed = try peer.ask("window")
      try peer.ask("pairs \(doomed) L UTF8_STRING 256")
      try convert("MULTIPLE", "L", window: doomed)
      #expect(try answer("notified").hasPrefix(doomed))
      try peer.ask("destroy \(doomed)")
      let next = try peer.ask("window")
      try peer.ask("pairs \(next) L UTF8_STRING 1000")
      try convert("MULTIPLE", "L", window: next)
      try peer.ask("destroy \(next)")
    }
    _ = try peer.ask("sync")
    try convert("STRING", "P")
    while try !answer("notified").hasPrefix("\(window) ") {}
    try expectQuiet()
    try expectService()
  }

  // MARK: Floods

  @Test func thousandsOfRequestorsThatVanishLeaveNothing() throws {
    for target in ["UTF8_STRING", "STRING", "NOSUCH"] {
      let doomed = try Peer(display: server.display)
      try doomed.order("vanish CLIPBOARD \(target) 2000")
      #expect(throws: Peer.Silence.self) { try doomed.line(turning: [owner]) }
      try expectQuiet()
      try expectService()
    }
  }

  @Test func oneClientAloneKeepsNobodyFromPasting() throws {
    // Its windows live, and it never fetches what it asks for.
    let greedy = try Peer(display: server.display)
    try greedy.order("hoard CLIPBOARD UTF8_STRING 1500")
    try greedy.order("count 1500")
    for _ in 0..<5 { try expectService() }
    #expect(try greedy.line(turning: [owner]) == "hoarded")
    #expect(try greedy.line(turning: [owner]) == "counted")
    #expect(owner.load.transfers == 512)
    try expectService()
    greedy.kill()
    try expectQuiet()
  }

  @Test func outstandingRequestsBeyondTheLimitAreRefusedAtOnce() throws {
    let made = Box(0)
    let cancelled = Box(0)
    try owner.acquire(
      .primary,
      Offer(targets: [
        .init(name: "image/png") { _ in
          made.value += 1
          return .pending(cancel: { cancelled.value += 1 })
        }
      ]))
    let flood = try Peer(display: server.display)
    let its = try flood.ask("window")
    try flood.order("flood \(its) PRIMARY image/png 10000")
    try flood.order("count 10000")
    #expect(try flood.line(turning: [owner]) == "counted")
    // Those that were accepted are announced, as far as there are transfers, and each product ends.
    #expect(made.value < 10_000)
    #expect(owner.load.transfers <= 256)
    flood.kill()
    try expectQuiet()
    #expect(cancelled.value == made.value)
    try expectService()
  }

  @Test func messagesWithoutNumberDisturbNobody() throws {
    let heard = Box(0)
    owner.onClientMessage = { _, _, _ in heard.value += 1 }
    let noisy = try Peer(display: server.display)
    try noisy.order("messages \(ownWindow) 20000")
    try expectService()
    #expect(try noisy.line(turning: [owner]) == "done")
    #expect(try turn([owner], within: 20_000) { heard.value < 20_000 })
  }

  @Test func theLimitsOfTransfersHold() throws {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 4_096
    configuration.transfersPerWindow = 2
    configuration.transfers = 3
    let owner = try SelectionConnection(display: server.display, configuration: configuration)
    try owner.acquire(
      .primary, Offer(targets: [.init(name: "STRING", payload: MemoryPayload(text(10_000)))]))
    let windows = [window, window, window, try peer.ask("window"), try peer.ask("window")]
    for (index, window) in windows.enumerated() {
      try peer.order("convert \(window) PRIMARY STRING P\(index) 0")
      let property = index == 2 || index == 4 ? "NONE" : "P\(index)"
      #expect(
        try peer.ask("notified", turning: [owner]) == "\(window) PRIMARY STRING \(property) 0")
    }
    for index in [0, 1, 3] {
      #expect(
        try peer.ask("fetch \(windows[index]) P\(index)", turning: [owner])
          == "incr 10000 3 4096 " + describe("STRING", 10_000))
    }
    try peer.order("convert \(window) PRIMARY STRING P 0")
    #expect(try peer.ask("notified", turning: [owner]) == "\(window) PRIMARY STRING P 0")
  }
}
