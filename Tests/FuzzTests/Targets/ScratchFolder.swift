import Foundation
import Glibc

/// A folder for readers that take paths, removed when the process ends.
final class ScratchFolder: Sendable {
  let path: String

  static let shared = ScratchFolder()

  private init?() {
    var template = Array((NSTemporaryDirectory() + "/fuzz-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    atexit {
      guard let path = ScratchFolder.shared?.path else { return }
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// Writes a file in place of what bore its name.
  func write(_ bytes: [UInt8], as name: String) throws(BrokenLaw) {
    let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw BrokenLaw("\(name) cannot be written") }
    defer { close(file) }
    guard Glibc.write(file, bytes, bytes.count) == bytes.count else {
      throw BrokenLaw("\(name) cannot be written")
    }
  }

  /// A compiled MIME database with one of everything.
  func compiledDatabase(tool: String) -> [UInt8] {
    let folder = path + "/mime"
    let package = """
      <?xml version="1.0" encoding="UTF-8"?>
      <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
      <mime-type type="application/x-note"><comment>note</comment><alias type="text/x-note"/>
      <sub-class-of type="text/plain"/><glob pattern="*.note"/><glob pattern="NOTE?[a-z]*"/>
      <glob pattern="README.note"/><magic priority="60"><match type="string" value="NOTE" offset="0:8">
      <match type="byte" value="0x31" mask="0xF0" offset="4"/></match></magic>
      <icon name="note"/><generic-icon name="text-x-generic"/></mime-type></mime-info>
      """
    try? FileManager.default.createDirectory(
      atPath: folder + "/packages", withIntermediateDirectories: true)
    try? Data(package.utf8).write(to: URL(filePath: folder + "/packages/fuzz.xml"))
    var process: pid_t = 0
    var words: [UnsafeMutablePointer<CChar>?] = [strdup(tool), strdup(folder), nil]
    defer { for word in words { free(word) } }
    var status: Int32 = 0
    guard posix_spawn(&process, tool, nil, nil, &words, environ) == 0,
      waitpid(process, &status, 0) == process
    else { return [] }
    return (try? Data(contentsOf: URL(filePath: folder + "/mime.cache"))).map { Array($0) } ?? []
  }
}
