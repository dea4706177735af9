import ContentTypes
import SelectionFormats
import Testing

@Suite("Reading targets")
struct TargetDecoderTests {
  func text(
    _ bytes: [UInt8], _ target: String, type: String? = nil, format: Int = 8,
    options: TargetDecoder.Options = .init()
  ) throws -> String {
    let reply = TargetReply(bytes: bytes, type: type ?? target, format: format)
    let decoder = TargetDecoder(options: options)
    let text = try decoder.text(reply, of: OfferedTarget(name: target))
    return try #require(String(validating: text, as: UTF8.self))
  }

  func code(_ body: () throws -> Void) throws -> SelectionFormatError.Code {
    try #require(#expect(throws: SelectionFormatError.self, performing: body)).code
  }

  static let wide: [UInt8] = [0x61, 0x00, 0xE9, 0x00, 0x3D, 0xD8, 0x00, 0xDE]
  static let wideBig: [UInt8] = [0x00, 0x61, 0x00, 0xE9, 0xD8, 0x3D, 0xDE, 0x00]

  @Test("STRING is Latin-1, or UTF-8 where the bytes are that", arguments: ["STRING", "TEXT"])
  func string(target: String) throws {
    #expect(try text([0xE9], target) == "é")
    #expect(try text([0xC3, 0xA9], target) == "é")
    #expect(try text([0xE9, 0xC3, 0xA9], target) == "éÃ©")
    var strict = TargetDecoder.Options()
    strict.readsUTF8InStrings = false
    #expect(try text([0xC3, 0xA9], target, options: strict) == "Ã©")
  }

  @Test("The returned type decides")
  func returnedType() throws {
    #expect(try text([0xE9], "UTF8_STRING", type: "STRING") == "é")
    #expect(try text([0xE9], "TEXT", type: "STRING") == "é")
    #expect(try text([0xC3, 0xA9], "TEXT", type: "UTF8_STRING") == "é")
    #expect(try text([0xC3, 0xA9], "text/plain", type: "UTF8_STRING") == "é")
    #expect(try text([0x1B, 0x2D, 0x42, 0xB3], "TEXT", type: "COMPOUND_TEXT") == "ł")
    #expect(try text([0xB3], "UTF8_STRING", type: "text/plain;charset=iso-8859-2") == "ł")
    #expect(try text([0xB3], "text/plain;charset=iso-8859-2", type: "text/plain") == "ł")
    #expect(try text([0xB3], "text/plain;charset=iso-8859-2", type: "STRING") == "ł")
    #expect(try text([0xE9], "text/plain;charset=utf-8", type: "STRING") == "é")
  }

  @Test("Bare text/plain is Latin-1 or UTF-8; a charset parameter decides where there is one")
  func plainText() throws {
    #expect(try text([0xE9], "text/plain") == "é")
    #expect(try text([0xC3, 0xA9], "text/plain") == "é")
    #expect(try text([0xC3, 0xA9], "text/plain;charset=iso-8859-1") == "Ã©")
    #expect(try text([0xC3, 0xA9], "text/plain; Charset=\"UTF-8\"") == "é")
    #expect(try text([0xA4], "text/plain;charset=ISO-8859-15") == "€")
    #expect(try text([0x80], "text/plain;charset=windows-1252") == "€")
    #expect(try text([0xC1], "text/plain;charset=KOI8-R") == "а")
    #expect(try text([0x82, 0xA0], "text/plain;charset=shift_jis") == "あ")
    #expect(try text([0xC4, 0xE3], "text/plain;charset=gb18030") == "你")
    #expect(
      try text([0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "text/plain;charset=iso-2022-jp")
        == "あ")
  }

  @Test(
    "UTF-16 is read in both orders, with and without a mark",
    arguments: [
      ("utf-16", wide), ("utf-16", wideBig), ("utf-16le", wide), ("utf-16be", wideBig),
      ("utf-16", [0xFF, 0xFE] + wide), ("utf-16", [0xFE, 0xFF] + wideBig),
      ("utf-16le", [0xFF, 0xFE] + wide), ("utf-16be", [0xFE, 0xFF] + wideBig),
      ("utf-16be", [0xFF, 0xFE] + wide), ("unicode", wide), ("utf-16", wide + [0, 0]),
    ] as [(String, [UInt8])])
  func utf16(charset: String, bytes: [UInt8]) throws {
    #expect(try text(bytes, "text/plain;charset=\(charset)") == "aé😀")
    #expect(try text(bytes, "text/plain;charset=\(charset)", format: 16) == "aé😀")
  }

  @Test("Broken text is an error that names target and type, never other characters")
  func brokenText() throws {
    let cases: [([UInt8], String)] = [
      ([0xE9], "UTF8_STRING"), ([0xE9], "text/plain;charset=utf-8"), ([0xC3], "UTF8_STRING"),
      ([0x61, 0x00, 0x62], "text/plain;charset=utf-16"),
      ([0x3D, 0xD8, 0x61, 0x00], "text/plain;charset=utf-16le"),
      ([0xD2], "text/plain;charset=iso-8859-7"), ([0x82], "text/plain;charset=shift_jis"),
    ]
    for (bytes, target) in cases {
      let error = try #require(
        #expect(throws: SelectionFormatError.self) { try text(bytes, target) })
      #expect(error.code == .invalidBytes)
      #expect(error.target == target)
      #expect(error.returnedType == target)
      #expect(error.description.contains(target))
    }
    #expect(try code { _ = try text([1], "text/plain;charset=x-nobody") } == .unsupportedCharset)
    #expect(
      try code { _ = try text([1], "text/plain;charset=utf-8//translit") } == .unsupportedCharset)
  }

  @Test("Answers that are no text are refused", arguments: ["ATOM", "INTEGER", "image/png", "X"])
  func noText(type: String) throws {
    #expect(try code { _ = try text([1, 2], "UTF8_STRING", type: type) } == .unexpectedType)
  }

  @Test("Items of 16 or 32 bits are no text", arguments: [16, 32])
  func wrongFormat(format: Int) throws {
    #expect(
      try code { _ = try text([1, 2, 3, 4], "UTF8_STRING", format: format) } == .unexpectedFormat)
    let png = TargetReply(bytes: [1, 2, 3, 4], type: "image/png", format: format)
    #expect(
      try code {
        _ = try TargetDecoder().content(png, of: OfferedTarget(name: "image/png"), as: .png)
      } == .unexpectedFormat)
  }

  @Test("CRLF becomes LF in text/plain and nowhere else")
  func lineEnds() throws {
    let bytes = Array("a\r\nb\rc\r\r\n".utf8)
    #expect(try text(bytes, "text/plain") == "a\nb\rc\r\n")
    #expect(try text(bytes, "text/plain;charset=utf-8") == "a\nb\rc\r\n")
    #expect(try text(bytes, "UTF8_STRING") == "a\r\nb\rc\r\r\n")
    #expect(try text(bytes, "STRING") == "a\r\nb\rc\r\r\n")
    var options = TargetDecoder.Options()
    options.normalizesLineEnds = false
    #expect(try text(bytes, "text/plain", options: options) == "a\r\nb\rc\r\r\n")
    let csv = TargetReply(bytes: bytes, type: "text/csv")
    #expect(
      try TargetDecoder().content(csv, of: OfferedTarget(name: "text/csv"), as: .commaSeparatedText)
        == bytes)
  }

  @Test("One trailing NUL is dropped, others stay")
  func trailingNUL() throws {
    #expect(try text([0x61, 0], "UTF8_STRING") == "a")
    #expect(try text([0x61, 0, 0], "UTF8_STRING") == "a\0")
    #expect(try text([0x61, 0, 0x62], "STRING") == "a\0b")
    #expect(try text([0], "UTF8_STRING").isEmpty)
    #expect(try text([], "UTF8_STRING").isEmpty)
    var options = TargetDecoder.Options()
    options.dropsTrailingNUL = false
    #expect(try text([0x61, 0], "UTF8_STRING", options: options) == "a\0")
  }

  @Test(
    "HTML is read in the encoding it is in",
    arguments: [
      (Array("<p>é".utf8), "<p>é"),
      ([0xEF, 0xBB, 0xBF] + Array("<p>é\0".utf8), "<p>é"),
      ([0xFF, 0xFE, 0x3C, 0, 0x70, 0, 0x3E, 0, 0xE9, 0], "<p>é"),
      ([0xFE, 0xFF, 0, 0x3C, 0, 0x70, 0, 0x3E, 0, 0xE9, 0, 0], "<p>é"),
      ([0x3C, 0, 0x70, 0, 0x3E, 0, 0xE9, 0], "<p>é"),
      ([0, 0x3C, 0, 0x70, 0, 0x3E, 0, 0xE9], "<p>é"),
      (Array("<meta charset=iso-8859-2>".utf8) + [0xB3], "<meta charset=iso-8859-2>ł"),
      (
        Array("<META http-equiv=x content='text/html; charset=latin1'>".utf8) + [0x80],
        "<META http-equiv=x content='text/html; charset=latin1'>€"
      ),
      (
        Array(
          "<meta http-equiv=\"content-type\" content=\"text/html; charset=utf-8\"><b>é</b>".utf8),
        "<b>é</b>"
      ),
      (Array("<meta charset='utf-8'><b>é</b>".utf8), "<b>é</b>"),
      ([], ""),
    ] as [([UInt8], String)])
  func html(bytes: [UInt8], expected: String) throws {
    let reply = TargetReply(bytes: bytes, type: "text/html")
    let target = OfferedTarget(name: "text/html")
    #expect(
      String(decoding: try TargetDecoder().html(reply, of: target), as: UTF8.self) == expected)
    #expect(try TargetDecoder().content(reply, of: target, as: .html) == bytes)
  }

  @Test("Bytes of any value pass unchanged")
  func allBytes() throws {
    let bytes = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
    for name in ["image/png", "application/x-uti.com.example.a", "application/octet-stream"] {
      let target = OfferedTarget(name: name)
      let reply = TargetReply(bytes: bytes, type: name)
      #expect(try TargetDecoder().content(reply, of: target, as: target.contentType) == bytes)
    }
  }

  @Test("The same text sent for every target is noticed")
  func everyTarget() throws {
    let decoder = TargetDecoder()
    let png = OfferedTarget(name: "image/png")
    for type in ["UTF8_STRING", "text/plain", "ATOM", "INTEGER", "image/jpeg", "text/html"] {
      #expect(
        try code {
          _ = try decoder.content(TargetReply(bytes: [1], type: type), of: png, as: .png)
        } == .unexpectedType)
    }
    for type in ["image/png", "IMAGE/PNG", "STRING", "application/octet-stream", "SOMETHING"] {
      #expect(try decoder.content(TargetReply(bytes: [1], type: type), of: png, as: .png) == [1])
    }
    let json = OfferedTarget(name: "application/json")
    let reply = TargetReply(bytes: [0x5B, 0x5D], type: "UTF8_STRING")
    #expect(try decoder.content(reply, of: json, as: .json) == reply.bytes)
  }

  @Test("Text arrives as the Unicode type that was wanted")
  func wantedText() throws {
    let decoder = TargetDecoder()
    let target = OfferedTarget(name: "STRING")
    let reply = TargetReply(bytes: [0xE9], type: "STRING")
    #expect(try decoder.content(reply, of: target, as: .utf8PlainText) == [0xC3, 0xA9])
    let wide = try decoder.content(reply, of: target, as: .utf16PlainText)
    #expect(wide.count == 4)
    #expect(
      try text(wide, "text/plain;charset=utf-16") == "é")
    #expect(try decoder.content(reply, of: target, as: nil) == [0xE9])
  }

  @Test("Types of text are read as plain text when that is wanted, and left alone when not")
  func typesOfText() throws {
    let decoder = TargetDecoder()
    let target = OfferedTarget(name: "text/csv;charset=iso-8859-2")
    let reply = TargetReply(bytes: [0xB3, 0x0D, 0x0A], type: target.name)
    #expect(
      try decoder.content(reply, of: target, as: .plainText) == Array("ł\r\n".utf8))
    #expect(try decoder.content(reply, of: target, as: .commaSeparatedText) == reply.bytes)
    #expect(try text([0xE9], "application/json") == "é")
    #expect(try text([0xC3, 0xA9], "text/x-swift", type: "UTF8_STRING") == "é")
    #expect(try code { _ = try text([1], "image/png") } == .unexpectedType)
  }

  @Test("A colour comes as four items or as eight bytes")
  func color() throws {
    let color = ColorItem(red: 0x0102, green: 0xFFFF, blue: 0, alpha: 0x8000)
    let target = OfferedTarget(name: "application/x-color")
    for format in [8, 16] {
      let reply = TargetReply(bytes: color.bytes, type: target.name, format: format)
      #expect(try TargetDecoder().color(reply, of: target) == color)
    }
    let short = TargetReply(bytes: [1, 2, 3], type: target.name, format: 8)
    #expect(try code { _ = try TargetDecoder().color(short, of: target) } == .invalidBytes)
  }

  @Test("Characters are never normalized")
  func exactCharacters() throws {
    for value in [
      "e\u{301}", "\u{E9}", "👩‍👩‍👧", "a\u{2028}b", "\u{FEFF}a", "\u{202E}x", "żółć 漢字 \\x41",
    ] {
      let bytes = Array(value.utf8)
      let reply = TargetReply(bytes: bytes, type: "UTF8_STRING")
      #expect(try TargetDecoder().text(reply, of: OfferedTarget(name: "UTF8_STRING")) == bytes)
    }
  }
}

extension String {
  /// The string of valid UTF-8, or nil.
  init?(validating bytes: [UInt8], as encoding: UTF8.Type) {
    let string = String(decoding: bytes, as: UTF8.self)
    guard Array(string.utf8) == bytes else { return nil }
    self = string
  }
}
