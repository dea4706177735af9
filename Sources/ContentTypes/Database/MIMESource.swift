/// One directory of the shared MIME database.
protocol MIMESource: Sendable {
  /// False once a damaged place was met: the directory then no longer counts.
  var isUsable: Bool { get }
  /// The greatest number of bytes of a file its magic rules look at.
  var magicExtent: Int { get }

  /// What an alias stands for.
  func target(ofAlias name: String) -> String?
  /// The aliases of a type.
  func aliases(of name: String) -> [String]
  /// The explicit parents of a type.
  func parents(of name: String) -> [String]
  /// The types whose patterns match a whole file name.
  func literalMatches(_ name: FileName) -> [NameMatch]
  /// The types whose other patterns match a file name.
  func patternMatches(_ name: FileName) -> [NameMatch]
  /// The types whose patterns in less important directories do not count.
  var typesWithoutInheritedGlobs: [String] { get }
  /// The patterns of a type, in no particular order.
  func patterns(of name: String) -> [String]
  /// The types whose magic rules accept the start of a file, and those whose rules in less important directories do not
  /// count.
  func magicMatches(_ data: UnsafeRawBufferPointer) -> MagicMatches
  /// Every spelling of a type name the directory uses.
  var typeNames: Set<String> { get }
  /// Those that are not all in lower case.
  var typeNamesWithCapitals: Set<String> { get }
}

/// A type whose pattern matches a file name.
struct NameMatch: Hashable, Sendable {
  var mimeType: String
  /// 0 to 100; 50 unless the database says otherwise.
  var weight: Int
  /// How much of the name the pattern names, in Unicode scalars.
  var length: Int
}

/// What the magic rules of one directory say about data.
struct MagicMatches: Sendable {
  /// Types with their priority, 0 to 100.
  var found: [(mimeType: String, priority: Int)] = []
  /// Types whose rules in less important directories do not count.
  var withoutInheritedRules: [String] = []
}

/// A file name prepared for matching.
struct FileName: Sendable {
  let original: String
  /// With the letters A to Z in lower case: what patterns compare with unless they are case-sensitive.
  let folded: String
  let originalScalars: [UInt32]
  let foldedScalars: [UInt32]

  /// - Parameter name: The last component of a path.
  init(_ name: String) {
    original = name
    folded = name.asciiLowercased
    originalScalars = name.unicodeScalars.map(\.value)
    foldedScalars = folded.unicodeScalars.map(\.value)
  }

  /// The name as a pattern sees it.
  func scalars(caseSensitive: Bool) -> [UInt32] {
    caseSensitive ? originalScalars : foldedScalars
  }
}

/// Values that stand in the place of a pattern or magic value and cancel what less important directories say.
enum CancellingMark {
  static let globs = "__NOGLOBS__"
  static let magic = "__NOMAGIC__"
}
