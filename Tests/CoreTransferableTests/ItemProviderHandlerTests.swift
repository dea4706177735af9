import CoreTransferable
import Foundation
import Synchronization
import Testing
import UniformTypeIdentifiers

@Suite("Handlers of item providers")
struct ItemProviderHandlerTests {
  @Test func `an item is cast to the value it stands for`() async throws {
    let link = try #require(URL(string: "https://a.b/c"))
    let values: [(any NSSecureCoding, UTType)] = [
      (link, .url), (Data([1, 2]), .png), ("é", .utf8PlainText),
      (link as NSURL, .url), (Data([1, 2]) as NSData, .png), ("é" as NSString, .utf8PlainText),
    ]
    for (value, type) in values {
      let provider = NSItemProvider(item: value, typeIdentifier: type.identifier)
      let item = try await provider.loadItem(forTypeIdentifier: type.identifier)
      #expect((item as? URL) == (type == .url ? link : nil))
      #expect((item as? Data) == (type == .png ? Data([1, 2]) : nil))
      #expect((item as? String) == (type == .utf8PlainText ? "é" : nil))
    }
  }

  @Test func `a loaded object is cast to the value it stands for`() async throws {
    let text = NSItemProvider(object: "é" as NSString)
    let loaded = Answered<String?>()
    text.loadObject(ofClass: NSString.self) { object, _ in loaded.give(object as? String) }
    #expect(await loaded.value == "é")
    let link = try #require(URL(string: "https://a.b/c"))
    let loadedLink = Answered<URL?>()
    NSItemProvider(object: link as NSURL).loadObject(ofClass: NSURL.self) { object, _ in
      loadedLink.give(object as? URL)
    }
    #expect(await loadedLink.value == link)
    let classes: [any NSItemProviderReading.Type] = [NSURL.self, URL.self, NSString.self]
    #expect(classes.map { text.canLoadObject(ofClass: $0) } == [false, false, true])
    // A value's own overload gives the value.
    let value = Answered<String?>()
    text.loadObject(ofClass: String.self) { (string: String?, _) in value.give(string) }
    #expect(await value.value == "é")
  }

  @Test func `values are archived as their objects are`() throws {
    let link = try #require(URL(string: "https://a.b/c"))
    let archived = try NSKeyedArchiver.archivedData(
      withRootObject: NSArray(array: [link, "é", Data([1])]), requiringSecureCoding: true)
    let read = try #require(
      try NSKeyedUnarchiver.unarchivedObject(
        ofClasses: [NSArray.self, NSURL.self, NSString.self, NSData.self], from: archived)
        as? [Any])
    #expect(read.count == 3)
    #expect(read.first as? URL == link)
    let archiver = NSKeyedArchiver(requiringSecureCoding: true)
    "é".encode(with: archiver)
    archiver.finishEncoding()
    let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
    #expect(String(coder: unarchiver) == "é")
  }

  @Test func `a completion handler is called with or without a question mark`() async throws {
    let provider = NSItemProvider()
    provider.registerItem(forTypeIdentifier: UTType.plainText.identifier) { completion, _, _ in
      completion?("one" as NSString, nil)
    }
    provider.registerItem(forTypeIdentifier: UTType.html.identifier) { completion, _, _ in
      completion("two" as NSString, nil)
    }
    #expect(await provider.loadData(.plainText).0 == Data("one".utf8))
    #expect(await provider.loadData(.html).0 == Data("two".utf8))
  }

  @Test func `an identifier that is only asked about stays unknown`() async {
    let provider = NSItemProvider(object: NSString(string: "Ada"))
    let name = "com.example.asked-about"
    #expect(!provider.hasItemConformingToTypeIdentifier(name))
    #expect(!provider.hasItemConformingToTypeIdentifier(""))
    let answer = Answered<Bool>()
    provider.loadDataRepresentation(forTypeIdentifier: name) { data, _ in answer.give(data == nil) }
    #expect(await answer.value == true)
    #expect(UTType(name) == nil)
    let offered = "com.example.offered-only"
    provider.registerDataRepresentation(forTypeIdentifier: offered, visibility: .all) {
      completion in
      completion(Data([1]), nil)
      return nil
    }
    #expect(UTType(offered)?.conforms(to: .data) == true)
    #expect(provider.hasItemConformingToTypeIdentifier(offered.uppercased()))
  }

  @Test(.timeLimit(.minutes(1))) func `a load tells the progress of its handler`() async {
    let provider = NSItemProvider()
    let own = Progress(totalUnitCount: 10)
    let answer = Mutex<(@Sendable (Data?, (any Error)?) -> Void)?>(nil)
    provider.registerDataRepresentation(for: .png) { completion in
      own.completedUnitCount = 4
      answer.withLock { $0 = completion }
      return own
    }
    let loaded = Answered<Data?>()
    let progress = provider.loadDataRepresentation(for: .png) { data, _ in loaded.give(data) }
    while progress.fractionCompleted != 0.4 { await Task.yield() }
    #expect(progress.totalUnitCount == 10)
    #expect(!progress.isIndeterminate)
    // Finished is the load, not the handler.
    own.completedUnitCount = 10
    #expect(!progress.isFinished)
    answer.withLock { $0 }?(Data([1, 2, 3]), nil)
    answer.withLock { $0 = nil }
    #expect(await loaded.value == Data([1, 2, 3]))
    own.completedUnitCount = 2
    #expect(progress.isFinished)
    #expect(progress.completedUnitCount == 3)
    #expect(progress.totalUnitCount == 3)
  }
}
