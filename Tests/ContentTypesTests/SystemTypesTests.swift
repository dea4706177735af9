import Testing

@testable import ContentTypes

@Suite struct SystemTypesTests {
  @Test(arguments: ConstantRow.all) func constantsAreWhatTheyAreOnApplesSystems(_ row: ConstantRow)
  {
    #expect(row.type.identifier == row.identifier)
    #expect(ContentType(row.identifier) == row.type)
    #expect(ContentType(row.identifier.uppercased()) == row.type)
    #expect(
      row.type.parents(database: .none).map(\.identifier) == row.parents)
    #expect(row.type.filenameExtensions == row.filenameExtensions)
    #expect(row.type.preferredFilenameExtension == row.filenameExtensions.first)
    #expect(row.type.mimeTypes == row.mimeTypes)
    #expect(row.type.preferredMIMEType == row.mimeTypes.first)
    #expect(row.type.isDeclared)
    #expect(!row.type.isDynamic)
    #expect(row.type.isPublic == row.identifier.hasPrefix("public."))
    #expect(row.type.description == row.identifier)
  }

  @Test func thereAre141Constants() {
    #expect(ConstantRow.all.count == 141)
    #expect(Set(ConstantRow.all.map(\.type)).count == 141)
  }

  @Test(arguments: systemRows.split(separator: "\n"))
  func everyDeclaredTypeIsKnown(_ line: Substring) throws {
    let fields = line.split(separator: "|", omittingEmptySubsequences: false).map(String.init)
    let lists = fields.map { $0.split(separator: ",").map(String.init) }
    let type = try #require(ContentType(fields[0]))
    #expect(type.identifier == fields[0])
    #expect(type.parents(database: .none).map(\.identifier) == lists[1])
    #expect(type.filenameExtensions == lists[2])
    #expect(type.mimeTypes == lists[3])
    for tag in lists[2] {
      let found = ContentType.types(
        tag: tag.uppercased(), tagClass: .filenameExtension, conformingTo: nil)
      #expect(found.contains(type))
    }
    for tag in lists[3] where MIMEType(tag)?.charset == nil {
      #expect(ContentType.types(tag: tag, tagClass: .mimeType, conformingTo: nil).contains(type))
    }
  }

  @Test func theTableIsSortedAndClosed() {
    let rows = SystemTypes.allRows
    let names = rows.map { SystemTypes.identifier($0).asciiLowercased }
    #expect(names == names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    #expect(rows.count == systemRows.split(separator: "\n").count)
    let known = Set(rows)
    for row in rows { #expect(SystemTypes.parents(row).allSatisfy(known.contains)) }
  }

  @Test func conformanceIsTheClosureOfParents() {
    for row in SystemTypes.allRows {
      var closure: Set<Int> = []
      var waiting = SystemTypes.parents(row)
      while let next = waiting.popLast() {
        if closure.insert(next).inserted { waiting += SystemTypes.parents(next) }
      }
      #expect(!closure.contains(row))
      let type = ContentType(systemRow: row)
      #expect(type.supertypes(database: .none) == Set(closure.map(ContentType.init(systemRow:))))
      for other in SystemTypes.allRows {
        let conforms = type.conforms(to: ContentType(systemRow: other))
        if conforms != (closure.contains(other) || other == row) {
          Issue.record("\(type) against \(SystemTypes.identifier(other))")
        }
      }
    }
  }

  @Test(arguments: [
    ("mp4", "public.mpeg-4"), ("plist", "com.apple.property-list"), ("xml", "public.xml"),
    ("ts", "public.mpeg-2-transport-stream"), ("otf", "public.opentype-font"),
    ("JPG", "public.jpeg"), ("c++", "public.c-plus-plus-source"), ("log", "com.apple.log"),
  ]) func ambiguousExtensionsHaveOnePreferredType(tag: String, identifier: String) {
    #expect(ContentType(filenameExtension: tag)?.identifier == identifier)
  }

  @Test(arguments: [
    ("application/octet-stream", "public.data"), ("application/msword", "com.microsoft.word.doc"),
    ("application/vnd.ms-powerpoint", "com.microsoft.powerpoint.ppt"),
    ("audio/mp4a-latm", "public.mpeg-4-audio"), ("IMAGE/PNG", "public.png"),
    ("image/heic", "public.heic"), ("image/heif", "public.heif"),
    ("text/html; charset=utf-16", "public.html"), (" text/plain ", "public.plain-text"),
    ("text/plain;charset=utf-8", "public.utf8-plain-text"),
    ("Text/Plain; format=flowed; CharSet=\"UTF-8\"", "public.utf8-plain-text"),
    ("text/plain;charset=UTF8", "public.utf8-plain-text"),
    ("text/plain;charset=utf-16", "public.utf16-plain-text"),
    ("text/plain;charset=utf-16le", "public.utf16-external-plain-text"),
    ("text/plain;charset=iso-8859-1", "public.plain-text"),
    ("text/plain;charset=", "public.plain-text"), ("text/plain;;", "public.plain-text"),
  ]) func mimeTypesAreReadWithTheirParameters(mimeType: String, identifier: String) {
    #expect(ContentType(mimeType: mimeType)?.identifier == identifier)
  }

  @Test(arguments: [
    "", "/", "text", "text/", "/plain", "text/plain/x", "te xt/plain", "text/pl\u{0}ain", ";",
    "é/x",
  ]) func whatIsNoMIMETypeIsRefused(_ text: String) {
    #expect(MIMEType(text) == nil)
    #expect(ContentType(mimeType: text) == nil)
    #expect(ContentType.types(tag: text, tagClass: .mimeType, conformingTo: nil).isEmpty)
  }

  @Test(arguments: ["", "a/b", "x\u{0}y", String(repeating: "x", count: 256)])
  func whatIsNoExtensionIsRefused(_ text: String) {
    #expect(ContentType(filenameExtension: text) == nil)
  }

  @Test func aSupertypeRestrictsTheAnswer() throws {
    #expect(ContentType(filenameExtension: "png", conformingTo: .image) == .png)
    let movie = try #require(ContentType(filenameExtension: "mov", conformingTo: .image))
    #expect(movie.identifier == "dyn.ah62d4uv4ge804550")
    #expect(movie.conforms(to: .image))
    #expect(ContentType(filenameExtension: "rtfd")?.isDynamic == true)
    #expect(
      ContentType(filenameExtension: "rtfd", conformingTo: .package)?.identifier == "com.apple.rtfd"
    )
    #expect(
      ContentType.types(tag: "mp4", tagClass: .filenameExtension, conformingTo: nil)
        == [.mpeg4Movie, .mpeg4Audio])
    #expect(ContentType(filenameExtension: "mp4", conformingTo: .audio) == .mpeg4Audio)
  }

  @Test func unknownIdentifiersAreNotTypes() {
    for text in ["", "public", "public.", "public.pn", "public.pngx", "|", "public.png|", "\n"] {
      #expect(ContentType(text) == nil)
    }
  }

  @Test func subtypesAndSupertypesAreStrict() {
    #expect(ContentType.png.conforms(to: .png))
    #expect(!ContentType.png.isSubtype(of: .png))
    #expect(ContentType.png.isSubtype(of: .image))
    #expect(ContentType.image.isSupertype(of: .png))
    #expect(!ContentType.html.conforms(to: .plainText))
    #expect(
      ContentType("org.openxmlformats.wordprocessingml.document")?.conforms(to: .archive) == false)
  }
}

extension SharedMIMEDatabase {
  /// A database without directories.
  static let none = SharedMIMEDatabase(directories: [])
}
