import CoreTransferable
import Foundation
import TestServer
import Testing
import X11Pasteboard

@Suite(.serialized, .timeLimit(.minutes(2))) struct ConnectionTests {
  /// A write to a server that is gone raises SIGPIPE, which ends whoever does nothing about it: that is seen here by the
  /// end of the test runner.
  @Test func theEndOfAServerIsNoSignal() async throws {
    defer { signal(SIGPIPE, SIG_IGN) }
    for _ in 0..<10 {
      let server = try XServer()
      var clipboards: [Pasteboard] = []
      for _ in 0..<8 {
        clipboards.append(try await Pasteboard.clipboard(display: server.display))
      }
      signal(SIGPIPE, SIG_DFL)
      // Each connection is closed, and says so to the server, while that ends.
      kill(server.processIdentifier, SIGKILL)
      clipboards = []
      #expect(await failure { try await Pasteboard.clipboard(display: server.display) } != nil)
    }
  }

  @Test func everyWaiterHearsOfTheLossAtOnce() async throws {
    // The best of several: the machine may be busy with other things.
    var best = Duration.seconds(60)
    for _ in 0..<8 {
      best = min(best, try await delayOfTheLoss())
      if best < .milliseconds(100) { break }
    }
    #expect(best < .milliseconds(100))
  }

  /// How long after the server's end the last of those who waited heard of it.
  private func delayOfTheLoss() async throws -> Duration {
    let server = try XServer(number: lonelyNumber())
    let clipboard = try await Pasteboard.clipboard(display: server.display)
    let primary = try await Pasteboard.primary(display: server.display)
    let silent = try await clipboard.ownedByScript("def request(e): pass", display: server.display)
    let ownership = try await primary.copy("mine")
    let changes = clipboard.changes
    let clock = ContinuousClock()
    let ended = Task {
      for await _ in changes {}
      return clock.now
    }
    let pasted = Task {
      (await failure { try await clipboard.paste(String.self, limits: .patient) }, clock.now)
    }
    let looked = Task {
      (await failure { try await clipboard.contentTypes(limits: .patient) }, clock.now)
    }
    let replaced = Task { (try? await ownership.untilReplaced(), clock.now) }
    // All of them wait: what was posted before this is under way.
    _ = try await clipboard.owner()
    _ = try await clipboard.owner()
    let killed = clock.now
    server.kill()
    let (paste, look, end) = (await pasted.value, await looked.value, await replaced.value)
    #expect(paste.0?.code == .connectionLost)
    #expect(look.0?.code == .connectionLost)
    #expect(end.0 == .connectionLost)
    let last = max(paste.1, look.1, end.1, await ended.value)
    #expect(await failure { try await clipboard.copy("x") }?.code == .connectionLost)
    #expect(await failure { try await clipboard.owner() }?.code == .connectionLost)
    #expect(await failure { try await clipboard.clear() }?.code == .connectionLost)
    #expect(await failure { try await clipboard.reconnect() }?.code == .cannotConnect)
    await ownership.untilServed()
    for await _ in clipboard.changes {}
    withExtendedLifetime(silent) {}
    return last - killed
  }

  @Test func aNewServerOnTheSameDisplayIsReached() async throws {
    let first = try XServer(number: lonelyNumber())
    let clipboard = try await Pasteboard.clipboard(display: first.display)
    let ownership = try await clipboard.copy("old")
    first.kill()
    let second = try XServer(number: number(of: first.display))
    // Nobody waited for the loss; a pasteboard made now has to notice it by itself.
    let another = try await Pasteboard.primary(display: first.display)
    try await another.copy("new")
    try await clipboard.reconnect()
    #expect(await failure { try await clipboard.paste(String.self) }?.code == .empty)
    #expect(try await ownership.untilReplaced() == .connectionLost)
    try await clipboard.copy("again")
    let result = try await command(
      "xclip", ["-o", "-selection", "clipboard"], display: first.display)
    #expect(result.text == "again")
    #expect(try await another.paste(String.self) == ["new"])
    withExtendedLifetime(second) {}
  }

  @Test func severalDisplaysAreApart() async throws {
    let servers = try (0..<3).map { _ in try XServer() }
    var clipboards: [Pasteboard] = []
    for server in servers {
      let clipboard = try await Pasteboard.clipboard(display: server.display)
      try await clipboard.copy("on \(server.display)")
      clipboards.append(clipboard)
    }
    for (server, clipboard) in zip(servers, clipboards) {
      #expect(try await clipboard.paste(String.self) == ["on \(server.display)"])
      let other = try await Pasteboard.clipboard(display: server.display + ".0")
      #expect(try await other.paste(String.self) == ["on \(server.display)"])
    }
    servers[0].kill()
    #expect(await failure { try await clipboards[0].copy("x") }?.code == .connectionLost)
    #expect(try await clipboards[1].paste(String.self) == ["on \(servers[1].display)"])
  }

  @Test func noServerIsAnError() async throws {
    let error = await failure { try await Pasteboard.clipboard(display: ":9999") }
    #expect(error?.code == .cannotConnect)
    #expect(error?.message.contains(":9999") == true)
    #expect(await failure { try await Pasteboard.clipboard(display: "") }?.code == .cannotConnect)
  }

  @Test func aStuckServerKeepsNobodyFromCancelling() async throws {
    let server = try XServer()
    let clipboard = try await Pasteboard.clipboard(display: server.display)
    try await clipboard.copy("mine")
    server.suspend()
    defer { server.suspend(false) }
    let clock = ContinuousClock()
    for action in 0..<3 {
      let started = Gate()
      let task = Task {
        started.open()
        switch action {
        case 0: _ = try await clipboard.paste(String.self)
        case 1: try await clipboard.copy("another")
        default: _ = try await clipboard.owner()
        }
      }
      await started.wait()
      let elapsed = await clock.measure {
        task.cancel()
        #expect(await failure { try await task.value }?.code == .cancelled)
      }
      #expect(elapsed < .seconds(5), "not by the bridge's patience")
    }
  }

  @Test func aBridgeIsSharedByAllWhoUseTheDisplay() async throws {
    let server = try XServer()
    let first = try await Pasteboard.clipboard(display: server.display)
    let ownership = try await first.copy("mine")
    let second = try await Pasteboard.clipboard(display: server.display)
    #expect(try await second.owner()?.isOwnProcess == true)
    #expect(try await second.owner()?.window == (try await first.owner()?.window))
    withExtendedLifetime(ownership) {}
  }
}
