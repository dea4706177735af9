import Foundation
import Testing

@testable import HelperControl

@Suite struct HistoryArchiveTests {
  private let item = PackedItem(
    isPinned: true, used: 1_700_000_000_123,
    parts: [
      .init(target: "UTF8_STRING", typeName: "UTF8_STRING", format: 8, bytes: Array("a\n\tb".utf8)),
      .init(target: "a/b;x=\"y\"", typeName: "c", format: 32, bytes: [0, 255, 1, 254]),
      .init(target: "empty", typeName: "empty", format: 16, bytes: []),
    ])

  @Test func anItemComesBack() throws {
    let encoded = try #require(item.encoded)
    #expect(PackedItem(encoded: encoded) == item)
  }

  @Test func namesThatCannotBeSaidAreRefused() {
    var bad = item
    bad.parts[0].target = "a\tb"
    #expect(bad.encoded == nil)
  }

  @Test func whatIsNoItemIsRefused() throws {
    let encoded = try #require(item.encoded)
    for count in 0..<encoded.count {
      // An item may end behind its head, or behind any of its parts.
      guard let cut = PackedItem(encoded: Array(encoded[..<count])) else { continue }
      #expect(cut.encoded == Array(encoded[..<count]))
    }
    for text in [
      "2\t5\n", "1\t-5\n", "1\n", "1\t5\t6\n", "1\t5\na\tb\t8\t9\nxx", "1\t5\na\tb\t9\t2\nxx",
      "1\t5\na\tb\t32\t2\nxx", "1\t5\n\tb\t8\t2\nxx", "1\t5\na\tb\t8\t-1\n",
      "1\t99999999999999999\n",
    ] { #expect(PackedItem(encoded: Array(text.utf8)) == nil, "\(text)") }
  }

  @Test func aLineOfTheArchiveIsAnItem() {
    let line = """
      {"pinned":true,"used":1700000000123,"representations":[\
      {"target":"UTF8_STRING","type":"UTF8_STRING","format":8,"base64":"YQoJYg=="},\
      {"target":"a/b;x=\\"y\\"","type":"c","format":32,"base64":"AP8B/g=="},\
      {"target":"empty","type":"empty","format":16,"base64":""}]}
      """
    #expect(HistoryArchive.item(Array(line.utf8)) == item)
  }

  @Test(arguments: [
    "{}", "[]", "{\"used\":1}", "{\"used\":1,\"representations\":[{}]}",
    "{\"used\":\"1\",\"representations\":[]}", "{\"pinned\":1,\"used\":1,\"representations\":[]}",
  ])
  func aLineThatIsNoneIsRefused(line: String) {
    #expect(HistoryArchive.item(Array(line.utf8)) == nil)
  }

  @Test func linesAreReadWithoutTheirEnds() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "pb-" + UUID().uuidString)
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    let long = String(repeating: "x", count: 600_000)
    try "a\n\n\(long)\nlast".write(toFile: path, atomically: false, encoding: .utf8)
    let file = try #require(FileHandle(forReadingAtPath: path))
    var reader = LineReader(descriptor: file.fileDescriptor, longest: 1 << 20)
    var lines: [String] = []
    while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
    #expect(lines == ["a", "", long, "last"])
    try file.seek(toOffset: 0)
    var short = LineReader(descriptor: file.fileDescriptor, longest: 1_000)
    #expect(try short.next() != nil)
    #expect(try short.next() != nil)
    #expect(throws: LineReader.Failure.tooLong) { _ = try short.next() }
  }
}
