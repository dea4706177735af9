import Foundation
import TestServer

/// What a process and its connections hold, at one moment.
struct Figures: CustomStringConvertible {
  var descriptors: Int
  var threads: Int
  /// Windows that the server has, of all clients.
  var windows: Int
  /// Atoms that the server knows; they never go away.
  var atoms: Int
  /// Events that anybody wants of the window at hand, by name.
  var wanted: [String]
  /// Resident bytes.
  var resident: Int

  /// - Parameter window: A window of another client, whose events are looked at.
  init(display: String, window: UInt32? = nil) throws {
    descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
    windows = try Self.lines("xwininfo", ["-root", "-tree"], display).count { $0.contains("0x") }
    atoms = try Self.lines("xlsatoms", [], display).count
    wanted = []
    if let window {
      let lines = try Self.lines("xwininfo", ["-id", String(window), "-events"], display)
      wanted = lines.map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }
    resident = (line?.split { !$0.isNumber }.first).flatMap { Int($0) }.map { $0 << 10 } ?? 0
  }

  private static func lines(_ program: String, _ arguments: [String], _ display: String) throws
    -> [String]
  {
    try run(program, arguments, display: display).text.split(separator: "\n").map(String.init)
  }

  var description: String {
    "\(descriptors) descriptors, \(threads) threads, \(windows) windows, \(atoms) atoms, \(resident >> 10) KiB"
  }

  /// What has grown since, apart from memory; empty where nothing has.
  func growth(since before: Figures) -> [String] {
    var all: [String] = []
    if descriptors > before.descriptors {
      all.append("descriptors: \(before.descriptors), now \(descriptors)")
    }
    if threads > before.threads + 2 { all.append("threads: \(before.threads), now \(threads)") }
    if windows > before.windows { all.append("windows: \(before.windows), now \(windows)") }
    if atoms > before.atoms { all.append("atoms: \(before.atoms), now \(atoms)") }
    if wanted != before.wanted { all.append("events: \(before.wanted), now \(wanted)") }
    return all
  }
}

/// Bytes of which each tells which content it belongs to, and where it stands.
struct Pattern: Sendable {
  let version: Int
  let count: Int

  /// A period that no power of two divides, so that blocks in a wrong order show.
  private static let period = 65_521

  var bytes: [UInt8] {
    let block = Self.block(version)
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      var start = 0
      while start < count {
        let length = min(block.count, count - start)
        for index in 0..<length { buffer[start + index] = block[index] }
        start += length
      }
      initialized = count
    }
  }

  static func block(_ version: Int) -> [UInt8] {
    (0..<period).map { UInt8(truncatingIfNeeded: ($0 &* 31 &+ version &* 17) >> 2 ^ version) }
  }
}
