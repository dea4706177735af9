/// Reads the text files of a database directory that has no `mime.cache`.
///
/// Source: the Shared MIME-info Database specification: `aliases`, `subclasses`, `globs2` (else `globs`), `magic`. Lines
/// that cannot be read are passed over.
final class MIMETextFiles: MIMESource {
  private let targets: [String: String]
  private let parentNames: [String: [String]]
  private let literals: [Glob]
  /// By the text after the `*`.
  private let suffixes: [String: [Glob]]
  private let globs: [Glob]
  let typesWithoutInheritedGlobs: [String]
  private let rules: [MagicRule]

  struct Glob: Hashable, Sendable {
    var weight: Int
    var mimeType: String
    var pattern: GlobPattern
    var isCaseSensitive: Bool
  }

  /// Opens a directory.
  /// - Returns: nil when none of the files is there.
  init?(directory: String) {
    let names = ["aliases", "subclasses", "globs2", "globs", "magic"]
    let files = names.map { name in
      FileBytes(path: directory + "/" + name, limit: 64 << 20, mapped: false)
    }
    if files.allSatisfy({ $0 == nil }) { return nil }
    targets = Dictionary(
      Self.pairs(files[0]).map { ($0.0, $0.1) }, uniquingKeysWith: { first, _ in first })
    parentNames = Dictionary(grouping: Self.pairs(files[1]), by: \.0).mapValues { $0.map(\.1) }
    let all = files[2].map(Self.globs2) ?? files[3].map(Self.globs1) ?? []
    typesWithoutInheritedGlobs = all.filter { $0.pattern.text == CancellingMark.globs }
      .map(\.mimeType)
    let patterns = all.filter { $0.pattern.text != CancellingMark.globs }
    literals = patterns.filter(\.pattern.isLiteral)
    suffixes = Dictionary(
      grouping: patterns.filter { $0.pattern.suffix != nil }, by: { $0.pattern.suffix ?? "" })
    globs = patterns.filter { !$0.pattern.isLiteral && $0.pattern.suffix == nil }
    rules = files[4].map { MagicRule.all(in: $0.bytes) } ?? []
  }

  var isUsable: Bool { true }
  var magicExtent: Int { rules.map(\.extent).max() ?? 0 }

  func target(ofAlias name: String) -> String? { targets[name] }
  func aliases(of name: String) -> [String] { targets.filter { $0.value == name }.keys.sorted() }
  func parents(of name: String) -> [String] { parentNames[name] ?? [] }

  func literalMatches(_ name: FileName) -> [NameMatch] {
    literals.filter { $0.pattern.text == ($0.isCaseSensitive ? name.original : name.folded) }
      .map(\.match)
  }

  func patternMatches(_ name: FileName) -> [NameMatch] {
    var result: [NameMatch] = []
    for caseSensitive in [true, false] {
      var rest = Substring(caseSensitive ? name.original : name.folded)
      while !rest.isEmpty {
        for glob in suffixes[String(rest)] ?? [] where glob.isCaseSensitive == caseSensitive {
          result.append(glob.match)
        }
        rest.unicodeScalars.removeFirst()
      }
    }
    var allowance = GlobPattern.allowance
    for glob in globs {
      let scalars = name.scalars(caseSensitive: glob.isCaseSensitive)
      if glob.pattern.matches(scalars, allowance: &allowance) { result.append(glob.match) }
    }
    return result
  }

  func patterns(of name: String) -> [String] {
    (literals + suffixes.values.joined() + globs).filter { $0.mimeType == name }
      .map(\.pattern.text)
  }

  func magicMatches(_ data: UnsafeRawBufferPointer) -> MagicMatches {
    var result = MagicMatches()
    var comparison = MagicComparison()
    for rule in rules {
      if rule.cancels {
        result.withoutInheritedRules.append(rule.mimeType)
      } else if rule.matches(data, &comparison) {
        result.found.append((rule.mimeType, rule.priority))
      }
    }
    return result
  }

  var typeNames: Set<String> {
    var names = Set(targets.keys).union(targets.values).union(parentNames.keys)
    for glob in literals + suffixes.values.joined() + globs { names.insert(glob.mimeType) }
    return names
  }

  var typeNamesWithCapitals: Set<String> { typeNames.filter { $0 != $0.asciiLowercased } }

  // MARK: Lines

  private static func lines(_ file: FileBytes?) -> [Substring] {
    guard let file else { return [] }
    return String(decoding: file.bytes, as: UTF8.self).split(separator: "\n").filter {
      !$0.hasPrefix("#")
    }
  }

  private static func pairs(_ file: FileBytes?) -> [(String, String)] {
    lines(file).compactMap { line in
      let words = line.split(separator: " ")
      return words.count == 2 ? (String(words[0]), String(words[1])) : nil
    }
  }

  /// `weight:type:pattern[:flags]`. Each case-sensitive line has a twin without flags, meant for older readers.
  private static func globs2(_ file: FileBytes) -> [Glob] {
    let all = lines(file).compactMap { line -> Glob? in
      let fields = line.split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count >= 3, let weight = Int(fields[0]), (0...255).contains(weight),
        !fields[2].isEmpty
      else { return nil }
      let flags = fields.count == 4 ? fields[3].split(separator: ",") : []
      let isCaseSensitive = flags.contains("cs")
      let pattern = isCaseSensitive ? String(fields[2]) : caseless(fields[2])
      return Glob(
        weight: weight, mimeType: String(fields[1]), pattern: GlobPattern(pattern),
        isCaseSensitive: isCaseSensitive)
    }
    let strict = Set(
      all.filter(\.isCaseSensitive).map { [$0.mimeType, $0.pattern.text.asciiLowercased] })
    return all.filter {
      $0.isCaseSensitive || !strict.contains([$0.mimeType, $0.pattern.text])
    }
  }

  /// `type:pattern`, all of weight 50.
  private static func globs1(_ file: FileBytes) -> [Glob] {
    lines(file).compactMap { line in
      let fields = line.split(separator: ":", maxSplits: 1)
      guard fields.count == 2 else { return nil }
      return Glob(
        weight: 50, mimeType: String(fields[0]), pattern: GlobPattern(caseless(fields[1])),
        isCaseSensitive: false)
    }
  }

  private static func caseless(_ pattern: Substring) -> String {
    pattern == CancellingMark.globs ? String(pattern) : pattern.asciiLowercased
  }
}

extension MIMETextFiles.Glob {
  var match: NameMatch {
    NameMatch(mimeType: mimeType, weight: weight, length: pattern.length)
  }
}
