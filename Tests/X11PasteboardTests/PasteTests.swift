import CoreTransferable
import Foundation
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

@Suite(.serialized, .timeLimit(.minutes(2))) struct PasteTests {
  let server: XServer
  let clipboard: Pasteboard

  init() async throws {
    server = try XServer()
    clipboard = try await Pasteboard.clipboard(display: server.display)
  }

  @Test(arguments: [
    ("UTF8_STRING", Array("Zoë €".utf8), "Zoë €"),
    ("STRING", [0x5A, 0x6F, 0xEB], "Zoë"),
    ("STRING", Array("Zoë".utf8), "Zoë"),
    ("text/plain", [0x5A, 0x6F, 0xEB], "Zoë"),
    ("text/plain;charset=utf-8", Array("Zoë €\r\nb".utf8), "Zoë €\nb"),
    ("text/plain;charset=iso-8859-1", [0x5A, 0x6F, 0xEB], "Zoë"),
    ("text/plain;charset=ISO-8859-15", [0xA4], "€"),
    ("text/plain;charset=windows-1252", [0x80], "€"),
    ("text/plain;charset=koi8-r", [0xCD, 0xC9, 0xD2], "мир"),
    ("text/plain;charset=utf-16", [0xFF, 0xFE, 0x5A, 0, 0xEB, 0], "Zë"),
    ("text/plain;charset=utf-16be", [0, 0x5A, 0, 0xEB], "Zë"),
    ("COMPOUND_TEXT", [0x5A, 0x6F, 0xEB], "Zoë"),
  ])
  func textIsDecodedByWhatItSaysItIs(target: String, bytes: [UInt8], text: String) async throws {
    let peer = try await clipboard.ownedByXclip(
      "", target: target, bytes: Data(bytes), display: server.display)
    #expect(try await clipboard.paste(String.self) == [text])
    withExtendedLifetime(peer) {}
  }

  @Test func aMoreGeneralRepresentationGetsItsTurn() async throws {
    let peer = try await clipboard.ownedByXclip(
      "", target: "image/png", bytes: Data("odd".utf8), display: server.display)
    #expect(try await clipboard.paste(Picture.self) == [Picture(text: "image of 3 bytes")])
    withExtendedLifetime(peer) {}
  }

  @Test(arguments: [0, 1, 1_000_000, 20_000_000])
  func textOfAnySizeArrivesWhole(size: Int) async throws {
    let text = String(decoding: pattern(size).map { 32 + $0 % 90 }, as: UTF8.self)
    let peer = try await clipboard.ownedByXclip(text, display: server.display)
    #expect(try await clipboard.paste(String.self) == [text])
    withExtendedLifetime(peer) {}
  }

  @Test func whatIsListedButNotGivenIsPassedOver() async throws {
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'TARGETS': targets(e, ['TARGETS', 'com.example.person', 'UTF8_STRING', 'STRING'])
          elif name(e) == 'STRING': put(e, Xatom.STRING, 8, b'at last')
          else: refuse(e)
      """, display: server.display)
    #expect(try await clipboard.paste(String.self) == ["at last"])
    let error = await failure { try await clipboard.paste(Person.self) }
    #expect(error?.code == .refused)
    #expect(error?.message.contains("com.example.person") == true)
    withExtendedLifetime(peer) {}
  }

  @Test func whoRefusesToListIsAskedForText() async throws {
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'STRING': put(e, Xatom.STRING, 8, b'old program')
          else: refuse(e)
      """, display: server.display)
    #expect(try await clipboard.paste(String.self) == ["old program"])
    #expect(try await clipboard.contentTypes().contains(.utf8PlainText))
    withExtendedLifetime(peer) {}
  }

  @Test func whoRefusesToListIsAskedForTheTypeItself() async throws {
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'com.example.blob': put(e, atom('com.example.blob'), 8, b'bytes')
          else: refuse(e)
      """, display: server.display)
    #expect(try await clipboard.paste(Blob.self) == [Blob(bytes: Data("bytes".utf8))])
    withExtendedLifetime(peer) {}
  }

  @Test(arguments: ["targets", "content"])
  func aSilentOwnerTimesOut(at stage: String) async throws {
    let listing =
      stage == "targets" ? "pass" : "\n        if name(e) == 'TARGETS': targets(e, ['UTF8_STRING'])"
    let peer = try await clipboard.ownedByScript(
      "def request(e):\n    \(listing)", display: server.display)
    let limits = Pasteboard.Limits(targets: .milliseconds(300), response: .milliseconds(400))
    let clock = ContinuousClock()
    var error: PasteboardError?
    let elapsed = await clock.measure {
      error = await failure { try await clipboard.paste(String.self, limits: limits) }
    }
    #expect(error?.code == .timedOut)
    #expect(elapsed >= .milliseconds(290))
    #expect(elapsed < .seconds(10))
    withExtendedLifetime(peer) {}
  }

  @Test func anOwnerThatStopsInTheMiddleTimesOut() async throws {
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'TARGETS': targets(e, ['UTF8_STRING'])
          else: begin_incr(e, e.target)
      """, display: server.display)
    let limits = Pasteboard.Limits(idle: .milliseconds(300))
    #expect(
      await failure { try await clipboard.paste(String.self, limits: limits) }?.code == .timedOut)
    withExtendedLifetime(peer) {}
  }

  @Test(arguments: ["'TARGETS'", "'UTF8_STRING'"])
  func anOwnerThatDiesIsGone(at target: String) async throws {
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == \(target): os._exit(0)
          elif name(e) == 'TARGETS': targets(e, ['UTF8_STRING'])
      """, display: server.display)
    let clock = ContinuousClock()
    var error: PasteboardError?
    let elapsed = await clock.measure {
      error = await failure { try await clipboard.paste(String.self, limits: .patient) }
    }
    #expect(error?.code == .ownerGone)
    #expect(elapsed < .seconds(15))
    withExtendedLifetime(peer) {}
  }

  @Test func anOwnerThatDiesInMidTransferIsGone() async throws {
    let peer = try await clipboard.ownedByScript(
      """
      chunks = 0
      what = None
      def request(e):
          global what
          if name(e) == 'TARGETS': targets(e, ['UTF8_STRING'])
          else:
              what = e
              begin_incr(e, e.target)
      def changed(e):
          global chunks
          if what is None or e.state != X.PropertyDelete or e.window != what.requestor: return
          chunks += 1
          if chunks == 4: os._exit(0)
          what.requestor.change_property(what.property, what.target, 8, b'x' * 1000)
          d.flush()
      """, display: server.display)
    let error = await failure { try await clipboard.paste(String.self) }
    #expect(error?.code == .ownerGone)
    withExtendedLifetime(peer) {}
  }

  @Test func aNonsensicalListIsNoList() async throws {
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'TARGETS': put(e, Xatom.STRING, 8, b'TARGETS UTF8_STRING')
          elif name(e) == 'UTF8_STRING': put(e, e.target, 8, b'text')
          else: refuse(e)
      """, display: server.display)
    #expect(try await clipboard.paste(String.self) == ["text"])
    withExtendedLifetime(peer) {}
  }

  @Test func aLimitOfBytesHolds() async throws {
    let peer = try await clipboard.ownedByXclip("0123456789", display: server.display)
    let tight = Pasteboard.Limits(byteCount: 9)
    #expect(
      await failure { try await clipboard.paste(String.self, limits: tight) }?.code == .tooLarge)
    let enough = Pasteboard.Limits(byteCount: 10)
    #expect(try await clipboard.paste(String.self, limits: enough) == ["0123456789"])
    withExtendedLifetime(peer) {}
  }

  @Test func cancellationReturnsPromptly() async throws {
    let asked = Gate()
    let peer = try await clipboard.ownedByScript(
      "def request(e): d.intern_atom('ASKED')\n", display: server.display)
    let clipboard = clipboard
    let task = Task {
      asked.open()
      return try await clipboard.paste(String.self, limits: .patient)
    }
    await asked.wait()
    let clock = ContinuousClock()
    let elapsed = await clock.measure {
      task.cancel()
      let error = await failure { try await task.value }
      #expect(error?.code == .cancelled)
    }
    #expect(elapsed < .seconds(15))
    withExtendedLifetime(peer) {}
  }

  @Test func aCancelledTaskNeitherPastesNorCopies() async throws {
    let clipboard = clipboard
    let peer = try await clipboard.ownedByXclip("theirs", display: server.display)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let paste = await failure { try await clipboard.paste(String.self) }
      let copy = await failure { try await clipboard.copy("mine") }
      return (paste?.code, copy?.code)
    }
    let codes = await task.value
    #expect(codes.0 == .cancelled)
    #expect(codes.1 == .cancelled)
    #expect(try await clipboard.paste(String.self) == ["theirs"])
    withExtendedLifetime(peer) {}
  }

  @Test func nothingThereAndNothingOfUseAreTold() async throws {
    #expect(await failure { try await clipboard.paste(String.self) }?.code == .empty)
    #expect(try await clipboard.contentTypes() == [])
    let peer = try await clipboard.ownedByXclip(
      "x", target: "image/png", display: server.display)
    let error = await failure { try await clipboard.paste(String.self) }
    #expect(error?.code == .notOnOffer)
    #expect(error?.offered == [.png])
    #expect(error?.message.contains("public.png") == true)
    #expect(error?.message.contains("public.utf8-plain-text") == true)
    withExtendedLifetime(peer) {}
  }

  @Test func theLastCopyCountsWhoeverMadeIt() async throws {
    for round in 0..<5 {
      try await clipboard.copy("mine \(round)")
      #expect(try await clipboard.paste(String.self) == ["mine \(round)"])
      // Not through a watch: the paste has to notice by itself that somebody else took over.
      let script = """
        printf 'theirs \(round)' | xclip -i -selection clipboard >/dev/null 2>&1
        until [ "$(xclip -o -selection clipboard)" = 'theirs \(round)' ]; do :; done
        """
      #expect(try await command("sh", ["-c", script], display: server.display).status == 0)
      #expect(try await clipboard.paste(String.self) == ["theirs \(round)"])
    }
  }

  @Test func anImporterThatThrowsIsToldAsThat() async throws {
    let peer = try await clipboard.ownedByXclip(
      "no JSON", target: "com.example.person", display: server.display)
    let error = await failure { try await clipboard.paste(Person.self) }
    #expect(error?.code == .importFailed)
    #expect(error?.underlyingError is TransferError)
    #expect(error?.message.contains("\n") == false)
    withExtendedLifetime(peer) {}
  }

  @Test func pngDataIsTakenAsDataAndByItsType() async throws {
    let peer = try await clipboard.ownedByXclip(
      "png bytes", target: "image/png", display: server.display)
    #expect(try await clipboard.data(of: .png) == Data("png bytes".utf8))
    #expect(try await clipboard.data(of: .image) == Data("png bytes".utf8))
    #expect(try await clipboard.paste(Data.self) == [Data("png bytes".utf8)])
    #expect(await failure { try await clipboard.data(of: .pdf) }?.code == .notOnOffer)
    withExtendedLifetime(peer) {}
  }
}

private struct Picture: Transferable, Equatable {
  var text: String

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(importedContentType: .png) { _ in throw CocoaError(.fileReadCorruptFile) }
    DataRepresentation(importedContentType: .image) { Picture(text: "image of \($0.count) bytes") }
  }
}
