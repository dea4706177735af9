extension SharedMIMEDatabase {
  /// The database's name for a type: what an alias stands for, in the database's spelling.
  /// - Parameter name: A MIME type without parameters, in any case.
  /// - Returns: `name` itself when the database has nothing better.
  public func canonicalName(_ name: String) -> String { contents.canonicalName(name) }

  /// The aliases of a type, sorted.
  /// - Parameter name: A MIME type or alias, in any case.
  public func aliases(of name: String) -> [String] {
    let contents = contents
    return contents.aliases(of: contents.canonicalName(name))
  }

  /// The explicit parents of a type, by their canonical names.
  /// - Parameter name: A MIME type or alias, in any case.
  public func parents(of name: String) -> [String] {
    let contents = contents
    return contents.parents(of: contents.canonicalName(name))
  }

  /// Whether a type is another or, directly or not, one of its subclasses.
  ///
  /// All `text` types are `text/plain`, and all but `inode` types are `application/octet-stream`.
  /// - Parameters:
  ///   - name: A MIME type or alias, in any case.
  ///   - other: Another.
  public func isSubclass(_ name: String, of other: String) -> Bool {
    let contents = contents
    let goal = contents.canonicalName(other)
    var waiting = [contents.canonicalName(name)]
    var seen = Set(waiting)
    while let type = waiting.popLast(), seen.count < 1000 {
      if type == goal { return true }
      if goal == "text/plain", type.hasPrefix("text/") { return true }
      if goal == "application/octet-stream", !type.hasPrefix("inode/") { return true }
      waiting += contents.parents(of: type).filter { seen.insert($0).inserted }
    }
    return false
  }

  /// Whether the database says anything about a type.
  /// - Parameter name: A MIME type or alias, in any case.
  public func knows(_ name: String) -> Bool {
    let contents = contents
    let canonical = contents.canonicalName(name)
    if canonical != name { return true }
    return directories.contains { MIMETypeFile.exists(canonical, in: $0) }
      || contents.sources.contains { $0.typeNames.contains(canonical) }
  }
}

extension SharedMIMEDatabase.Contents {
  /// Names that no database may give another meaning: everything else leans on them.
  private static let fixed = ["text/plain", "application/octet-stream"]

  func canonicalName(_ name: String) -> String {
    canonicalNames.answer(for: name) { foundCanonicalName(name) }
  }

  private func foundCanonicalName(_ name: String) -> String {
    if let found = target(name) { return found }
    if Self.fixed.contains(name) { return name }
    let folded = name.asciiLowercased
    if folded != name, let found = target(folded) { return found }
    for directory in directories {
      if let spelling = MIMETypeFile(folded, in: directory)?.spelling,
        spelling.asciiLowercased == folded
      {
        return spelling
      }
    }
    guard let spelling = spelling(ofFolded: folded) else { return folded }
    return target(spelling) ?? spelling
  }

  func aliases(of canonical: String) -> [String] {
    aliasLists.answer(for: canonical) {
      var result: [String] = []
      for source in sources {
        for alias in source.aliases(of: canonical)
        where !result.contains(alias) && canonicalName(alias) == canonical {
          result.append(alias)
        }
      }
      return result.sorted()
    }
  }

  /// What an alias stands for. A circle stands for nothing.
  private func target(_ name: String) -> String? {
    if Self.fixed.contains(name) { return nil }
    var seen = [name]
    while let last = seen.last, seen.count < 8 {
      guard let next = sources.lazy.compactMap({ $0.target(ofAlias: last) }).first else {
        return seen.count > 1 ? last : nil
      }
      if seen.contains(next) { return nil }
      seen.append(next)
    }
    return seen.last
  }

  func parents(of canonical: String) -> [String] {
    var result: [String] = []
    for source in sources {
      for name in source.parents(of: canonical) {
        let parent = canonicalName(name)
        if parent != canonical, !result.contains(parent) { result.append(parent) }
      }
    }
    return result
  }
}
