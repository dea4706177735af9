import CSQLite
import Foundation
import Glibc

@testable import SessionHelper

/// A history that is asked over and over.
final class SharedHistory: @unchecked Sendable {
  // The targets run one after the other.
  private let store: HistoryStore

  static let shared = SharedHistory()

  private init?() {
    guard let folder = ScratchFolder.shared,
      let store = try? DamagedHistory.made(in: folder.path + "/history")
    else { return nil }
    self.store = store
  }

  func search(_ words: String) throws(BrokenLaw) {
    do throws(HistoryError) {
      _ = try store.search(words, limit: 10)
    } catch {
      throw BrokenLaw("the search fails: \(error.description)")
    }
  }
}

/// Histories that something else has written into.
enum DamagedHistory {
  private static let now: Int64 = 1_700_000_000_000

  static func made(in path: String) throws -> HistoryStore {
    let store = try HistoryStore(HistoryFolder(path: path), now: now)
    for number in 0..<3 {
      let bytes = KeptBytes(limit: 1 << 20)
      try bytes.append(Array("entry \(number) of some length".utf8))
      _ = try store.record(
        [("UTF8_STRING", KeptValue(bytes: bytes, typeName: "UTF8_STRING"))],
        now: now + Int64(number))
    }
    return store
  }

  /// A sound history's file.
  static let file: [UInt8] = {
    guard let folder = ScratchFolder.shared else { return [] }
    let path = folder.path + "/sound"
    do {
      let store = try made(in: path)
      withExtendedLifetime(store) {}
    } catch { return [] }
    return (try? Data(contentsOf: URL(filePath: path + "/history.sqlite"))).map { Array($0) } ?? []
  }()

  /// Opens a file as a history, and asks it everything.
  static func check(file: [UInt8]) throws(BrokenLaw) {
    guard let folder = ScratchFolder.shared else { throw BrokenLaw("no folder") }
    let path = folder.path + "/damaged"
    try? FileManager.default.removeItem(atPath: path)
    mkdir(path, 0o700)
    try folder.write(file, as: "damaged/history.sqlite")
    exercise(path)
  }

  /// Puts numbers into the columns of a sound history.
  static func check(rows input: [UInt8]) throws(BrokenLaw) {
    guard let folder = ScratchFolder.shared else { throw BrokenLaw("no folder") }
    let path = folder.path + "/rows"
    try? FileManager.default.removeItem(atPath: path)
    mkdir(path, 0o700)
    try folder.write(file, as: "rows/history.sqlite")
    let columns = [
      "item.used", "item.bytes", "item.pinned", "item.fingerprint", "item.life",
      "representation.format",
      "representation.place",
    ]
    let values: [String] = [
      "0", "-1", "9223372036854775807", "-9223372036854775808", "7", "'text'", "x'00FF'",
      "4611686018427387904",
    ]
    var handle: OpaquePointer?
    guard sqlite3_open(path + "/history.sqlite", &handle) == SQLITE_OK else { return }
    for pair in stride(from: 0, to: input.count - 1, by: 2) {
      let names = columns[Int(input[pair]) % columns.count].split(separator: ".")
      let value = values[Int(input[pair + 1]) % values.count]
      sqlite3_exec(
        handle, "UPDATE \(names[0]) SET \(names[1]) = \(value) WHERE rowid = \(input[pair] / 64)",
        nil, nil, nil)
      sqlite3_exec(
        handle,
        "UPDATE \(names[0]) SET \(names[1]) = \(value) WHERE rowid > \(input[pair + 1] / 64)", nil,
        nil, nil)
    }
    sqlite3_close_v2(handle)
    exercise(path)
  }

  private static func exercise(_ path: String) {
    do throws(any Error) {
      let store = try HistoryStore(HistoryFolder(path: path), now: now + 10)
      for item in try store.list(limit: 50) {
        for one in try store.representations(of: item.id) { _ = try store.bytes(of: one) }
      }
      _ = try store.search("entry", limit: 10)
      _ = try store.nextExpiry()
      let bytes = KeptBytes(limit: 1 << 20)
      try bytes.append(Array("another".utf8))
      let number = try store.record(
        [("STRING", KeptValue(bytes: bytes, typeName: "STRING"))], now: now + 20)
      if let number { _ = try store.pin(number, true) }
      _ = try store.purge(last: 1)
      try store.trim(now: now + 30)
    } catch {
      // An error is a good answer.
    }
  }
}
