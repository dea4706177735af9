import Foundation
import Testing

@testable import SessionHelper

/// The numbers are those of the invariants of `HistoryStore`.
@Suite struct HistoryTests {
  /// A folder of its own for each test.
  private final class Place {
    let folder: HistoryFolder
    init() throws {
      folder = HistoryFolder(
        path: FileManager.default.temporaryDirectory.appending(path: "pb-" + UUID().uuidString)
          .path)
    }
    deinit { try? FileManager.default.removeItem(atPath: folder.path) }

    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Whether any file of the folder contains a text.
    func holds(_ text: String) throws -> Bool {
      try FileManager.default.contentsOfDirectory(atPath: folder.path).contains { name in
        try Data(contentsOf: URL(fileURLWithPath: folder.path + "/" + name))
          .range(of: Data(text.utf8)) != nil
      }
    }
  }

  private func value(_ text: String, _ target: String = "UTF8_STRING") throws
    -> (target: String, value: KeptValue)
  {
    let bytes = KeptBytes(limit: 1 << 30)
    try bytes.append(Array(text.utf8))
    return (target, KeptValue(bytes: bytes, typeName: target))
  }

  private func record(_ store: HistoryStore, _ texts: String..., now: Int64 = 1_000) throws {
    for (index, text) in texts.enumerated() {
      _ = try store.record([value(text)], now: now + Int64(index))
    }
  }

  // 1
  @Test func foldersAndFilesArePrivate() throws {
    let place = try Place()
    let store = try HistoryStore(place.folder, now: 1_000)
    try record(store, "a")
    #expect(try place.mode(place.folder.path) == 0o700)
    for name in try FileManager.default.contentsOfDirectory(atPath: place.folder.path) {
      #expect(try place.mode(place.folder.path + "/" + name) == 0o600)
    }
    #expect(FileManager.default.fileExists(atPath: place.folder.path + "/CACHEDIR.TAG"))
  }

  @Test(arguments: ["folder", "file", "link"])
  func looserPlacesAreRefused(what: String) throws {
    let place = try Place()
    do {
      let store = try HistoryStore(place.folder, now: 1_000)
      try record(store, "kept")
    }
    let manager = FileManager.default
    switch what {
    case "folder":
      try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.folder.path)
    case "file":
      try manager.setAttributes([.posixPermissions: 0o644], ofItemAtPath: place.folder.file)
    default:
      try manager.moveItem(atPath: place.folder.file, toPath: place.folder.path + "/other")
      try manager.createSymbolicLink(
        atPath: place.folder.file, withDestinationPath: place.folder.path + "/other")
    }
    #expect(throws: HistoryError.self) { try HistoryStore(place.folder, now: 1_000) }
    if what == "folder" {
      try manager.setAttributes([.posixPermissions: 0o700], ofItemAtPath: place.folder.path)
    }
  }

  // 2
  @Test func whatWasRecordedIsThereWhenOpenedAgain() throws {
    let place = try Place()
    do {
      let store = try HistoryStore(place.folder, now: 1_000)
      _ = try store.record(
        [value("text"), value("<b>text</b>", "text/html"), value("", "application/x-empty")],
        now: 1_000)
    }
    let store = try HistoryStore(place.folder, now: 1_001)
    let items = try store.list(limit: 10)
    #expect(items.map(\.preview) == ["text"])
    let all = try store.representations(of: try #require(items.first).id)
    #expect(all.map(\.target) == ["UTF8_STRING", "text/html", "application/x-empty"])
    #expect(
      try all.map { String(decoding: try store.bytes(of: $0), as: UTF8.self) } == [
        "text", "<b>text</b>", "",
      ])
  }

  @Test func theSameContentIsOneItem() throws {
    let place = try Place()
    let store = try HistoryStore(place.folder, now: 1_000)
    try record(store, "a", "b", "a", "a")
    #expect(try store.list(limit: 10).map(\.preview) == ["a", "b"])
    // 4
    #expect(try store.list(limit: 10).map(\.id) == [1, 2])
  }

  @Test func moreOfTheSameCopyReplacesIt() throws {
    let place = try Place()
    let store = try HistoryStore(place.folder, now: 1_000)
    let first = try store.record([value("a")], now: 1_000)
    let second = try store.record(
      [value("a"), value("png", "image/png")], replacing: first, now: 1_001)
    #expect(first == second)
    #expect(
      try store.representations(of: try #require(second)).map(\.target) == [
        "UTF8_STRING", "image/png",
      ])
    #expect(try store.list(limit: 10).count == 1)
  }

  // 3
  @Test(arguments: ["delete", "purge", "age", "number", "erase"])
  func whatWasDeletedIsGoneFromEveryFile(how: String) throws {
    let place = try Place()
    var limits = HistoryStore.Limits()
    limits.items = how == "number" ? 2 : 200
    var store: HistoryStore? = try HistoryStore(place.folder, limits: limits, now: 1_000)
    let secret = "zanzibarquux"
    let long = secret + String(repeating: " filler", count: 5_000)
    let id = try #require(try store?.record([value(long)], now: 1_000))
    if let store { try record(store, "other", now: 2_000) }
    #expect(try place.holds(secret))
    switch how {
    case "delete": #expect(try store?.delete([id]) == 1)
    case "purge": #expect(try store?.purge(last: nil) == 2)
    case "age": try store?.trim(now: 1_000 + limits.age)
    case "number": if let store { try record(store, "third", now: 3_000) }
    default:
      store = nil
      try place.folder.erase()
    }
    #expect(try !place.holds(secret))
    #expect(try store?.search(secret, limit: 10).isEmpty != false)
  }

  // 4
  @Test func numbersAreNotUsedTwice() throws {
    let place = try Place()
    let store = try HistoryStore(place.folder, now: 1_000)
    try record(store, "a")
    #expect(try store.delete([1]) == 1)
    try record(store, "b")
    #expect(try store.list(limit: 10).map(\.id) == [2])
  }

  // 5
  @Test(arguments: ["text", "page", "short", "other"])
  func aDamagedFileIsMovedAside(how: String) throws {
    let place = try Place()
    do {
      let store = try HistoryStore(place.folder, now: 1_000)
      for number in 0..<50 {
        try record(store, "item \(number)" + String(repeating: "x", count: 2_000))
      }
    }
    let file = URL(fileURLWithPath: place.folder.file)
    var bytes = try Data(contentsOf: file)
    switch how {
    case "text": bytes = Data("this is no database".utf8)
    case "page":
      for index in 4_096..<(bytes.count - 4_096) { bytes[index] = 0xAA }
    case "short": bytes = bytes.prefix(bytes.count / 2 & ~4_095)
    default:
      // Another program's database: its header is fine.
      try FileManager.default.removeItem(at: file)
      let other = try Database(path: place.folder.file)
      try other.execute("CREATE TABLE strange(x)")
      bytes = try Data(contentsOf: file)
    }
    try bytes.write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    let store = try HistoryStore(place.folder, now: 2_000)
    let aside = try #require(store.movedAside)
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == bytes)
    try record(store, "new", now: 2_000)
    #expect(try store.list(limit: 10).map(\.preview) == ["new"])
  }

  @Test func aFileOfTheFirstVersionIsTakenOver() throws {
    let place = try Place()
    try place.folder.prepare()
    do {
      let first = try Database(path: place.folder.file)
      try first.execute(
        """
        CREATE TABLE item(
          id INTEGER PRIMARY KEY AUTOINCREMENT, used INTEGER NOT NULL,
          pinned INTEGER NOT NULL DEFAULT 0, fingerprint INTEGER NOT NULL, bytes INTEGER NOT NULL,
          preview TEXT NOT NULL);
        CREATE INDEX item_used ON item(pinned, used);
        CREATE INDEX item_fingerprint ON item(fingerprint);
        CREATE TABLE representation(
          item INTEGER NOT NULL REFERENCES item(id) ON DELETE CASCADE, place INTEGER NOT NULL,
          target TEXT NOT NULL, type TEXT NOT NULL, format INTEGER NOT NULL, bytes BLOB NOT NULL,
          UNIQUE(item, place));
        CREATE VIRTUAL TABLE search USING fts5(preview, content='item', content_rowid='id');
        INSERT INTO item VALUES(7, 900, 1, 5, 3, 'old');
        INSERT INTO representation VALUES(7, 0, 'UTF8_STRING', 'UTF8_STRING', 8, x'6F6C64');
        INSERT INTO search(search) VALUES('rebuild');
        PRAGMA application_id = \(0x5831_5042);
        PRAGMA user_version = 1;
        """)
    }
    let store = try HistoryStore(place.folder, now: 1_000)
    #expect(store.movedAside == nil)
    try record(store, "new")
    #expect(try store.list(limit: 10).map(\.id) == [8, 7])
    #expect(try store.search("old", limit: 10).map(\.isPinned) == [true])
    #expect(
      try store.bytes(of: try #require(store.representations(of: 7).first)) == Array("old".utf8))
    #expect(try store.expire(7, in: 50, now: 2_000))
    #expect(try store.nextExpiry() == 2_050)
  }

  @Test(arguments: [
    "UPDATE item SET bytes = 9223372036854775807", "UPDATE item SET used = 9223372036854775807",
    "UPDATE item SET used = -1", "UPDATE item SET bytes = 'many'",
    "UPDATE item SET life = 9223372036854775807", "UPDATE representation SET format = 7",
  ])
  func aFileWithImpossibleNumbersIsMovedAside(change: String) throws {
    let place = try Place()
    do {
      let store = try HistoryStore(place.folder, now: 1_000)
      try record(store, "a", "b")
      try Database(path: place.folder.file).execute(change)
    }
    let store = try HistoryStore(place.folder, now: 2_000)
    #expect(store.movedAside != nil)
    try record(store, "new", now: 2_000)
    #expect(try store.list(limit: 10).map(\.preview) == ["new"])
  }

  @Test(arguments: ["\"x\"\u{9C3} y", "\"\u{301}", "\0\u{301}x", "a\"b", "NEAR(", "* - ^ :"])
  func anUnusualSearchFindsNothing(words: String) throws {
    let place = try Place()
    let store = try HistoryStore(place.folder, now: 1_000)
    try record(store, "entry")
    #expect(try store.search(words, limit: 10) == [])
    withExtendedLifetime(place) {}
  }

  @Test func aFileOfALaterVersionIsLeftAlone() throws {
    let place = try Place()
    do {
      _ = try HistoryStore(place.folder, now: 1_000)
      let later = try Database(path: place.folder.file)
      try later.execute("PRAGMA user_version = 3")
    }
    let before = try Data(contentsOf: URL(fileURLWithPath: place.folder.file))
    do {
      _ = try HistoryStore(place.folder, now: 1_000)
      Issue.record("a later version was opened")
    } catch {
      #expect(error.code == .newer)
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: place.folder.file)) == before)
  }

  // Budgets
  @Test func pinsAreOutsideOfAllLimits() throws {
    let place = try Place()
    var limits = HistoryStore.Limits()
    limits.items = 2
    let store = try HistoryStore(place.folder, limits: limits, now: 1_000)
    try record(store, "pinned")
    #expect(try store.pin(1, true))
    #expect(try !store.pin(99, true))
    try record(store, "b", "c", "d", now: 2_000)
    #expect(Set(try store.list(limit: 10).map(\.preview)) == ["pinned", "c", "d"])
    try store.trim(now: 1_000_000_000_000)
    #expect(try store.list(limit: 10).map(\.preview) == ["pinned"])
    #expect(try store.nextExpiry() == nil)
    #expect(try store.purge(last: nil) == 0)
  }

  @Test func aClockThatWasWrongKeepsNothingForEver() throws {
    let store = try HistoryStore(nil, now: 1_000)
    let later: Int64 = 400 * 86_400_000
    try record(store, "a", "b", now: later)
    try record(store, "c", now: 2_000)
    #expect(try store.list(limit: 9).map(\.preview) == ["c", "b", "a"])
    #expect(try store.list(limit: 9).allSatisfy { $0.used < 2_010 })
    try store.trim(now: 2_010 + store.limits.age)
    #expect(try store.list(limit: 9).isEmpty)
    let id = try #require(
      try store.record(
        [try value("d")], origin: .init(isPinned: false, used: later), now: 3_000))
    #expect(try store.item(id)?.used == 3_000)
  }

  @Test func bytesAreBounded() throws {
    let place = try Place()
    var limits = HistoryStore.Limits()
    limits.bytes = 250
    limits.representation = 100
    let store = try HistoryStore(place.folder, limits: limits, now: 1_000)
    for (number, letter) in ["a", "b", "c"].enumerated() {
      try record(store, String(repeating: letter, count: 100), now: Int64(2_000 + number))
    }
    #expect(try store.list(limit: 10).map { $0.preview.first } == ["c", "b"])
    #expect(try store.record([value(String(repeating: "x", count: 101))], now: 3_000) == nil)
    let mixed = try store.record(
      [value("small"), value(String(repeating: "x", count: 101), "image/png")], now: 3_000)
    #expect(try store.representations(of: try #require(mixed)).map(\.target) == ["UTF8_STRING"])
  }

  @Test func anAgeIsExactAcrossARestart() throws {
    let place = try Place()
    var limits = HistoryStore.Limits()
    limits.age = 5
    do {
      let store = try HistoryStore(place.folder, limits: limits, now: 1_000)
      try record(store, "a")
      #expect(try store.nextExpiry() == 1_005)
      try store.trim(now: 1_004)
      #expect(try store.list(limit: 10).count == 1)
    }
    let store = try HistoryStore(place.folder, limits: limits, now: 1_005)
    #expect(try store.list(limit: 10).isEmpty)
  }

  // Finding
  @Test(arguments: [
    "(", "\"", "*", "a OR", "NEAR(", "-", "^x", "a:b", "\u{0}", "'; DROP TABLE item;",
  ])
  func oddSearchesAreNoErrors(words: String) throws {
    let place = try Place()
    let store = try HistoryStore(place.folder, now: 1_000)
    try record(store, "hello world")
    _ = try store.search(words, limit: 10)
    #expect(try store.search("wor hel", limit: 10).map(\.preview) == ["hello world"])
  }

  @Test func previewsAreOneLine() throws {
    let all = try HistoryPreview.line([value("a\tb\nc\u{1B}[31m日本語\u{202E}\"")])
    #expect(all == "a\u{2409}b\u{240A}c\u{241B}[31m日本語\u{FFFD}\"")
    #expect(try HistoryPreview.line([value("png", "image/png")]) == "[image/png, 3 bytes]")
    let long = try HistoryPreview.line([value(String(repeating: "é", count: 600) + "x")])
    #expect(long == String(repeating: "é", count: 512))
    let odd = try HistoryPreview.line([value("x" + String(repeating: "é", count: 600))])
    #expect(odd == "x" + String(repeating: "é", count: 511))
  }
}
