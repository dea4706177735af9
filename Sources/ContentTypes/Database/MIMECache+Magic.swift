extension MIMECache {
  var magicExtent: Int {
    reading(else: 0) { () throws(Damage) -> Int in
      try number(at: start(of: .magic) + 4)
    }
  }

  func magicMatches(_ data: UnsafeRawBufferPointer) -> MagicMatches {
    reading(else: MagicMatches()) { () throws(Damage) -> MagicMatches in
      let header = try start(of: .magic)
      let first = try number(at: header + 8)
      let count = try checked(number(at: header), records: 16, at: first)
      var result = MagicMatches()
      var comparison = MagicComparison()
      var priorityFound = 0
      for index in 0..<count {
        let match = first + index * 16
        let priority = try number(at: match)
        // Sorted by falling priority: what follows cannot count, except for the marks that cancel.
        let isLate = priority < priorityFound
        let list = try number(at: match + 12)
        let matchlets = try checked(number(at: match + 8), records: 32, at: list)
        if matchlets > 0, try isCancellingMark(list) {
          result.withoutInheritedRules.append(try text(at: number(at: match + 4)))
        } else if !isLate, try anyMatches(list, matchlets, data, depth: 0, &comparison) {
          result.found.append((try text(at: number(at: match + 4)), priority))
          priorityFound = max(priorityFound, priority)
        }
        if comparison.isExhausted { throw Damage() }
      }
      return result
    }
  }

  /// Records: first place, number of places, word size, value length, value, mask or 0, number of children, first child.
  private func anyMatches(
    _ list: Int, _ count: Int, _ data: UnsafeRawBufferPointer, depth: Int,
    _ comparison: inout MagicComparison
  ) throws(Damage) -> Bool {
    guard depth < 64 else { throw Damage() }
    for index in 0..<count {
      let record = list + index * 32
      comparison.allowance -= 16
      if comparison.isExhausted { throw Damage() }
      let length = try number(at: record + 12)
      let value = try slice(at: number(at: record + 16), count: length)
      let maskOffset = try number(at: record + 20)
      // Nearly all rules stand at one place, and nearly all fail at their first byte.
      if maskOffset == 0, let first = value.first, try number(at: record + 4) <= 1,
        try number(at: record + 8) == 1
      {
        let start = try number(at: record)
        guard start < data.count, data[start] == first else { continue }
      }
      let mask = maskOffset == 0 ? nil : try slice(at: maskOffset, count: length)
      let matches = comparison.matches(
        data, start: try number(at: record), places: try number(at: record + 4), value: value,
        mask: mask, wordSize: Self.wordSize(try number(at: record + 8)))
      guard matches else { continue }
      let children = try number(at: record + 28)
      let childCount = try number(at: record + 24)
      if childCount == 0 { return true }
      let checkedCount = try checked(childCount, records: 32, at: children)
      if try anyMatches(children, checkedCount, data, depth: depth + 1, &comparison) { return true }
    }
    return false
  }

  private func isCancellingMark(_ record: Int) throws(Damage) -> Bool {
    let length = try number(at: record + 12)
    guard length == CancellingMark.magic.utf8.count else { return false }
    return try slice(at: number(at: record + 16), count: length).elementsEqual(
      CancellingMark.magic.utf8)
  }

  private static func wordSize(_ value: Int) -> Int { value == 2 || value == 4 ? value : 1 }
}
