import SelectionProtocol
import TestServer
import Testing

@testable import XlibTransport

/// A server without XFixes, as this connection sees it.
@Suite(.serialized) struct WithoutExtensionsTests {
  private let server: XServer
  private let watcher: SelectionConnection
  private let other: SelectionConnection

  init() throws {
    server = try XServer()
    watcher = try SelectionConnection(display: server.display)
    watcher.x.xfixesAnswer = false
    other = try SelectionConnection(display: server.display)
  }

  private func offer(_ lost: Box<Int>? = nil) -> Offer {
    Offer(
      targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))],
      onLost: { lost?.value += 1 })
  }

  @Test func changesAreSeenByAsking() throws {
    let clipboard = watcher.atoms.clipboard
    let reasons = Box<[SelectionNotice.Reason]>([])
    _ = watcher.watch(clipboard) { reasons.value.append($0.reason) }
    func wait(for expected: [SelectionNotice.Reason]) throws {
      #expect(try turn([watcher, other], within: 5_000) { reasons.value.count < expected.count })
      #expect(reasons.value == expected)
    }
    try other.acquire(clipboard, offer())
    try wait(for: [.newOwner])
    // The same owner again: only its TIMESTAMP tells, and only after it was asked twice.
    let known = Instant.now + 1_500
    #expect(try turn([watcher, other], within: 5_000) { Instant.now < known })
    try other.acquire(clipboard, offer())
    try wait(for: [.newOwner, .newOwner])
    other.relinquish(clipboard)
    try wait(for: [.newOwner, .newOwner, .ownerGone])
  }

  @Test func whatWeDoOurselvesIsToldAtOnce() throws {
    let clipboard = watcher.atoms.clipboard
    let notices = Box<[SelectionNotice]>([])
    let lost = Box(0)
    _ = watcher.watch(clipboard) { notices.value.append($0) }
    let start = Instant.now
    try watcher.acquire(clipboard, offer(lost))
    #expect(notices.value.map(\.reason) == [.newOwner])
    watcher.relinquish(clipboard)
    #expect(notices.value.map(\.reason) == [.newOwner, .cleared])
    try watcher.acquire(clipboard, offer(lost))
    try other.acquire(clipboard, offer())
    #expect(try turn([watcher], within: 5_000) { lost.value < 2 })
    #expect(notices.value.count == 4)
    #expect(notices.value.last?.owner == other.currentOwner(of: clipboard))
    #expect(Instant.now < start + 900)
  }

  @Test func anOwnerThatDiesIsSeenAllTheSame() throws {
    let peer = try Peer(display: server.display)
    let window = try peer.ask("window")
    #expect(try peer.ask("own CLIPBOARD \(window) 0") == "owned")
    let failed = Box(false)
    watcher.convert(
      Conversion(selection: watcher.atoms.clipboard, target: watcher.atom("UTF8_STRING")),
      receive: { _, _, _ in }, completion: { _ in failed.value = true })
    _ = try peer.ask("requested", turning: [watcher])
    peer.kill()
    #expect(try turn([watcher], within: 2_000) { !failed.value })
  }
}
