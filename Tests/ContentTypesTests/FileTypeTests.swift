import Foundation
import Testing

@testable import ContentTypes

@Suite struct FileTypeTests {
  let temporary: TemporaryDatabase
  let database: SharedMIMEDatabase

  init() throws {
    temporary = try TemporaryDatabase()
    database = SharedMIMEDatabase.isInstalled ? .installed : .none
  }

  func type(_ path: String, following: Bool = true) -> ContentType? {
    ContentType.ofFile(atPath: path, followingSymbolicLinks: following, database: database)
  }

  @Test func directoriesAndLinksAreWhatTheyAre() throws {
    for name in ["plain", "a.rtfd", "b.app", "c.png", ".hidden", "d.framework"] {
      try FileManager.default.createDirectory(
        atPath: temporary.root + "/" + name, withIntermediateDirectories: false)
    }
    #expect(type(temporary.root + "/plain") == .folder)
    #expect(type(temporary.root + "/plain/") == .folder)
    #expect(type("/") == .folder)
    #expect(type(temporary.root + "/a.rtfd") == .rtfd)
    #expect(type(temporary.root + "/b.app") == .applicationBundle)
    #expect(type(temporary.root + "/c.png") == .folder)
    #expect(type(temporary.root + "/.hidden") == .folder)
    #expect(type(temporary.root + "/d.framework") == .framework)
    #expect(type(temporary.root + "/missing") == nil)
    #expect(type("") == nil)

    let file = try temporary.write([], to: "x.png")
    try FileManager.default.createSymbolicLink(
      atPath: temporary.root + "/link.txt", withDestinationPath: file)
    try FileManager.default.createSymbolicLink(
      atPath: temporary.root + "/broken", withDestinationPath: "/nonexistent")
    try FileManager.default.createSymbolicLink(
      atPath: temporary.root + "/circle", withDestinationPath: temporary.root + "/circle")
    #expect(type(temporary.root + "/link.txt", following: false) == .symbolicLink)
    #expect(type(temporary.root + "/link.txt") == .plainText)
    #expect(type(temporary.root + "/broken") == .symbolicLink)
    #expect(type(temporary.root + "/circle") == .symbolicLink)
    let pipe = temporary.root + "/pipe.png"
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(type(pipe)?.identifier == "public.named-pipe")
    #expect(type("/dev/null")?.identifier == "public.character-special")
  }

  @Test func namesAreEnoughWhereTheyAreClear() throws {
    let cases: [(String, ContentType)] = [
      ("a.png", .png), ("A.JPG", .jpeg), ("a.txt", .plainText), ("a.pdf", .pdf),
      ("a.swift", .swiftSource),
      ("a.mp4", .mpeg4Movie), ("a.html", .html), ("a.csv", .commaSeparatedText), ("a.json", .json),
    ]
    for (name, expected) in cases {
      #expect(type(try temporary.write([0, 1, 2], to: name)) == expected, "\(name)")
    }
  }

  @Test(.enabled(if: SharedMIMEDatabase.isInstalled)) func longerPatternsBeatExtensions() throws {
    #expect(type(try temporary.write([], to: "Makefile")) == .makefile)
    #expect(type(try temporary.write([], to: "a.C")) == .cPlusPlusSource)
    #expect(type(try temporary.write([], to: "a.c")) == .cSource)
    let archive = try #require(type(try temporary.write([], to: "a.tar.gz")))
    #expect(archive.mimeTypes(database: database) == ["application/x-compressed-tar"])
    #expect(archive.conforms(to: .archive, database: database))
    #expect(
      type(try temporary.write([], to: "README.md"))?.identifier == "net.daringfireball.markdown")
  }

  @Test(.enabled(if: SharedMIMEDatabase.isInstalled)) func contentDecidesWhereNamesDoNot() throws {
    let png: [UInt8] = [0x89] + Array("PNG\r\n\u{1A}\n".utf8)
    #expect(type(try temporary.write(png, to: "nameless")) == .png)
    #expect(type(try temporary.write(Array("%PDF-1.7".utf8), to: "b.unheard-of")) == .pdf)
    #expect(type(try temporary.write(Array("just words\n".utf8), to: "words")) == .plainText)
    #expect(type(try temporary.write(Array("größer".utf8), to: "utf8")) == .plainText)
    #expect(type(try temporary.write([0, 1, 2, 3], to: "binary")) == .data)
    #expect(type(try temporary.write([], to: "empty")) == .data)
    #expect(
      type(try temporary.write(Array("<?xml version=\"1.0\"?><TS/>".utf8), to: "a.ts"))?.conforms(
        to: .data, database: database) == true)
    // MPEG transport streams start with a sync byte every 188 bytes.
    var stream = [UInt8](repeating: 0xFF, count: 188 * 5)
    for packet in 0..<5 { stream[packet * 188] = 0x47 }
    #expect(type(try temporary.write(stream, to: "b.ts")) == .mpeg2TransportStream)
  }

  @Test func theExtendedAttributeIsBelieved() throws {
    let path = try temporary.write(Array("%PDF-1.7".utf8), to: "a.txt")
    guard setAttribute(path, "image/png; x=y") else { return }
    #expect(type(path) == .png)
    #expect(setAttribute(path, "not a type"))
    #expect(type(path) == .plainText)
    #expect(setAttribute(path, String(repeating: "x", count: 2000)))
    #expect(type(path) == .plainText)
  }

  /// False where the file system has no attributes.
  private func setAttribute(_ path: String, _ value: String) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [
      "-c", "import os,sys; os.setxattr(sys.argv[1], 'user.mime_type', sys.argv[2].encode())", path,
      value,
    ]
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  @Test func commonFormatsAreKnownWithoutADatabase() {
    func sniff(_ bytes: [UInt8]) -> ContentType? {
      bytes.withUnsafeBytes { ContentType.sniff($0, database: .none) }
    }
    #expect(sniff([0x89] + Array("PNG\r\n\u{1A}\n".utf8)) == .png)
    #expect(sniff(Array("%PDF-1.4".utf8)) == .pdf)
    #expect(sniff(Array("RIFF0000WAVEfmt ".utf8)) == .wav)
    #expect(sniff([]) == nil)
    #expect(sniff(Array("hello".utf8)) == nil)
  }
}
