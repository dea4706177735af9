extension HistoryStore {
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

  /// Lets an item live for so long from now on, pinned or not before.
  ///
  /// - Returns: Whether there is such an item.
  func expire(_ id: Int64, in milliseconds: Int64, now: Int64) throws(HistoryError) -> Bool {
    guard let used = try database.number("SELECT used FROM item WHERE id = ?", .integer(id)) else {
      return false
    }
    try database.run(
      "UPDATE item SET pinned = 0, life = ? WHERE id = ?",
      .integer(max(1, now + milliseconds - used)), .integer(id))
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

  func remove(_ ids: [Int64]) throws(HistoryError) {
    guard !ids.isEmpty else { return }
    for id in ids { try database.run("DELETE FROM item WHERE id = ?", .integer(id)) }
    try rebuildSearch()
  }

  /// Deleting from the index would leave the words in its older parts.
  func rebuildSearch() throws(HistoryError) {
    try database.execute("INSERT INTO search(search) VALUES('rebuild')")
  }

  /// Empties the write-ahead log, which still holds what pages were before.
  func forgetLog() throws(HistoryError) {
    try database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
  }

  /// Deletes what is too old or too much.
  func trim(now: Int64) throws(HistoryError) {
    try bringBack(now: now)
    var old = try ids("pinned = 0 AND used + coalesce(life, \(limits.age)) <= \(now)")
    old += try ids("pinned = 0 ORDER BY used DESC, id DESC LIMIT -1 OFFSET \(limits.items)")
    let statement = try database.prepare(
      "SELECT id, bytes FROM item WHERE pinned = 0 ORDER BY used DESC, id DESC")
    var total: Int64 = 0
    while try statement.step() {
      let sum = total.addingReportingOverflow(statement.integer(1))
      total = sum.overflow ? .max : sum.partialValue
      if total > Int64(limits.bytes) { old.append(statement.integer(0)) }
    }
    if !old.isEmpty { try delete(old) }
  }

  /// Gives items from the future the present time, in their order: the clock was wrong once, and they would outlive
  /// every age, and those that follow them as well.
  private func bringBack(now: Int64) throws(HistoryError) {
    let ahead = try ids("used > \(now + Self.drift) ORDER BY used, id")
    guard !ahead.isEmpty else { return }
    try database.transaction { () throws(HistoryError) in
      for id in ahead {
        try database.run(
          "UPDATE item SET used = ? WHERE id = ?", .integer(try freeTime(now, isFixed: true)),
          .integer(id))
      }
    }
  }

  /// Milliseconds that an item may be ahead of the clock: copies in quick succession are, by some.
  private static let drift: Int64 = 60_000

  /// When the next item becomes too old, in milliseconds since 1970.
  func nextExpiry() throws(HistoryError) -> Int64? {
    let statement = try database.prepare(
      "SELECT min(used + coalesce(life, \(limits.age))) FROM item WHERE pinned = 0")
    guard try statement.step(), !statement.isNull(0) else { return nil }
    return statement.integer(0)
  }
}
