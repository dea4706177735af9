extension HistoryStore {
  typealias Values = [(target: String, value: KeptValue)]

  /// Milliseconds in which a selection that grows or shrinks is the same item.
  private static let growth: Int64 = 2_000
  /// The most bytes of texts that are compared for that.
  private static let longestGrowth: Int64 = 1 << 20

  /// What an item that is brought in from elsewhere has beside its content.
  struct Origin: Equatable {
    var isPinned: Bool
    var used: Int64
  }

  /// Stores what was copied; the same content moves to the top.
  ///
  /// - Parameters:
  ///   - replacing: An item of the same copy, of which more is known now.
  ///   - mayGrow: Whether a text that begins or ends like the last one, a moment ago, takes its place.
  ///   - origin: For an item from elsewhere: it keeps its age.
  /// - Returns: The item's number; `nil` where nothing of it is small enough.
  func record(
    _ values: Values, replacing: Int64? = nil, mayGrow: Bool = false, origin: Origin? = nil,
    now: Int64
  ) throws(HistoryError) -> Int64? {
    let kept = values.filter { $0.value.bytes.byteCount <= limits.representation }
    let size = kept.reduce(0) { $0 + $1.value.bytes.byteCount }
    guard !kept.isEmpty, size <= limits.bytes else { return nil }
    let fingerprint = Self.fingerprint(of: kept)
    var number: Int64?
    try database.transaction { () throws(HistoryError) in
      // Nothing was copied later than now: it would outlive every age.
      let time = try freeTime(min(origin?.used ?? now, now), isFixed: origin != nil)
      if let same = try find(kept, fingerprint) {
        if let origin {
          if origin.isPinned { _ = try pin(same, true) }
        } else {
          try database.run(
            "UPDATE item SET used = ? WHERE id = ?", .integer(time), .integer(same))
          if let replacing, replacing != same { try remove([replacing]) }
        }
        number = same
        return
      }
      var replaced = replacing
      if replaced == nil, mayGrow { replaced = try grown(from: kept, now: now) }
      number = try store(kept, size, fingerprint, in: replaced, time)
      if origin?.isPinned == true, let number { _ = try pin(number, true) }
    }
    try trim(now: now)
    return number
  }

  /// A time that no other item has: later than all, or for an item from elsewhere the next that is free.
  func freeTime(_ wanted: Int64, isFixed: Bool) throws(HistoryError) -> Int64 {
    guard isFixed else {
      return max(wanted, try (database.number("SELECT max(used) FROM item") ?? 0) + 1)
    }
    var time = wanted
    while try database.number("SELECT 1 FROM item WHERE used = ?", .integer(time)) != nil {
      time += 1
    }
    return time
  }

  private func store(
    _ kept: Values, _ size: Int, _ fingerprint: Int64, in replaced: Int64?, _ time: Int64
  ) throws(HistoryError) -> Int64 {
    let preview = HistoryPreview.line(kept)
    let life = life(of: kept)
    var number: Int64
    if let replaced,
      try database.number("SELECT 1 FROM item WHERE id = ?", .integer(replaced)) != nil
    {
      try database.run("DELETE FROM representation WHERE item = ?", .integer(replaced))
      try database.run(
        "UPDATE item SET used=?, fingerprint=?, bytes=?, preview=?, life=? WHERE id=?",
        .integer(time), .integer(fingerprint), .integer(Int64(size)), .text(preview), life,
        .integer(replaced))
      number = replaced
      try rebuildSearch()
    } else {
      try database.run(
        "INSERT INTO item(used, fingerprint, bytes, preview, life) VALUES(?, ?, ?, ?, ?)",
        .integer(time), .integer(fingerprint), .integer(Int64(size)), .text(preview), life)
      number = database.lastRow
      try database.run(
        "INSERT INTO search(rowid, preview) VALUES(?, ?)", .integer(number), .text(preview))
    }
    for (place, entry) in kept.enumerated() {
      try database.run(
        "INSERT INTO representation(item, place, target, type, format, bytes) VALUES(?,?,?,?,?,?)",
        .integer(number), .integer(Int64(place)), .text(entry.target),
        .text(entry.value.typeName), .integer(Int64(entry.value.format)),
        .space(entry.value.bytes.byteCount))
      guard entry.value.bytes.byteCount > 0 else { continue }
      try database.writeBytes(
        entry.value.bytes, toRow: database.lastRow, table: "representation", column: "bytes")
    }
    return number
  }

  /// How long an item lives, where its types say.
  private func life(of values: Values) -> Database.Value {
    let ages = limits.ages.filter { age in
      values.contains { age.pattern.matches($0.target) }
    }
    return ages.map(\.milliseconds).min().map { .integer($0) } ?? .none
  }

  /// The last item, where the new text is a part of it or the other way round, a moment later.
  private func grown(from values: Values, now: Int64) throws(HistoryError) -> Int64? {
    guard let last = try list(limit: 1).first, !last.isPinned, last.used + Self.growth > now,
      last.bytes <= Self.longestGrowth, let text = values.first?.value.bytes,
      text.byteCount <= Self.longestGrowth,
      let before = try representations(of: last.id).first(where: {
        $0.target == values.first?.target
      })
    else { return nil }
    let (new, old) = (text.array, try bytes(of: before))
    let (short, long) = new.count < old.count ? (new, old) : (old, new)
    return long.starts(with: short) || long.suffix(short.count).elementsEqual(short)
      ? last.id : nil
  }

  /// The item with exactly this content.
  private func find(_ values: Values, _ fingerprint: Int64) throws(HistoryError) -> Int64? {
    let candidates = try database.prepare("SELECT id FROM item WHERE fingerprint = ?")
    try candidates.bind(.integer(fingerprint), at: 1)
    while try candidates.step() {
      let id = candidates.integer(0)
      let stored = try representations(of: id)
      guard stored.count == values.count else { continue }
      var isSame = true
      for (left, right) in zip(stored, values) where isSame {
        isSame =
          left.target == right.target && left.typeName == right.value.typeName
          && left.format == right.value.format && left.byteCount == right.value.bytes.byteCount
        if isSame { isSame = try holds(left, right.value.bytes) }
      }
      if isSame { return id }
    }
    return nil
  }

  private func holds(
    _ representation: Representation, _ bytes: KeptBytes
  ) throws(HistoryError) -> Bool {
    var isSame = true
    var offset = 0
    try database.readBytes(
      ofRow: representation.row, table: "representation", column: "bytes"
    ) { piece in
      isSame = bytes.holds(piece, at: offset)
      offset += piece.count
      return isSame
    }
    return isSame
  }

  /// FNV-1a: only a hint where to look, the bytes decide.
  private static func fingerprint(of values: Values) -> Int64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    for entry in values {
      entry.target.utf8.forEach(add)
      add(0)
      entry.value.bytes.forEachPiece { for byte in $0 { add(byte) } }
      add(0)
    }
    return Int64(bitPattern: hash)
  }
}
