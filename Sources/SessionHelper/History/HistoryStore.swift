internal import Glibc

/// What was copied, on disk: off until it is turned on, which makes the file; turned off, which removes it.
///
/// Invariants
///  1. The folder is the user's own with mode 0700, files have mode 0600 from their first byte, and a symbolic link
///     in their place is refused.
///  2. Every change is one transaction; what was confirmed survives a kill at any moment.
///  3. What was deleted is gone from the file, its log and its index: pages are overwritten, the index is built
///     anew, and the log is emptied.
///  4. Numbers of items are never used twice.
///  5. A damaged file is moved aside, never written over. A file of a later version is left alone.
final class HistoryStore {
  struct Limits: Equatable {
    /// The most items that are not pinned.
    var items = 200
    /// The most bytes of items that are not pinned.
    var bytes = 64 << 20
    /// The most bytes of one representation; larger ones are left out.
    var representation = 8 << 20
    /// Milliseconds after which an item that is not pinned is deleted.
    var age: Int64 = 7 * 86_400_000
  }

  struct Item: Equatable {
    var id: Int64
    var isPinned: Bool
    /// Milliseconds since 1970 when it was copied last; no two items have the same.
    var used: Int64
    var bytes: Int64
    var preview: String
  }

  static let version: Int64 = 1
  private static let application = 0x5831_5042
  private static let schema = """
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
    PRAGMA application_id = \(application);
    PRAGMA user_version = \(version);
    """

  let limits: Limits
  private let database: Database
  /// Where a damaged file was moved to when this one was opened.
  let movedAside: String?

  /// Opens the history of a folder, which is made where it is missing.
  init(_ folder: HistoryFolder, limits: Limits = Limits(), now: Int64) throws(HistoryError) {
    try folder.prepare()
    self.limits = limits
    do {
      database = try Self.opened(folder)
      movedAside = nil
    } catch {
      guard error.code == .damaged else { throw error }
      movedAside = try folder.moveAside(now: now)
      database = try Self.opened(folder)
    }
    try trim(now: now)
  }

  private static func opened(_ folder: HistoryFolder) throws(HistoryError) -> Database {
    try folder.makeFile()
    let database = try Database(path: folder.file)
    try database.execute(
      """
      PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
      PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512; PRAGMA mmap_size = 0;
      """)
    let version = try database.number("PRAGMA user_version") ?? 0
    guard version <= Self.version else {
      throw HistoryError(
        code: .newer, description: "\(folder.file) was written by a later version")
    }
    guard try database.text("PRAGMA quick_check(1)") == "ok" else {
      throw HistoryError(code: .damaged, description: "the content contradicts itself")
    }
    let isOurs =
      try version == 0
      ? database.number("SELECT count(*) FROM sqlite_master") == 0
      : database.number("PRAGMA application_id") == Int64(application)
    guard isOurs else {
      throw HistoryError(code: .damaged, description: "the file is no history")
    }
    try database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;")
    if version == 0 {
      try database.transaction { () throws(HistoryError) in try database.execute(schema) }
    }
    return database
  }

  // MARK: Recording

  /// Stores what was copied; the same content moves to the top.
  ///
  /// - Parameter replacing: An item of the same copy, of which more is known now.
  /// - Returns: The item's number; `nil` where nothing of it is small enough.
  func record(
    _ values: [(target: String, value: KeptValue)], replacing: Int64? = nil, now: Int64
  ) throws(HistoryError) -> Int64? {
    let kept = values.filter { $0.value.bytes.byteCount <= limits.representation }
    let size = kept.reduce(0) { $0 + $1.value.bytes.byteCount }
    guard !kept.isEmpty, size <= limits.bytes else { return nil }
    let fingerprint = Self.fingerprint(of: kept)
    var number: Int64?
    try database.transaction { () throws(HistoryError) in
      let latest = try database.number("SELECT max(used) FROM item") ?? 0
      let now = max(now, latest + 1)
      if let same = try find(kept, fingerprint) {
        try database.run(
          "UPDATE item SET used = ? WHERE id = ?", .integer(now), .integer(same))
        number = same
        if let replacing, replacing != same { try remove([replacing]) }
        return
      }
      if let replacing,
        try database.number("SELECT 1 FROM item WHERE id = ?", .integer(replacing)) != nil
      {
        try database.run("DELETE FROM representation WHERE item = ?", .integer(replacing))
        try database.run(
          "UPDATE item SET used = ?, fingerprint = ?, bytes = ?, preview = ? WHERE id = ?",
          .integer(now), .integer(fingerprint), .integer(Int64(size)),
          .text(HistoryPreview.line(kept)), .integer(replacing))
        number = replacing
      } else {
        try database.run(
          "INSERT INTO item(used, fingerprint, bytes, preview) VALUES(?, ?, ?, ?)", .integer(now),
          .integer(fingerprint), .integer(Int64(size)), .text(HistoryPreview.line(kept)))
        number = database.lastRow
      }
      guard let number else { return }
      for (place, entry) in kept.enumerated() {
        try database.run(
          "INSERT INTO representation(item, place, target, type, format, bytes) VALUES(?,?,?,?,?,?)",
          .integer(number), .integer(Int64(place)), .text(entry.target),
          .text(entry.value.typeName), .integer(Int64(entry.value.format)),
          .bytes(entry.value.bytes.array))
      }
      try database.execute("INSERT INTO search(search) VALUES('rebuild')")
    }
    try trim(now: now)
    return number
  }

  /// The item with exactly this content.
  private func find(
    _ values: [(target: String, value: KeptValue)], _ fingerprint: Int64
  ) throws(HistoryError) -> Int64? {
    let candidates = try database.prepare("SELECT id FROM item WHERE fingerprint = ?")
    try candidates.bind(.integer(fingerprint), at: 1)
    while try candidates.step() {
      let id = candidates.integer(0)
      let stored = try representations(of: id)
      let isSame =
        stored.count == values.count
        && zip(stored, values).allSatisfy { left, right in
          left.target == right.target && left.typeName == right.value.typeName
            && left.format == right.value.format && left.bytes == right.value.bytes.array
        }
      if isSame { return id }
    }
    return nil
  }

  /// FNV-1a: only a hint where to look, the bytes decide.
  private static func fingerprint(of values: [(target: String, value: KeptValue)]) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for entry in values {
      entry.target.utf8.forEach(add)
      add(0)
      entry.value.bytes.forEachPiece { $0.forEach(add) }
      add(0)
    }
    return Int64(bitPattern: hash)
  }

  // MARK: Reading

  struct Representation: Equatable {
    var target: String
    var typeName: String
    var format: Int
    var bytes: [UInt8]
  }

  /// The representations of an item, in their order; empty where there is none.
  func representations(of id: Int64) throws(HistoryError) -> [Representation] {
    let statement = try database.prepare(
      "SELECT target, type, format, bytes FROM representation WHERE item = ? ORDER BY place")
    try statement.bind(.integer(id), at: 1)
    var all: [Representation] = []
    while try statement.step() {
      var bytes: [UInt8] = []
      statement.withBytes(3) { bytes = Array($0) }
      all.append(
        Representation(
          target: statement.text(0), typeName: statement.text(1),
          format: Int(statement.integer(2)), bytes: bytes))
    }
    return all
  }

  /// The names of an item's targets, in their order.
  func targets(of id: Int64) throws(HistoryError) -> [String] {
    let statement = try database.prepare(
      "SELECT target FROM representation WHERE item = ? ORDER BY place")
    try statement.bind(.integer(id), at: 1)
    var all: [String] = []
    while try statement.step() { all.append(statement.text(0)) }
    return all
  }

  /// The last items, newest first.
  func list(limit: Int64) throws(HistoryError) -> [Item] {
    let statement = try database.prepare(
      "SELECT id, pinned, used, bytes, preview FROM item ORDER BY used DESC, id DESC LIMIT ?")
    try statement.bind(.integer(limit), at: 1)
    return try items(statement)
  }

  /// Items whose preview has words that begin like all of these; an unusual text finds nothing rather than failing.
  func search(_ words: String, limit: Int64) throws(HistoryError) -> [Item] {
    let terms = words.split(whereSeparator: { $0.isWhitespace || $0 == "\0" }).map {
      "\"" + $0.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"")
        + "\"*"
    }
    guard !terms.isEmpty else { return [] }
    let statement = try database.prepare(
      """
      SELECT id, pinned, used, bytes, item.preview FROM search JOIN item ON item.id = search.rowid
      WHERE search MATCH ? ORDER BY used DESC, id DESC LIMIT ?
      """)
    try statement.bind(.text(terms.joined(separator: " ")), at: 1)
    try statement.bind(.integer(limit), at: 2)
    return try items(statement)
  }

  private func items(_ statement: Statement) throws(HistoryError) -> [Item] {
    var all: [Item] = []
    while try statement.step() {
      all.append(
        Item(
          id: statement.integer(0), isPinned: statement.integer(1) != 0,
          used: statement.integer(2), bytes: statement.integer(3), preview: statement.text(4)))
    }
    return all
  }

  // MARK: Deleting

  /// Pins an item, so that neither age nor budget deletes it, or ends that.
  ///
  /// - Returns: Whether there is such an item.
  func pin(_ id: Int64, _ isPinned: Bool) throws(HistoryError) -> Bool {
    guard try database.number("SELECT 1 FROM item WHERE id = ?", .integer(id)) != nil else {
      return false
    }
    try database.run(
      "UPDATE item SET pinned = ? WHERE id = ?", .integer(isPinned ? 1 : 0), .integer(id))
    return true
  }

  /// Deletes items for good.
  ///
  /// - Returns: How many there were.
  @discardableResult
  func delete(_ ids: [Int64]) throws(HistoryError) -> Int {
    let before = try database.number("SELECT count(*) FROM item") ?? 0
    try database.transaction { () throws(HistoryError) in try remove(ids) }
    let after = try database.number("SELECT count(*) FROM item") ?? 0
    if after < before { try forgetLog() }
    return Int(before - after)
  }

  /// Deletes the last items that are not pinned; `nil` for all of them.
  @discardableResult
  func purge(last: Int64?) throws(HistoryError) -> Int {
    try delete(try ids("pinned = 0 ORDER BY used DESC, id DESC LIMIT \(last ?? -1)"))
  }

  private func ids(_ condition: String) throws(HistoryError) -> [Int64] {
    let statement = try database.prepare("SELECT id FROM item WHERE " + condition)
    var all: [Int64] = []
    while try statement.step() { all.append(statement.integer(0)) }
    return all
  }

  private func remove(_ ids: [Int64]) throws(HistoryError) {
    guard !ids.isEmpty else { return }
    for id in ids { try database.run("DELETE FROM item WHERE id = ?", .integer(id)) }
    // Deleting from the index would leave the words in its older parts.
    try database.execute("INSERT INTO search(search) VALUES('rebuild')")
  }

  /// Empties the write-ahead log, which still holds what pages were before.
  private func forgetLog() throws(HistoryError) {
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Deletes what is too old or too much.
  func trim(now: Int64) throws(HistoryError) {
    var old = try ids("pinned = 0 AND used <= \(now - limits.age)")
    old += try ids("pinned = 0 ORDER BY used DESC, id DESC LIMIT -1 OFFSET \(limits.items)")
    let statement = try database.prepare(
      "SELECT id, bytes FROM item WHERE pinned = 0 ORDER BY used DESC, id DESC")
    var total: Int64 = 0
    while try statement.step() {
      total += statement.integer(1)
      if total > Int64(limits.bytes) { old.append(statement.integer(0)) }
    }
    if !old.isEmpty { try delete(old) }
  }

  /// When the next item becomes too old, in milliseconds since 1970.
  func nextExpiry() throws(HistoryError) -> Int64? {
    guard try database.number("SELECT count(*) FROM item WHERE pinned = 0") != 0 else { return nil }
    return try database.number("SELECT min(used) FROM item WHERE pinned = 0").map {
      $0 + limits.age
    }
  }
}
