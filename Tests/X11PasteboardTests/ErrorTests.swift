import CoreTransferable
import Foundation
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

/// What an error says: which content type, which target, which owner, and what may be the cause.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ErrorTests {
  private let server: XServer
  private let clipboard: Pasteboard

  init() async throws {
    server = try XServer()
    clipboard = try await Pasteboard.clipboard(display: server.display)
  }

  private static let limits = Pasteboard.Limits(
    targets: .seconds(20), response: .milliseconds(400), idle: .milliseconds(400), byteCount: 1_000)

  /// How an owner that lists a picture behaves when it is asked for, and what comes of it.
  private static let faults: [(body: String, code: PasteboardError.Code, cause: String)] = [
    ("refuse(e)", .refused, "focus"),
    ("notify(e, e.property)", .refused, "memory"),
    ("pass", .timedOut, "stopped"),
    ("begin_incr(e, e.target)", .timedOut, "stopped"),
    ("os._exit(0)", .ownerGone, "crashed"),
    ("put(e, e.target, 8, b'x' * 2000)", .tooLarge, "limit"),
    ("put(e, atom('STRING'), 16, [1, 2])", .invalidContent, "STRING"),
  ]

  @Test(arguments: 0..<faults.count)
  func anOwnerThatFailsIsNamed(fault: Int) async throws {
    let (body, code, cause) = Self.faults[fault]
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'TARGETS': targets(e, ['image/png'])
          else: \(body)
      """, display: server.display)
    let owner = try #require(try await clipboard.owner())
    let error = try #require(
      await failure { try await clipboard.data(of: .png, limits: Self.limits) })
    #expect(error.code == code)
    #expect(error.target == "image/png")
    #expect(error.contentType == .png)
    #expect(error.offered == [.png])
    #expect(error.owner?.window == owner.window)
    let window = String(owner.window, radix: 16)
    for word in ["image/png", "public.png", "CLIPBOARD", "window 0x\(window)", cause]
    where !(code == .invalidContent && word == "public.png") {
      #expect(error.message.contains(word), "\(error.message)")
    }
    // Who went away has no process any more.
    if code != .ownerGone {
      #expect(error.owner?.processIdentifier == peer.process.processIdentifier)
      #expect(error.message.contains("python3"))
    }
    #expect(!error.message.contains("\n"))
    #expect(error.errorDescription == error.message)
  }

  @Test func whatCannotBeImportedIsNamed() async throws {
    let peer = try await clipboard.ownedByXclip(
      "no JSON", target: "com.example.person", display: server.display)
    let error = try #require(await failure { try await clipboard.paste(Person.self) })
    #expect(error.code == .importFailed)
    #expect(error.target == "com.example.person")
    #expect(error.contentType?.identifier == "com.example.person")
    for word in ["Person", "com.example.person", "CLIPBOARD"] {
      #expect(error.message.contains(word), "\(error.message)")
    }
    withExtendedLifetime(peer) {}
  }

  @Test func aStuckServerDoesNotKeepTheErrorWaiting() async throws {
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'TARGETS': targets(e, ['image/png'])
          else:
              w.set_selection_owner(atom('PRIMARY'), X.CurrentTime)
              d.flush()
      """, display: server.display)
    let clipboard = clipboard
    let server = server
    let primary = try await Pasteboard.primary(display: server.display)
    let changes = primary.changes
    let clock = ContinuousClock()
    let limits = Pasteboard.Limits(response: .seconds(1))
    let pasted = Task {
      (await failure { try await clipboard.data(of: .png, limits: limits) }, clock.now)
    }
    // In the midst of the owner's time the server stands still.
    for await _ in changes { break }
    server.suspend()
    let start = clock.now
    let (error, end) = await pasted.value
    server.suspend(false)
    #expect(error?.code == .timedOut)
    #expect(end - start < .seconds(9), "not by the bridge's patience")
    withExtendedLifetime(peer) {}
  }
}
