internal import CSQLite
internal import Glibc

/// Why something could not be done with the history.
struct HistoryError: Error, Hashable, CustomStringConvertible {
  enum Code: Hashable {
    /// The file is no database, or its content contradicts itself.
    case damaged
    /// The file was written by a later version.
    case newer
    /// Another process holds it, the disk is full, or it may not be written.
    case unavailable
  }

  var code: Code
  /// What SQLite or the system said; never any content.
  var description: String
}

/// One connection to an SQLite file: a thin wrapper for the calls that the history makes.
final class Database {
  private let handle: OpaquePointer

  init(path: String) throws(HistoryError) {
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
      | SQLITE_OPEN_NOFOLLOW
    let status = sqlite3_open_v2(path, &opened, flags, nil)
    guard status == SQLITE_OK, let opened else {
      let reason = String(cString: sqlite3_errstr(status))
      sqlite3_close_v2(opened)
      throw HistoryError(code: .unavailable, description: reason)
    }
    handle = opened
    // The display waits meanwhile.
    sqlite3_busy_timeout(handle, 200)
    sqlite3_extended_result_codes(handle, 1)
  }

  deinit { sqlite3_close_v2(handle) }

  /// The number of the row that was inserted last.
  var lastRow: Int64 { sqlite3_last_insert_rowid(handle) }

  /// Runs statements that return nothing.
  func execute(_ sql: String) throws(HistoryError) {
    let status = sqlite3_exec(handle, sql, nil, nil, nil)
    guard status == SQLITE_OK else { throw failure(status) }
  }

  func prepare(_ sql: String) throws(HistoryError) -> Statement {
    var statement: OpaquePointer?
    let status = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard status == SQLITE_OK, let statement else { throw failure(status) }
    return Statement(statement, database: self)
  }

  /// Runs a statement with these values.
  func run(_ sql: String, _ values: Value...) throws(HistoryError) {
    let statement = try prepare(sql)
    for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
    while try statement.step() {}
  }

  /// The first column of the first row, as a number.
  func number(_ sql: String, _ values: Value...) throws(HistoryError) -> Int64? {
    let statement = try prepare(sql)
    for (index, value) in values.enumerated() { try statement.bind(value, at: index + 1) }
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The first column of the first row, as a text.
  func text(_ sql: String) throws(HistoryError) -> String? {
    let statement = try prepare(sql)
    return try statement.step() ? statement.text(0) : nil
  }

  /// Runs `body` as one transaction: everything of it, or nothing.
  func transaction(_ body: () throws(HistoryError) -> Void) throws(HistoryError) {
    try execute("BEGIN IMMEDIATE")
    do {
      try body()
      try execute("COMMIT")
    } catch {
      try? execute("ROLLBACK")
      throw error
    }
  }

  func failure(_ status: CInt) -> HistoryError {
    let code: HistoryError.Code =
      switch status & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      default: .unavailable
      }
    return HistoryError(code: code, description: String(cString: sqlite3_errstr(status)))
  }

  /// Lends the bytes of a column of a row piece by piece, without all of them in memory at once.
  ///
  /// - Parameter body: Returns whether it wants more.
  func readBytes(
    ofRow row: Int64, table: String, column: String, _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(HistoryError) {
    let blob = try openedBlob(row, table, column, isWritten: false)
    defer { sqlite3_blob_close(blob) }
    let size = Int(sqlite3_blob_bytes(blob))
    var piece = [UInt8](repeating: 0, count: max(1, min(size, Self.pieceSize)))
    var offset = 0
    while offset < size {
      let count = min(piece.count, size - offset)
      let status = sqlite3_blob_read(blob, &piece, CInt(count), CInt(offset))
      guard status == SQLITE_OK else { throw failure(status) }
      offset += count
      guard piece.withUnsafeBytes({ body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }) else {
        return
      }
    }
  }

  /// Writes over the bytes of a column of a row, which has as many of them already.
  func writeBytes(
    _ bytes: KeptBytes, toRow row: Int64, table: String, column: String
  ) throws(HistoryError) {
    let blob = try openedBlob(row, table, column, isWritten: true)
    defer { sqlite3_blob_close(blob) }
    var offset = 0
    var status = SQLITE_OK
    bytes.forEachPiece { piece in
      guard status == SQLITE_OK else { return }
      status = sqlite3_blob_write(blob, piece.baseAddress, CInt(piece.count), CInt(offset))
      offset += piece.count
    }
    guard status == SQLITE_OK else { throw failure(status) }
  }

  private static let pieceSize = 256 << 10

  private func openedBlob(
    _ row: Int64, _ table: String, _ column: String, isWritten: Bool
  ) throws(HistoryError) -> OpaquePointer? {
    var blob: OpaquePointer?
    let status = sqlite3_blob_open(handle, "main", table, column, row, isWritten ? 1 : 0, &blob)
    guard status == SQLITE_OK else { throw failure(status) }
    return blob
  }

  enum Value {
    case integer(Int64)
    case none
    case text(String)
    /// So many bytes, all zero, to be written over.
    case space(Int)
  }
}

/// A prepared statement, freed with its last reference.
final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  init(_ handle: OpaquePointer, database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  func bind(_ value: Database.Value, at index: Int) throws(HistoryError) {
    // SQLITE_TRANSIENT: SQLite copies what it is lent. The macro is a cast, which does not import.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    let position = CInt(index)
    let status: CInt =
      switch value {
      case .integer(let number): sqlite3_bind_int64(handle, position, number)
      case .text(let text):
        sqlite3_bind_text(handle, position, text, CInt(text.utf8.count), transient)
      case .none: sqlite3_bind_null(handle, position)
      case .space(let count): sqlite3_bind_zeroblob64(handle, position, UInt64(count))
      }
    guard status == SQLITE_OK else { throw database.failure(status) }
  }

  /// - Returns: Whether there is a row.
  func step() throws(HistoryError) -> Bool {
    let status = sqlite3_step(handle)
    switch status {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.failure(status)
    }
  }

  func integer(_ column: Int) -> Int64 { sqlite3_column_int64(handle, CInt(column)) }

  func text(_ column: Int) -> String {
    sqlite3_column_text(handle, CInt(column)).map { String(cString: $0) } ?? ""
  }

  func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, CInt(column)) == SQLITE_NULL
  }
}
