internal import Glibc

/// What was copied, on disk: off until it is turned on, which makes the file; turned off, which removes it.
///
/// Contents stand in the database too, large ones as well: they are written and read there piece by piece, so that one
/// costs no memory beyond itself, and every change is still one transaction.
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
    /// How long items with a type live that are not pinned.
    struct Age: Equatable {
      var pattern: TypePattern
      var milliseconds: Int64
    }

    /// The most items that are not pinned.
    var items = 200
    /// The most bytes of items that are not pinned.
    var bytes = 64 << 20
    /// The most bytes of one representation; larger ones are left out.
    var representation = 32 << 20
    /// Milliseconds after which an item that is not pinned is deleted.
    var age: Int64 = 7 * 86_400_000
    /// The same for items with certain types; the shortest that fits holds.
    var ages: [Age] = []
  }

  struct Item: Equatable {
    var id: Int64
    var isPinned: Bool
    /// Milliseconds since 1970 when it was copied last; no two items have the same.
    var used: Int64
    var bytes: Int64
    var preview: String
  }

  static let version: Int64 = 2
  private static let application = 0x5831_5042
  /// Milliseconds since 1970; further than any clock goes.
  private static let greatestTime: Int64 = 1 << 53
  private static let schema = """
    CREATE TABLE item(
      id INTEGER PRIMARY KEY AUTOINCREMENT, used INTEGER NOT NULL,
      pinned INTEGER NOT NULL DEFAULT 0, fingerprint INTEGER NOT NULL, bytes INTEGER NOT NULL,
      preview TEXT NOT NULL, life INTEGER);
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
  /// From the first version: an item may have a life of its own, in milliseconds.
  private static let fromFirst = """
    ALTER TABLE item ADD COLUMN life INTEGER;
    PRAGMA user_version = 2;
    """

  var limits: Limits
  let database: Database
  /// Where a damaged file was moved to when this one was opened.
  let movedAside: String?

  /// Opens the history of a folder, which is made where it is missing.
  ///
  /// - Parameter folder: `nil` keeps it in memory.
  init(_ folder: HistoryFolder?, limits: Limits = Limits(), now: Int64) throws(HistoryError) {
    self.limits = limits
    if let folder {
      try folder.prepare()
      do {
        database = try Self.opened(folder)
        movedAside = nil
      } catch {
        guard error.code == .damaged else { throw error }
        movedAside = try folder.moveAside(now: now)
        database = try Self.opened(folder)
      }
    } else {
      database = try Self.opened(path: ":memory:")
      movedAside = nil
    }
    try trim(now: now)
  }

  private static func opened(_ folder: HistoryFolder) throws(HistoryError) -> Database {
    try folder.makeFile()
    return try opened(path: folder.file)
  }

  private static func opened(path: String) throws(HistoryError) -> Database {
    let database = try Database(path: path)
    try database.execute(
      """
      PRAGMA secure_delete = ON; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF;
      PRAGMA temp_store = MEMORY; PRAGMA cache_size = -512; PRAGMA mmap_size = 0;
      """)
    let version = try database.number("PRAGMA user_version") ?? 0
    guard version <= Self.version else {
      throw HistoryError(code: .newer, description: "\(path) was written by a later version")
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
    if version < Self.version {
      // One transaction, so that a kill leaves the earlier version as it was.
      try database.transaction { () throws(HistoryError) in
        try database.execute(version == 0 ? schema : fromFirst)
      }
    }
    // Numbers that nobody could have written, and that sums would not survive.
    let isSound =
      try database.number(
        """
        SELECT 1 FROM item WHERE typeof(used) <> 'integer' OR used NOT BETWEEN 0 AND \(greatestTime)
          OR typeof(bytes) <> 'integer' OR bytes NOT BETWEEN 0 AND \(Int64(UInt32.max) << 8)
          OR (life IS NOT NULL AND (typeof(life) <> 'integer' OR life NOT BETWEEN 0 AND \(greatestTime)))
        UNION ALL SELECT 1 FROM representation WHERE format NOT IN (8, 16, 32) LIMIT 1
        """) == nil
    guard isSound else {
      throw HistoryError(code: .damaged, description: "the file holds impossible numbers")
    }
    return database
  }

  // MARK: Reading

  struct Representation: Equatable {
    /// Of its row.
    var row: Int64
    var target: String
    var typeName: String
    var format: Int
    var byteCount: Int
  }

  /// The representations of an item, in their order; empty where there is none.
  func representations(of id: Int64) throws(HistoryError) -> [Representation] {
    let statement = try database.prepare(
      "SELECT rowid, target, type, format, length(bytes) FROM representation WHERE item = ? ORDER BY place"
    )
    try statement.bind(.integer(id), at: 1)
    var all: [Representation] = []
    while try statement.step() {
      all.append(
        Representation(
          row: statement.integer(0), target: statement.text(1), typeName: statement.text(2),
          format: Int(statement.integer(3)), byteCount: Int(statement.integer(4))))
    }
    return all
  }

  /// The bytes of a representation.
  func bytes(of representation: Representation) throws(HistoryError) -> [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(representation.byteCount)
    try read(representation) { all.append(contentsOf: $0) }
    return all
  }

  /// The value of a representation, in memory of its own.
  func value(
    of representation: Representation, limit: Int
  ) throws(HistoryError) -> KeptValue {
    let bytes = KeptBytes(limit: limit)
    var isExhausted = false
    try read(representation) { piece in
      do { try bytes.append(piece) } catch { isExhausted = true }
    }
    guard !isExhausted else {
      throw HistoryError(code: .unavailable, description: "no memory left")
    }
    return KeptValue(
      bytes: bytes, typeName: representation.typeName, format: representation.format)
  }

  /// Lends the bytes of a representation piece by piece.
  func read(
    _ representation: Representation, _ body: (UnsafeRawBufferPointer) -> Void
  ) throws(HistoryError) {
    try database.readBytes(ofRow: representation.row, table: "representation", column: "bytes") {
      body($0)
      return true
    }
  }

  /// One item; `nil` where there is none.
  func item(_ id: Int64) throws(HistoryError) -> Item? {
    let statement = try database.prepare(
      "SELECT id, pinned, used, bytes, preview FROM item WHERE id = ?")
    try statement.bind(.integer(id), at: 1)
    return try items(statement).first
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
    // By scalars: a quote with an accent on it is one character, but SQLite sees a quote.
    let terms = words.unicodeScalars
      .split { $0.properties.isWhitespace || $0 == "\0" }
      .map { "\"" + $0.map { $0 == "\"" ? "\"\"" : String($0) }.joined() + "\"*" }
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
}
