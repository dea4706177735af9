import SelectionFormats
import Testing

@Suite("Text repertoire")
struct TextRepertoireTests {
  @Test(
    "Characters, control characters and invalid bytes are told apart",
    arguments: [
      ([], .ascii, false), (Array("plain\t\r\n".utf8), .ascii, false),
      (Array("é".utf8), .latin1, false), (Array("ÿ".utf8), .latin1, false),
      (Array("Ā".utf8), .unicode, false), (Array("😀".utf8), .unicode, false),
      (Array("a\0".utf8), .ascii, true), (Array("\u{7F}".utf8), .ascii, true),
      (Array("\u{85}".utf8), .latin1, true),
      (Array("long enough \u{1B}[0m text".utf8), .ascii, true),
      ([0xE9], .invalid, false), ([0xC0, 0x80], .invalid, false),
      ([0xE0, 0x80, 0x80], .invalid, false), ([0xED, 0xA0, 0x80], .invalid, false),
      ([0xF4, 0x90, 0x80, 0x80], .invalid, false), ([0xF5], .invalid, false),
      ([0x80], .invalid, false), ([0xE2, 0x82], .invalid, false), ([0xFF], .invalid, false),
    ] as [([UInt8], TextRepertoire.Characters, Bool)])
  func scan(bytes: [UInt8], characters: TextRepertoire.Characters, controls: Bool) {
    for padding in 0..<9 {
      let padded = [UInt8](repeating: 0x61, count: padding) + bytes
      let found = TextRepertoire.scan(padded)
      #expect(found.characters == characters)
      #expect(found.hasControlCharacters == controls)
      #expect((found.firstInvalidOffset != nil) == (characters == .invalid))
    }
  }

  @Test("The first invalid byte is found where it is")
  func offset() {
    #expect(TextRepertoire.scan(Array("aé".utf8) + [0xE2, 0x41]).firstInvalidOffset == 3)
    #expect(TextRepertoire.scan(Array("0123456789".utf8) + [0xE9]).firstInvalidOffset == 10)
  }

  @Test("Every scalar is valid and judged by its number")
  func everyScalar() {
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), value < 0x3000 || value % 61 == 0 else { continue }
      let found = TextRepertoire.scan(Array(String(scalar).utf8))
      let expected: TextRepertoire.Characters =
        value < 0x80 ? .ascii : value < 0x100 ? .latin1 : .unicode
      let isControl =
        (value < 0x20 && ![9, 10, 13].contains(value)) || (value >= 0x7F && value < 0xA0)
      if found.characters != expected || found.hasControlCharacters != isControl {
        Issue.record("U+\(String(value, radix: 16)): \(found)")
      }
    }
  }

  @Test("The answer does not depend on where the pieces are cut", arguments: [1, 2, 3, 7, 64])
  func pieces(size: Int) {
    let text = Array("plain ASCII first, dann Wörter, 漢字 und 😀\u{85}\r\n".utf8)
    for end in 0...text.count {
      let bytes = Array(text[..<end])
      var scanner = TextRepertoire.Scanner()
      for start in stride(from: 0, to: bytes.count, by: size) {
        scanner.consume(Array(bytes[start..<min(start + size, bytes.count)]))
      }
      #expect(scanner.finish() == TextRepertoire.scan(bytes))
    }
  }

  @Test("The validator agrees with Swift's own on random bytes")
  func agreesWithSwift() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<20_000 {
      let bytes = random.bytes(upTo: 6, biased: true)
      let isValid = TextRepertoire.scan(bytes).isText
      #expect(isValid == (String(validating: bytes, as: UTF8.self) != nil))
    }
  }
}

/// The same sequence of numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }

  /// Bytes of any value; biased ones often begin or continue a sequence that means something.
  mutating func bytes(upTo count: Int, biased: Bool) -> [UInt8] {
    let special: [UInt8] = [
      0x1B, 0x25, 0x24, 0x28, 0x29, 0x2D, 0x2F, 0x40, 0x41, 0x42, 0x47, 0x9B, 0x5D, 0x02, 0x80,
      0xC2, 0xE2, 0x82, 0xAC, 0xF0, 0x9F, 0xED, 0xA0, 0xFF, 0xFE, 0x00, 0x0A, 0x0D, 0x3C, 0xD8,
    ]
    return (0..<Int.random(in: 0...count, using: &self)).map { _ in
      biased && Bool.random(using: &self)
        ? special[Int.random(in: 0..<special.count, using: &self)]
        : UInt8.random(in: 0...255, using: &self)
    }
  }
}
