import CoreTransferable
import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Places of files")
struct PlaceTests {
  @Test func `a folder is exported into itself without the copy`() async throws {
    let directory = try TemporaryDirectory()
    let inside = directory.url.appending(path: "sub/inside", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: inside, withIntermediateDirectories: true)
    _ = try directory.file("sub/kept")
    let copy = try await Folder(url: directory.url).export(to: inside, contentType: nil)
    #expect(
      try FileManager.default.subpathsOfDirectory(atPath: copy.path).sorted()
        == ["sub", "sub/inside", "sub/kept"])
  }

  @Test func `only a URL of a file is a file`() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.file("text.txt")
    let remote = try #require(URL(string: "https://example.com\(file.path)"))
    for failure in [
      await #expect(throws: TransferError.self) {
        try await Letter(importing: remote, contentType: .rtf)
      },
      await #expect(throws: TransferError.self) {
        try await String(importing: remote, contentType: .utf8PlainText)
      },
    ] {
      #expect(failure?.code == .fileUnreadable)
      #expect(failure?.message.contains("imported from") == true)
      #expect(failure?.message.contains("not a file URL") == true)
    }
    let folder = try #require(URL(string: "https://example.com\(directory.url.path)"))
    let refused = await #expect(throws: TransferError.self) {
      try await Letter().export(to: folder, contentType: nil)
    }
    #expect(refused?.code == .fileUnreadable)
    #expect(try directory.names == ["text.txt"])
  }
}

private struct Folder: Transferable {
  var url: URL

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(exportedContentType: .folder) { SentTransferredFile($0.url) }
  }
}

private struct Letter: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(importedContentType: .rtf) { _ in Letter() }
    DataRepresentation(exportedContentType: .rtf) { _ in Data() }
  }
}
