import CoreTransferable
import Foundation
import Synchronization
import Testing
import UniformTypeIdentifiers

@Suite("Item providers")
struct ItemProviderTests {
  let provider = NSItemProvider()

  @Test func `a registered value is made once, and only when asked for`() async throws {
    let made = Mutex(0)
    @Sendable func make() -> Profile {
      made.withLock { $0 += 1 }
      return Profile(name: "Ada")
    }
    provider.register(make())
    #expect(provider.registeredContentTypes == [.profile, .utf8PlainText])
    #expect(
      provider.registeredTypeIdentifiers == ["com.example.profile", "public.utf8-plain-text"])
    #expect(provider.hasItemConformingToTypeIdentifier("public.text"))
    #expect(!provider.hasItemConformingToTypeIdentifier("public.image"))
    #expect(provider.registeredContentTypes(conformingTo: .text) == [.utf8PlainText])
    #expect(made.withLock { $0 } == 0)
    let loaded = try await provider.load(Profile.self).get()
    #expect(loaded.name == "Ada")
    #expect(try await provider.load(String.self).get() == "Ada")
    #expect(made.withLock { $0 } == 1)
  }

  @Test func `what is not offered is an error that says what is`() async throws {
    provider.register(Profile(name: "Ada"))
    let error = try await #require(throws: TransferError.self) {
      try await provider.load(URL.self).get()
    }
    #expect(error.code == .notImportable)
    #expect(error.message.contains("com.example.profile, public.utf8-plain-text"))
    let (data, failure) = await provider.loadData(.png)
    #expect(data == nil)
    let nsError = try #require(failure as? NSError)
    #expect(nsError.domain == NSItemProvider.errorDomain)
    #expect(nsError.code == NSItemProvider.ErrorCode.itemUnavailableError.rawValue)
    #expect(nsError.localizedDescription.contains("public.utf8-plain-text"))
  }

  @Test func `a false condition is an error of the load`() async throws {
    provider.register(ProfilesArchive(rows: [], supportsCSV: false))
    let (data, failure) = await provider.loadData(.commaSeparatedText)
    #expect(data == nil)
    #expect((failure as? TransferError)?.code == .conditionFalse)
  }

  @Test func `data handlers serve data, files and values`() async throws {
    provider.registerDataRepresentation(for: .utf8PlainText) { completion in
      completion(Data("hi".utf8), nil)
      completion(Data("twice".utf8), nil)
      return nil
    }
    provider.registerDataRepresentation(for: .utf8PlainText) { completion in
      completion(Data("ignored".utf8), nil)
      return nil
    }
    provider.suggestedName = "greeting"
    #expect(provider.registeredContentTypes == [.utf8PlainText])
    let (data, _) = await provider.loadData(.plainText)
    #expect(data == Data("hi".utf8))
    let file = await provider.loadFile(.utf8PlainText)
    #expect(file.name == "greeting.txt")
    #expect(file.contents == Data("hi".utf8))
    #expect(file.isInPlace == false)
    let url = try #require(file.url)
    try await until { !exists(url) }
    #expect(try await provider.load(String.self).get() == "hi")
  }

  @Test(arguments: [true, false], [true, false])
  func `file handlers serve copies, or the file in place`(
    registersInPlace: Bool, asksInPlace: Bool
  ) async throws {
    let directory = try TemporaryDirectory()
    let source = try directory.file("source.png")
    provider.registerFileRepresentation(for: .png, openInPlace: registersInPlace) { completion in
      completion(source, false, nil)
      return nil
    }
    #expect(provider.registeredContentTypesForOpenInPlace == (registersInPlace ? [.png] : []))
    let file = await provider.loadFile(.image, inPlace: asksInPlace)
    let isInPlace = registersInPlace && asksInPlace
    #expect(file.isInPlace == isInPlace)
    #expect((file.url == source) == isInPlace)
    #expect(file.contents == Data("contents".utf8))
    let url = try #require(file.url)
    try await until { exists(url) == isInPlace }
    #expect(exists(source))
    let (data, _) = await provider.loadData(.png)
    #expect(data == Data("contents".utf8))
  }

  @Test func `a provider for a file knows its type and name`() async throws {
    let directory = try TemporaryDirectory()
    let provider = try #require(NSItemProvider(contentsOf: try directory.file("Film.mp4")))
    #expect(provider.registeredContentTypes == [.mpeg4Movie])
    #expect(provider.suggestedName == "Film")
    let video = try await provider.load(Video.self).get()
    #expect(try Data(contentsOf: video.file) == Data("contents".utf8))
    try FileManager.default.removeItem(at: video.file)
    #expect(NSItemProvider(contentsOf: nil) == nil)
    #expect(NSItemProvider(contentsOf: URL(string: "https://a.b")) == nil)
  }

  @Test func `handlers that fail, forget or lie end in errors`() async throws {
    provider.registerDataRepresentation(for: .png) { completion in
      completion(nil, NoteError.empty)
      return nil
    }
    provider.registerDataRepresentation(for: .jpeg) { _ in nil }
    provider.registerDataRepresentation(for: .gif) { completion in
      completion(nil, nil)
      return nil
    }
    provider.registerFileRepresentation(for: .pdf) { completion in
      completion(URL(filePath: "/nonexistent/file.pdf"), false, nil)
      return nil
    }
    provider.registerFileRepresentation(for: .json) { completion in
      completion(URL(string: "https://a.b"), false, nil)
      return nil
    }
    #expect(await provider.loadData(.png).1 as? NoteError == .empty)
    for type in [UTType.jpeg, .gif, .pdf, .json] {
      let (data, error) = await provider.loadData(type)
      #expect(data == nil)
      #expect(error != nil)
      #expect(await provider.loadFile(type).error != nil)
    }
  }

  @Test func `a load falls through to the next that can be read`() async throws {
    provider.registerDataRepresentation(for: .profile) { completion in
      completion(Data("damaged".utf8), nil)
      return nil
    }
    provider.register("plain")
    #expect(try await provider.load(Either.self).get() == .text("plain"))
    let error = try await #require(throws: TransferError.self) {
      try await provider.load(Profile.self).get()
    }
    #expect(error.code == .importFailed)
    #expect(error.underlyingError is DecodingError)
  }

  @Test(.timeLimit(.minutes(1)))
  func `cancelling the progress ends a load that never ends`() async throws {
    let handlerProgress = Progress(totalUnitCount: 10)
    let started = Gate()
    let kept = Mutex<(@Sendable (Data?, (any Error)?) -> Void)?>(nil)
    provider.registerDataRepresentation(for: .png) { completion in
      kept.withLock { $0 = completion }
      started.open()
      return handlerProgress
    }
    let result = Answered<(any Error)?>()
    let progress = provider.loadDataRepresentation(for: .png) { data, error in
      result.give(data == nil ? error : nil)
    }
    await started.passage()
    progress.cancel()
    #expect((await result.value as? CocoaError)?.code == .userCancelled)
    try await until { handlerProgress.isCancelled }
    let value = Answered<TransferError.Code?>()
    let second = provider.loadTransferable(type: Pixels.self) { result in
      if case .failure(let error as TransferError) = result {
        value.give(error.code)
      } else {
        value.give(nil)
      }
    }
    second.cancel()
    #expect(await value.value == .cancelled)
  }

  @Test(.timeLimit(.minutes(1)))
  func `cancelling a load always cancels the progress of its handler`() async throws {
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<100 {
        group.addTask {
          let provider = NSItemProvider()
          let handlerProgress = Progress(totalUnitCount: 1)
          let cancelled = Gate()
          handlerProgress.cancellationHandler = { cancelled.open() }
          let kept = Mutex<(@Sendable (Data?, (any Error)?) -> Void)?>(nil)
          let started = Gate()
          provider.registerDataRepresentation(for: .png) { completion in
            kept.withLock { $0 = completion }
            started.open()
            return handlerProgress
          }
          let progress = provider.loadDataRepresentation(for: .png) { _, _ in }
          await started.passage()
          for _ in 0..<20 { await Task.yield() }
          progress.cancel()
          await cancelled.passage()
        }
      }
    }
  }

  @Test func `a file that is not there is an item that is not available`() async throws {
    let missing = try TemporaryDirectory().url.appending(path: "missing.png")
    let provider = NSItemProvider(contentsOf: missing, contentType: nil)
    for failure in [await provider.loadData(.png).1, await provider.loadFile(.png).error] {
      let error = try #require(failure as? NSError)
      #expect(error.domain == NSItemProvider.errorDomain)
      #expect(error.code == NSItemProvider.ErrorCode.itemUnavailableError.rawValue)
      #expect(error.localizedDescription.contains("missing.png"))
    }
  }

  @Test func `a load handler may remove its file when it has named it`() async throws {
    let directory = try TemporaryDirectory()
    for inPlace in [false, true] {
      let provider = NSItemProvider()
      provider.registerFileRepresentation(for: .png, openInPlace: inPlace) { completion in
        let file = directory.url.appending(path: "made.png")
        try? Data([1, 2, 3]).write(to: file)
        completion(file, false, nil)
        try? FileManager.default.removeItem(at: file)
        return nil
      }
      #expect(await provider.loadFile(.png).contents == Data([1, 2, 3]))
      #expect(await provider.loadData(.png).0 == Data([1, 2, 3]))
    }
    #expect(try directory.names == [])
  }

  @Test func `a folder is offered as a folder`() async throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file("inside")
    let provider = NSItemProvider(contentsOf: directory.url, contentType: nil)
    #expect(provider.registeredContentTypes == [.folder])
    #expect(try #require(await provider.loadData(.folder).0).starts(with: Data("PK".utf8)))
  }

  @Test func `progress counts the bytes of a copy`() async throws {
    let directory = try TemporaryDirectory()
    let source = try directory.file("big.png", Data(repeating: 1, count: 3 << 20))
    provider.registerFileRepresentation(for: .png) { completion in
      completion(source, false, nil)
      return nil
    }
    let done = Gate()
    let progress = provider.loadFileRepresentation(for: .png) { _, _, _ in done.open() }
    await done.passage()
    #expect(progress.totalUnitCount == 3 << 20)
    #expect(progress.completedUnitCount == 3 << 20)
    #expect(progress.isFinished)
  }

  @Test func `a copy of a provider offers the same`() throws {
    provider.register("x")
    provider.suggestedName = "name"
    let copy = try #require(provider.copy() as? NSItemProvider)
    provider.register(Profile(name: "y"))
    #expect(copy.registeredContentTypes == [.utf8PlainText])
    #expect(copy.suggestedName == "name")
  }
}

/// A result that a callback gives.
final class Answered<Value: Sendable>: Sendable {
  private let gate = Gate()
  private let answer = Mutex<Value?>(nil)

  func give(_ value: Value) {
    answer.withLock { $0 = value }
    gate.open()
  }

  var value: Value? {
    get async {
      await gate.passage()
      return answer.withLock { $0 }
    }
  }
}

struct LoadedFile {
  var url: URL?
  var isInPlace = false
  var contents: Data?
  var error: (any Error)?
  var name: String? { url?.lastPathComponent }
}

extension NSItemProvider {
  func load<T: Transferable>(_ type: T.Type) async -> Result<T, any Error> {
    await withCheckedContinuation { continuation in
      loadTransferable(type: type) { continuation.resume(returning: $0) }
    }
  }

  func loadData(_ type: UTType) async -> (Data?, (any Error)?) {
    await withCheckedContinuation { continuation in
      loadDataRepresentation(for: type) { continuation.resume(returning: ($0, $1)) }
    }
  }

  func loadFile(
    _ type: UTType, inPlace: Bool = false, reads: Bool = true
  ) async -> LoadedFile {
    await withCheckedContinuation { continuation in
      loadFileRepresentation(for: type, openInPlace: inPlace) { url, isInPlace, error in
        continuation.resume(
          returning: LoadedFile(
            url: url, isInPlace: isInPlace,
            contents: reads ? url.flatMap { try? Data(contentsOf: $0) } : nil,
            error: error))
      }
    }
  }
}

private enum Either: Transferable, Equatable {
  case profile(Profile)
  case text(String)

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation { Either.profile($0) }
    ProxyRepresentation { Either.text($0) }
  }
}

private struct Pixels: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(importedContentType: .png) { _ in Pixels() }
  }
}
