import ContentTypes
import SelectionFormats
import Testing

@Suite("COMPOUND_TEXT")
struct CompoundTextTests {
  func decode(_ bytes: [UInt8]) throws -> String {
    String(decoding: try CompoundTextConverter.builtIn.decode(bytes), as: UTF8.self)
  }

  /// What Xlib 1.8.4 writes for these texts, and forms of other programs.
  static let vectors: [(String, [UInt8])] = [
    ("plain", [0x70, 0x6C, 0x61, 0x69, 0x6E]),
    ("déjà", [0x64, 0xE9, 0x6A, 0xE0]),
    ("€", [0x1B, 0x2D, 0x62, 0xA4]),
    ("漢字", [0x1B, 0x24, 0x28, 0x42, 0x34, 0x41, 0x3B, 0x7A]),
    (
      "żółć",
      [0x1B, 0x2D, 0x42, 0xBF, 0x1B, 0x2D, 0x41, 0xF3, 0x1B, 0x2D, 0x42, 0xB3, 0xE6]
    ),
    ("Жи", [0x1B, 0x2D, 0x4C, 0xB6, 0xD8]),
    ("한글", [0x1B, 0x24, 0x28, 0x43, 0x47, 0x51, 0x31, 0x5B]),
    ("😀", [0x1B, 0x25, 0x47, 0xF0, 0x9F, 0x98, 0x80, 0x1B, 0x25, 0x40]),
    ("a\t€\nb", [0x61, 0x09, 0x1B, 0x2D, 0x62, 0xA4, 0x0A, 0x62]),
    ("αβ", [0x1B, 0x2D, 0x46, 0xE1, 0xE2]),
    ("ｱ", [0x1B, 0x29, 0x49, 0xB1]),
    (
      "你好",
      [0x1B, 0x24, 0x28, 0x41, 0x44, 0x63, 0x1B, 0x24, 0x28, 0x42, 0x39, 0x25]
    ),
    ("漢a", [0x1B, 0x24, 0x29, 0x42, 0xB4, 0xC1, 0x61]),
    ("漢a", [0x1B, 0x24, 0x42, 0x34, 0x41, 0x1B, 0x28, 0x42, 0x61]),
    ("¥", [0x1B, 0x28, 0x4A, 0x5C]),
    ("אב", [0x9B, 0x32, 0x5D, 0x1B, 0x2D, 0x48, 0xE0, 0xE1, 0x9B, 0x5D]),
    (
      "€ ",
      [0x1B, 0x25, 0x2F, 0x31, 0x80, 0x8D] + Array("iso8859-15".utf8) + [0x02, 0xA4]
        + [0x20]
    ),
    ("", []),
    ("a\u{1B}[0mb€", [0x61] + [0x1B, 0x25, 0x47] + Array("\u{1B}[0mb€".utf8)),
  ]

  @Test("Known encodings are read", arguments: vectors)
  func decoding(text: String, bytes: [UInt8]) throws {
    #expect(try decode(bytes) == text)
  }

  @Test(
    "Latin-1 is written as it is, everything else as UTF-8 until the end of the line",
    arguments: [
      ("déjà", [0x64, 0xE9, 0x6A, 0xE0]),
      ("a\r\nb", [0x61, 0x0A, 0x62]),
      (
        "a€\nb",
        [0x61, 0x1B, 0x25, 0x47, 0xE2, 0x82, 0xAC, 0x1B, 0x25, 0x40, 0x0A, 0x62]
      ),
      (
        "é😀 x",
        [0xE9, 0x1B, 0x25, 0x47, 0xF0, 0x9F, 0x98, 0x80, 0x20, 0x78, 0x1B, 0x25, 0x40]
      ),
      ("", []),
    ] as [(String, [UInt8])])
  func encoding(text: String, bytes: [UInt8]) throws {
    #expect(try CompoundTextConverter.builtIn.encode(Array(text.utf8)) == bytes)
  }

  @Test(
    "What is written is read back",
    arguments: ["", "é", "a€b\tc€\n日本\n", "😀é", "\u{1B}[31m", "\u{9B}1]", "a\0b", "e\u{301}"])
  func roundTrip(text: String) throws {
    let encoded = try CompoundTextConverter.builtIn.encode(Array(text.utf8))
    #expect(try CompoundTextConverter.builtIn.decode(encoded) == Array(text.utf8))
  }

  @Test("Its own end mark has no place in it")
  func endMark() {
    #expect(throws: SelectionFormatError.self) {
      try CompoundTextConverter.builtIn.encode(Array("€\u{1B}%@".utf8))
    }
    #expect(throws: SelectionFormatError.self) {
      try CompoundTextConverter.builtIn.encode([0xE9])
    }
  }

  @Test(
    "Broken and unknown sequences are errors",
    arguments: [
      [0x1B], [0x1B, 0x28], [0x1B, 0x28, 0x7E], [0x1B, 0x24, 0x28], [0x1B, 0x24, 0x28, 0x42, 0x34],
      [0x9B], [0x80], [0x1B, 0x25, 0x2F, 0x31, 0xFF, 0xFF, 0x61], [0x1B, 0x25, 0x47, 0xE9],
      [0x1B, 0x2D, 0x46, 0xD2], [0x1B, 0x25, 0x2F, 0x31, 0x80, 0x81, 0x61],
    ] as [[UInt8]])
  func broken(bytes: [UInt8]) {
    #expect(throws: SelectionFormatError.self) {
      try CompoundTextConverter.builtIn.decode(bytes)
    }
  }

  @Test("Another converter takes the built-in one's place")
  func seam() throws {
    let shouting = CompoundTextConverter(
      encode: { text throws(SelectionFormatError) in text + [0x21] },
      decode: { bytes throws(SelectionFormatError) in bytes + [0x3F] })
    var options = TargetDecoder.Options()
    options.compoundText = shouting
    let reply = TargetReply(bytes: [0x61], type: "COMPOUND_TEXT")
    let target = OfferedTarget(name: "COMPOUND_TEXT")
    #expect(try TargetDecoder(options: options).text(reply, of: target) == [0x61, 0x3F])
    let own = try #require(
      TargetTable.advertised(for: [Representation(.utf8PlainText)])
        .first { $0.name == "COMPOUND_TEXT" })
    #expect(try own.reply(encoding: [0x61], compoundText: shouting).bytes == [0x61, 0x21])
  }
}
