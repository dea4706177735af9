import CoreTransferable
import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Proxies and suggested names")
struct ProxyTests {
  @Test func `a proxy forwards types, visibility and conditions`() async throws {
    let shown = Holder(inner: Inner(isShown: true))
    let hidden = Holder(inner: Inner(isShown: false))
    #expect(shown.exportedContentTypes(.ownProcess) == [.png, .jpeg])
    #expect(shown.exportedContentTypes() == [.png])
    #expect(hidden.exportedContentTypes(.ownProcess) == [.jpeg])
    #expect(try await shown.exported(as: .png) == Data("png".utf8))
    let error = try await #require(throws: TransferError.self) {
      try await hidden.exported(as: .png)
    }
    #expect(error.code == .conditionFalse)
  }

  @Test func `a proxy of a proxy reaches through`() async throws {
    let outer = Outer(holder: Holder(inner: Inner(isShown: true)))
    #expect(outer.exportedContentTypes(.ownProcess) == [.png, .jpeg])
    #expect(try await outer.exported(as: .jpeg) == Data("jpeg".utf8))
    #expect(
      try await Outer(importing: Data("in".utf8), contentType: .jpeg).holder.inner.source == "in")
  }

  @Test func `a proxy that cannot be made takes its conditional types away`() {
    #expect(Linked(link: nil).exportedContentTypes() == [.url])
    #expect(
      Linked(link: URL(string: "https://example.com")).exportedContentTypes() == [.url])
    #expect(Linked(link: URL(filePath: "/tmp")).exportedContentTypes() == [.url, .fileURL])
    #expect(Linked.exportedContentTypes() == [.url, .fileURL])
  }

  @Test func `what a proxy throws is inside the error`() async throws {
    let error = try await #require(throws: TransferError.self) {
      try await Failing().exported(as: .plainText)
    }
    #expect(error.code == .exportFailed)
    #expect(error.underlyingError as? NoteError == .empty)
    #expect(error.message.contains("Failing"))
    #expect(error.message.contains("public.plain-text"))
    let imported = try await #require(throws: TransferError.self) {
      try await Note(importing: Data(), contentType: .utf8PlainText)
    }
    #expect(imported.code == .importFailed)
    #expect(imported.underlyingError as? NoteError == .empty)
  }

  @Test func `one import per case of an enumeration`() async throws {
    #expect(Droppable.importedContentTypes() == [.utf8PlainText, .url, .fileURL, .data])
    #expect(
      try await Droppable(importing: Data("hi".utf8), contentType: .utf8PlainText) == .text("hi"))
    let link = try #require(URL(string: "https://example.com/"))
    #expect(
      try await Droppable(importing: Data("https://example.com/".utf8), contentType: .url)
        == .link(link))
    #expect(try await Droppable(importing: Data([0xFF]), contentType: nil) == .bytes(Data([0xFF])))
  }

  @Test func `an importing proxy may be asynchronous`() async throws {
    let text = try await Slow(importing: Data("x".utf8), contentType: .utf8PlainText)
    #expect(text.text == "x!")
    #expect(try await text.exported(as: .text) == Data("x!".utf8))
  }

  @Test func `the last name of a type counts`() {
    #expect(Named(name: "b").suggestedFilename == "b.jpeg")
    #expect(Named(name: nil).suggestedFilename == "a.png")
    #expect(
      Named(name: "b").exportableRepresentations().map(\.suggestedFileName) == ["b.jpeg", "b.jpeg"])
  }

  @Test func `a proxied type's name counts only without an own one`() {
    let note = Note(title: "Milk", body: "2 l")
    #expect(note.suggestedFilename == "Milk.txt")
    #expect(Diary(note: note).suggestedFilename == "diary.json")
    #expect(Pinned(note: note).suggestedFilename == "Milk.txt")
    #expect("text".suggestedFilename == nil)
  }
}

private struct Inner: Transferable {
  var isShown: Bool
  var source = ""

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .png) { _ in Data("png".utf8) }
      .exportingCondition(\.isShown)
    DataRepresentation(contentType: .jpeg) { _ in
      Data("jpeg".utf8)
    } importing: {
      Inner(isShown: true, source: String(decoding: $0, as: UTF8.self))
    }
    .visibility(.ownProcess)
  }
}

private struct Holder: Transferable {
  var inner: Inner

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation(exporting: \.inner, importing: { Holder(inner: $0) })
  }
}

private struct Outer: Transferable {
  var holder: Holder

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation(exporting: { $0.holder }, importing: { Outer(holder: $0) })
  }
}

private struct Linked: Transferable {
  var link: URL?

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation { (item: Linked) in
      guard let link = item.link else { throw NoteError.empty }
      return link
    }
  }
}

private struct Failing: Sample {
  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation { (_: Failing) -> String in throw NoteError.empty }
  }
}

private enum Droppable: Transferable, Equatable {
  case text(String)
  case link(URL)
  case bytes(Data)

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation { Droppable.text($0) }
    ProxyRepresentation { Droppable.link($0) }
    ProxyRepresentation { Droppable.bytes($0) }
  }
}

private struct Slow: Transferable {
  var text: String

  static func make(_ text: String) async -> Slow { Slow(text: text + "!") }

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation {
      $0.text
    } importing: {
      await Slow.make($0)
    }
  }
}

private struct Named: Transferable {
  var name: String?

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .png) { _ in Data() }.suggestedFileName("a.png")
    DataRepresentation(exportedContentType: .jpeg) { _ in Data() }
      .suggestedFileName { (item: Named) in item.name.map { $0 + ".jpeg" } }
  }
}

private struct Diary: Transferable {
  var note: Note

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .json) { _ in Data() }.suggestedFileName("diary.json")
    ProxyRepresentation(exporting: \.note)
  }
}

private struct Pinned: Transferable {
  var note: Note

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation(exporting: \.note)
  }
}
