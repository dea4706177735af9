import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// A program that ends, and a clipboard manager: both ours, in one process, on one server.
@Suite(.serialized) struct HandOverTests {
  private let server: XServer
  private let client: SelectionConnection
  private let manager: SelectionConnection

  init() throws {
    server = try XServer()
    client = try SelectionConnection(display: server.display)
    manager = try SelectionConnection(display: server.display)
  }

  private var clipboard: Atom { client.atoms.clipboard }

  private func handOver(limit: Int64 = 10_000) throws -> HandOverOutcome {
    let outcome = Box<HandOverOutcome?>(nil)
    client.handOver(limit: limit) { outcome.value = $0 }
    #expect(try turn([client, manager]) { outcome.value == nil })
    return try #require(outcome.value)
  }

  @Test func managerSavesEverythingBeforeItConfirms() throws {
    let names = ["text/html", "UTF8_STRING", "image/png"]
    let contents = [pattern(10), pattern(300_000, seed: 1), pattern(2_000_000, seed: 2)]
    let targets = zip(names, contents).map {
      Offer.Target(name: $0, payload: MemoryPayload($1))
    }
    try client.acquire(clipboard, Offer(targets: targets))
    let saved = Box<[Offer.Target]>([])
    let asked = Box<Parameter?>(nil)
    let manager = manager
    let clipboard = clipboard
    let time = try #require(
      manager.currentOwner(of: clipboard) != .none ? client.serverTime() : nil)
    try manager.manage(
      manager.atom("CLIPBOARD_MANAGER"),
      Offer(targets: [
        .sideEffect(name: "SAVE_TARGETS") { ticket in
          let parameter = manager.parameter(of: ticket)
          asked.value = parameter
          guard case .atoms(let wanted) = parameter else { return .failed }
          func next(_ index: Int) {
            guard index < wanted.count else {
              _ = try? manager.acquire(clipboard, Offer(targets: saved.value), at: time)
              return ticket.succeed()
            }
            let bytes = Box<[UInt8]>([])
            manager.convert(
              Conversion(selection: clipboard, target: wanted[index]),
              receive: { chunk, _, _ in bytes.value.append(contentsOf: chunk) },
              completion: { result in
                guard case .success = result else { return ticket.fail() }
                let name = manager.names(of: [wanted[index]])[0] ?? ""
                saved.value.append(
                  Offer.Target(name: name, payload: MemoryPayload(bytes.value)))
                next(index + 1)
              })
          }
          next(0)
          return .pending(cancel: {})
        }
      ]))
    #expect(try handOver() == .saved)
    #expect(asked.value == .atoms(client.atoms(names)))
    #expect(!client.isOwner(of: clipboard))
    #expect(manager.isOwner(of: clipboard))
    for (name, content) in zip(names, contents) {
      let (result, bytes) = try client.paste(clipboard, client.atom(name), with: [manager])
      #expect(try result.get().type == client.atom(name))
      #expect(bytes == content)
    }
  }

  @Test func managerListsSaveTargetsAmongItsTargets() throws {
    let selection = manager.atom("CLIPBOARD_MANAGER")
    try manager.manage(
      selection, Offer(targets: [.sideEffect(name: "SAVE_TARGETS") { _ in .failed }]))
    let (result, bytes) = try client.paste(selection, client.atoms.targets, with: [manager])
    #expect(try result.get().format == 32)
    let atoms = client.atoms
    let expected = [atoms.targets, atoms.multiple, atoms.timestamp, atoms.saveTargets]
    let listed = bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map { Atom(raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
    #expect(listed == expected)
  }

  @Test func anAnswerMayComeAfterTheSoftDeadlineWithoutINCR() throws {
    try client.acquire(
      clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))]))
    let ticket = Box<ProductionTicket?>(nil)
    try manager.manage(
      manager.atom("CLIPBOARD_MANAGER"),
      Offer(targets: [
        .sideEffect(name: "SAVE_TARGETS") {
          ticket.value = $0
          return .pending(cancel: {})
        }
      ]))
    let outcome = Box<HandOverOutcome?>(nil)
    client.handOver { outcome.value = $0 }
    let softDeadlinePassed = Instant.now + 700
    #expect(
      try turn([client, manager]) { outcome.value == nil && Instant.now < softDeadlinePassed })
    #expect(outcome.value == nil)
    try #require(ticket.value).succeed()
    #expect(try turn([client, manager]) { outcome.value == nil })
    #expect(outcome.value == .saved)
  }

  @Test func handOverEndsAtOnceWithoutManager() throws {
    try client.acquire(
      clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))]))
    #expect(try handOver() == .noManager)
  }

  @Test func handOverEndsAtOnceWithoutContent() throws {
    #expect(try handOver() == .notOwner)
  }

  @Test func refusalIsTold() throws {
    try client.acquire(
      clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))]))
    try manager.manage(
      manager.atom("CLIPBOARD_MANAGER"),
      Offer(targets: [.sideEffect(name: "SAVE_TARGETS") { _ in .failed }]))
    #expect(try handOver() == .refused)
  }

  @Test func aNewerCopyDuringTheHandOverIsNoRefusal() throws {
    let manager = manager
    try client.acquire(
      clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))]))
    let newer = Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("newer"))])
    let ticket = Box<ProductionTicket?>(nil)
    try manager.manage(
      manager.atom("CLIPBOARD_MANAGER"),
      Offer(targets: [
        .sideEffect(name: "SAVE_TARGETS") {
          ticket.value = $0
          return .pending(cancel: {})
        }
      ]))
    let outcome = Box<HandOverOutcome?>(nil)
    client.handOver { outcome.value = $0 }
    #expect(try turn([client, manager]) { ticket.value == nil })
    try manager.acquire(clipboard, newer)
    try #require(ticket.value).fail()
    #expect(try turn([client, manager]) { outcome.value == nil })
    #expect(outcome.value == .notOwner)
  }

  @Test func managerThatNeverAnswersIsNotWaitedForBeyondTheLimit() throws {
    try client.acquire(
      clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))]))
    try manager.manage(
      manager.atom("CLIPBOARD_MANAGER"),
      Offer(targets: [.sideEffect(name: "SAVE_TARGETS") { _ in .pending(cancel: {}) }]))
    let start = Instant.now
    #expect(try handOver(limit: 500) == .noAnswer)
    #expect(Instant.now < start + 2_000)
  }

  @Test func managerThatEndsIsNotWaitedFor() throws {
    try client.acquire(
      clipboard, Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))]))
    let manager = manager
    let selection = manager.atom("CLIPBOARD_MANAGER")
    let asked = Box(false)
    try manager.manage(
      selection,
      Offer(targets: [
        .sideEffect(name: "SAVE_TARGETS") { _ in
          asked.value = true
          return .pending(cancel: {})
        }
      ]))
    let outcome = Box<HandOverOutcome?>(nil)
    client.handOver { outcome.value = $0 }
    #expect(try turn([client, manager]) { !asked.value })
    let start = Instant.now
    manager.endManaging(selection)
    #expect(try turn([client, manager]) { outcome.value == nil })
    #expect(outcome.value == .refused)
    #expect(Instant.now < start + 2_000)
    #expect(client.currentOwner(of: selection) == .none)
  }

  @Test func managerAnnouncesItself() throws {
    // The message goes to whoever selected StructureNotify on the root window: a listener in Python.
    let listener = try Peer("manager_listener.py", display: server.display)
    #expect(try listener.line() == "ready")
    let selection = manager.atom("CLIPBOARD_MANAGER")
    let time = try manager.manage(
      selection, Offer(targets: [.sideEffect(name: "SAVE_TARGETS") { _ in .failed }]))
    let owner = manager.currentOwner(of: selection)
    #expect(
      try listener.line() == "MANAGER \(time.rawValue) CLIPBOARD_MANAGER \(owner.rawValue) 0 0")
  }

  @Test func replacedManagerIsToldAndItsWindowIsGone() throws {
    let selection = manager.atom("CLIPBOARD_MANAGER")
    let lost = Box(0)
    try manager.manage(
      selection,
      Offer(
        targets: [.sideEffect(name: "SAVE_TARGETS") { _ in .failed }], onLost: { lost.value += 1 }))
    let old = manager.currentOwner(of: selection)
    let gone = Box(false)
    let next = try SelectionConnection(display: server.display)
    next.onDestruction(of: old) { gone.value = true }
    try next.manage(selection, Offer(targets: [.sideEffect(name: "SAVE_TARGETS") { _ in .failed }]))
    #expect(try turn([next, manager]) { !gone.value })
    #expect(lost.value == 1)
    #expect(next.isOwner(of: selection))
  }
}
