internal import Synchronization

extension MIMECache {
  func target(ofAlias name: String) -> String? {
    reading(else: nil) { () throws(Damage) -> String? in
      guard let index = try firstRecord(.aliases, size: 8, key: name) else { return nil }
      return try text(at: number(at: start(of: .aliases) + 4 + index * 8 + 4))
    }
  }

  func aliases(of name: String) -> [String] {
    reading(else: []) { () throws(Damage) -> [String] in
      let (start, count) = try records(.aliases, size: 8)
      var result: [String] = []
      for index in 0..<count where try isText(name, at: number(at: start + index * 8 + 4)) {
        result.append(try text(at: number(at: start + index * 8)))
        if result.count == Self.answerLimit { break }
      }
      return result
    }
  }

  func parents(of name: String) -> [String] {
    reading(else: []) { () throws(Damage) -> [String] in
      guard let index = try firstRecord(.parents, size: 8, key: name) else { return [] }
      let list = try number(at: start(of: .parents) + 4 + index * 8 + 4)
      let count = try checked(number(at: list), records: 4, at: list + 4)
      var result: [String] = []
      for entry in 0..<min(count, 256) {
        result.append(try text(at: number(at: list + 4 + entry * 4)))
      }
      return result
    }
  }

  func literalMatches(_ name: FileName) -> [NameMatch] {
    if name.original == CancellingMark.globs { return [] }
    return reading(else: []) { () throws(Damage) -> [NameMatch] in
      var result = try literals(name.original, caseSensitive: true)
      result += try literals(name.folded, caseSensitive: false)
      return result
    }
  }

  var typesWithoutInheritedGlobs: [String] {
    reading(else: []) { () throws(Damage) -> [String] in
      try literals(CancellingMark.globs, caseSensitive: nil).map(\.mimeType)
    }
  }

  /// The types of a literal name; either only those that ask for case or only those that do not.
  private func literals(
    _ name: String, caseSensitive: Bool?
  ) throws(Damage) -> [NameMatch] {
    guard let first = try firstRecord(.literals, size: 12, key: name) else { return [] }
    let (start, count) = try records(.literals, size: 12)
    var result: [NameMatch] = []
    for index in first..<count where result.count < Self.answerLimit {
      let record = start + index * 12
      guard try isText(name, at: number(at: record)) else { break }
      let flags = try number(at: record + 8)
      if let caseSensitive, caseSensitive != (flags & Self.caseSensitive != 0) { continue }
      result.append(
        NameMatch(
          mimeType: try text(at: number(at: record + 4)), weight: flags & 0xFF,
          length: name.unicodeScalars.count))
    }
    return result
  }

  func patternMatches(_ name: FileName) -> [NameMatch] {
    reading(else: []) { () throws(Damage) -> [NameMatch] in
      var result = try suffixes(name.originalScalars, caseSensitive: true)
      result += try suffixes(name.foldedScalars, caseSensitive: false)
      let (start, count) = try records(.globs, size: 12)
      var allowance = GlobPattern.allowance
      for index in 0..<count where result.count < Self.answerLimit {
        let record = start + index * 12
        let flags = try number(at: record + 8)
        let pattern = GlobPattern(try text(at: number(at: record)))
        let scalars = name.scalars(caseSensitive: flags & Self.caseSensitive != 0)
        let matches = pattern.matches(scalars, allowance: &allowance)
        if allowance < 0 { throw Damage() }
        if matches {
          result.append(
            NameMatch(
              mimeType: try text(at: number(at: record + 4)), weight: flags & 0xFF,
              length: pattern.length))
        }
      }
      return result
    }
  }

  // MARK: The tree of suffixes

  /// Records of the tree: character (0 in a leaf), number of children (in a leaf the type), first child (the flags).
  private func suffixes(
    _ name: [UInt32], caseSensitive: Bool
  ) throws(Damage) -> [NameMatch] {
    let header = try start(of: .suffixes)
    var count = try number(at: header)
    var first = try number(at: header + 4)
    var result: [NameMatch] = []
    var length = 0
    for scalar in name.reversed() {
      count = try checked(count, records: 12, at: first)
      guard let node = try node(Int(scalar), among: count, at: first) else { break }
      length += 1
      count = try checked(number(at: node + 4), records: 12, at: number(at: node + 8))
      first = try number(at: node + 8)
      for index in 0..<count where result.count < Self.answerLimit {
        let leaf = first + index * 12
        guard try number(at: leaf) == 0 else { break }
        let flags = try number(at: leaf + 8)
        guard caseSensitive == (flags & Self.caseSensitive != 0) else { continue }
        result.append(
          NameMatch(
            mimeType: try text(at: number(at: leaf + 4)), weight: flags & 0xFF, length: length + 1))
      }
    }
    return result
  }

  private func node(_ scalar: Int, among count: Int, at first: Int) throws(Damage) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = low + (high - low) / 2
      let record = first + middle * 12
      let value = try number(at: record)
      if value == scalar { return scalar == 0 ? nil : record }
      if value < scalar { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  // MARK: Everything

  func patterns(of name: String) -> [String] {
    patternIndex.withLock { index in
      if let index { return index[name] ?? [] }
      var made: [String: [String]] = [:]
      // What exceeds these limits is no database that anybody made on purpose.
      var left = Self.indexLimit
      everyPattern { pattern, mimeType in
        guard left >= 0, made[mimeType, default: []].count < Self.answerLimit else { return }
        left -= pattern.utf8.count
        made[mimeType, default: []].append(pattern)
      }
      index = made
      return made[name] ?? []
    }
  }

  var typeNames: Set<String> {
    var names: Set<String> = []
    reading(else: ()) { () throws(Damage) in
      for offset in try nameOffsets() { names.insert(try text(at: offset)) }
    }
    return names
  }

  var typeNamesWithCapitals: Set<String> {
    var names: Set<String> = []
    reading(else: ()) { () throws(Damage) in
      for offset in try nameOffsets() where try hasCapital(textAt: offset) {
        names.insert(try text(at: offset))
      }
    }
    return names
  }

  /// Where the file holds names of types, some of them many times.
  private func nameOffsets() throws(Damage) -> [Int] {
    var offsets: [Int] = []
    for (list, size, fields) in Self.listsOfNames {
      let (start, count) = try records(list, size: size)
      for index in 0..<count {
        for field in fields { offsets.append(try number(at: start + index * size + field)) }
      }
    }
    let header = try start(of: .suffixes)
    var waiting = [(count: try number(at: header), first: try number(at: header + 4))]
    // A tree cannot have more records than fit into the file; one that runs in circles has.
    var left = count / 12
    while let (count, first) = waiting.popLast() {
      let count = try checked(count, records: 12, at: first)
      left -= count
      guard left >= 0 else { throw Damage() }
      for index in 0..<count {
        let record = first + index * 12
        if try number(at: record) == 0 {
          offsets.append(try number(at: record + 4))
        } else {
          waiting.append((try number(at: record + 4), try number(at: record + 8)))
        }
      }
    }
    return offsets
  }

  /// Lists, the size of their records, and the fields that are offsets of type names.
  private static let listsOfNames: [(List, Int, [Int])] = [
    (.literals, 12, [4]), (.globs, 12, [4]), (.parents, 8, [0]), (.aliases, 8, [0, 4]),
    (.icons, 8, [0]), (.genericIcons, 8, [0]),
  ]

  private func everyPattern(_ body: (_ pattern: String, _ mimeType: String) -> Void) {
    reading(else: ()) { () throws(Damage) in
      for list in [List.literals, .globs] {
        let (start, count) = try records(list, size: 12)
        for index in 0..<count {
          let record = start + index * 12
          let pattern = try text(at: number(at: record))
          if pattern == CancellingMark.globs { continue }
          body(pattern, try text(at: number(at: record + 4)))
        }
      }
      let header = try start(of: .suffixes)
      // A tree cannot have more records than fit into the file; one that runs in circles has.
      var left = count / 12
      try everySuffix(
        number(at: header), number(at: header + 4), suffix: "", depth: 0, left: &left, body)
    }
  }

  private func everySuffix(
    _ count: Int, _ first: Int, suffix: String, depth: Int, left: inout Int,
    _ body: (_ pattern: String, _ mimeType: String) -> Void
  ) throws(Damage) {
    let count = try checked(count, records: 12, at: first)
    left -= count
    guard left >= 0, depth < 256 else { throw Damage() }
    for index in 0..<count {
      let record = first + index * 12
      let value = try number(at: record)
      if value == 0 {
        if !suffix.isEmpty { body("*" + suffix, try text(at: number(at: record + 4))) }
      } else {
        guard let scalar = UnicodeScalar(UInt32(value)) else { throw Damage() }
        try everySuffix(
          number(at: record + 4), number(at: record + 8),
          suffix: String(Character(scalar)) + suffix, depth: depth + 1, left: &left, body)
      }
    }
  }

  private func isText(_ text: String, at offset: Int) throws(Damage) -> Bool {
    var copy = text
    return try copy.withUTF8 { key -> Result<Bool, Damage> in
      do throws(Damage) {
        return .success(try order(key, textAt: offset) == 0)
      } catch {
        return .failure(error)
      }
    }.get()
  }

  /// The flag of patterns that compare with the original name; the low byte holds the weight.
  private static var caseSensitive: Int { 0x100 }

  /// Bytes of all patterns together.
  private static var indexLimit: Int { 4 << 20 }

  /// More answers than this to one question are not wanted from anybody.
  private static var answerLimit: Int { 4096 }
}
