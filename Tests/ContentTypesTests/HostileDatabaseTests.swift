import Foundation
import Testing

@testable import ContentTypes

/// Nothing a database holds may crash or hang a reader.
@Suite struct HostileDatabaseTests {
  /// Asks a directory everything there is to ask.
  static func exercise(_ directory: String) {
    let database = SharedMIMEDatabase(directories: [directory, directory])
    for name in ["a.png", "README.md", "core", "x", "Makefile", "a.tar.gz", "ä.ö", "__NOGLOBS__"] {
      _ = database.types(forFileName: name)
    }
    for name in ["image/png", "text/x-c", "application/x-gzip", "IMAGE/X-MS-BMP", "a/b"] {
      _ = database.canonicalName(name)
      _ = database.aliases(of: name)
      _ = database.isSubclass(name, of: "application/x-nothing")
      _ = database.filenameExtensions(of: name)
      _ = database.contents.sources.map { $0.patterns(of: name).count + $0.typeNames.count }
      let types = ContentType.types(
        tag: name, tagClass: .mimeType, conformingTo: nil, database: database)
      _ = types.map { $0.supertypes(database: database).count }
    }
    for content in InstalledDatabaseTests.sampleContents { _ = database.types(forContent: content) }
    _ = database.magicExtent
  }

  private static func cache() throws -> [UInt8]? {
    if TemporaryDatabase.tool == nil { return nil }
    let temporary = try TemporaryDatabase()
    let path = try temporary.install(SharedMIMEDatabaseTests.notes)
    return Array(try Data(contentsOf: URL(fileURLWithPath: path + "/mime.cache")))
  }

  private static func place(_ bytes: [UInt8], in temporary: TemporaryDatabase) throws -> String {
    let path = try temporary.directory()
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/mime.cache"))
    return path
  }

  @Test func cachesCutAnywhereAreSurvived() throws {
    guard let bytes = try Self.cache() else { return }
    let temporary = try TemporaryDatabase()
    for length in 0..<bytes.count {
      Self.exercise(try Self.place(Array(bytes[..<length]), in: temporary))
    }
  }

  @Test func mutatedCachesAreSurvived() throws {
    guard let bytes = try Self.cache() else { return }
    let temporary = try TemporaryDatabase()
    var random = Seeded(state: 42)
    let numbers: [UInt32] = [
      0, 1, 4, 12, 40, 0xFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0xFFFF_FFFC,
    ]
    for _ in 0..<800 {
      var mutant = bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<(bytes.count / 4), using: &random) * 4
        var value = numbers.randomElement(using: &random) ?? 0
        if Bool.random(using: &random) {
          value = UInt32.random(in: 0..<UInt32(bytes.count), using: &random) & ~3
        }
        if place + 4 <= mutant.count {
          for byte in 0..<4 {
            mutant[place + byte] = UInt8(truncatingIfNeeded: value >> (24 - 8 * byte))
          }
        }
      }
      Self.exercise(try Self.place(mutant, in: temporary))
    }
  }

  @Test func randomBytesAreSurvived() throws {
    let temporary = try TemporaryDatabase()
    var random = Seeded(state: 5)
    for _ in 0..<300 {
      var bytes = (0..<Int.random(in: 0...600, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if bytes.count > 40, Bool.random(using: &random) {
        bytes.replaceSubrange(0..<4, with: [0, 1, 0, 2])
        for field in 1...9 {
          bytes.replaceSubrange(
            field * 4..<(field * 4 + 3), with: [0, 0, UInt8.random(in: 0...2, using: &random)])
        }
      }
      Self.exercise(try Self.place(bytes, in: temporary))
    }
  }

  /// Inputs that broke a reader once, or are known to break others.
  @Test func treesAndRulesThatRunInCirclesEnd() throws {
    var bytes: [UInt8] = []
    func append(_ values: UInt32...) {
      for value in values {
        for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> (24 - 8 * byte))) }
      }
    }
    append(0x0001_0002, 44, 44, 44, 48, 44, 56, 44, 44, 44, 0)
    append(0)  // 44: empty list
    #expect(bytes.count == 48)
    bytes.removeLast(4)
    append(0, 3, 68)  // 44: empty list, 48: three roots at 68
    append(1, 18730, 104)  // 56: one rule at 104
    // 68: each node has all as children
    for letter in [0x67, 0x6E, 0x70] as [UInt32] { append(letter, 3, 68) }
    append(50, 40, 2, 120)  // 104: two matchlets at 120
    // 120: each has both as children
    for _ in 0..<2 { append(0, 0xFFFF_FFFF, 1, 1, 200, 0, 2, 120) }
    while bytes.count < 260 { bytes.append(0) }
    let temporary = try TemporaryDatabase()
    let directory = try Self.place(bytes, in: temporary)
    Self.exercise(directory)
    let database = SharedMIMEDatabase(directories: [directory])
    #expect(database.types(forFileName: String(repeating: "gnp", count: 1000)) == [])
    #expect(database.types(forContent: [UInt8](repeating: 0, count: 18730)) == [])
    #expect(database.isEmpty)
  }

  @Test func aDamagedDirectoryIsLeftOutAndTheOthersStillAnswer() throws {
    guard let bytes = try Self.cache() else { return }
    let temporary = try TemporaryDatabase()
    var mutant = bytes
    // The list of aliases lies outside the file.
    mutant.replaceSubrange(4..<8, with: [0x7F, 0xFF, 0xFF, 0xF0])
    let damaged = try Self.place(mutant, in: temporary)
    let good = try temporary.install(SharedMIMEDatabaseTests.notes, in: "good")
    let database = SharedMIMEDatabase(directories: [damaged, good])
    #expect(database.types(forFileName: "a.note") == ["application/x-note"])
    #expect(database.contents.sources.count == 1)
  }

  @Test func endlessChainsOfParentsEnd() throws {
    let temporary = try TemporaryDatabase()
    let path = try temporary.directory()
    var text = ""
    for index in 0..<200_000 { text += "a/t\(index) a/t\(index + 1)\n" }
    try Data(text.utf8).write(to: URL(fileURLWithPath: path + "/subclasses"))
    let database = SharedMIMEDatabase(directories: [path])
    #expect(database.isSubclass("a/t0", of: "a/t500"))
    #expect(!database.isSubclass("a/t0", of: "image/png"))
    let type = try #require(
      ContentType.types(tag: "a/t0", tagClass: .mimeType, conformingTo: .data, database: database)
        .first)
    #expect(!type.conforms(to: .image, database: database))
    #expect(type.supertypes(database: database).count <= 1001)
  }

  @Test func patternsAreMatchedWhole() {
    func matches(_ pattern: String, _ name: String) -> Bool {
      var allowance = GlobPattern.allowance
      return GlobPattern(pattern).matches(FileName(name).originalScalars, allowance: &allowance)
    }
    #expect(
      !matches(String(repeating: "*a", count: 200) + "b", String(repeating: "a", count: 4000)))
    #expect(matches("a[!b-d]?*.[xy]", "aez.tar.y"))
    #expect(!matches("a[!b-d]", "ac"))
    #expect(matches("[", "["))
    #expect(matches("[]]", "]"))
    #expect(matches("\\*", "*"))
    #expect(matches("*", ""))
    #expect(matches("a*b*c", "aXXbYYbc"))
    #expect(!matches("a*b*c", "aXXbYYbcd"))
    #expect(!matches("", "a"))
  }

  /// A million patterns in one list, each as slow as can be.
  @Test func aMillionPatternsAreRefusedInTime() throws {
    var bytes: [UInt8] = []
    func append(_ values: UInt32...) {
      for value in values {
        for byte in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: value >> (24 - 8 * byte))) }
      }
    }
    let pattern = String(repeating: "*a", count: 2000) + "b"
    let type = UInt32(60 + pattern.utf8.count + 1)
    let list = (type + 4 + 3) & ~3
    append(0x0001_0002, 44, 44, 44, 48, list, 48, 44, 44, 44, 0, 0, 0, 0, 0)
    #expect(bytes.count == 60)
    bytes += Array(pattern.utf8) + [0] + Array("a/b".utf8) + [0]
    while bytes.count < Int(list) { bytes.append(0) }
    append(1_000_000)
    let record = bytes.count
    append(60, type, 50)
    bytes.reserveCapacity(bytes.count + 12_000_000)
    let entry = Array(bytes[record...])
    for _ in 1..<1_000_000 { bytes += entry }
    let temporary = try TemporaryDatabase()
    let database = SharedMIMEDatabase(directories: [try Self.place(bytes, in: temporary)])
    let time = ContinuousClock().measure {
      #expect(database.types(forFileName: String(repeating: "a", count: 255)) == [])
    }
    #expect(time < .seconds(10))
    #expect(database.isEmpty)
  }

  @Test func damagedTextFilesAreReadAsFarAsTheyGo() throws {
    let temporary = try TemporaryDatabase()
    let path = try temporary.directory()
    func write(_ name: String, _ bytes: [UInt8]) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }
    try write("aliases", Array("a/b\n\nc/d e/f g/h\nx/y z/z\n\u{0}\n".utf8))
    try write("globs2", Array("50:a/a:*.a\nx:y\n999:b/b:*.b\n50:c/c:\n:::\n50:d/d:[\n".utf8))
    try write("magic", Array("MIME-Magic\0\n[50:m/m]\n>0=\u{0}\u{2}MM\n>1=\u{7F}\u{7F}X".utf8))
    Self.exercise(path)
    let database = SharedMIMEDatabase(directories: [path])
    #expect(database.canonicalName("x/y") == "z/z")
    #expect(database.types(forFileName: "1.a") == ["a/a"])
    #expect(database.types(forFileName: "1.b") == [])
    #expect(database.types(forContent: Array("MM".utf8)) == ["m/m"])
    var random = Seeded(state: 9)
    let magic =
      (try? Data(contentsOf: URL(fileURLWithPath: "/usr/share/mime/magic"))).map {
        Array($0.prefix(4000))
      } ?? []
    for _ in 0..<200 where !magic.isEmpty {
      var mutant = magic
      for _ in 0..<5 {
        mutant[Int.random(in: 12..<mutant.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
      }
      try write("magic", mutant)
      Self.exercise(path)
    }
  }
}
