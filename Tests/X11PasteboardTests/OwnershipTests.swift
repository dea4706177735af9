import CoreTransferable
import Foundation
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

@Suite(.serialized, .timeLimit(.minutes(2))) struct OwnershipTests: TwoEndsSuite {
  let ends: TwoEnds

  init() async throws { ends = try await TwoEnds() }

  @Test func servesOnThoughNothingOfItIsKept() async throws {
    let server = try XServer()
    func copy() async throws {
      let clipboard = try await Pasteboard.clipboard(display: server.display)
      try await clipboard.copy("still here")
    }
    try await copy()
    let pasted = try run("xclip", ["-o", "-selection", "clipboard"], display: server.display)
    #expect(pasted.text == "still here")
  }

  @Test func anotherProgramEndsIt() async throws {
    let ownership = try await clipboard.copy("mine")
    #expect(ownership.isCurrent)
    #expect(ownership.serverTime > 0)
    let owner = try await clipboard.owner()
    #expect(owner?.isOwnProcess == true)
    async let end = ownership.untilReplaced()
    let peer = try await clipboard.ownedByXclip("theirs", display: server.display)
    #expect(try await end == .replaced)
    #expect(!ownership.isCurrent)
    #expect(try await ownership.untilReplaced() == .replaced)
    withExtendedLifetime(peer) {}
  }

  @Test func aLaterCopyOfOnesOwnEndsIt() async throws {
    let first = try await clipboard.copy("first")
    let second = try await clipboard.copy("second")
    #expect(try await first.untilReplaced() == .replaced)
    #expect(second.isCurrent)
    #expect(second.serverTime != first.serverTime)
    try await first.clear()
    #expect(second.isCurrent)
    #expect(try await other.paste(String.self) == ["second"])
  }

  @Test func clearEndsItAndEmptiesTheSelection() async throws {
    let ownership = try await clipboard.copy("mine")
    try await ownership.clear()
    #expect(try await ownership.untilReplaced() == .cleared)
    #expect(try await other.owner() == nil)
    let again = try await clipboard.copy("mine")
    try await clipboard.clear()
    #expect(try await again.untilReplaced() == .cleared)
    #expect(try await other.owner() == nil)
  }

  @Test func clearLeavesAlonesWhatOthersTook() async throws {
    let ownership = try await clipboard.copy("mine")
    let peer = try await clipboard.ownedByXclip("theirs", display: server.display)
    try await ownership.clear()
    #expect(try await clipboard.paste(String.self) == ["theirs"])
    try await clipboard.clear()
    #expect(try await clipboard.owner() == nil)
    withExtendedLifetime(peer) {}
  }

  @Test func theEndOfTheServerEndsIt() async throws {
    let ownership = try await clipboard.copy("mine")
    async let end = ownership.untilReplaced()
    server.kill()
    #expect(try await end == .connectionLost)
  }

  @Test func waitingForTheEndCanBeCancelled() async throws {
    let ownership = try await clipboard.copy("mine")
    let task = Task { try await ownership.untilReplaced() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(ownership.isCurrent)
  }

  @Test func aTransferOutlivesTheOwnership() async throws {
    let bytes = pattern(5_000_000)
    let gate = Gate()
    let started = Gate()
    let ownership = try await clipboard.copy(
      Scripted(blob: {
        started.open()
        await gate.wait()
        return bytes
      }))
    async let pasted = other.paste(Blob.self)
    await started.wait()
    let later = try await clipboard.copy("later")
    #expect(!ownership.isCurrent)
    gate.open()
    #expect(try await pasted == [Blob(bytes: bytes)])
    await ownership.untilServed()
    #expect(try await other.paste(String.self) == ["later"])
    withExtendedLifetime(later) {}
  }

  @Test func untilServedWaitsForWhoAsked() async throws {
    let gate = Gate()
    let started = Gate()
    let isServed = Counter()
    let ownership = try await clipboard.copy(
      Scripted(blob: {
        started.open()
        await gate.wait()
        return Data("x".utf8)
      }))
    await ownership.untilServed()
    async let pasted = other.paste(Blob.self)
    await started.wait()
    let waiting = Task {
      await ownership.untilServed()
      isServed.increment()
    }
    // Two round trips of the connection's thread: it had every chance to be wrong.
    _ = try await clipboard.owner()
    _ = try await clipboard.owner()
    #expect(isServed.count == 0)
    gate.open()
    #expect(try await pasted == [Blob(bytes: Data("x".utf8))])
    await waiting.value
    #expect(isServed.count == 1)
  }

  @Test func untilServedCanBeCancelled() async throws {
    let gate = Gate()
    defer { gate.open() }
    let started = Gate()
    let ownership = try await clipboard.copy(
      Scripted(blob: {
        started.open()
        await gate.wait()
        return Data()
      }))
    let other = other
    let paste = Task { try await other.paste(Blob.self) }
    await started.wait()
    let waiting = Task { await ownership.untilServed() }
    waiting.cancel()
    await waiting.value
    paste.cancel()
    _ = await paste.result
  }

  @Test func contentIsReleasedWhenNobodyNeedsIt() async throws {
    final class Token: Sendable {
      let gone: Gate
      init(_ gone: Gate) { self.gone = gone }
      deinit { gone.open() }
    }
    let gone = Gate()
    var item: Scripted? = {
      let token = Token(gone)
      return Scripted(blob: { withExtendedLifetime(token) { Data() } })
    }()
    if let copied = item { try await clipboard.copy(copied) }
    item = nil
    try await clipboard.copy("later")
    // Ends only if the first item is let go.
    await gone.wait()
  }

  @Test func aFileThatWasHandedOutGoesWithTheOffer() async throws {
    let folder = try ScratchFolder()
    let film = Film(file: try folder.file("a.mp4", pattern(1_000)), allowsOriginal: false)
    let ownership = try await clipboard.copy(film)
    let list = try await command(
      "xclip", ["-o", "-selection", "clipboard", "-t", "text/uri-list"], display: server.display)
    let again = try await command(
      "xclip", ["-o", "-selection", "clipboard", "-t", "x-special/gnome-copied-files"],
      display: server.display)
    let line = try #require(list.text.split(whereSeparator: \.isNewline).first)
    let url = try #require(URL(string: String(line)))
    #expect(url.lastPathComponent == "a.mp4")
    #expect(again.text == "copy\n\(url.absoluteString)")
    #expect(url.path != film.file.path)
    #expect(try Data(contentsOf: url) == pattern(1_000))
    try await ownership.clear()
    try await eventually { !FileManager.default.fileExists(atPath: url.path) }
  }

  @Test func aClipboardManagerTakesOver() async throws {
    let manager = try Peer(
      "/usr/bin/python3", ["-c", Scripts.manager], display: server.display)
    let role = try await Pasteboard.named("CLIPBOARD_MANAGER", display: server.display)
    try await eventually { try await role.owner() != nil }
    let ownership = try await clipboard.copy(Person.zoe)
    #expect(try await ownership.handOver(within: .seconds(5)) == .saved)
    #expect(try await ownership.untilReplaced() == .replaced)
    #expect(try await clipboard.paste(String.self) == ["Zoë Ångström"])
    #expect(try await ownership.handOver() == .notCurrent)
    withExtendedLifetime(manager) {}
  }

  @Test func withoutAManagerNothingIsHandedOver() async throws {
    let ownership = try await clipboard.copy("mine")
    #expect(try await ownership.handOver() == .noManager)
    #expect(ownership.isCurrent)
    let secret = try await clipboard.copy("secret", options: .sensitive)
    #expect(try await secret.handOver() == .secret)
    let primary = try await Pasteboard.primary(display: server.display)
    #expect(try await primary.copy("x").handOver() == .noManager)
  }

  @Test func aManagerThatDoesNotAnswerTimesOut() async throws {
    let manager = try await clipboard.ownedByScript(
      "def request(e): pass\nw.set_selection_owner(atom('CLIPBOARD_MANAGER'), X.CurrentTime)",
      display: server.display)
    let ownership = try await clipboard.copy("mine")
    let error = await failure { try await ownership.handOver(within: .milliseconds(300)) }
    #expect(error?.code == .timedOut)
    #expect(ownership.isCurrent)
    withExtendedLifetime(manager) {}
  }
}

extension Scripts {
  /// Keeps the text of CLIPBOARD when asked to.
  static let manager = """
    from Xlib import X, display, Xatom
    from Xlib.protocol import event
    d = display.Display()
    w = d.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    atom = d.intern_atom
    kept = b''
    asked = None
    def notify(e, prop):
        e.requestor.send_event(event.SelectionNotify(time=e.time, requestor=e.requestor,
            selection=e.selection, target=e.target, property=prop), event_mask=0)
        d.flush()
    w.set_selection_owner(atom('CLIPBOARD_MANAGER'), X.CurrentTime)
    d.flush()
    while True:
        e = d.next_event()
        if e.type == X.SelectionRequest:
            what = d.get_atom_name(e.target)
            if what == 'SAVE_TARGETS':
                asked = e
                w.convert_selection(atom('CLIPBOARD'), atom('UTF8_STRING'), atom('GOT'), e.time)
                d.flush()
            elif what == 'TARGETS':
                e.requestor.change_property(e.property, Xatom.ATOM, 32, [atom('UTF8_STRING')])
                notify(e, e.property)
            elif what == 'UTF8_STRING':
                e.requestor.change_property(e.property, atom('UTF8_STRING'), 8, kept)
                notify(e, e.property)
            else: notify(e, X.NONE)
        elif e.type == X.SelectionNotify:
            kept = w.get_full_property(atom('GOT'), X.AnyPropertyType).value
            w.set_selection_owner(atom('CLIPBOARD'), X.CurrentTime)
            asked.requestor.change_property(asked.property, atom('NULL'), 32, [])
            notify(asked, asked.property)
    """
}
