import Foundation
import SelectionProtocol
import Synchronization
import TestServer
import Testing
import XlibTransport

/// Acquiring, losing, giving up and watching.
@Suite(.serialized) struct AcquisitionTests {
  private let server: XServer
  private let first: SelectionConnection
  private let second: SelectionConnection

  init() throws {
    server = try XServer()
    first = try SelectionConnection(display: server.display)
    second = try SelectionConnection(display: server.display)
  }

  private var clipboard: Atom { first.atoms.clipboard }

  private func offer(_ text: String = "x", lost: Box<Int>? = nil) -> Offer {
    Offer(
      targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(text))],
      onLost: { lost?.value += 1 })
  }

  @Test func acquisitionTimesGrowAndAreNeverZero() throws {
    var before = try first.acquire(clipboard, offer())
    #expect(before != .current)
    for _ in 0..<20 {
      let time = try first.acquire(clipboard, offer())
      #expect(time.isAfter(before))
      before = time
    }
  }

  @Test func theServersTimeNeverGoesBack() throws {
    var before = first.serverTime()
    for _ in 0..<1_000 {
      let time = first.serverTime()
      #expect(time != .current && !before.isAfter(time))
      before = time
    }
  }

  @Test func oneWindowOwnsEveryCopy() throws {
    try first.acquire(clipboard, offer())
    let window = first.currentOwner(of: clipboard)
    try first.acquire(clipboard, offer())
    try first.acquire(.primary, offer())
    first.relinquish(clipboard)
    try first.acquire(clipboard, offer())
    #expect(first.currentOwner(of: clipboard) == window)
    #expect(first.currentOwner(of: .primary) == window)
    // No toolkit's window, and not the root: one of this client alone.
    #expect(first.isOwn(window) && !second.isOwn(window))
  }

  @Test func withEqualTimesTheServerDecides() throws {
    let losses = [Box(0), Box(0)]
    let time = first.serverTime()
    try first.acquire(clipboard, offer("first", lost: losses[0]), at: time)
    try second.acquire(clipboard, offer("second", lost: losses[1]), at: time)
    #expect(try turn([first, second], within: 5_000) { losses[0].value == 0 })
    #expect(second.isOwner(of: clipboard) && !first.isOwner(of: clipboard))
    try first.acquire(clipboard, offer("third", lost: losses[0]), at: time)
    #expect(try turn([first, second], within: 5_000) { losses[1].value == 0 })
    #expect(losses.map(\.value) == [1, 1])
    let (_, bytes) = try second.paste(clipboard, second.atom("UTF8_STRING"), with: [first])
    #expect(bytes == Array("third".utf8))
  }

  @Test func anOlderTimeThanTheOwnersIsAFailure() throws {
    let old = first.serverTime()
    _ = first.serverTime()
    try second.acquire(clipboard, offer(), at: nil)
    #expect(throws: AcquisitionFailure.lostToAnotherClient(second.currentOwner(of: clipboard))) {
      try first.acquire(clipboard, offer(), at: ServerTime(old.rawValue &- 10))
    }
    #expect(!first.isOwner(of: clipboard))
    #expect(first.load.offers == 0)
    // A time in the future is ignored by the server.
    #expect(throws: AcquisitionFailure.self) {
      try first.acquire(clipboard, offer(), at: ServerTime(old.rawValue &+ 1_000_000))
    }
  }

  @Test func eachLossIsToldOnce() throws {
    let losses = [Box(0), Box(0)]
    for round in 1...50 {
      try first.acquire(clipboard, offer(lost: losses[0]))
      try second.acquire(clipboard, offer(lost: losses[1]))
      #expect(try turn([first, second]) { losses[0].value < round || losses[1].value < round - 1 })
      #expect(losses[0].value == round && losses[1].value == round - 1)
    }
    #expect(!first.isOwner(of: clipboard) && second.isOwner(of: clipboard))
  }

  @Test func aClearOfAnEarlierOwnershipDoesNotEndTheNewOne() throws {
    // The clear of the first acquisition lies in the queue while the second one is made.
    let lost = Box(0)
    for _ in 0..<50 {
      try first.acquire(clipboard, offer("old", lost: lost))
      try second.acquire(clipboard, offer())
      try first.acquire(clipboard, offer("new", lost: lost))
      _ = first.serverTime()
      while try turnOnce(first) {}
      #expect(first.isOwner(of: clipboard))
      let (_, bytes) = try second.paste(clipboard, second.atom("UTF8_STRING"), with: [first])
      #expect(bytes == Array("new".utf8))
    }
  }

  private func turnOnce(_ connection: SelectionConnection) throws -> Bool {
    let start = Instant.now
    try connection.turn(until: start + 5)
    return Instant.now < start + 5
  }

  @Test func givingUpLeavesNobodyAndSaysSo() throws {
    let lost = Box(0)
    try first.acquire(clipboard, offer(lost: lost))
    #expect(first.relinquish(clipboard))
    #expect(first.currentOwner(of: clipboard) == .none)
    #expect(lost.value == 1)
    #expect(!first.relinquish(clipboard))
    _ = try turn([first], within: 50) { true }
    #expect(lost.value == 1)
  }

  @Test func givingUpWhatIsLostAlreadyDoesNotTouchTheNewOwner() throws {
    let lost = Box(0)
    // Several times, since only some of the acquisitions fall into one millisecond.
    for round in 1...20 {
      try first.acquire(clipboard, offer(lost: lost))
      try second.acquire(clipboard, offer())
      // The first one has not heard of it yet.
      #expect(first.isOwner(of: clipboard))
      #expect(!first.relinquish(clipboard))
      #expect(!first.isOwner(of: clipboard))
      #expect(second.isOwn(first.currentOwner(of: clipboard)))
      #expect(lost.value == round)
    }
    let (result, _) = try first.paste(clipboard, first.atom("UTF8_STRING"), with: [second])
    #expect(try result.get().byteCount == 1)
  }

  @Test func aRequestIsNotOlderThanContentThatCameAfterTheConnection() throws {
    let server = try XServer()
    // Qt, Emacs and xsel refuse what bears a time before their own.
    let requestor = try SelectionConnection(display: server.display)
    let owner = try SelectionConnection(display: server.display)
    let asked = Box<ServerTime?>(nil)
    let clipboard = owner.atoms.clipboard
    let acquired = try owner.acquire(
      clipboard,
      Offer(targets: [
        .init(name: "UTF8_STRING") { ticket in
          asked.value = ticket.asker.time
          return .ready(MemoryPayload("x"))
        }
      ]))
    let answer = try requestor.paste(clipboard, requestor.atom("UTF8_STRING"), with: [owner])
    #expect(answer.bytes == Array("x".utf8))
    let time = try #require(asked.value)
    #expect(time != .current)
    #expect(!acquired.isAfter(time))
    withExtendedLifetime(server) {}
  }

  @Test func clearingTakesItFromAnybody() throws {
    let lost = Box(0)
    try second.acquire(clipboard, offer(lost: lost))
    #expect(first.clear(clipboard))
    #expect(first.currentOwner(of: clipboard) == .none)
    #expect(try turn([second]) { lost.value == 0 })
  }

  @Test func aLossMayAcquireAgain() throws {
    let lost = Box(0)
    let first = first
    let clipboard = clipboard
    try first.acquire(
      clipboard,
      Offer(
        targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("old"))],
        onLost: {
          lost.value += 1
          _ = try? first.acquire(
            clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("again"))])
          )
        }))
    try second.acquire(clipboard, offer())
    #expect(try turn([first, second]) { lost.value == 0 || second.isOwner(of: clipboard) })
    let (_, bytes) = try second.paste(clipboard, second.atom("UTF8_STRING"), with: [first])
    #expect(bytes == Array("again".utf8))
  }

  @Test func aProducerMayUseTheConnection() throws {
    let first = first
    let clipboard = clipboard
    let delivered = Box<[String]>([])
    try first.acquire(.primary, offer("inner"))
    try first.acquire(
      clipboard,
      Offer(
        targets: [
          .init(name: "UTF8_STRING") { ticket in
            // It asks another owner, who happens to be the same, and answers with what comes.
            let bytes = Box<[UInt8]>([])
            first.convert(
              Conversion(selection: .primary, target: first.atom("UTF8_STRING")),
              receive: { chunk, _, _ in bytes.value += chunk },
              completion: { _ in ticket.succeed(MemoryPayload(bytes.value)) })
            return .pending(cancel: {})
          }
        ],
        onDelivered: { name, _ in
          delivered.value.append(name)
          first.relinquish(clipboard)
        }))
    let (_, bytes) = try second.paste(clipboard, second.atom("UTF8_STRING"), with: [first])
    #expect(bytes == Array("inner".utf8))
    #expect(delivered.value == ["UTF8_STRING"])
    #expect(second.currentOwner(of: clipboard) == .none)
  }

  // MARK: Watching

  @Test func changesAreToldWithTheirReasons() throws {
    let notices = Box<[SelectionNotice]>([])
    let token = first.watch(clipboard) { notices.value.append($0) }
    func next() throws -> SelectionNotice? {
      let count = notices.value.count
      #expect(try turn([first, second]) { notices.value.count == count })
      return notices.value.last
    }
    try second.acquire(clipboard, offer())
    var notice = try #require(try next())
    #expect(notice.reason == .newOwner)
    #expect(notice.owner == second.currentOwner(of: clipboard))
    #expect(!first.isOwn(notice.owner) && second.isOwn(notice.owner))
    second.relinquish(clipboard)
    notice = try #require(try next())
    #expect(notice.reason == .cleared)
    try first.acquire(clipboard, offer())
    notice = try #require(try next())
    #expect(notice.reason == .newOwner && first.isOwn(notice.owner))
    let third = try SelectionConnection(display: server.display)
    try third.acquire(clipboard, offer())
    _ = try next()
    third.close()
    notice = try #require(try next())
    #expect(notice.reason == .ownerGone)
    #expect(notice.owner == .none)
    #expect(notices.value.map(\.generation) == Array(1...notices.value.count))
    first.unwatch(token)
    try second.acquire(clipboard, offer())
    _ = try turn([first, second], within: 50) { true }
    #expect(notices.value.last == notice)
  }

  @Test func anOwnerThatMakesItsWindowAnewIsOneChange() throws {
    let peer = try Peer(display: server.display)
    var window = try peer.ask("window")
    #expect(try peer.ask("own CLIPBOARD \(window) 0") == "owned")
    let notices = Box<[SelectionNotice]>([])
    _ = first.watch(clipboard) { notices.value.append($0) }
    for round in 1...10 {
      window = try peer.ask("dance CLIPBOARD \(window)", turning: [first])
      // The new window may have the old one's number.
      #expect(try turn([first]) { notices.value.count < round })
      #expect(notices.value.last?.owner.rawValue == UInt32(window))
    }
    #expect(notices.value.map(\.reason) == Array(repeating: .newOwner, count: 10))
  }

  @Test func aThousandAcquisitionsLoseNotTheLast() throws {
    let notices = Box<[SelectionNotice]>([])
    _ = first.watch(clipboard) { notices.value.append($0) }
    for _ in 0..<1_000 { try second.acquire(.secondary, offer()) }
    for _ in 0..<300 { try second.acquire(clipboard, offer()) }
    let last = try second.acquire(clipboard, offer())
    #expect(try turn([first]) { notices.value.last?.time != last })
    #expect(notices.value.count == 301)
  }

  @Test func watchersMayEndEachOther() throws {
    let heard = Box<[Int]>([])
    let tokens = Box<[WatchToken]>([])
    let first = first
    for number in 0..<3 {
      tokens.value.append(
        first.watch(clipboard) { _ in
          heard.value.append(number)
          if number == 0 { for token in tokens.value { first.unwatch(token) } }
        })
    }
    try second.acquire(clipboard, offer())
    #expect(try turn([first, second]) { heard.value.isEmpty })
    #expect(heard.value == [0])
  }

  @Test func watchingFetchesNothing() throws {
    let asked = Box(0)
    try second.acquire(
      clipboard,
      Offer(targets: [
        .init(name: "UTF8_STRING") { _ in
          asked.value += 1
          return .failed
        }
      ]))
    _ = first.watch(clipboard) { _ in }
    try second.acquire(clipboard, offer())
    _ = try turn([first, second], within: 100) { true }
    #expect(asked.value == 0)
    #expect(first.load.conversions == 0)
  }

  @Test func theOwnersProcessIsKnownOnItsOwnHost() throws {
    let peer = try Peer(display: server.display)
    let window = try peer.ask("window")
    #expect(try peer.ask("own CLIPBOARD \(window) 0") == "owned")
    // Optional at run time: where the server tells, it is the truth.
    if let process = first.process(of: first.currentOwner(of: clipboard)) {
      #expect(process == peer.process.processIdentifier)
    }
    #expect(first.process(of: .none) == nil)
    #expect(first.process(of: Window(0x1FF_FFFF)) == nil)
    #expect(!first.isLost)
  }

  @Test func aForeignTypeOfTheTimestampPropertyDoesNotStopTime() throws {
    let peer = try Peer(display: server.display)
    try first.acquire(clipboard, offer())
    let window = first.currentOwner(of: clipboard).rawValue
    try peer.ask("store \(window) INTEGER STRING 8 5")
    #expect(first.serverTime() != .current)
    #expect(try first.acquire(clipboard, offer()) != .current)
  }

  @Test func copiesOfTheSameMomentAllGetTheirTurn() async throws {
    let display = server.display
    let failures = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<4 {
        group.addTask {
          await withCheckedContinuation { done in
            Thread.detachNewThread {
              guard let connection = try? SelectionConnection(display: display) else {
                return done.resume(returning: -1)
              }
              let offer = Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))])
              var failures = 0
              for _ in 0..<200 where (try? connection.acquire(.primary, offer)) == nil {
                failures += 1
              }
              done.resume(returning: failures)
            }
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(failures == [0, 0, 0, 0])
  }

  @Test func whatWasGivenUpIsWrittenToItsEndBeforeTheConnectionEnds() throws {
    let display = server.display
    let isDelivered = Mutex(false)
    let isOver = Mutex(false)
    let isOwned = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)
    var thrown: (any Error)?
    Thread.detachNewThread {
      defer { ended.signal() }
      guard let owner = try? SelectionConnection(display: display) else {
        isOwned.signal()
        return
      }
      var offer = Offer(
        targets: [.init(name: "a/b", payload: MemoryPayload([UInt8](repeating: 7, count: 3 << 20)))]
      )
      offer.onDelivered = { _, _ in isDelivered.withLock { $0 = true } }
      _ = try? owner.acquire(owner.atoms.clipboard, offer)
      isOwned.signal()
      while !isOver.withLock({ $0 }), (try? owner.turn(until: .now + 50)) != nil {}
    }
    isOwned.wait()
    do {
      var pieces = 0
      let token = first.convert(
        Conversion(selection: clipboard, target: first.atom("a/b")),
        receive: { _, _, _ in pieces += 1 }, completion: { _ in })
      while pieces == 0 { try first.turn(until: .now + 50) }
      first.cancel(try #require(token))
      try first.drain(quiet: 1_000, limit: 20_000)
      #expect(isDelivered.withLock { $0 })
    } catch {
      thrown = error
    }
    isOver.withLock { $0 = true }
    ended.wait()
    if let thrown { throw thrown }
  }
}
