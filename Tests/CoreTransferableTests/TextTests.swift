import CoreTransferable
import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Standard types")
struct TextTests {
  static let macText = UTType("com.apple.traditional-mac-plain-text") ?? .plainText

  @Test func `the standard types list what Apple's list`() throws {
    #expect(String.exportedContentTypes() == [.utf8PlainText])
    #expect(String.importedContentTypes() == [.utf8PlainText])
    #expect(Data.exportedContentTypes() == [.data])
    #expect(Data.importedContentTypes() == [.data])
    #expect(URL.exportedContentTypes() == [.url, .fileURL])
    #expect(URL.importedContentTypes() == [.url, .fileURL])
    #expect(AttributedString.exportedContentTypes() == [.utf8PlainText])
    #expect(try #require(URL(string: "https://a.b")).exportedContentTypes() == [.url])
    #expect(URL(filePath: "/tmp/x").exportedContentTypes() == [.url, .fileURL])
  }

  @Test(arguments: [
    "", "a", "é中🙂\u{200D}", "\u{FEFF}mark", "\0nul\0", "e\u{301}", "a\r\nb\rc\n\n", "\u{2028}",
  ])
  func `text keeps every scalar`(text: String) async throws {
    let data = try await text.exported(as: .utf8PlainText)
    #expect(data == Data(text.utf8))
    let read = try await String(importing: data, contentType: .utf8PlainText)
    #expect(Array(read.unicodeScalars) == Array(text.unicodeScalars))
    let rich = try await AttributedString(importing: data, contentType: .utf8PlainText)
    #expect(Array(String(rich.characters).utf8) == Array(text.utf8))
    #expect(try await rich.exported(as: .plainText) == data)
  }

  @Test(arguments: [
    ("public.utf16-plain-text", [0xFF, 0xFE, 0xE9, 0, 0x2D, 0x4E], "é中"),
    ("public.utf16-plain-text", [0xFE, 0xFF, 0, 0xE9, 0x4E, 0x2D], "é中"),
    ("public.utf16-plain-text", [0xE9, 0, 0x2D, 0x4E], "é中"),
    ("public.utf16-plain-text", [0, 0x4E], "一"),
    ("public.utf16-plain-text", [], ""),
    ("public.utf16-external-plain-text", [0, 0xE9, 0x4E, 0x2D], "é中"),
    ("public.utf16-external-plain-text", [0xFF, 0xFE, 0xE9, 0], "é"),
    (
      "public.utf16-external-plain-text", [0x61, 0, 0x62, 0, 0x63, 0, 0x64, 0], "abcd"
    ),
    ("com.apple.traditional-mac-plain-text", [0x8E, 0x61], "éa"),
    ("public.plain-text", [0xC3, 0xA9], "é"),
    ("public.plain-text", [0xE9, 0x80, 0x20], "é€ "),
    ("public.plain-text", [0xFF, 0xFE, 0x61, 0], "a"),
    ("public.plain-text", [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "a"),
    ("public.text", [0x61], "a"),
    ("public.utf8-plain-text", [0xFF, 0xFE, 0x61, 0], "a"),
    ("public.swift-source", [0x61], "a"),
  ])
  func `text is decoded by its content type`(
    type: String, bytes: [UInt8], text: String
  ) async throws {
    let contentType = try #require(UTType(type))
    #expect(try await String(importing: Data(bytes), contentType: contentType) == text)
  }

  @Test(arguments: [
    ("iso-8859-1", [0xE9], "é"),
    ("ISO-8859-15", [0xA4], "€"),
    ("Windows-1251", [0xC6], "Ж"),
    ("shift_jis", [0x82, 0xA0], "あ"),
    ("euc-jp", [0xA4, 0xA2], "あ"),
    ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ"),
    ("gb18030", [0xD6, 0xD0], "中"),
    ("koi8-r", [0xF6], "Ж"),
    ("utf-8", [0xC3, 0xA9], "é"),
    ("utf-16le", [0x2D, 0x4E], "中"),
    ("utf-32be", [0, 0, 0x4E, 0x2D], "中"),
    ("us-ascii", [0x61], "a"),
  ])
  func `text is decoded by its charset`(
    charset: String, bytes: [UInt8], text: String
  ) async throws {
    let importer = try #require(String.importCandidates(offered: [.plainText]).first)
    #expect(
      try await importer.representation.importing(data: Data(bytes), charset: charset) == text)
  }

  @Test func `an unknown charset is refused by name`() async throws {
    let importer = try #require(String.importCandidates(offered: [.plainText]).first)
    let error = try await #require(throws: TransferError.self) {
      try await importer.representation.importing(data: Data([1]), charset: "klingon//IGNORE")
    }
    #expect(error.message.contains("klingon"))
  }

  @Test(arguments: [
    ("public.utf8-plain-text", [0xFF], "UTF-8"),
    ("public.utf16-plain-text", [0x61], "UTF-16"),
    ("public.utf16-plain-text", [0x00, 0xD8], "UTF-16"),
  ])
  func `text that is not what it says is refused`(
    type: String, bytes: [UInt8], reason: String
  ) async throws {
    let contentType = try #require(UTType(type))
    let error = try await #require(throws: TransferError.self) {
      try await String(importing: Data(bytes), contentType: contentType)
    }
    #expect(error.code == .importFailed)
    #expect(error.message.contains(reason))
  }

  @Test(arguments: [UTType.html, .rtf, .url, .png, .data])
  func `what is no plain text is not imported as text`(contentType: UTType) async throws {
    let error = try await #require(throws: TransferError.self) {
      try await String(importing: Data("x".utf8), contentType: contentType)
    }
    #expect(error.code == .notImportable)
    #expect(error.availableContentTypes == [.utf8PlainText])
  }

  @Test(arguments: [
    ("https://example.com/a?b=c#d", "https://example.com/a?b=c#d"),
    ("https://example.com/\r\n", "https://example.com/"),
    ("# comment\r\nhttps://a.b/\r\nhttps://c.d/\r\n", "https://a.b/"),
    ("file:///tmp/a%20b", "file:///tmp/a%20b"),
    ("file:///tmp/a b", "file:///tmp/a%20b"),
    ("file://localhost/etc/passwd", "file:///etc/passwd"),
    ("mailto:ada@example.com", "mailto:ada@example.com"),
    ("https://example.com/\0", "https://example.com/"),
  ])
  func `a URL is read by the rules of URI lists`(text: String, expected: String) async throws {
    let url = try await URL(importing: Data(text.utf8), contentType: .url)
    #expect(url.absoluteString == expected)
    #expect(try await url.exported(as: .url) == Data(expected.utf8))
  }

  @Test(arguments: [
    "", "no scheme here", "/tmp/file", "# only a comment\r\n", "http s://x", "1a:b", ":",
    "https://exa mple.com/",
  ])
  func `what is no URL is refused`(text: String) async throws {
    let error = try await #require(throws: TransferError.self) {
      try await URL(importing: Data(text.utf8), contentType: .url)
    }
    #expect(error.code == .importFailed)
  }

  @Test func `only a file is a file URL`() async throws {
    let error = try await #require(throws: TransferError.self) {
      try await URL(importing: Data("https://a.b".utf8), contentType: .fileURL)
    }
    #expect(error.code == .importFailed)
    let web = try #require(URL(string: "https://a.b"))
    let exported = try await #require(throws: TransferError.self) {
      try await web.exported(as: .fileURL)
    }
    #expect(exported.code == .conditionFalse)
    #expect(exported.availableContentTypes == [.url])
  }

  @Test func `random values survive a round trip`() async throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      let scalars = (0..<Int.random(in: 0..<40, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0..<0x11_0000, using: &random))
      }
      let text = String(String.UnicodeScalarView(scalars))
      let profile = Profile(name: text, bio: text, funFacts: [text, text])
      let data = try await profile.exported(as: .profile)
      #expect(try await Profile(importing: data, contentType: .profile) == profile)
      #expect(
        try await String(importing: profile.exported(as: .plainText), contentType: .utf8PlainText)
          .utf8.elementsEqual(text.utf8))
      let bytes = Data((0..<Int.random(in: 0..<300)).map { _ in UInt8.random(in: 0...255) })
      #expect(try await Data(importing: bytes.exported(as: .data), contentType: .data) == bytes)
      #expect((try? await String(importing: bytes, contentType: .plainText)) != nil)
    }
  }

  @Test func `several items go one after the other`() async throws {
    let directory = try TemporaryDirectory()
    let notes = [Note(title: "a", body: "1"), Note(title: "a", body: "2")]
    #expect(notes.exportedContentTypes() == [.utf8PlainText])
    #expect(
      [ProfilesArchive(rows: []), ProfilesArchive(rows: [], supportsCSV: false)]
        .exportedContentTypes() == [])
    let files = try await notes.export(to: directory.url, contentType: .plainText)
    #expect(try directory.names == ["a 2.txt", "a.txt"])
    #expect(try await [Note](importing: files, contentType: nil) == notes)
    let data = try await notes.exported(as: .plainText)
    #expect(try await [Note](importing: data, contentType: .utf8PlainText) == notes)
    let broken = notes + [Note(title: "", body: "")]
    await #expect(throws: TransferError.self) {
      try await [Note](
        importing: broken.exported(as: .text) + [Data()], contentType: .utf8PlainText)
    }
  }
}
