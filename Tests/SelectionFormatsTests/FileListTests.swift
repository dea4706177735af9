import ContentTypes
import SelectionFormats
import Testing

@Suite("Files and links")
struct FileListTests {
  static let paths: [[UInt8]] = [
    Array("/tmp/a b#é%.txt".utf8), Array("/tmp/e\u{301}".utf8), [0x2F, 0xFF, 0xFE, 0x41],
    Array("/tmp/new\nline;?&".utf8), Array("/".utf8),
    [0x2F] + (1...255).map { UInt8($0) },
  ]

  @Test("A path becomes a URI and the same bytes again", arguments: paths)
  func roundTrip(path: [UInt8]) throws {
    let uri = try FileURI.uri(path: path)
    #expect(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
    #expect(try FileURI.path(of: uri) == path)
  }

  @Test("Bytes outside RFC 3986's path characters are percent-encoded")
  func encoding() throws {
    #expect(try FileURI.uri(path: "/tmp/a b#é%.txt") == "file:///tmp/a%20b%23%C3%A9%25.txt")
    #expect(try FileURI.uri(path: "/a-._~!$&'()*+,=:@;?") == "file:///a-._~!$&'()*+,=:@%3B%3F")
    #expect(throws: SelectionFormatError.self) { try FileURI.uri(path: "relative") }
    #expect(throws: SelectionFormatError.self) { try FileURI.uri(path: "") }
    #expect(throws: SelectionFormatError.self) { try FileURI.uri(path: [0x2F, 0]) }
  }

  @Test(
    "Every form of a local file URI is read",
    arguments: [
      "file:/tmp/x", "file:///tmp/x", "file://localhost/tmp/x", "FILE://LOCALHOST/tmp/x",
      "file://thishost/tmp/x", "file://ThisHost/tmp/x", "file:///tmp/%78", "file:///%74mp/x",
    ])
  func localForms(uri: String) throws {
    #expect(try FileURI.path(of: uri, hostNames: ["THISHOST"]) == Array("/tmp/x".utf8))
  }

  @Test(
    "What names no local file is refused",
    arguments: [
      "http://localhost/tmp/x", "file://otherhost/tmp/x", "file:tmp/x", "file:", "file://",
      "file:///tmp/%", "file:///tmp/%4", "file:///tmp/%zz", "file:///tmp/%00", "file:///a#b",
      "file:///a?b", "/tmp/x", "", "filex:///tmp",
    ])
  func refusedForms(uri: String) throws {
    let error = try #require(
      #expect(throws: SelectionFormatError.self) { try FileURI.path(of: uri) })
    #expect(error.code == .invalidURI)
  }

  @Test("Bare characters in a URI are taken as they are")
  func bareCharacters() throws {
    #expect(try FileURI.path(of: "file:///tmp/a bé") == Array("/tmp/a bé".utf8))
  }

  @Test(
    "A URI list is split at any line end, without comments, blanks and NULs",
    arguments: [
      "file:///a\r\nfile:///b\r\n", "file:///a\nfile:///b", "file:///a\rfile:///b\r",
      "# comment\r\nfile:///a\r\n\r\n#x\r\nfile:///b\r\n\0", " file:///a \n\tfile:///b\0\0",
    ])
  func uriList(text: String) {
    #expect(URIList.parse(Array(text.utf8)) == ["file:///a", "file:///b"])
  }

  @Test("Control characters in a line are percent-encoded")
  func controlCharacters() throws {
    #expect(
      URIList.parse(Array("http://a/\0b\u{1B}c\r\nhttp://d\0\r\n".utf8)) == [
        "http://a/%00b%1Bc", "http://d",
      ])
  }

  @Test("A line that is not UTF-8 loses no byte")
  func foreignLine() throws {
    let uris = URIList.parse(Array("file:///".utf8) + [0xFF, 0x0A])
    #expect(uris == ["file:///%FF"])
    #expect(try FileURI.path(of: try #require(uris.first)) == [0x2F, 0xFF])
  }

  @Test(
    "Copied files are read with their operation",
    arguments: [
      ("copy\nfile:///a\nfile:///b", FileList.Operation.copy),
      ("cut\nfile:///a\nfile:///b\n", .cut), ("cut\r\nfile:///a\r\nfile:///b\r\n\0", .cut),
      ("link\nfile:///a\nfile:///b", .copy), ("file:///a\nfile:///b", .copy),
      ("x-special/nautilus-clipboard\ncut\nfile:///a\nfile:///b\n", .cut),
    ])
  func copiedFiles(text: String, operation: FileList.Operation) {
    let list = FileList(gnome: Array(text.utf8))
    #expect(list == FileList(uris: ["file:///a", "file:///b"], operation: operation))
  }

  @Test("KDE's flag is one character")
  func kdeFlag() {
    #expect(FileList.operation(kdeCut: Array("1".utf8)) == .cut)
    #expect(FileList.operation(kdeCut: Array("0".utf8)) == .copy)
    #expect(FileList.operation(kdeCut: [UInt8]()) == .copy)
  }

  @Test("Files go out in every file manager's form", arguments: [FileList.Operation.copy, .cut])
  func export(operation: FileList.Operation) throws {
    let bytes = Array("file:///tmp/a%20b\nfile:///tmp/%C3%A9\nfile:///tmp/%FF".utf8)
    let targets = TargetTable.advertised(
      for: [Representation(.fileURL, bytes: bytes, operation: operation)])
    var replies: [String: String] = [:]
    for target in targets {
      replies[target.name] = String(
        decoding: try target.reply(encoding: bytes).bytes, as: Unicode.UTF8.self)
    }
    let word = operation == .cut ? "cut" : "copy"
    let lines = "file:///tmp/a%20b\nfile:///tmp/%C3%A9\nfile:///tmp/%FF"
    #expect(
      replies["text/uri-list"] == "file:///tmp/a%20b\r\nfile:///tmp/%C3%A9\r\nfile:///tmp/%FF\r\n")
    #expect(replies["x-special/gnome-copied-files"] == "\(word)\n\(lines)")
    #expect(replies["x-special/mate-copied-files"] == "\(word)\n\(lines)")
    #expect(replies["application/x-kde-cutselection"] == (operation == .cut ? "1" : "0"))
    #expect(replies["UTF8_STRING"] == "/tmp/a b\n/tmp/é\nfile:///tmp/%FF")
    #expect(replies["text/plain"] == "/tmp/a b\n/tmp/é\nfile:///tmp/%FF")
  }

  @Test("A path that would be misread as text is shown as its URI")
  func misreadPaths() throws {
    let list = FileList(uris: ["file:///a%0Ab", "file://far/a", "file:///ok"])
    #expect(list.text == "file:///a%0Ab\nfile://far/a\n/ok")
  }

  @Test(
    "Every file target is read back",
    arguments: [
      "text/uri-list", "x-special/gnome-copied-files", "x-special/mate-copied-files",
    ])
  func importFiles(name: String) throws {
    let list = try FileList(paths: Self.paths, operation: .cut)
    let bytes = Array(list.uris.joined(separator: "\n").utf8)
    let target = try #require(
      TargetTable.advertised(for: [Representation(.fileURL, bytes: bytes, operation: .cut)])
        .first { $0.name == name })
    let sent = try target.reply(encoding: bytes)
    let reply = TargetReply(bytes: sent.bytes, type: sent.propertyType, format: sent.format)
    let offered = OfferedTarget(name: name)
    let read = try TargetDecoder().fileList(reply, of: offered)
    #expect(try read.paths() == Self.paths)
    #expect(read.operation == (name == "text/uri-list" ? .copy : .cut))
    #expect(try TargetDecoder().content(reply, of: offered, as: .fileURL) == bytes)
  }

  @Test("A list without files is told apart from an empty one")
  func noFiles() throws {
    let reply = TargetReply(bytes: Array("http://a/\r\n".utf8), type: "text/uri-list")
    let target = OfferedTarget(name: "text/uri-list")
    let error = try #require(
      #expect(throws: SelectionFormatError.self) {
        try TargetDecoder().fileList(reply, of: target)
      })
    #expect(error.code == .empty)
    #expect(try TargetDecoder().link(reply, of: target).url == "http://a/")
  }

  @Test("FILE_NAME holds paths")
  func fileName() throws {
    let reply = TargetReply(bytes: Array("/tmp/a b\0".utf8), type: "STRING")
    let list = try TargetDecoder().fileList(reply, of: OfferedTarget(name: "FILE_NAME"))
    #expect(list.uris == ["file:///tmp/a%20b"])
  }

  static func wide(_ text: String, big: Bool = false) -> [UInt8] {
    text.utf16.flatMap { unit -> [UInt8] in
      let bytes = [UInt8(unit & 0xFF), UInt8(unit >> 8)]
      return big ? bytes.reversed() : bytes
    }
  }

  @Test(
    "A browser's link is read in every encoding",
    arguments: [
      wide("http://a/ß\nTitle é"), [0xFF, 0xFE] + wide("http://a/ß\nTitle é"),
      [0xFE, 0xFF] + wide("http://a/ß\nTitle é", big: true),
      wide("http://a/ß\nTitle é", big: true), wide("http://a/ß\nTitle é\0"),
      Array("http://a/ß\nTitle é".utf8), wide("http://a/ß\r\nTitle é\r\n"),
    ])
  func mozillaURL(bytes: [UInt8]) throws {
    let reply = TargetReply(bytes: bytes, type: "text/x-moz-url")
    let link = try TargetDecoder().link(reply, of: OfferedTarget(name: "text/x-moz-url"))
    #expect(link == WebLink(url: "http://a/ß", title: "Title é"))
  }

  @Test("_NETSCAPE_URL is the same in eight bits")
  func netscapeURL() throws {
    let target = OfferedTarget(name: "_NETSCAPE_URL")
    for bytes in [Array("http://a/\nTitle é".utf8), Array("http://a/\nTitle ".utf8) + [0xE9]] {
      let reply = TargetReply(bytes: bytes, type: "_NETSCAPE_URL")
      #expect(
        try TargetDecoder().link(reply, of: target) == WebLink(url: "http://a/", title: "Title é"))
    }
  }

  @Test(
    "A link goes out in every form and comes back",
    arguments: [
      ("https://example.org/?q=1", nil), ("https://example.org/", "A title"),
    ] as [(String, String?)])
  func links(url: String, title: String?) throws {
    let canonical = Array((title.map { url + "\n" + $0 } ?? url).utf8)
    let targets = TargetTable.advertised(for: [Representation(.url, bytes: canonical)])
    let offered = OfferedTargets(targets.map(\.name))
    let candidates = offered.candidates(for: .url)
    #expect(candidates.map(\.name) == ["text/x-moz-url", "_NETSCAPE_URL", "text/uri-list"])
    for target in targets {
      let sent = try target.reply(encoding: canonical)
      let reply = TargetReply(bytes: sent.bytes, type: sent.propertyType)
      if let candidate = candidates.first(where: { $0.name == target.name }) {
        let link = try TargetDecoder().link(reply, of: candidate)
        #expect(link.url == url)
        #expect(link.title == (target.name == "text/uri-list" ? nil : title))
      } else {
        #expect(sent.bytes == Array(url.utf8))
      }
    }
  }

  @Test("A Mozilla link has two lines, no mark, and the machine's byte order")
  func mozillaBytes() {
    #expect(WebLink(url: "a", title: "b\nc").mozillaBytes == Self.wide("a\nb c"))
    #expect(WebLink(url: "a").mozillaBytes == Self.wide("a\na"))
  }
}
