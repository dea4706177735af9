import Foundation
import Testing

@testable import ContentTypes

/// What the distribution's database and the tables say together.
@Suite(.enabled(if: SharedMIMEDatabase.isInstalled, "needs shared-mime-info"))
struct InstalledDatabaseTests {
  /// The first declared type with each MIME tag. The published pairs of MIME type and identifier look at constants first,
  /// and name the alphabetically first of several; the declared tag is the better reason.
  static let declaredTags: [String: String] = {
    var result: [String: String] = [:]
    for line in systemRows.split(separator: "\n") {
      let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
      for tag in fields[3].split(separator: ",") where result[tag.lowercased()] == nil {
        result[tag.lowercased()] = fields[0]
      }
    }
    return result
  }()

  /// Whoever owns a selection may list as many names as it likes; looking through the whole database for each of them
  /// took minutes.
  @Test(.timeLimit(.minutes(1)))
  func thousandsOfUnknownTypesAreComparedInReasonableTime() throws {
    for index in 0..<3000 {
      let type = try #require(
        ContentType.types(
          tag: "x/unknown-\(index)", tagClass: .mimeType, conformingTo: nil, database: .installed
        ).first)
      #expect(type.conforms(to: .data, database: .installed))
      #expect(!type.conforms(to: .text, database: .installed))
    }
    // What the patterns of the database imply is still found.
    let pattern = SharedMIMEDatabase.installed.filenameExtensions(of: "image/png")
    #expect(pattern.first == "png")
  }

  @Test func everyMIMETypeHasItsIdentifier() throws {
    for line in mimeRows.split(separator: "\n") {
      let fields = line.split(separator: "|").map(String.init)
      let expected = Self.declaredTags[fields[0].lowercased()] ?? fields[1]
      for spelling in [fields[0], fields[0].uppercased(), fields[0] + "; charset=binary"] {
        let found = ContentType.types(
          tag: spelling, tagClass: .mimeType, conformingTo: nil, database: .installed
        ).first
        let type = try #require(found)
        if expected.hasPrefix("dyn.") {
          // The published ones name public.data as supertype.
          #expect(type.isDynamic, "\(spelling)")
          let byName = ContentType.types(
            tag: spelling, tagClass: .mimeType, conformingTo: .data, database: .installed
          ).first
          #expect(byName?.identifier == expected, "\(spelling)")
        } else {
          #expect(type.identifier == expected, "\(spelling)")
        }
      }
    }
  }

  /// Where the two sides agree on the extension alone.
  @Test(arguments: [
    ("com.sun.java-source", "text/x-java"), ("public.patch-file", "text/x-patch"),
    ("org.gnu.gnu-zip-tar-archive", "application/x-compressed-tar"),
    ("public.object-code", "application/x-object"),
  ]) func typesWithoutMIMETypeMeetTheDatabase(identifier: String, mimeType: String) throws {
    let declared = try #require(ContentType(identifier))
    #expect(declared.preferredMIMEType == nil)
    #expect(declared.freedesktopMIMETypes(database: .installed).first == mimeType)
    let offered = try #require(
      ContentType.types(
        tag: mimeType, tagClass: .mimeType, conformingTo: .data, database: .installed
      ).first)
    #expect(offered.isDynamic)
    #expect(offered.conforms(to: declared, database: .installed))
  }

  @Test func tableAloneIsEnoughForDeclaredTypes() {
    for line in mimeRows.split(separator: "\n") {
      let fields = line.split(separator: "|").map(String.init)
      let expected = Self.declaredTags[fields[0].lowercased()] ?? fields[1]
      if expected.hasPrefix("dyn.") { continue }
      let found = ContentType.types(
        tag: fields[0], tagClass: .mimeType, conformingTo: nil, database: .none)
      #expect(found.first?.identifier == expected, "\(fields[0])")
    }
  }

  @Test func everyAliasMeansTheSameTypeAsItsTarget() throws {
    let text = try String(contentsOfFile: "/usr/share/mime/aliases", encoding: .utf8)
    for line in text.split(separator: "\n") {
      let names = line.split(separator: " ").map(String.init)
      #expect(SharedMIMEDatabase.installed.canonicalName(names[0]) == names[1])
      #expect(SharedMIMEDatabase.installed.aliases(of: names[1]).contains(names[0]))
      let types = names.map {
        ContentType.types(tag: $0, tagClass: .mimeType, conformingTo: nil, database: .installed)
          .first
      }
      if let owner = Self.declaredTags[names[0].lowercased()] {
        #expect(types[0]?.identifier == owner)
      } else if names[0] == "audio/m4a" {
        #expect(types[0]?.identifier == "com.apple.m4a-audio")
      } else {
        #expect(types[0] == types[1], "\(names)")
      }
    }
  }

  @Test func everySubclassIsOne() throws {
    let text = try String(contentsOfFile: "/usr/share/mime/subclasses", encoding: .utf8)
    for line in text.split(separator: "\n") {
      let names = line.split(separator: " ").map(String.init)
      #expect(SharedMIMEDatabase.installed.isSubclass(names[0], of: names[1]))
    }
  }

  @Test func everyTypeHasTheExtensionsOfItsFileInTheirOrder() {
    #expect(
      SharedMIMEDatabase.installed.filenameExtensions(of: "image/jpeg") == ["jpg", "jpeg", "jpe"])
    let database = SharedMIMEDatabase.installed
    // Each look-up backwards walks the whole tree of suffixes.
    for (index, line) in mimeRows.split(separator: "\n").enumerated() where index.isMultiple(of: 8)
    {
      let name = String(line.split(separator: "|")[0])
      let reverse = database.contents.sources.flatMap { $0.patterns(of: name) }
        .compactMap { GlobPattern($0).filenameExtension?.lowercased() }
      #expect(
        Set(database.filenameExtensions(of: name).map { $0.lowercased() }) == Set(reverse),
        "\(name)")
    }
  }

  @Test func textFilesAndCacheAgree() throws {
    let text = try #require(MIMETextFiles(directory: "/usr/share/mime"))
    let file = try #require(
      FileBytes(path: "/usr/share/mime/mime.cache", limit: 1 << 30, mapped: true))
    let cache = try #require(MIMECache(file: file, directory: "/usr/share/mime"))
    for name in Self.sampleNames {
      let fileName = FileName(name)
      #expect(Set(text.literalMatches(fileName)) == Set(cache.literalMatches(fileName)), "\(name)")
      #expect(Set(text.patternMatches(fileName)) == Set(cache.patternMatches(fileName)), "\(name)")
    }
    for line in mimeRows.split(separator: "\n") {
      let name = String(line.split(separator: "|")[0])
      #expect(text.parents(of: name).sorted() == cache.parents(of: name).sorted())
      #expect(text.aliases(of: name).sorted() == cache.aliases(of: name).sorted())
    }
    var random = Seeded(state: 11)
    for data in Self.sampleContents + (0..<200).map({ _ in Self.randomBytes(&random) }) {
      let one = data.withUnsafeBytes { text.magicMatches($0).found }
      let other = data.withUnsafeBytes { cache.magicMatches($0).found }
      let highest = one.map(\.priority).max()
      #expect(highest == other.map(\.priority).max())
      #expect(
        Set(one.filter { $0.priority == highest }.map(\.mimeType))
          == Set(other.filter { $0.priority == highest }.map(\.mimeType)))
    }
  }

  static func randomBytes(_ random: inout Seeded) -> [UInt8] {
    (0..<64).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  /// A name for each pattern of the database, in three spellings, and some more.
  static let sampleNames: [String] = {
    let text = (try? String(contentsOfFile: "/usr/share/mime/globs2", encoding: .utf8)) ?? ""
    var names: [String] = [
      "", "a", ".", "..", ".png", "a.", "a.png.", "no.such-extension", "ü.PNG",
    ]
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let pattern = line.split(separator: ":", omittingEmptySubsequences: false)[2]
      let name = pattern.replacingOccurrences(of: "*", with: "name").replacingOccurrences(
        of: "?", with: "x"
      )
      .replacingOccurrences(of: "[0-9]", with: "7")
      names += [name, name.uppercased(), name.lowercased()]
    }
    return names
  }()

  static let sampleContents: [[UInt8]] = [
    Array("%PDF-1.4\n".utf8), [0x89] + Array("PNG\r\n\u{1A}\n".utf8), [0xFF, 0xD8, 0xFF, 0xE0],
    Array("GIF89a".utf8), Array("PK\u{3}\u{4}".utf8), Array("<?xml version=\"1.0\"?>".utf8),
    Array("#!/bin/sh\necho".utf8), Array("<!DOCTYPE html>".utf8), [0x1F, 0x8B, 8],
    Array("BZh9".utf8),
    Array("{\\rtf1".utf8), [0x7F] + Array("ELF\u{2}\u{1}\u{1}".utf8), Array("plain text".utf8),
    [0, 1, 2, 3],
    Array(repeating: 0, count: 257) + Array("ustar\0".utf8), [0xC7, 0x71], [0x71, 0xC7],
    Array("From: a@b\nTo: c@d\n".utf8), Array("BEGIN:VCARD\n".utf8), Array("II*\0".utf8),
  ]
}

/// The same questions to GLib, which reads the same database.
@Suite(
  .enabled(
    if: GLibPeer.isPresent && SharedMIMEDatabase.isInstalled,
    "needs python3-gi and shared-mime-info"))
struct GLibDifferentialTests {
  @Test func namesMeanTheSameTypes() throws {
    let names = InstalledDatabaseTests.sampleNames.filter { !$0.isEmpty && !$0.contains("/") }
    let answers = try GLibPeer.guess(names: names)
    #expect(answers.count == names.count)
    for (name, answer) in zip(names, answers) {
      let ours = SharedMIMEDatabase.installed.types(forFileName: name)
      if answer.isUncertain, answer.type == "application/octet-stream" {
        #expect(ours.isEmpty, "\(name): \(ours)")
      } else {
        #expect(ours.contains(answer.type), "\(name): \(ours), GLib \(answer.type)")
        // GLib is uncertain also where the other patterns weigh less.
        #expect(answer.isUncertain || ours.count == 1, "\(name): \(ours), GLib \(answer)")
      }
    }
  }

  @Test func contentsMeanTheSameTypes() throws {
    var random = Seeded(state: 3)
    var contents = InstalledDatabaseTests.sampleContents
    for _ in 0..<200 { contents.append(InstalledDatabaseTests.randomBytes(&random)) }
    let answers = try GLibPeer.guess(contents: contents)
    #expect(answers.count == contents.count)
    for (content, answer) in zip(contents, answers) {
      let ours = SharedMIMEDatabase.installed.types(forContent: content)
      if ours.isEmpty {
        let isText = content.withUnsafeBytes { ContentType.looksLikeText($0) }
        #expect(answer.type == (isText ? "text/plain" : "application/octet-stream"), "\(content)")
      } else {
        #expect(ours.contains(answer.type), "\(content): \(ours)")
      }
    }
  }
}

/// Debian's Python with its GIO binding, as another reader of the database.
enum GLibPeer {
  struct Answer: Sendable {
    var type: String
    var isUncertain: Bool
  }

  static let isPresent: Bool =
    (try? run("import gi; from gi.repository import Gio", input: "")) != nil

  static func guess(names: [String]) throws -> [Answer] {
    try answers(
      """
      import sys
      from gi.repository import Gio
      for line in sys.stdin.read().split("\\n"):
          print(*Gio.content_type_guess(line, None), sep="\\t")
      """, input: names.joined(separator: "\n"))
  }

  static func guess(contents: [[UInt8]]) throws -> [Answer] {
    try answers(
      """
      import sys
      from gi.repository import Gio
      for line in sys.stdin.read().split("\\n"):
          print(*Gio.content_type_guess(None, bytes.fromhex(line)), sep="\\t")
      """,
      input: contents.map { $0.map { String(format: "%02x", $0) }.joined() }.joined(separator: "\n")
    )
  }

  private static func answers(_ program: String, input: String) throws -> [Answer] {
    try run(program, input: input).split(separator: "\n").map { line in
      let fields = line.split(separator: "\t")
      return Answer(type: String(fields[0]), isUncertain: fields[1] == "True")
    }
  }

  private struct Failure: Error {}

  private static func run(_ program: String, input: String) throws -> String {
    let source = NSTemporaryDirectory() + "/glib-peer-\(UUID().uuidString)"
    try Data(input.utf8).write(to: URL(fileURLWithPath: source))
    defer { try? FileManager.default.removeItem(atPath: source) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", program]
    var environment = ProcessInfo.processInfo.environment
    environment["XDG_DATA_HOME"] = "/nonexistent"
    environment["XDG_DATA_DIRS"] = "/usr/share"
    process.environment = environment
    process.standardInput = try FileHandle(forReadingFrom: URL(fileURLWithPath: source))
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    if process.terminationStatus != 0 { throw Failure() }
    return String(decoding: data, as: UTF8.self)
  }
}
