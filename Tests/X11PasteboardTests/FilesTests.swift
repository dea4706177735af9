import CoreTransferable
import Foundation
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

@Suite(.serialized, .timeLimit(.minutes(2))) struct FilesTests: TwoEndsSuite {
  let ends: TwoEnds
  let folder: ScratchFolder

  init() async throws {
    ends = try await TwoEnds()
    folder = try ScratchFolder()
  }

  private func xclip(_ target: String) async throws -> String {
    try await command(
      "xclip", ["-o", "-selection", "clipboard", "-t", target], display: server.display
    ).text
  }

  @Test func severalFilesAreAListOfFiles() async throws {
    let files = try ["a b.txt", "ö.png", "c#d.pdf"].map { try folder.file($0, Data($0.utf8)) }
    try await clipboard.copy(files)
    let uris = files.map(\.absoluteString)
    #expect(try await xclip("text/uri-list") == uris.map { $0 + "\r\n" }.joined())
    #expect(
      try await xclip("x-special/gnome-copied-files") == (["copy"] + uris).joined(separator: "\n"))
    #expect(
      try await xclip("UTF8_STRING")
        == files.map { $0.path(percentEncoded: false) }.joined(separator: "\n"))
    #expect(try await other.paste(URL.self) == files)
    #expect(try await clipboard.paste(URL.self) == files)
  }

  @Test func severalTextsAreLines() async throws {
    try await clipboard.copy(["one", "zwei", "três"])
    #expect(try await xclip("UTF8_STRING") == "one\nzwei\ntrês")
    #expect(try await other.paste(String.self) == ["one\nzwei\ntrês"])
    #expect(try await clipboard.paste(String.self) == ["one", "zwei", "três"])
  }

  @Test func severalPeopleAreTheirNames() async throws {
    let people = [Person.zoe, Person(name: "Bob", facts: [])]
    try await clipboard.copy(people)
    #expect(try await other.paste(String.self) == ["Zoë Ångström\nBob"])
    #expect(try await clipboard.paste(Person.self) == people)
  }

  @Test func severalLinksAreAListOfLinks() async throws {
    let links = try ["https://example.org/a", "https://example.org/b?c=d"].map {
      try #require(URL(string: $0))
    }
    try await clipboard.copy(links)
    #expect(
      try await xclip("text/uri-list")
        == "https://example.org/a\r\nhttps://example.org/b?c=d")
    #expect(try await xclip("UTF8_STRING").split(separator: "\n").count == 2)
    #expect(try await other.paste(URL.self) == links)
    #expect(try await clipboard.paste(URL.self) == links)
  }

  @Test func severalFilmsAreFiles() async throws {
    let films = try ["a.mp4", "b.mp4"].map { Film(file: try folder.file($0, pattern(5_000))) }
    try await clipboard.copy(films)
    #expect(try await other.paste(URL.self) == films.map(\.file))
    let pasted = try await other.paste(Film.self)
    #expect(pasted.map(\.file.lastPathComponent) == ["a.mp4", "b.mp4"])
    for film in pasted { #expect(try Data(contentsOf: film.file) == pattern(5_000)) }
  }

  @Test func oneLinkKeepsItsForm() async throws {
    let link = try #require(URL(string: "https://example.org/ä?x=1#f"))
    try await clipboard.copy(link)
    #expect(try await other.paste(URL.self) == [link])
    let peer = try await clipboard.ownedByXclip(
      "https://example.org/page\nA title", target: "text/x-moz-url",
      bytes: Data(
        "https://example.org/page\nA title".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }),
      display: server.display)
    #expect(try await clipboard.paste(URL.self).first?.absoluteString == "https://example.org/page")
    withExtendedLifetime(peer) {}
  }

  /// What Qt makes of a list of URLs: beside it the first one, as if it were a link.
  @Test(arguments: [true, false]) func aListBesideALinkIsPastedWhole(ofFiles: Bool) async throws {
    let urls =
      ofFiles
      ? try ["a.mp4", "b.mp4"].map { try folder.file($0, pattern(5_000)) }
      : try ["https://a.b/1", "https://a.b/%C3%BC?2"].map { try #require(URL(string: $0)) }
    let list = urls.map { $0.absoluteString + "\\r\\n" }.joined()
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'TARGETS': targets(e, ['text/uri-list', 'text/x-moz-url', 'text/plain'])
          elif name(e) == 'text/uri-list': put(e, e.target, 8, b'\(list)')
          elif name(e) == 'text/x-moz-url': put(e, e.target, 8, '\(urls[0])\\r\\n'.encode('utf-16le'))
          else: refuse(e)
      """, display: server.display)
    #expect(try await clipboard.paste(URL.self) == urls)
    let providers = try await clipboard.itemProviders()
    #expect(providers.count == 2)
    #expect(providers.allSatisfy { $0.registeredContentTypes.contains(.fileURL) == ofFiles })
    #expect(try await clipboard.canPaste(Film.self) == ofFiles)
    if ofFiles {
      let films = try await clipboard.paste(Film.self)
      #expect(films.map(\.file.lastPathComponent) == ["a.mp4", "b.mp4"])
    } else {
      #expect(await failure { try await clipboard.paste(Film.self) }?.code == .notOnOffer)
    }
    withExtendedLifetime(peer) {}
  }

  @Test func aFileGoesThroughDiskAndKeepsItsName() async throws {
    let bytes = pattern(3_000_000)
    let film = Film(file: try folder.file("Mein Ürlaub.mp4", bytes), title: "Holiday")
    try await clipboard.copy(film)
    let pasted = try #require(try await other.paste(Film.self).first)
    #expect(pasted.file.lastPathComponent == "Mein Ürlaub.mp4")
    #expect(pasted.file != film.file)
    #expect(try Data(contentsOf: pasted.file) == bytes)
    // The item's own text goes before the path of its file.
    #expect(try await xclip("UTF8_STRING") == "Holiday")
    #expect(try await xclip("text/uri-list") == film.file.absoluteString + "\r\n")
    let here = try #require(try await clipboard.paste(Film.self).first)
    #expect(try Data(contentsOf: here.file) == bytes)
  }

  @Test func aFileThatChangesWhileItIsSentNeverLooksWhole() async throws {
    let file = try folder.file("a.mp4", pattern(20_000_000))
    try await clipboard.copy(Film(file: file))
    let peer = try await command(
      "sh",
      [
        "-c",
        "(xclip -o -selection clipboard -t video/mp4 | head -c 1000 >/dev/null); printf x >> \"$0\"",
        file.path(percentEncoded: false),
      ], display: server.display)
    #expect(peer.status == 0)
    let pasted = try await other.paste(Film.self)
    #expect(try Data(contentsOf: try #require(pasted.first).file).count == 20_000_001)
  }

  @Test func filesOfAFileManagerBecomeWhatTheyAre() async throws {
    let film = try folder.file("film.mp4", pattern(10_000))
    let table = try folder.file("table.csv", Data("a,b\r\n".utf8))
    let list = [film, table].map { $0.absoluteString + "\r\n" }.joined()
    let peer = try await clipboard.ownedByXclip(
      list, target: "text/uri-list", display: server.display)
    #expect(try await clipboard.paste(URL.self) == [film, table])
    let films = try await clipboard.paste(Film.self)
    #expect(films.map(\.file.lastPathComponent) == ["film.mp4"])
    #expect(try Data(contentsOf: try #require(films.first).file) == pattern(10_000))
    #expect(try await clipboard.paste(Table.self) == [Table(text: "a,b\r\n")])
    #expect(try await clipboard.canPaste(Film.self))
    #expect(try await clipboard.canPaste(Table.self))
    #expect(try await clipboard.canPaste(Person.self) == false)
    let error = await failure { try await clipboard.paste(Person.self) }
    #expect(error?.code == .notOnOffer)
    #expect(error?.offered == [.fileURL])
    withExtendedLifetime(peer) {}
  }

  @Test func aFileThatIsGoneOrElsewhereIsNoItem() async throws {
    let peer = try await clipboard.ownedByXclip(
      "file:///nowhere/film.mp4\r\nfile://elsewhere/film.mp4\r\n", target: "text/uri-list",
      display: server.display)
    #expect(await failure { try await clipboard.paste(Film.self) }?.code == .notOnOffer)
    withExtendedLifetime(peer) {}
  }

  @Test func whoTakesAnyFileGetsTheFileAndNotItsName() async throws {
    let table = try folder.file("table.csv", Data("a,b".utf8))
    let odd = try folder.file("ö d.unknown", Data([1, 2]))
    let expected = [
      AnyFile(name: "table.csv", contents: Data("a,b".utf8)),
      AnyFile(name: "ö d.unknown", contents: Data([1, 2])),
    ]
    try await clipboard.copy([table, odd])
    #expect(try await other.canPaste(AnyFile.self))
    #expect(try await other.paste(AnyFile.self) == expected)
    #expect(try await clipboard.paste(AnyFile.self) == expected)
    // A link to the Web is all there is of what it points to.
    try await clipboard.copy(try #require(URL(string: "https://example.org/")))
    #expect(
      try await other.paste(AnyFile.self).first?.contents == Data("https://example.org/".utf8))
  }

  @Test func whoTakesAnyFileIsToldThatItIsNotThere() async throws {
    let peer = try await clipboard.ownedByXclip(
      "file:///nowhere/film.mp4\r\n", target: "text/uri-list", display: server.display)
    let error = await failure { try await clipboard.paste(AnyFile.self) }
    #expect(error?.code == .notOnOffer)
    #expect(error?.message.contains("file:///nowhere/film.mp4") == true)
    #expect(try await clipboard.paste(FileOrName.self) == [.name("film.mp4")])
    withExtendedLifetime(peer) {}
    // The same for what this package copied.
    try await clipboard.copy(URL(filePath: "/nowhere/film.mp4"))
    for pasteboard in [clipboard, other] {
      let error = await failure { try await pasteboard.paste(AnyFile.self) }
      #expect(error?.code == .notOnOffer)
      #expect(error?.message.contains("file:///nowhere/film.mp4") == true)
    }
  }

  @Test func filesOfNoUseArePassedOver() async throws {
    let file = try folder.file("file.txt", Data("text".utf8))
    let inner = folder.url.appending(path: "inner", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try await clipboard.copy([file, inner])
    for pasteboard in [clipboard, other] {
      #expect(try await pasteboard.paste(FolderName.self) == [FolderName(text: "inner")])
      #expect(try await pasteboard.paste(FileOrName.self).first == .file("file.txt"))
    }
  }

  @Test func aHostileFileNameStaysInsideItsFolder() async throws {
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'TARGETS': targets(e, ['video/mp4', 'text/uri-list'])
          elif name(e) == 'video/mp4': put(e, e.target, 8, b'film')
          elif name(e) == 'text/uri-list': put(e, e.target, 8, b'file:///x/..%2F..%2Fetc%2F%0Apasswd\\r\\n')
          else: refuse(e)
      """, display: server.display)
    let film = try #require(try await clipboard.paste(Film.self).first)
    #expect(film.file.deletingLastPathComponent() == film.kept?.url)
    #expect(!film.file.lastPathComponent.contains("\n"))
    #expect(try Data(contentsOf: film.file) == Data("film".utf8))
    withExtendedLifetime(peer) {}
  }

  @Test func aFileWhoseOwnerDiesIsNeverImported() async throws {
    let peer = try await clipboard.ownedByScript(
      """
      def request(e):
          if name(e) == 'TARGETS': targets(e, ['video/mp4'])
          else:
              begin_incr(e, e.target)
      def changed(e):
          if e.state != X.PropertyDelete: return
          e.window.change_property(e.atom, atom('video/mp4'), 8, b'x' * 1000)
          d.flush()
          os._exit(0)
      """, display: server.display)
    #expect(await failure { try await clipboard.paste(Film.self) }?.code == .ownerGone)
    withExtendedLifetime(peer) {}
  }
}

private struct AnyFile: Transferable, Equatable {
  var name: String
  var contents: Data

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .data) { received in
      AnyFile(
        name: received.file.lastPathComponent, contents: try Data(contentsOf: received.file))
    }
  }
}

private struct FolderName: Transferable, Equatable {
  var text: String

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .folder) { FolderName(text: $0.file.lastPathComponent) }
  }
}

/// Takes the file if it can, else its name.
private enum FileOrName: Transferable, Equatable {
  case file(String)
  case name(String)

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .data) { FileOrName.file($0.file.lastPathComponent) }
    ProxyRepresentation { (url: URL) in FileOrName.name(url.lastPathComponent) }
  }
}
