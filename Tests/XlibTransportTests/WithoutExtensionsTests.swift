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

/// A server without extensions, as every client behind its door sees it.
@Suite(.serialized) struct DoorTests {
  private static let hidden = [
    ["XFIXES"], ["X-Resource"], ["BIG-REQUESTS"], ["XFIXES", "X-Resource", "BIG-REQUESTS"],
  ]

  @Test(arguments: hidden) func everythingIsCopiedAndPasted(hidden: [String]) throws {
    let server = try XServer()
    let door = try Door(to: server, hiding: hidden)
    let owner = try SelectionConnection(display: door.display)
    let requestor = try SelectionConnection(display: door.display)
    let outside = try SelectionConnection(display: server.display)
    let clipboard = owner.atoms.clipboard
    let notices = Box<[SelectionNotice.Reason]>([])
    _ = requestor.watch(clipboard) { notices.value.append($0.reason) }
    for size in [0, 10, 258_048, 300_000, 5_000_000] {
      try owner.acquire(
        clipboard,
        Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(pattern(size)))]))
      for other in [requestor, outside] {
        let (result, bytes) = try other.paste(clipboard, other.atom("UTF8_STRING"), with: [owner])
        #expect(try result.get().byteCount == size)
        #expect(bytes == pattern(size))
      }
    }
    #expect(try turn([owner, requestor], within: 5_000) { notices.value.isEmpty })
    #expect(notices.value.allSatisfy { $0 == .newOwner })
    #expect(owner.x.largestPropertySize > 1 << 20 || hidden.contains("BIG-REQUESTS"))
    if hidden.contains("BIG-REQUESTS") {
      #expect(owner.x.largestPropertySize == owner.x.maximumPropertySize)
    }
    #expect(owner.x.queryXFixes() == !hidden.contains("XFIXES"))
    // Through the door nobody is local, so that the server may not tell the process either way.
    if hidden.contains("X-Resource") { #expect(requestor.process(of: owner.ownWindow) == nil) }
    #expect(!owner.isLost && !requestor.isLost)
    #expect(owner.relinquish(clipboard))
    // A plain property larger than any request of such a client.
    let peer = try Peer(display: server.display)
    let window = try peer.ask("window")
    #expect(try peer.ask("own CLIPBOARD \(window) 0") == "owned")
    let bytes = Box<[UInt8]>([])
    let isOver = Box(false)
    requestor.convert(
      Conversion(selection: clipboard, target: requestor.atom("UTF8_STRING")),
      receive: { chunk, _, _ in bytes.value += chunk }, completion: { _ in isOver.value = true })
    let request = try peer.ask("requested", turning: [requestor])
    let words = request.split(separator: " ")
    for _ in 0..<8 { try peer.ask("append \(words[0]) \(words[3]) UTF8_STRING 8 200802") }
    try peer.ask("notify \(request)")
    #expect(try turn([requestor], within: 10_000) { !isOver.value })
    #expect(bytes.value == (0..<8).flatMap { _ in text(200_802) })
    withExtendedLifetime(door) {}
  }
}
