import Foundation
import Testing

/// A directory for one test.
final class TemporaryDirectory: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appending(
      path: "transfer-tests-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String, _ contents: Data = Data("contents".utf8)) throws -> URL {
    let file = url.appending(path: name, directoryHint: .notDirectory)
    try contents.write(to: file)
    return file
  }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: url.path).sorted() }
  }
}

func exists(_ url: URL) -> Bool {
  FileManager.default.fileExists(atPath: url.path(percentEncoded: false))
}

func mode(of url: URL) throws -> Int {
  let path = url.path(percentEncoded: false)
  let attributes = try FileManager.default.attributesOfItem(atPath: path)
  return try #require((attributes[.posixPermissions] as? NSNumber)?.intValue)
}
