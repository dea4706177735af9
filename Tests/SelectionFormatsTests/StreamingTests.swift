import ContentTypes
import SelectionFormats
import Testing

@Suite("Large text in pieces")
struct StreamingTests {
  static let sample = "Zeile mit Wörtern\r\n漢字 und 😀\tplain\n"

  func decode(_ bytes: [UInt8], _ name: String, size: Int) throws -> [UInt8] {
    var stream = try TargetDecoder().textStream(
      of: OfferedTarget(name: name), type: name, format: 8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      try stream.decode(Array(bytes[start..<min(start + size, bytes.count)]), into: &text)
    }
    try stream.finish(into: &text)
    return text
  }

  static func wide(_ text: String) -> [UInt8] {
    text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
  }

  static let encoded: [(String, [UInt8])] = [
    ("UTF8_STRING", Array(sample.utf8) + [0]),
    ("text/plain;charset=utf-8", Array(sample.utf8)),
    ("text/plain", Array(sample.utf8)),
    ("STRING", [0x61, 0xE9, 0x0A, 0xE9]),
    ("STRING", Array("é漢\0\0".utf8)),
    ("text/plain;charset=utf-16", wide(sample)),
    ("text/plain;charset=utf-16le", wide(sample + "\0")),
    ("text/plain;charset=iso-8859-2", [0xB1, 0x0D, 0x0A, 0xB3]),
    ("text/plain;charset=gb18030", [0xC4, 0xE3, 0x81, 0x30, 0x81, 0x30, 0x41, 0x0D, 0x0A]),
    ("COMPOUND_TEXT", [0x61, 0x1B, 0x2D, 0x42, 0xB3, 0x1B, 0x25, 0x47, 0xE2, 0x82, 0xAC]),
  ]

  @Test("Pieces of any size give what the whole gives", arguments: encoded)
  func pieces(name: String, bytes: [UInt8]) throws {
    let whole = try TargetDecoder().text(
      TargetReply(bytes: bytes, type: name), of: OfferedTarget(name: name))
    for size in [1, 2, 3, 5, 100] { #expect(try decode(bytes, name, size: size) == whole) }
  }

  @Test("Megabytes come through in chunks", arguments: ["UTF8_STRING", "STRING", "text/plain"])
  func large(name: String) throws {
    let text = Array(String(repeating: "0123456789 äöü €\n", count: 200_000).utf8)
    #expect(try decode(text, name, size: 258_048) == text)
    let latin1 = [UInt8](repeating: 0xE4, count: 300_000)
    if name != "UTF8_STRING" {
      #expect(
        try decode(latin1, name, size: 258_048)
          == Array(String(repeating: "ä", count: 300_000).utf8))
    }
  }

  @Test("Text that turns out to be neither is an error, not a guess")
  func mixed() {
    let bytes = Array(String(repeating: "é", count: 100_000).utf8) + [0xE9, 0x41]
    #expect(throws: SelectionFormatError.self) { try decode(bytes, "STRING", size: 65_536) }
  }

  @Test("Nothing stays behind while UTF-8 streams")
  func passesOn() throws {
    var stream = try TargetDecoder().textStream(
      of: OfferedTarget(name: "UTF8_STRING"), type: "UTF8_STRING", format: 8)
    for _ in 0..<64 {
      var text: [UInt8] = []
      try stream.decode([UInt8](repeating: 0x61, count: 100_000), into: &text)
      #expect(text.count == 100_000)
    }
  }

  @Test(
    "Encoders give the same in pieces", arguments: [1, 2, 3, 7, 258_048],
    [TargetEncoder.TextEncoding.latin1, .compoundText, .utf8])
  func encoders(size: Int, encoding: TargetEncoder.TextEncoding) throws {
    let sample = encoding == .latin1 ? "Wörter\r\nund\rmehr ÿ\r" : Self.sample + "é\r"
    let bytes = Array(String(repeating: sample, count: 20).utf8)
    let encoder = TargetEncoder.text(encoding, from: .utf8)
    var stream = try #require(TargetEncoder.Stream(encoder))
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: size) {
      try bytes[start..<min(start + size, bytes.count)].withUnsafeBytes {
        try stream.encode($0, into: &output)
      }
    }
    try stream.finish(into: &output)
    #expect(try output == encoder.encode(bytes).bytes)
    #expect(encoder.isStreamable)
    #expect(encoder.minimumByteCount(from: bytes.count) <= output.count)
    #expect(encoder.minimumByteCount(from: bytes.count) >= bytes.count / 2)
  }

  @Test("Encoders that need the whole value say so")
  func notStreamable() {
    for encoder in [TargetEncoder.mozillaURL, .text(.chosen, from: .utf8), .gnomeFiles(.copy)] {
      #expect(!encoder.isStreamable)
      #expect(TargetEncoder.Stream(encoder) == nil)
    }
  }

  @Test("A text cut inside a character is an error at its end")
  func cut() throws {
    for encoding in [TargetEncoder.TextEncoding.latin1, .compoundText] {
      var stream = try #require(TargetEncoder.Stream(.text(encoding, from: .utf8)))
      var output: [UInt8] = []
      try [UInt8]([0x61, 0xC3]).withUnsafeBytes { try stream.encode($0, into: &output) }
      #expect(throws: SelectionFormatError.self) { try stream.finish(into: &output) }
    }
  }
}
