import CLinux
import CoreTransferable
import Foundation
import Glibc
import Testing
import UniformTypeIdentifiers

/// What only a process of its own shows.
@Suite("Memory and leftovers of a process")
struct ProcessTests {
  @Test func `a file of 64 megabytes costs no memory`() async {
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let big = try directory.file("big.png")
      let block = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31) })
      let handle = try FileHandle(forWritingTo: big)
      for _ in 0..<64 { try handle.write(contentsOf: block) }
      try handle.close()
      let item = Sent(file: big, allows: false)
      // The first use loads libraries and starts threads.
      _ = try await "x".withExportedFile(contentType: nil) { $0 }
      let before = try memory("VmHWM")
      let out = try await item.export(to: directory.url, contentType: .png)
      let file = try #require(try await item.exportableRepresentations().first?.loadFile())
      _ = try await Copied(importing: big, contentType: .png)
      let provider = NSItemProvider()
      provider.register(item)
      let loaded = await provider.loadFile(.png, reads: false)
      #expect(loaded.error == nil)
      let growth = try memory("VmHWM") - before
      #expect(growth < 8 << 20, "grew by \(growth) bytes")
      let contents = try await item.exported(as: .png)
      let anonymous = try memory("RssAnon") - before
      #expect(anonymous < 8 << 20, "data is mapped, not read")
      #expect(contents.count == 64 << 20)
      #expect(contents.suffix(1 << 20) == block)
      for copy in [out, file.url] {
        #expect(FileManager.default.contentsEqual(atPath: big.path, andPath: copy.path))
      }
    }
  }

  @Test func `rich forms of text come before plain text`() async {
    await #expect(processExitsWith: .success) {
      for version in ["old", "new"] {
        AttributedString.addTransferRepresentation(contentType: .html) { text in
          Data("<\(version)>\(String(text.characters))".utf8)
        } importing: { data in
          AttributedString(String(decoding: data.dropFirst(5), as: UTF8.self))
        }
      }
      AttributedString.addTransferRepresentation(contentType: .rtf) { _ in
        Data()
      } importing: { _ in
        AttributedString("")
      }
      let text = AttributedString("Ada")
      #expect(text.exportedContentTypes() == [.html, .rtf, .utf8PlainText])
      let html = try await text.exported(as: .html)
      #expect(html == Data("<new>Ada".utf8))
      #expect(try await AttributedString(importing: html, contentType: .html) == text)
      let plain = try await text.exported(as: .plainText)
      #expect(plain == Data("Ada".utf8))
      #expect(String.importedContentTypes() == [.utf8PlainText])
    }
  }

  @Test func `a process leaves no received file behind`() async throws {
    let directory = try TemporaryDirectory()
    let path = directory.url.path(percentEncoded: false)
    await #expect(processExitsWith: .exitCode(7)) { [path = path as String] in
      setenv("TMPDIR", path, 1)
      let file = try TransferFile(suggestedName: "a", fallback: "b", contentType: .png)
      try Data([1]).write(to: file.url)
      guard file.url.path(percentEncoded: false).hasPrefix(path), exists(file.url) else { exit(1) }
      withExtendedLifetime(file) { exit(7) }
    }
    #expect(try directory.names == [])
  }

  @Test func `a forked child and a program that is started leave their parent's files alone`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let path = directory.url.path(percentEncoded: false)
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("TMPDIR", path, 1)
      var file: TransferFile? = try TransferFile(
        suggestedName: "a", fallback: "b", contentType: .png)
      let url = try #require(file?.url)
      try Data([1]).write(to: url)
      // One that ends in order, one that lets go of what it has from its parent, one that is killed.
      for way in 0..<3 {
        let child = cl_fork()
        if child == 0 {
          switch way {
          case 0: exit(0)
          case 1:
            file = nil
            exit(0)
          default: kill(getpid(), SIGKILL)
          }
        }
        try #require(child > 0)
        var status: Int32 = 0
        try #require(waitpid(child, &status, 0) == child)
        #expect(exists(url), "way \(way)")
      }
      var process: pid_t = 0
      var words: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
      defer { free(words[0]) }
      try #require(posix_spawnp(&process, "true", nil, nil, &words, environ) == 0)
      var status: Int32 = 0
      waitpid(process, &status, 0)
      #expect(exists(url))
      withExtendedLifetime(file) {}
    }
    #expect(try directory.names == [])
  }

  @Test func `what a killed process left is removed by the next one, and nothing else`()
    async throws
  {
    let directory = try TemporaryDirectory()
    let path = directory.url.path(percentEncoded: false)
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
      setenv("TMPDIR", path, 1)
      let file = try TransferFile(suggestedName: "a", fallback: "b", contentType: .png)
      try Data([1]).write(to: file.url)
      withExtendedLifetime(file) { _ = kill(getpid(), SIGKILL) }
    }
    let left = try #require(try directory.names.first)
    // Others of that name: one in use, one that is open to all, one too young, a file, a link.
    let prefix = String(left.dropLast(6))
    let used = path + "/" + prefix + "in-use"
    for (name, mode) in [("in-use", 0o700), ("opened", 0o755), ("young1", 0o700)]
      as [(String, mode_t)]
    {
      try #require(mkdir(path + "/" + prefix + name, mode) == 0)
    }
    try Data().write(to: directory.url.appending(path: prefix + "afile1"))
    try #require(symlink("/", path + "/" + prefix + "alink1") == 0)
    let lock = open(used, O_RDONLY)
    try #require(flock(lock, LOCK_SH) == 0)
    defer { close(lock) }
    let names = try directory.names
    for name in names where !name.hasSuffix("young1") {
      var times = [
        timeval(tv_sec: 1_000_000_000, tv_usec: 0), timeval(tv_sec: 1_000_000_000, tv_usec: 0),
      ]
      lutimes(path + "/" + name, &times)
    }
    await #expect(processExitsWith: .success) { [path = path as String] in
      setenv("TMPDIR", path, 1)
      let file = try TransferFile(suggestedName: "a", fallback: "b", contentType: .png)
      withExtendedLifetime(file) {}
    }
    #expect(Set(try directory.names) == Set(names).subtracting([left]))
  }
}

/// A figure of this process's memory, in bytes.
func memory(_ name: String) throws -> Int {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("\(name):") })
  let kilobytes = line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
  return try #require(kilobytes) * 1024
}

struct Sent: Transferable {
  var file: URL
  var allows: Bool

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(exportedContentType: .png, shouldAllowToOpenInPlace: true) {
      SentTransferredFile($0.file, allowAccessingOriginalFile: $0.allows)
    }
  }
}

struct Copied: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .png) { _ in Copied() }
  }
}
