import CoreTransferable
import Foundation
import Synchronization
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

@Suite(.serialized, .timeLimit(.minutes(2))) struct PasteButtonTests {
  let server: XServer
  let clipboard: Pasteboard

  init() async throws {
    server = try XServer()
    clipboard = try await Pasteboard.clipboard(display: server.display)
  }

  private final class Box<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    func append(_ more: [Value]) { values.withLock { $0 += more } }
    var all: [Value] { values.withLock { $0 } }
  }

  @MainActor private final class Shown {
    var names: [String] = []
    var providerCount = 0
    nonisolated init() {}
  }

  @Test func theActionMayBeTheMainActors() async throws {
    let shown = Shown()
    try await clipboard.copy("Ada")
    let names = PasteButton(payloadType: String.self, pasteboard: clipboard) {
      @MainActor names in
      shown.names += names
    }
    try await names.press()
    #expect(await shown.names == ["Ada"])
    let providers = PasteButton(supportedContentTypes: [.text], pasteboard: clipboard) {
      @MainActor providers in
      shown.providerCount += providers.count
    }
    try await providers.press()
    #expect(await shown.providerCount == 1)
    // A press waits for its action.
    let slow = PasteButton(payloadType: String.self, pasteboard: clipboard) { names in
      await Task.yield()
      await MainActor.run { shown.names += names }
    }
    try await slow.press()
    #expect(await shown.names == ["Ada", "Ada"])
  }

  @Test func isEnabledWhileThereIsSomethingToPaste() async throws {
    let pasted = Box<String>()
    let button = PasteButton(payloadType: String.self, pasteboard: clipboard) {
      pasted.append($0)
    }
    await button.refresh()
    #expect(!button.isEnabled)
    var states = button.states.makeAsyncIterator()
    #expect(await states.next() == false)
    let peer = try await clipboard.ownedByXclip("from xclip", display: server.display)
    #expect(await states.next() == true)
    #expect(button.isEnabled)
    try await button.press()
    #expect(pasted.all == ["from xclip"])
    peer.kill()
    #expect(await states.next() == false)
    try await clipboard.copy("mine")
    #expect(await states.next() == true)
    try await button.press()
    #expect(pasted.all == ["from xclip", "mine"])
    try await clipboard.copy(Blob(bytes: Data([1])))
    #expect(await states.next() == false)
    try await clipboard.copy("again")
    #expect(await states.next() == true)
    try await clipboard.clear()
    #expect(await states.next() == false)
  }

  @Test func looksAtWhatIsThereWhenItIsMade() async throws {
    try await clipboard.copy("already")
    let button = PasteButton(payloadType: String.self, pasteboard: clipboard) { _ in }
    await button.refresh()
    #expect(button.isEnabled)
  }

  @Test func refusesWithWhatIsOnOffer() async throws {
    let button = PasteButton(payloadType: String.self, pasteboard: clipboard) { _ in }
    await button.refresh()
    #expect(await failure { try await button.press() }?.code == .empty)
    let peer = try await clipboard.ownedByXclip(
      "x", target: "image/png", display: server.display)
    let error = await failure { try await button.press() }
    #expect(error?.code == .notOnOffer)
    #expect(error?.offered == [.png])
    #expect(error?.message.contains("public.png") == true)
    withExtendedLifetime(peer) {}
  }

  @Test func isEnabledForFilesByWhatTheyAre() async throws {
    let folder = try ScratchFolder()
    let film = try folder.file("film.mp4", pattern(100))
    let films = PasteButton(payloadType: Film.self, pasteboard: clipboard) { _ in }
    await films.refresh()
    let tables = PasteButton(payloadType: Table.self, pasteboard: clipboard) { _ in }
    await tables.refresh()
    var states = films.states.makeAsyncIterator()
    #expect(await states.next() == false)
    let peer = try await clipboard.ownedByXclip(
      film.absoluteString + "\r\n", target: "text/uri-list", display: server.display)
    #expect(await states.next() == true)
    #expect(!tables.isEnabled)
    withExtendedLifetime(peer) {}
  }

  @Test func handsItemProvidersOver() async throws {
    let providers = Box<NSItemProvider>()
    let button = PasteButton(
      supportedContentTypes: [.image, .plainText], pasteboard: clipboard
    ) { providers.append($0) }
    #expect(!button.isEnabled)
    #expect(await failure { try await button.press() }?.code == .empty)
    let peer = try await clipboard.ownedByXclip(
      "png bytes", target: "image/png", display: server.display)
    try await eventually { button.isEnabled }
    try await button.press()
    let provider = try #require(providers.all.first)
    #expect(providers.all.count == 1)
    #expect(provider.registeredContentTypes == [.png])
    let data = try await load(.png, from: provider)
    #expect(data == Data("png bytes".utf8))
    withExtendedLifetime(peer) {}
  }

  @Test func handsOneProviderOverForEachFile() async throws {
    let files = ["file:///tmp/a", "file:///tmp/b"]
    let providers = Box<NSItemProvider>()
    let button = PasteButton(
      supportedContentTypes: [.fileURL], pasteboard: clipboard
    ) { providers.append($0) }
    let peer = try await clipboard.ownedByXclip(
      files.map { $0 + "\r\n" }.joined(), target: "text/uri-list", display: server.display)
    try await button.press()
    var urls: [String] = []
    for provider in providers.all {
      urls.append(String(decoding: try await load(.fileURL, from: provider), as: UTF8.self))
    }
    #expect(urls == files)
    withExtendedLifetime(peer) {}
  }

  @Test func aProviderHandsAFileOverUnderItsName() async throws {
    let folder = try ScratchFolder()
    let film = Film(file: try folder.file("Ürlaub.mp4", pattern(2_000_000)))
    try await clipboard.copy(film)
    let other = try await Pasteboard.clipboard(display: server.display + ".0")
    for pasteboard in [clipboard, other] {
      let provider = try await pasteboard.itemProvider(conformingTo: [.movie])
      #expect(provider.registeredContentTypes == [.mpeg4Movie])
      let (name, data): (String, Data) = try await withCheckedThrowingContinuation { continuation in
        _ = provider.loadFileRepresentation(for: .mpeg4Movie) { url, _, error in
          continuation.resume(
            with: Result {
              if let error { throw error }
              let url = try #require(url)
              return (url.lastPathComponent, try Data(contentsOf: url))
            })
        }
      }
      #expect(name == "Ürlaub.mp4")
      #expect(data == pattern(2_000_000))
      #expect(try await load(.mpeg4Movie, from: provider) == pattern(2_000_000))
    }
  }

  private func load(_ type: UTType, from provider: NSItemProvider) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      _ = provider.loadDataRepresentation(for: type) { data, error in
        if let data { continuation.resume(returning: data) }
        if let error { continuation.resume(throwing: error) }
      }
    }
  }

  @Test func isDisabledWithoutAServerAndFollowsANewOne() async throws {
    let pasted = Box<String>()
    let server = try XServer(number: lonelyNumber())
    let clipboard = try await Pasteboard.clipboard(display: server.display)
    try await clipboard.copy("old")
    let button = PasteButton(payloadType: String.self, pasteboard: clipboard) {
      pasted.append($0)
    }
    await button.refresh()
    var states = button.states.makeAsyncIterator()
    #expect(await states.next() == true)
    server.kill()
    #expect(await states.next() == false)
    #expect(await failure { try await button.press() }?.code == .connectionLost)
    let second = try XServer(number: number(of: server.display))
    try await clipboard.reconnect()
    try await clipboard.copy("new")
    try await button.press()
    #expect(pasted.all == ["new"])
    try await eventually { button.isEnabled }
    try await clipboard.clear()
    try await eventually { !button.isEnabled }
    withExtendedLifetime(second) {}
  }

  @Test func endsItsStreamsWhenItIsLetGo() async throws {
    var button: PasteButton? = PasteButton(
      payloadType: String.self, pasteboard: clipboard
    ) { _ in }
    let states = try #require(button?.states)
    button = nil
    for await _ in states {}
  }
}
