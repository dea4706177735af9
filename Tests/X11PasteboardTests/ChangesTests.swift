import CoreTransferable
import Foundation
import TestServer
import Testing
import X11Pasteboard

@Suite(.serialized, .timeLimit(.minutes(2))) struct ChangesTests {
  let server: XServer
  let clipboard: Pasteboard

  init() async throws {
    server = try XServer()
    clipboard = try await Pasteboard.clipboard(display: server.display)
  }

  /// A stream whose watch is in place.
  private func changes() async throws -> AsyncStream<PasteboardChange> {
    let changes = clipboard.changes
    _ = try await clipboard.owner()
    return changes
  }

  @Test func everyKindOfChangeIsTold() async throws {
    var changes = try await changes().makeAsyncIterator()
    let peer = try Peer(
      "xclip", ["-quiet", "-i", "-selection", "clipboard"], display: server.display,
      input: Data("x".utf8))
    let taken = try #require(await changes.next())
    #expect(taken.reason == .newOwner)
    #expect(!taken.isOwnProcess)
    #expect(taken.ownerWindow != nil)
    #expect(taken.serverTime > 0)
    #expect(taken.generation == 1)
    if let name = taken.owner?.processName { #expect(name == "xclip") }
    peer.kill()
    let gone = try #require(await changes.next())
    #expect(gone.reason == .ownerGone)
    #expect(gone.ownerWindow == nil)
    #expect(gone.generation == 2)
    try await clipboard.copy("mine")
    let own = try #require(await changes.next())
    #expect(own.reason == .newOwner)
    #expect(own.isOwnProcess)
    #expect(own.owner?.processIdentifier ?? getpid() == getpid())
    try await clipboard.copy("mine again")
    let again = try #require(await changes.next())
    #expect(again.reason == .newOwner)
    #expect(again.ownerWindow == own.ownerWindow)
    try await clipboard.clear()
    let cleared = try #require(await changes.next())
    #expect(cleared.reason == .cleared)
  }

  @Test func aSlowReaderNeverMissesTheLast() async throws {
    let changes = try await changes()
    for number in 0..<200 { try await clipboard.copy("\(number)") }
    _ = try await clipboard.owner()
    var seen: [Int] = []
    for await change in changes {
      seen.append(change.generation)
      if change.generation == 200 { break }
    }
    #expect(seen.last == 200)
    #expect(seen.count <= 32)
    #expect(seen == seen.sorted())
  }

  @Test func severalReadersSeeTheSame() async throws {
    var first = try await changes().makeAsyncIterator()
    var second = try await changes().makeAsyncIterator()
    try await clipboard.copy("x")
    let seen = (await first.next(), await second.next())
    #expect(seen.0 == seen.1)
    #expect(seen.0?.reason == .newOwner)
  }

  @Test func theStreamEndsWithTheServer() async throws {
    let changes = try await changes()
    server.kill()
    for await _ in changes {}
  }

  @Test func theStreamEndsWithTheReadersTask() async throws {
    let changes = try await changes()
    let task = Task { for await _ in changes {} }
    task.cancel()
    await task.value
    try await clipboard.copy("still works")
    #expect(try await clipboard.paste(String.self) == ["still works"])
  }

  @Test func selectionsAreWatchedApart() async throws {
    let primary = try await Pasteboard.primary(display: server.display)
    var changes = try await changes().makeAsyncIterator()
    try await primary.copy("not this")
    try await clipboard.copy("this")
    #expect(await changes.next()?.generation == 1)
    #expect(try await clipboard.owner()?.isOwnProcess == true)
  }
}
