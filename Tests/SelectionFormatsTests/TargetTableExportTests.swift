import ContentTypes
import SelectionFormats
import Testing

@Suite("Advertised targets")
struct TargetTableExportTests {
  @Test("Plain text of its own goes before text that something else can be read as")
  func plainTextGoesBeforeReadableContent() {
    let targets = TargetTable.advertised(for: [
      Representation(.html, bytes: Array("<b>bold</b>".utf8), standsForPlainText: true),
      Representation(.utf8PlainText, bytes: Array("bold".utf8)),
    ])
    #expect(targets.first?.name == "text/html")
    for target in targets where OfferedTarget(name: target.name).isPlainText {
      #expect(target.representation == 1)
    }
    #expect(targets.contains { $0.name == "UTF8_STRING" })
  }

  @Test("Every text target carries the text of one representation")
  func oneTextForAllTextTargets() {
    let content = Array("Stra\u{DF}e \u{732B}".utf8)
    let targets = TargetTable.advertised(for: [
      Representation(.utf8PlainText, bytes: content),
      Representation(.fileURL, bytes: Array("file:///tmp/plain.txt".utf8)),
    ])
    // The content does not fit STRING, and the path does not stand in for it.
    #expect(!targets.contains { $0.name == "STRING" })
    #expect(targets.contains { $0.name == "text/uri-list" })
    for target in targets where OfferedTarget(name: target.name).isPlainText {
      #expect(target.representation == 0)
    }
  }

  static let textGroup = [
    "UTF8_STRING", "text/plain;charset=utf-8", "TEXT", "STRING", "text/plain", "COMPOUND_TEXT",
  ]

  func names(_ representations: [Representation], isSensitive: Bool = false) -> [String] {
    TargetTable.advertised(for: representations, isSensitive: isSensitive).map(\.name)
  }

  func names(_ identifier: String, _ bytes: String = "") throws -> [String] {
    let type = try #require(ContentType(validating: identifier))
    return names([Representation(type, bytes: Array(bytes.utf8))])
  }

  @Test("The sample of four representations lists its groups in order")
  func sample() {
    let list = names([
      Representation(.html), Representation(.rtf),
      Representation(.utf8PlainText, bytes: Array("déjà".utf8)), Representation(.png),
    ])
    #expect(
      list == [
        "text/html", "text/rtf", "application/rtf", "UTF8_STRING", "text/plain;charset=utf-8",
        "TEXT", "STRING", "text/plain", "COMPOUND_TEXT", "image/png",
      ])
  }

  @Test(
    "Types list the targets of the table",
    arguments: [
      ("public.html", ["text/html"]),
      ("public.rtf", ["text/rtf", "application/rtf"]),
      (
        "com.apple.flat-rtfd",
        ["application/x-uti.com.apple.flat-rtfd", "com.apple.flat-rtfd"]
      ),
      ("public.png", ["image/png"]),
      ("public.jpeg", ["image/jpeg"]),
      ("public.tiff", ["image/tiff"]),
      ("com.microsoft.bmp", ["image/bmp", "image/x-bmp", "image/x-MS-bmp"]),
      ("com.compuserve.gif", ["image/gif"]),
      ("org.webmproject.webp", ["image/webp"]),
      ("public.heic", ["image/heic"]),
      ("public.avif", ["image/avif"]),
      ("public.svg-image", ["image/svg+xml"]),
      ("com.microsoft.ico", ["image/x-icon", "image/vnd.microsoft.icon"]),
      ("com.adobe.pdf", ["application/pdf"]),
      ("public.json", ["application/json"]),
      ("public.xml", ["application/xml", "text/xml"]),
      ("public.comma-separated-values-text", ["text/csv"]),
      ("public.tab-separated-values-text", ["text/tab-separated-values"]),
      ("net.daringfireball.markdown", ["text/markdown"]),
      ("public.vcard", ["text/vcard", "text/x-vcard"]),
      ("com.apple.ical.ics", ["text/calendar"]),
      ("public.zip-archive", ["application/zip"]),
      ("org.gnu.gnu-zip-archive", ["application/gzip", "application/x-gzip"]),
      ("public.tar-archive", ["application/x-tar"]),
      ("public.mp3", ["audio/mpeg"]),
      ("com.microsoft.waveform-audio", ["audio/wav", "audio/x-wav"]),
      ("public.mpeg-4", ["video/mp4"]),
      ("com.apple.quicktime-movie", ["video/quicktime"]),
      ("public.swift-source", ["text/x-swift"]),
      ("public.c-source", ["text/x-csrc"]),
      ("public.python-script", ["text/x-python-script", "text/x-python"]),
      ("com.netscape.javascript-source", ["text/javascript", "application/javascript"]),
      ("public.data", ["application/octet-stream"]),
      ("com.example.profile", ["application/x-uti.com.example.profile", "com.example.profile"]),
      ("public.folder", []),
      ("com.apple.rtfd", []),
    ] as [(String, [String])])
  func table(identifier: String, expected: [String]) throws {
    #expect(try names(identifier) == expected)
  }

  @Test("A MIME type nobody declares is offered as it is")
  func dynamicMIMEType() throws {
    let type = try #require(ContentType(mimeType: "application/vnd.example+cbor"))
    #expect(names([Representation(type)]) == ["application/vnd.example+cbor"])
  }

  @Test(
    "Text lists STRING and COMPOUND_TEXT only when it fits them",
    arguments: [
      ("plain", true, true), ("déjà\tvu\n", true, true), ("a\r\nb", true, true),
      ("€", false, true), ("日本", false, true), ("a\u{1B}[0m", false, false),
      ("a\0b", false, false), ("a\u{7F}", false, false), ("a\u{9B}", false, false),
      ("", true, true),
    ])
  func textGroup(text: String, inString: Bool, inCompoundText: Bool) {
    let list = names([Representation(.utf8PlainText, bytes: Array(text.utf8))])
    let expected = Self.textGroup.filter {
      ($0 != "STRING" || inString) && ($0 != "COMPOUND_TEXT" || inCompoundText)
    }
    #expect(list == expected)
  }

  @Test("Text that is not known yet is offered without STRING")
  func lazyText() {
    let list = TargetTable.advertised(for: [Representation(.utf8PlainText)])
    #expect(list.map(\.name) == Self.textGroup.filter { $0 != "STRING" })
    let text = list.first { $0.name == "TEXT" }
    #expect(text?.propertyType == nil)
  }

  @Test("Bytes that are not UTF-8 are never offered as UTF-8")
  func invalidText() {
    let bytes = Array("caf".utf8) + [0xE9]
    #expect(names([Representation(.utf8PlainText, bytes: bytes)]) == ["application/octet-stream"])
    #expect(names([Representation(.plainText, bytes: bytes)]) == ["text/plain"])
    let script = Representation(.shellScript, bytes: bytes, standsForPlainText: true)
    #expect(names([script]) == ["application/x-shellscript"])
    let table = Representation(.utf8TabSeparatedText, bytes: bytes)
    #expect(names([table]) == ["text/tab-separated-values"])
  }

  @Test(
    "A text file that stands for plain text adds the text group after its own targets",
    arguments: [ContentType.shellScript, .json, .cSource, .commaSeparatedText, .xml])
  func textFile(type: ContentType) {
    let bytes = Array("#!/bin/sh\n".utf8)
    let own = names([Representation(type, bytes: bytes)])
    #expect(own == TargetTable.ownNames(of: type))
    #expect(
      names([Representation(type, bytes: bytes, standsForPlainText: true)])
        == own + Self.textGroup)
  }

  @Test("A URL lists the browsers' targets before text")
  func url() {
    let list = names([Representation(.url, bytes: Array("https://example.org/ä".utf8))])
    #expect(list == ["text/x-moz-url", "_NETSCAPE_URL", "text/uri-list"] + Self.textGroup)
  }

  @Test("Files list the file managers' targets before text")
  func files() {
    let list = names([
      Representation(.fileURL, bytes: Array("file:///tmp/a\nfile:///tmp/%E6%97%A5".utf8))
    ])
    #expect(
      list == [
        "text/uri-list", "x-special/gnome-copied-files", "x-special/mate-copied-files",
        "application/x-kde-cutselection",
      ] + Self.textGroup.filter { $0 != "STRING" })
  }

  @Test("UTF-16 text has its own target, then the text group by conversion")
  func utf16() throws {
    let bytes: [UInt8] = [0xFF, 0xFE, 0x41, 0x00, 0xE9, 0x00]
    let targets = TargetTable.advertised(for: [Representation(.utf16PlainText, bytes: bytes)])
    #expect(targets.map(\.name) == ["text/plain;charset=utf-16"] + Self.textGroup)
    for target in targets {
      let reply = try target.reply(encoding: bytes)
      switch target.name {
      case "text/plain;charset=utf-16": #expect(reply.bytes == bytes)
      case "STRING", "TEXT", "COMPOUND_TEXT": #expect(reply.bytes == [0x41, 0xE9])
      default: #expect(reply.bytes == Array("Aé".utf8))
      }
    }
  }

  @Test("A colour has format 16")
  func color() throws {
    let type = try #require(ContentType(mimeType: "application/x-color"))
    let bytes = ColorItem(red: 1, green: 2, blue: 3).bytes
    let target = try #require(TargetTable.advertised(for: [Representation(type)]).first)
    let reply = try target.reply(encoding: bytes)
    #expect(target.name == "application/x-color")
    #expect(reply.propertyType == "application/x-color")
    #expect(reply.format == 16)
    #expect(reply.bytes == bytes)
  }

  @Test("Each text target replies with the type and bytes it promises")
  func replies() throws {
    let text = Array("é\r\n".utf8)
    let targets = TargetTable.advertised(for: [Representation(.utf8PlainText, bytes: text)])
    let replies = try targets.map { try $0.reply(encoding: text) }
    #expect(
      replies.map(\.propertyType) == [
        "UTF8_STRING", "text/plain;charset=utf-8", "STRING", "STRING", "text/plain",
        "COMPOUND_TEXT",
      ])
    let latin1: [UInt8] = [0xE9, 0x0A]
    #expect(replies.map(\.bytes) == [text, text, latin1, latin1, text, latin1])
    #expect(replies.allSatisfy { $0.format == 8 })
    #expect(targets[0].encoder.isIdentity && targets[4].encoder.isIdentity)
  }

  @Test("ASCII without CR goes out unchanged in every encoding")
  func asciiIsIdentity() {
    let targets = TargetTable.advertised(
      for: [Representation(.utf8PlainText, bytes: Array("a\tb\n".utf8))])
    #expect(targets.count == 6)
    #expect(targets.allSatisfy { $0.encoder.isIdentity })
  }

  @Test("TEXT that is not known yet names its encoding when it answers")
  func lazyTextAnswers() throws {
    let target = try #require(
      TargetTable.advertised(for: [Representation(.utf8PlainText)]).first { $0.name == "TEXT" })
    #expect(try target.reply(encoding: Array("é".utf8)).propertyType == "STRING")
    #expect(try target.reply(encoding: Array("é".utf8)).bytes == [0xE9])
    #expect(try target.reply(encoding: Array("€".utf8)).propertyType == "UTF8_STRING")
    #expect(try target.reply(encoding: Array("€".utf8)).bytes == Array("€".utf8))
    #expect(throws: SelectionFormatError.self) { try target.reply(encoding: [0xE9]) }
  }

  @Test("The password hint comes with sensitive values only, and within the limit")
  func sensitive() throws {
    let many = (0..<300).map {
      Representation(ContentType(mimeType: "application/x-test-\($0)"))
    }
    let targets = TargetTable.advertised(for: many, isSensitive: true)
    #expect(targets.count == 100)
    let hint = try #require(targets.last)
    #expect(hint.name == "x-kde-passwordManagerHint")
    #expect(try hint.reply(encoding: [1, 2, 3]).bytes == Array("secret".utf8))
    #expect(!names(many).contains("x-kde-passwordManagerHint"))
    #expect(names(many).count == 100)
  }

  @Test("An exact name is listed first in its own spelling")
  func exactName() throws {
    let jpeg = try #require(TypeRequest("image/jpg"))
    #expect(names([try jpeg.representation()]) == ["image/jpg", "image/jpeg"])
    let raw = try #require(TypeRequest("MY_TARGET"))
    #expect(names([try raw.representation()]) == ["MY_TARGET"])
    let latin2 = try #require(TypeRequest("text/plain;charset=iso-8859-2"))
    let bytes = TextRepertoire.scan([0xB1])
    #expect(
      names([try latin2.representation(repertoire: bytes)]) == ["text/plain;charset=iso-8859-2"])
  }

  @Test(
    "Names of the protocol are never offered",
    arguments: ["TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION"])
  func protocolNames(name: String) throws {
    let request = try #require(TypeRequest(name))
    #expect(throws: SelectionFormatError.self) { try request.representation() }
    #expect(names([Representation(nil, targetName: name)]).isEmpty)
  }

  @Test(
    "Rows that are bytes go out as they are, typed as their target, in items of eight bits",
    arguments: [
      "public.html", "public.rtf", "com.apple.flat-rtfd", "public.png", "public.jpeg",
      "public.tiff", "com.microsoft.bmp", "com.compuserve.gif", "org.webmproject.webp",
      "public.heic", "public.avif", "public.svg-image", "com.microsoft.ico", "com.adobe.pdf",
      "public.json", "public.xml", "public.comma-separated-values-text",
      "public.tab-separated-values-text", "net.daringfireball.markdown", "public.vcard",
      "com.apple.ical.ics", "public.zip-archive", "org.gnu.gnu-zip-archive", "public.tar-archive",
      "public.mp3", "com.microsoft.waveform-audio", "public.mpeg-4", "com.apple.quicktime-movie",
      "public.swift-source", "public.data", "com.example.profile",
    ])
  func rowsOfBytes(identifier: String) throws {
    let type = try #require(ContentType(validating: identifier))
    // Every value, line ends and NULs too; not UTF-8, which is nobody's business here.
    let bytes = (0..<600).map { UInt8(truncatingIfNeeded: $0) }
    let targets = TargetTable.advertised(for: [Representation(type, bytes: bytes)])
    #expect(!targets.isEmpty)
    for target in targets {
      let reply = try target.reply(encoding: bytes)
      #expect(reply.propertyType == target.name)
      #expect(reply.format == 8)
      #expect(reply.bytes == bytes)
      #expect(target.encoder.isIdentity)
    }
  }

  @Test("A link goes out in the bytes that browsers write")
  func linkBytes() throws {
    let canonical = Array("https://example.org/\nGrüße".utf8)
    let targets = TargetTable.advertised(for: [Representation(.url, bytes: canonical)])
    var replies: [String: [UInt8]] = [:]
    for target in targets { replies[target.name] = try target.reply(encoding: canonical).bytes }
    let wide = "https://example.org/\nGrüße".utf16.flatMap {
      withUnsafeBytes(of: $0, Array.init)
    }
    #expect(replies["text/x-moz-url"] == wide)
    #expect(replies["_NETSCAPE_URL"] == canonical)
    #expect(replies["text/uri-list"] == Array("https://example.org/\r\n".utf8))
    for name in ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT"] {
      #expect(replies[name] == Array("https://example.org/".utf8), "\(name)")
    }
  }

  @Test("A list of URIs is ASCII, whatever letters the link or the file was given with")
  func listsAreASCII() throws {
    func replies(_ type: ContentType, _ text: String) throws -> [String: [UInt8]] {
      let bytes = Array(text.utf8)
      var replies: [String: [UInt8]] = [:]
      for target in TargetTable.advertised(for: [Representation(type, bytes: bytes)]) {
        replies[target.name] = try target.reply(encoding: bytes).bytes
      }
      return replies
    }
    let link = try replies(.url, "https://example.org/ü b%20c?q=é#f")
    #expect(
      link["text/uri-list"] == Array("https://example.org/%C3%BC%20b%20c?q=%C3%A9#f\r\n".utf8))
    #expect(link["UTF8_STRING"] == Array("https://example.org/ü b%20c?q=é#f".utf8))
    let files = try replies(.fileURL, "file:///tmp/ü\nfile:///tmp/a b")
    #expect(
      files["text/uri-list"] == Array("file:///tmp/%C3%BC\r\nfile:///tmp/a%20b\r\n".utf8))
    #expect(
      files["x-special/gnome-copied-files"]
        == Array("copy\nfile:///tmp/%C3%BC\nfile:///tmp/a%20b".utf8))
  }
}
