extension SharedMIMEDatabase {
  /// The types a file name means by its patterns.
  ///
  /// Literal names come before all others; else the heaviest patterns count, and of these the longest.
  /// - Parameter name: The last component of a path.
  /// - Returns: Canonical names; several when the name is ambiguous, those of important directories first.
  public func types(forFileName name: String) -> [String] {
    matches(forFileName: name).map(\.mimeType)
  }

  func matches(forFileName name: String) -> [NameMatch] {
    if name.isEmpty || name.utf8.count > 4096 { return [] }
    let contents = contents
    let fileName = FileName(name)
    let literals = contents.collect { $0.literalMatches(fileName) }
    if !literals.isEmpty { return contents.best(literals) }
    return contents.best(contents.collect { $0.patternMatches(fileName) })
  }

  /// The types whose magic rules accept the start of a file, of the highest priority that any has.
  /// - Parameter data: The start of the file, at best `magicExtent` bytes.
  /// - Returns: Canonical names; empty when no rule matches.
  public func types(forContent data: UnsafeRawBufferPointer) -> [String] {
    let contents = contents
    var cancelled: Set<String> = []
    var found: [(mimeType: String, priority: Int)] = []
    for source in contents.sources {
      let matches = source.magicMatches(data)
      found += matches.found.filter { !cancelled.contains($0.mimeType) }
      cancelled.formUnion(matches.withoutInheritedRules)
    }
    guard let highest = found.map(\.priority).max() else { return [] }
    var result: [String] = []
    for match in found where match.priority == highest {
      let name = contents.canonicalName(match.mimeType)
      if !result.contains(name) { result.append(name) }
    }
    return result
  }

  /// How much of a file `types(forContent:)` wants to see, in bytes: at most 262,144.
  public var magicExtent: Int {
    min(contents.sources.map(\.magicExtent).max() ?? 0, 262_144)
  }

  /// The filename extensions of a type, preferred one first, without period.
  /// - Parameter name: A MIME type or alias, in any case.
  public func filenameExtensions(of name: String) -> [String] {
    let contents = contents
    let canonical = contents.canonicalName(name)
    var patterns: [String] = []
    let cancelling = contents.directoriesCancellingGlobs(of: canonical)
    for directory in directories {
      patterns += MIMETypeFile(canonical, in: directory)?.patterns ?? []
      if cancelling.contains(directory) { break }
    }
    if patterns.isEmpty {
      patterns = contents.sources.flatMap { $0.patterns(of: canonical) }.sorted {
        ($0.utf8.count, $0) < ($1.utf8.count, $1)
      }
    }
    var result: [String] = []
    for pattern in patterns {
      guard let tag = GlobPattern(pattern).filenameExtension, !result.contains(tag) else {
        continue
      }
      result.append(tag)
    }
    return result
  }

  /// What people call a type.
  /// - Parameters:
  ///   - name: A MIME type or alias, in any case.
  ///   - languages: For example `["de_AT", "en"]`, most wanted first.
  /// - Returns: The description in the first language there is, else the one without a language.
  public func description(of name: String, languages: [String]) -> String? {
    let canonical = contents.canonicalName(name)
    for directory in directories {
      if let file = MIMETypeFile(canonical, in: directory),
        let description = file.description(languages: languages)
      {
        return description
      }
    }
    return nil
  }
}

extension SharedMIMEDatabase.Contents {
  /// Asks each directory, leaving out what a more important one cancels.
  func collect(_ body: (any MIMESource) -> [NameMatch]) -> [NameMatch] {
    let sources = sources
    var cancelled: Set<String> = []
    var result: [NameMatch] = []
    for (index, source) in sources.enumerated() {
      for match in body(source) where !cancelled.contains(match.mimeType) { result.append(match) }
      if index + 1 < sources.count { cancelled.formUnion(source.typesWithoutInheritedGlobs) }
    }
    return result
  }

  /// The heaviest matches, and of these the longest, by canonical names.
  func best(_ matches: [NameMatch]) -> [NameMatch] {
    guard let weight = matches.map(\.weight).max() else { return [] }
    let heavy = matches.filter { $0.weight == weight }
    let length = heavy.map(\.length).max()
    var result: [NameMatch] = []
    for var match in heavy where match.length == length {
      match.mimeType = canonicalName(match.mimeType)
      if !result.contains(match) { result.append(match) }
    }
    return result
  }
}
