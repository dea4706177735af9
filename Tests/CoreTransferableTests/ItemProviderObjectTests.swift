import CoreTransferable
import Foundation
import Synchronization
import Testing
import UniformTypeIdentifiers

@Suite("Objects of item providers")
struct ItemProviderObjectTests {
  @Test func `objects are offered and loaded`() async throws {
    let provider = NSItemProvider(object: NSString(string: "Ada"))
    #expect(provider.registeredContentTypes == [.utf8PlainText])
    #expect(provider.canLoadObject(ofClass: NSString.self))
    #expect(provider.canLoadObject(ofClass: String.self))
    #expect(!provider.canLoadObject(ofClass: URL.self))
    let text = Answered<String?>()
    provider.loadObject(ofClass: String.self) { string, _ in text.give(string) }
    #expect(await text.value == "Ada")
    #expect(try await provider.load(String.self).get() == "Ada")
    let failure = Answered<(any Error)?>()
    provider.loadObject(ofClass: URL.self) { url, error in failure.give(url == nil ? error : nil) }
    let error = try #require(await failure.value as? NSError)
    #expect(error.code == NSItemProvider.ErrorCode.unavailableCoercionError.rawValue)
    #expect(error.localizedDescription.contains("public.utf8-plain-text"))
  }

  @Test func `a URL offers what it is`() async throws {
    let web = NSItemProvider(object: try #require(NSURL(string: "https://a.b/")))
    #expect(web.registeredContentTypes == [.url])
    let file = NSItemProvider(object: NSURL(fileURLWithPath: "/tmp/x"))
    #expect(file.registeredContentTypes == [.fileURL, .url])
    for (provider, expected) in [(web, "https://a.b/"), (file, "file:///tmp/x")] {
      let loaded = Answered<URL?>()
      provider.loadObject(ofClass: URL.self) { url, _ in loaded.give(url) }
      #expect(await loaded.value??.absoluteString == expected)
      #expect(try await provider.load(URL.self).get().absoluteString == expected)
    }
  }

  @Test func `items and previews are awaited`() async throws {
    let provider = NSItemProvider()
    provider.registerObject(ofClass: String.self, visibility: .all) { completion in
      completion("Ada", nil)
      return nil
    }
    #expect(provider.registeredContentTypes == [.utf8PlainText])
    #expect(try await provider.load(String.self).get() == "Ada")
    // A supertype gives what the offered type is.
    let item = try await provider.loadItem(forTypeIdentifier: UTType.text.identifier)
    #expect(item as? NSString == "Ada")
    let missing = await #expect(throws: NSError.self) {
      _ = try await provider.loadItem(forTypeIdentifier: UTType.png.identifier, options: nil)
    }
    #expect(missing?.code == NSItemProvider.ErrorCode.itemUnavailableError.rawValue)
    // A handler that answers twice is heard once.
    provider.previewImageHandler = { completion, _, _ in
      completion(NSData(data: Data([1])), nil)
      completion(nil, nil)
    }
    #expect(try await provider.loadPreviewImage() as? NSData == NSData(data: Data([1])))
    provider.previewImageHandler = { _, _, _ in }
    await #expect(throws: NSError.self) { _ = try await provider.loadPreviewImage() }
  }

  @Test func `an object is made when it is asked for`() async throws {
    let provider = NSItemProvider()
    let isMade = Mutex(false)
    provider.registerObject(ofClass: NSString.self, visibility: .all) { completion in
      isMade.withLock { $0 = true }
      completion(NSString(string: "late"), nil)
      return nil
    }
    #expect(!isMade.withLock { $0 })
    #expect(try await provider.load(String.self).get() == "late")
  }

  @Test func `archived items are offered by their content`() async throws {
    let directory = try TemporaryDirectory()
    let source = try directory.file("a.png")
    let text = NSItemProvider(item: NSString(string: "é"), typeIdentifier: "public.plain-text")
    #expect(await text.loadData(.plainText).0 == Data("é".utf8))
    let file = NSItemProvider(
      item: NSURL(fileURLWithPath: source.path), typeIdentifier: "public.png")
    #expect(await file.loadData(.image).0 == Data("contents".utf8))
    let link = NSItemProvider(
      item: NSURL(fileURLWithPath: source.path), typeIdentifier: "public.file-url")
    #expect(try await link.load(URL.self).get().path == source.path)
    let none = NSItemProvider(item: nil, typeIdentifier: nil)
    #expect(none.registeredTypeIdentifiers == [])
    let loaded = Answered<String?>()
    link.loadItem(forTypeIdentifier: "public.url") { item, _ in
      loaded.give((item as? NSURL)?.path)
    }
    #expect(await loaded.value == source.path)
    let bytes = Answered<Data?>()
    file.loadItem(forTypeIdentifier: "public.data") { item, _ in
      bytes.give((item as? NSData).map { Data(referencing: $0) })
    }
    #expect(await bytes.value == Data("contents".utf8))
  }

  @Test func `a preview is made by its handler`() async {
    let provider = NSItemProvider()
    let answer = Answered<Bool>()
    provider.loadPreviewImage { image, error in answer.give(image == nil && error != nil) }
    #expect(await answer.value == true)
    provider.previewImageHandler = { completion, _, _ in completion(NSData(), nil) }
    let second = Answered<Bool>()
    provider.loadPreviewImage { image, error in second.give(image is NSData && error == nil) }
    #expect(await second.value == true)
  }
}
