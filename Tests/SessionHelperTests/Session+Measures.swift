import Foundation
import Testing

extension Session {
  /// A number of `/proc/PID/status` of the helper, such as `VmRSS` in kibibytes.
  func memory(_ field: String) throws -> Int {
    let process = try #require(helper).processIdentifier
    let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    let line = try #require(status.split(separator: "\n").first { $0.hasPrefix(field) })
    return try #require(line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) })
  }

  /// How many descriptors the helper has open.
  func descriptors() throws -> Int {
    let process = try #require(helper).processIdentifier
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/fd").count
  }

  /// Searches the writable memory of the helper.
  func memoryOfHelperContains(_ text: String) throws -> Bool {
    let process = try #require(helper).processIdentifier
    // `String(contentsOfFile:)` ends such a file, which has no size, at the first short read: after 4 KiB.
    let file = try #require(FileHandle(forReadingAtPath: "/proc/\(process)/maps"))
    let maps = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
    let memory = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
    try #require(memory >= 0)
    defer { close(memory) }
    let wanted = Data(text.utf8)
    var searched = 0
    for line in maps.split(separator: "\n") where line.contains(" rw") {
      let bounds = line.prefix { $0 != " " }.split(separator: "-")
      guard bounds.count == 2, let start = UInt64(bounds[0], radix: 16),
        let end = UInt64(bounds[1], radix: 16), end - start < 1 << 30
      else { continue }
      // Page by page: one that cannot be read, as of a stack that grows, must not hide the others.
      var carried = Data()
      var page = [UInt8](repeating: 0, count: 4_096)
      for offset in stride(from: start, to: end, by: 4_096) {
        let count = pread(memory, &page, page.count, off_t(offset))
        guard count > 0 else {
          carried = Data()
          continue
        }
        searched += count
        let data = carried + page[..<count]
        if data.range(of: wanted) != nil { return true }
        carried = Data(data.suffix(wanted.count - 1))
      }
    }
    try #require(searched > 100_000)
    return false
  }

  /// The files below the session's directory that hold a text.
  func filesContaining(_ text: String) throws -> [String] {
    let wanted = Data(text.utf8)
    return try FileManager.default.subpathsOfDirectory(atPath: directory.path).filter { name in
      FileManager.default.contents(atPath: directory.path + "/" + name)?.range(of: wanted) != nil
    }
  }
}
