import CoreTransferable
import Foundation
import Glibc
import Synchronization
import Testing
import UniformTypeIdentifiers

@Suite("Files")
struct FileTests {
  let directory: TemporaryDirectory

  init() throws {
    directory = try TemporaryDirectory()
  }

  @Test func `a received file is private and gone after the closure`() async throws {
    let seen = Seen()
    let item = Received.Import { file in
      seen.note(file)
      return Received(contents: try Data(contentsOf: file.file))
    }
    let received = try await Received.$handler.withValue(item) {
      try await Received(importing: Data("bytes".utf8), contentType: .pdf)
    }
    #expect(received.contents == Data("bytes".utf8))
    let file = try #require(seen.file)
    #expect(file.lastPathComponent == "Received.pdf")
    #expect(seen.directoryMode == 0o700)
    #expect(seen.fileMode == 0o600)
    #expect(seen.isOriginal == false)
    #expect(!exists(file))
    #expect(!exists(file.deletingLastPathComponent()))
  }

  @Test func `a received file is gone after an error`() async throws {
    let seen = Seen()
    let failing = Received.Import { file in
      seen.note(file)
      throw NoteError.empty
    }
    let error = try await #require(throws: TransferError.self) {
      try await Received.$handler.withValue(failing) {
        try await Received(importing: Data("bytes".utf8), contentType: .pdf)
      }
    }
    #expect(error.code == .importFailed)
    #expect(!exists(try #require(seen.file).deletingLastPathComponent()))
  }

  @Test func `a received file outlives cancellation until its closure ends`() async throws {
    let seen = Seen()
    let started = Gate()
    let release = Gate()
    let ended = Gate()
    let stubborn = Received.Import { file in
      seen.note(file)
      started.open()
      await release.passage()
      seen.existedAtEnd = exists(file.file)
      // Opened when nothing of the import is left, since the file goes before the closure's task does.
      defer { ended.open() }
      return Received(contents: Data())
    }
    let task = Task {
      try await Received.$handler.withValue(stubborn) {
        try await Received(importing: Data("bytes".utf8), contentType: .pdf)
      }
    }
    await started.passage()
    task.cancel()
    let error = try await #require(throws: TransferError.self) { try await task.value }
    #expect(error.code == .cancelled)
    let file = try #require(seen.file)
    #expect(exists(file))
    release.open()
    await ended.passage()
    #expect(seen.existedAtEnd == true)
    try await until { !exists(file.deletingLastPathComponent()) }
  }

  @Test func `an importer may take the received file away`() async throws {
    let goal = directory.url.appending(path: "kept")
    let moving = Received.Import { file in
      try FileManager.default.moveItem(at: file.file, to: goal)
      return Received(contents: Data())
    }
    let source = try directory.file("source.pdf")
    _ = try await Received.$handler.withValue(moving) {
      try await Received(importing: source, contentType: nil)
    }
    #expect(try Data(contentsOf: goal) == Data("contents".utf8))
    #expect(try Data(contentsOf: source) == Data("contents".utf8))
  }

  @Test func `a file is opened in place only by who asks for it`() async throws {
    let source = try directory.file("source.gif")
    let place = try await InPlace(importing: source, contentType: .gif)
    #expect(place.isOriginal)
    #expect(place.file == source)
    let fromData = try await InPlace(importing: Data([1]), contentType: .gif)
    #expect(!fromData.isOriginal)
    let seen = Seen()
    let noting = Received.Import { file in
      seen.note(file)
      return Received(contents: Data())
    }
    let pdf = try directory.file("source.pdf")
    _ = try await Received.$handler.withValue(noting) {
      try await Received(importing: pdf, contentType: .pdf)
    }
    #expect(seen.isOriginal == false)
    #expect(seen.file?.lastPathComponent == "source.pdf")
    #expect(seen.file != pdf)
  }

  @Test func `data asked of a file and a file asked of data both work`() async throws {
    let video = Video(file: try directory.file("Film.mp4"))
    #expect(try await video.exported(as: .movie) == Data("contents".utf8))
    #expect(video.exportedContentTypes() == [.mpeg4Movie, .url, .fileURL])
    let profile = Profile(name: "Ada")
    let name = try await profile.withExportedFile(contentType: .plainText) { file in
      #expect(try mode(of: file.deletingLastPathComponent()) == 0o700)
      #expect(file.lastPathComponent == "Profile.txt")
      return try String(contentsOf: file, encoding: .utf8)
    }
    #expect(name == "Ada")
    let text = try await Note(
      importing: directory.file("n.txt", Data("T\nB".utf8)), contentType: nil)
    #expect(text == Note(title: "T", body: "B"))
    let imported = try await Video(importing: Data([1, 2]), contentType: .mpeg4Movie)
    #expect(try Data(contentsOf: imported.file) == Data([1, 2]))
    try FileManager.default.removeItem(at: imported.file)
  }

  @Test func `only a permitted original leaves as itself`() async throws {
    let file = try directory.file("a.png")
    for allows in [true, false] {
      let item = Sent(file: file, allows: allows)
      let representation = try #require(item.exportableRepresentations().first)
      #expect(representation.kind == .file(allowsOpenInPlace: true))
      let reading = try await representation.loadFile(for: .reading)
      #expect(reading.url == file)
      #expect(reading.isOriginal)
      let handed = try await representation.loadFile(for: .handingOver)
      #expect(handed.isOriginal == allows)
      #expect((handed.url == file) == allows)
      #expect(try Data(contentsOf: handed.url) == Data("contents".utf8))
      #expect(handed.size == 8)
      reading.remove()
      handed.remove()
      #expect(exists(file))
      #expect(exists(handed.url) == allows)
      let seen = try await item.withExportedFile(contentType: nil) { $0 }
      #expect(exists(seen) == allows)
    }
  }

  @Test func `a copy goes when nobody holds it any more`() async throws {
    let item = Sent(file: try directory.file("a.png"), allows: false)
    var file: TransferFile? = try await item.exportableRepresentations().first?.loadFile()
    let url = try #require(file?.url)
    #expect(exists(url))
    file = nil
    // The task that made it may hold it a moment longer than the one that waited for it.
    let deadline = ContinuousClock.now + .seconds(10)
    while exists(url), ContinuousClock.now < deadline { await Task.yield() }
    #expect(!exists(url))
  }

  @Test func `export makes a whole file under a free name`() async throws {
    let note = Note(title: "Milk", body: "2 l")
    let first = try await note.export(to: directory.url, contentType: .plainText)
    let second = try await note.export(to: directory.url, contentType: nil)
    #expect(first.lastPathComponent == "Milk.txt")
    #expect(second.lastPathComponent == "Milk 2.txt")
    #expect(try String(contentsOf: second, encoding: .utf8) == "Milk\n2 l")
    let video = Video(file: try directory.file("Film.mp4"))
    let copy = try await video.export(to: directory.url, contentType: .mpeg4Movie)
    #expect(copy.lastPathComponent == "Film 2.mp4")
    #expect(try directory.names == ["Film 2.mp4", "Film.mp4", "Milk 2.txt", "Milk.txt"])
  }

  @Test func `an export that fails leaves nothing`() async throws {
    await #expect(throws: TransferError.self) {
      try await Sent(file: directory.url.appending(path: "none"), allows: true)
        .export(to: directory.url, contentType: nil)
    }
    let missing = directory.url.appending(path: "missing")
    let error = try await #require(throws: TransferError.self) {
      try await Profile(name: "x").export(to: missing, contentType: nil)
    }
    #expect(error.code == .fileUnreadable)
    #expect(error.message.contains(missing.path))
    #expect(try directory.names == [])
  }

  @Test(arguments: ["missing", "https"])
  func `a file that is none is reported`(kind: String) async throws {
    let missing = directory.url.appending(path: "missing.png")
    let item = Sent(
      file: kind == "missing" ? missing : try #require(URL(string: "https://a.b/c.png")),
      allows: false)
    for use in [ExportableRepresentation.FileUse.reading, .handingOver] {
      let error = try await #require(throws: TransferError.self) {
        try await item.exportableRepresentations().first?.loadFile(for: use)
      }
      #expect(error.code == .fileUnreadable)
    }
    let error = try await #require(throws: TransferError.self) {
      try await item.exported(as: .png)
    }
    #expect(error.code == .fileUnreadable)
    #expect(error.message.contains("c.png") || error.message.contains("missing.png"))
    let imported = try await #require(throws: TransferError.self) {
      try await Note(importing: missing, contentType: .plainText)
    }
    #expect(imported.code == .fileUnreadable)
    let inPlace = try await #require(throws: TransferError.self) {
      try await InPlace(importing: missing, contentType: .gif)
    }
    #expect(inPlace.code == .fileUnreadable)
  }

  @Test func `a folder goes as a file with everything in it`() async throws {
    let folder = directory.url.appending(path: "Book.book", directoryHint: .isDirectory)
    let inner = folder.appending(path: "inner", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
    try Data("123456789".utf8).write(to: inner.appending(path: "page"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.appending(path: "link").path, withDestinationPath: "inner/page")
    let item = Sent(file: folder, allows: false)
    let file = try #require(
      try await item.exportableRepresentations().first?.loadFile())
    #expect(file.url.lastPathComponent.hasPrefix("Book"))
    #expect(
      try String(contentsOf: file.url.appending(path: "link"), encoding: .utf8) == "123456789")
    #expect(file.size == 9)
    let archive = try await item.exported(as: nil)
    // The published check value of CRC-32 for these nine digits.
    #expect(archive.range(of: Data([0x26, 0x39, 0xF4, 0xCB])) != nil)
    #expect(
      try Self.names(in: archive) == [
        "Book.book/", "Book.book/inner/", "Book.book/inner/page", "Book.book/link",
      ])
  }

  /// The names in a ZIP archive's directory, after checking that each entry is where it says.
  static func names(in archive: Data) throws -> [String] {
    let bytes = Array(archive)
    func number(_ offset: Int, _ length: Int) -> Int {
      bytes[offset..<offset + length].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    let end = bytes.count - 22
    try #require(end >= 0 && number(end, 4) == 0x0605_4B50)
    var position = number(end + 16, 4)
    return try (0..<number(end + 10, 2)).map { _ in
      try #require(number(position, 4) == 0x0201_4B50)
      let local = number(position + 42, 4)
      try #require(number(local, 4) == 0x0403_4B50)
      try #require(number(local + 14, 4) == number(position + 16, 4))
      let length = number(position + 28, 2)
      defer { position += 46 + length + number(position + 30, 2) }
      return String(decoding: bytes[position + 46..<position + 46 + length], as: UTF8.self)
    }
  }

  @Test func `a pipe is refused rather than waited for`() async throws {
    let pipe = directory.url.appending(path: "pipe.png")
    try #require(mkfifo(pipe.path, 0o600) == 0)
    for allows in [false, true] {
      await #expect(throws: TransferError.self) {
        try await Sent(file: pipe, allows: allows).exported(as: .png)
      }
    }
    await #expect(throws: TransferError.self) {
      try await Sent(file: pipe, allows: false).exportableRepresentations().first?.loadFile()
    }
  }

  @Test func `a file that says it is empty is copied by reading`() async throws {
    let item = Sent(file: URL(filePath: "/proc/self/status"), allows: false)
    let data = try await item.exported(as: .png)
    #expect(data.starts(with: Data("Name:".utf8)))
    let file = try #require(try await item.exportableRepresentations().first?.loadFile())
    #expect(try Data(contentsOf: file.url).starts(with: Data("Name:".utf8)))
  }

  @Test func `holes stay holes`() async throws {
    let sparse = try directory.file("sparse.png", Data("start".utf8))
    let size: off_t = 8 << 30
    try #require(truncate(sparse.path, size) == 0)
    let handle = try FileHandle(forWritingTo: sparse)
    try handle.seek(toOffset: 5 << 30)
    try handle.write(contentsOf: Data("middle".utf8))
    try handle.close()
    let out = try await Sent(file: sparse, allows: false).export(
      to: directory.url, contentType: .png)
    var info = stat()
    try #require(stat(out.path, &info) == 0)
    #expect(info.st_size == size)
    #expect(info.st_blocks * 512 < 1 << 20)
    let copy = try FileHandle(forReadingFrom: out)
    try copy.seek(toOffset: 5 << 30)
    #expect(try copy.read(upToCount: 6) == Data("middle".utf8))
  }
}

@Suite("Safe file names")
struct SafeFileNameTests {
  @Test(arguments: [
    ("notes.txt", "notes.txt"), ("../../etc/passwd", "_.._etc_passwd.txt"), ("..", "Item.txt"),
    (".", "Item.txt"), ("", "Item.txt"), ("/", "_.txt"), ("a/b.txt", "a_b.txt"),
    ("a\0b.txt", "a_b.txt"), ("a\nb\u{1B}[2J.txt", "a_b_[2J.txt"), ("...hidden.txt", "hidden.txt"),
    ("back\\slash.txt", "back_slash.txt"), ("  spaced  ", "spaced.txt"), ("v1.2", "v1.2.txt"),
    ("picture.png", "picture.txt"), ("code.swift", "code.swift"), ("NOTES.TXT", "NOTES.TXT"),
    ("evil\u{202E}gnp.txt", "evil_gnp.txt"), ("\u{7F}\u{85}", "__.txt"), ("é中🙂.txt", "é中🙂.txt"),
    (".\u{301}hidden.txt", "\u{301}hidden.txt"), ("..\u{FE0F}/x.txt", "\u{FE0F}_x.txt"),
  ])
  func `names stay inside their directory`(suggestion: String, expected: String) {
    #expect(
      SafeFileName.make(suggestion, fallback: "Item", contentType: .plainText) == expected)
  }

  @Test(arguments: [
    String(repeating: "é", count: 400) + ".txt", String(repeating: "x", count: 5000),
    "a." + String(repeating: "x", count: 300), "a" + String(repeating: "\u{301}", count: 400),
    String(repeating: "👨‍👩‍👧‍👦", count: 40) + ".txt",
  ])
  func `names have at most 255 bytes and keep their extension`(suggestion: String) {
    let name = SafeFileName.make(suggestion, fallback: "Item", contentType: .plainText)
    #expect((1...255).contains(name.utf8.count))
    #expect(name.hasSuffix(".txt"))
  }

  @Test func `random suggestions are always safe`() {
    for _ in 0..<2000 {
      let scalars = (0..<Int.random(in: 0..<300)).compactMap { _ in
        Bool.random()
          ? Unicode.Scalar(UInt8.random(in: 0..<128))
          : Unicode.Scalar(UInt32.random(in: 0..<0x11_0000))
      }
      let suggestion = String(String.UnicodeScalarView(scalars))
      let name = SafeFileName.make(
        suggestion, fallback: suggestion,
        contentType: [UTType.png, .data, nil].randomElement() ?? nil)
      #expect((1...255).contains(name.utf8.count))
      #expect(!name.contains("/") && name != "." && name != ".." && !name.hasPrefix("."))
      #expect(!name.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }
}

/// Waits for a state that another thread is about to reach.
func until(_ isReached: () -> Bool) async throws {
  let deadline = ContinuousClock.now + .seconds(10)
  while !isReached() {
    try #require(ContinuousClock.now < deadline, "the state was not reached")
    await Task.yield()
  }
}

/// What an importing closure saw of its file.
final class Seen: Sendable {
  private struct State {
    var file: URL?
    var isOriginal: Bool?
    var directoryMode: Int?
    var fileMode: Int?
    var existedAtEnd: Bool?
  }

  private let state = Mutex(State())

  func note(_ received: ReceivedTransferredFile) {
    state.withLock {
      $0.file = received.file
      $0.isOriginal = received.isOriginalFile
      $0.directoryMode = try? mode(of: received.file.deletingLastPathComponent())
      $0.fileMode = try? mode(of: received.file)
    }
  }

  var file: URL? { state.withLock { $0.file } }
  var isOriginal: Bool? { state.withLock { $0.isOriginal } }
  var directoryMode: Int? { state.withLock { $0.directoryMode } }
  var fileMode: Int? { state.withLock { $0.fileMode } }
  var existedAtEnd: Bool? {
    get { state.withLock { $0.existedAtEnd } }
    set { state.withLock { $0.existedAtEnd = newValue } }
  }
}

private struct Received: Transferable {
  struct Import: Sendable {
    let make: @Sendable (ReceivedTransferredFile) async throws -> Received

    init(_ make: @escaping @Sendable (ReceivedTransferredFile) async throws -> Received) {
      self.make = make
    }
  }

  @TaskLocal static var handler: Import?

  var contents: Data

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .pdf) { file in
      try await #require(handler).make(file)
    }
  }
}

private struct InPlace: Transferable {
  var file: URL
  var isOriginal: Bool

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .gif, shouldAttemptToOpenInPlace: true) {
      InPlace(file: $0.file, isOriginal: $0.isOriginalFile)
    }
  }
}
