import Foundation
import Glibc

@testable import ContentTypes
@testable import UniformTypeIdentifiers

private let identifiers = [
  "public.png", "PUBLIC.jpeg", "com.example.x", "dyn.age81e62",
  "dyn.ah62d4rv4gu8y6y4usm1044pxqyz085xsqzqhe2",
  "dyn.ah62d4rv4ge81g6pq", "a..b", "",
].map(bytes)

private let propertyList = """
  <?xml version="1.0" encoding="UTF-8"?>
  <plist version="1.0"><dict><key>UTExportedTypeDeclarations</key><array><dict>
  <key>UTTypeIdentifier</key><string>com.example.fuzz</string>
  <key>UTTypeConformsTo</key><array><string>public.data</string></array>
  <key>UTTypeVersion</key><integer>3</integer>
  <key>UTTypeTagSpecification</key><dict><key>public.filename-extension</key><array><string>fz</string></array>
  <key>public.mime-type</key><string>application/x-fuzz</string></dict></dict></array></dict></plist>
  """

/// The same property list in its binary form.
private let binaryList: [UInt8] = {
  let value = try? PropertyListSerialization.propertyList(
    from: Data(propertyList.utf8), format: nil)
  let data = value.flatMap {
    try? PropertyListSerialization.data(fromPropertyList: $0, format: .binary, options: 0)
  }
  return data.map { Array($0) } ?? []
}()

let typeTargets: [FuzzTarget] = [
  FuzzTarget("identifier", corpus: identifiers, words: ["dyn.a", "dyn.", ".", "public", "é", "\0"])
  {
    input throws(BrokenLaw) in
    let text = String(decoding: input, as: UTF8.self)
    for type in [ContentType(text), ContentType(validating: text)].compactMap(\.self) {
      try hold(
        type.identifier.lowercased() == text.lowercased(), "another identifier: \(type.identifier)")
      try hold(ContentType(mentioned: type.identifier) == type, "the identifier names another type")
      _ = (type.supertypes, type.tags, type.description, type.preferredMIMEType)
      _ = type.conforms(to: .data)
    }
    if let dynamic = DynamicIdentifier(text) {
      try hold(!dynamic.tags.isEmpty, "a dynamic type without a tag")
      if let again = DynamicIdentifier(dynamic.identifier) {
        try hold(again == dynamic, "a dynamic identifier that is read otherwise the second time")
      } else {
        throw BrokenLaw("a dynamic identifier that cannot be read again")
      }
    }
  },
  FuzzTarget(
    "tags",
    corpus: ["public.mime-type\u{0}text/x-y", "public.filename-extension\u{0}x:y,z=\\", "a\u{0}b"]
      .map(bytes),
    words: ["\0", ":", ",", "=", "\\", "?0=", "6", "é"]
  ) { input throws(BrokenLaw) in
    let fields = input.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
    guard fields.count == 2, let name = String(validating: fields[0], as: UTF8.self),
      let tag = String(validating: fields[1], as: UTF8.self), !name.isEmpty, !tag.utf8.contains(0)
    else { return }
    // A class of one digit or letter is short for another in the format itself.
    let supertypes = name.utf8.count == 1 ? [] : [nil, "public.data", "com.example.x"]
    for supertype in supertypes {
      let written = DynamicIdentifier(
        tag: tag, tagClass: TagClass(rawValue: name), supertype: supertype)
      try hold(
        DynamicIdentifier(written.identifier) == written, "\(name)=\(tag) is read as another tag")
    }
    _ = ContentType(tag: tag, tagClass: TagClass(rawValue: name), conformingTo: .data)
    if let mime = MIMEType(tag) {
      try hold(
        mime.name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
          && mime.name.utf8.count(where: { $0 == 0x2F }) == 1,
        "\(mime.name): no MIME type")
    }
    _ = ContentType(mimeType: tag)
    _ = ContentType(filenameExtension: tag)
  },
  FuzzTarget(
    "info-plist",
    corpus: [bytes(propertyList), binaryList],
    words: [
      "<dict>", "</dict>", "<array>", "<string>", "<key>", "<integer>", "99999999999999999999",
      "&#0;",
    ],
    weight: 0.3
  ) { input throws(BrokenLaw) in
    // Foundation complains of anything else, line for line, as of a property list of the oldest form.
    guard input.starts(with: bytes("<")) || input.starts(with: bytes("bplist")) else { return }
    guard let list = try? DeclarationList(propertyList: Data(input)) else { return }
    for (declaration, _) in list.declarations {
      _ = SharedMIMEPackage.xml(for: [declaration])
      try hold(
        !SharedMIMEPackage.fileName(for: declaration.identifier).contains("/"),
        "a name that is a path")
    }
  },
  FuzzTarget(
    "sniffed-content",
    corpus: [
      bytes("%PDF-1.4\n"), [0x89] + bytes("PNG\r\n\u{1A}\n"), [0xFF, 0xD8, 0xFF, 0xE0],
      bytes("GIF89a"),
      bytes("PK\u{3}\u{4}"), bytes("<?xml version=\"1.0\"?><svg"), bytes("#!/bin/sh\necho"),
      [0x1F, 0x8B, 8],
    ], words: ["<", "BEGIN:", "II*\0", "\0\0\0"], weight: 0.2
  ) { input throws(BrokenLaw) in
    _ = input.withUnsafeBytes { ContentType.sniff($0) }
  },
  FuzzTarget("mime-cache", corpus: [mimeCache], weight: 0.1) { input throws(BrokenLaw) in
    guard let folder = ScratchFolder.shared else { throw BrokenLaw("no folder for it") }
    try folder.write(input, as: "mime.cache")
    let database = SharedMIMEDatabase(directories: [folder.path], checkInterval: 0)
    for name in ["a.note", "README.md", "x", "Makefile", "a.tar.gz"] {
      _ = database.types(forFileName: name)
    }
    for name in ["image/png", "application/x-note", "application/x-gzip", "a/b"] {
      _ = (database.canonicalName(name), database.aliases(of: name), database.parents(of: name))
      _ = (
        database.isSubclass(name, of: "application/x-nothing"),
        database.filenameExtensions(of: name)
      )
    }
    for content in [bytes("%PDF-1.4"), bytes("NOTE1"), [UInt8](repeating: 0, count: 300)] {
      _ = content.withUnsafeBytes { database.types(forContent: $0) }
    }
  },
]

/// A compiled database with one of everything; the installed one where there is no tool.
private let mimeCache: [UInt8] = {
  let tool = "/usr/bin/update-mime-database"
  guard let folder = ScratchFolder.shared, access(tool, X_OK) == 0 else {
    let installed = try? Data(contentsOf: URL(filePath: "/usr/share/mime/mime.cache"))
    return installed.map { Array($0) } ?? []
  }
  return folder.compiledDatabase(tool: tool)
}()
