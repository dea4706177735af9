import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// A server that runs out of memory.
@Suite(.serialized) struct ShortMemoryTests {
  private static let size = 200_000

  @Test func whatFindsNoMemoryIsRefusedOrComesInSmallerPieces() throws {
    let server = try XServer()
    var configuration = OwnerState.Configuration()
    // As large as what fills the memory, so that the server fails in the storing and not in the reading of requests,
    // for which it closes connections.
    configuration.chunkSize = Self.size
    let owner = try SelectionConnection(display: server.display, configuration: configuration)
    let clipboard = owner.atoms.clipboard
    let peer = try Peer(display: server.display)
    let filler = try Peer(display: server.display)
    let window = try peer.ask("window")
    let other = try peer.ask("window")
    let full = try filler.ask("window")
    func answer(_ words: String) throws -> String { try peer.ask(words, turning: [owner]) }
    func convert(_ target: String, _ window: String, _ property: String) throws -> String {
      try peer.order("convert \(window) CLIPBOARD \(target) \(property) 0")
      return try answer("notified")
    }
    try owner.acquire(
      clipboard,
      Offer(targets: [
        .init(name: "image/png", payload: MemoryPayload(text(1_000_000))),
        .init(name: "UTF8_STRING", payload: MemoryPayload(text(190_000))),
        .init(name: "STRING", payload: MemoryPayload(text(10))),
      ]))
    // Two transfers have begun when the memory ends, one of which does not move meanwhile.
    for place in [window, other] {
      #expect(try convert("image/png", place, "P") == "\(place) CLIPBOARD image/png P 0")
    }
    try server.limitMemory(to: 8 << 20)
    let filled = try filler.ask("fill \(full) \(Self.size)").split(separator: " ")
    let count = try #require(filled.last)
    // Neither as a whole nor in part: the requestor is told, and nothing of it stays there.
    #expect(try convert("UTF8_STRING", window, "Q") == "\(window) CLIPBOARD UTF8_STRING NONE 0")
    #expect(try peer.ask("read \(window) Q") == "absent")
    // What is small fits, and what runs goes on in smaller pieces.
    #expect(try convert("STRING", window, "R") == "\(window) CLIPBOARD STRING R 0")
    #expect(try peer.ask("take \(window) R") == describe("STRING", 10))
    let words = try answer("fetch \(window) P").split(separator: " ").map(String.init)
    #expect(words.first == "incr")
    #expect(words.suffix(4).joined(separator: " ") == describe("image/png", 1_000_000))
    let largest = try #require(words.count > 3 ? Int(words[3]) : nil)
    #expect(largest < Self.size)
    // What was too large at once comes by INCR when it is asked for again.
    _ = try convert("UTF8_STRING", window, "Q")
    #expect(try answer("fetch \(window) Q").hasSuffix(describe("UTF8_STRING", 190_000)))
    _ = try filler.ask("free \(full) \(Self.size) \(count)")
    #expect(try answer("fetch \(other) P").hasSuffix(describe("image/png", 1_000_000)))
    #expect(try turn([owner], within: 10_000) { owner.isServing })
    #expect(owner.load.products == 0)
    #expect(!owner.isLost)
    withExtendedLifetime(server) {}
  }
}
