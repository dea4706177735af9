import Foundation
import Testing

@testable import UniformTypeIdentifiers

@Suite final class DeclarationTests {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func write(_ list: [String: Any], _ format: PropertyListSerialization.PropertyListFormat) throws
    -> URL
  {
    let file = folder.appendingPathComponent("Info.plist")
    try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0).write(
      to: file)
    return file
  }

  @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func anInfoPlistDeclaresTypes(_ format: PropertyListSerialization.PropertyListFormat) throws {
    let name = "com.example.plist-\(format.rawValue)"
    let file = try write(
      [
        "UTExportedTypeDeclarations": [
          [
            "UTTypeIdentifier": name + ".Note",
            "UTTypeConformsTo": ["public.json", "public.content"],
            "UTTypeDescription": "Example note", "UTTypeVersion": "7",
            "UTTypeReferenceURL": "https://example.com/note",
            "UTTypeTagSpecification": [
              "public.filename-extension": ["xnote\(format.rawValue)", "xnt"],
              "public.mime-type": "application/vnd.example.note\(format.rawValue)",
              "com.apple.ostype": "NOTE",
            ],
          ]
        ],
        "UTImportedTypeDeclarations": [
          ["UTTypeIdentifier": name + ".foreign", "UTTypeConformsTo": "public.image"]
        ],
      ], format)
    #expect(try UTType.declareTypes(inInfoPlistAt: file) == [])
    let note = try #require(UTType(name + ".note"))
    #expect(note.identifier == name + ".Note")
    #expect(note.isDeclared)
    #expect(!note.isPublic)
    #expect(note.conforms(to: .json) && note.conforms(to: .text) && note.conforms(to: .content))
    #expect(note.localizedDescription == "Example note")
    #expect(note.version == 7)
    #expect(note.referenceURL?.absoluteString == "https://example.com/note")
    #expect(note.preferredFilenameExtension == "xnote\(format.rawValue)")
    #expect(note.tags[.filenameExtension] == ["xnote\(format.rawValue)", "xnt"])
    #expect(note.tags[UTTagClass(rawValue: "com.apple.ostype")] == ["NOTE"])
    #expect(UTType(filenameExtension: "XNote\(format.rawValue)") == note)
    #expect(UTType(mimeType: "Application/vnd.example.note\(format.rawValue)") == note)
    #expect(UTType(exportedAs: name + ".note", conformingTo: .image) == note)
    #expect(!note.conforms(to: .image))
    #expect(try #require(UTType(name + ".foreign")).conforms(to: .image))
  }

  @Test func badDeclarationsAreNamedAndTheOthersCount() throws {
    let file = try write(
      [
        "UTExportedTypeDeclarations": [
          ["UTTypeIdentifier": "com.example.bad-a", "UTTypeConformsTo": 5], "nonsense",
          ["UTTypeDescription": "x"],
          ["UTTypeIdentifier": "com.example.bad b"], ["UTTypeIdentifier": "dyn.age81e62"],
          [
            "UTTypeIdentifier": "com.example.bad-c",
            "UTTypeTagSpecification": ["public.filename-extension": ["a/b"]],
          ], ["UTTypeIdentifier": "com.example.bad-d", "UTTypeVersion": "one"],
          ["UTTypeIdentifier": "com.example.good-one", "UTTypeConformsTo": "com.example.good-one"],
          ["UTTypeIdentifier": "com.example.good-one", "UTTypeConformsTo": "public.data"],
        ], "UTImportedTypeDeclarations": "nothing",
      ], .xml)
    let problems = try UTType.declareTypes(inInfoPlistAt: file).map(\.message)
    #expect(problems.count == 9)
    for part in [
      "bad-a", "number 2", "number 3", "bad b", "dyn.age81e62", "bad-c", "bad-d", "more than once",
    ] {
      #expect(problems.contains { $0.contains(part) }, "\(part)")
    }
    #expect(problems.contains { $0.contains("UTImportedTypeDeclarations is not a list") })
    let good = try #require(UTType("com.example.good-one"))
    #expect(good.supertypes.isEmpty)
    #expect(!good.conforms(to: .data))
    #expect(UTType("com.example.bad-a") == nil)
  }

  @Test func whatIsNoPropertyListIsAnError() throws {
    let file = folder.appendingPathComponent("Info.plist")
    for text in ["", "<plist", "[1,2]", "bplist00garbage", "<plist><array/></plist>"] {
      try Data(text.utf8).write(to: file)
      #expect(throws: (any Error).self) { try UTType.declareTypes(inInfoPlistAt: file) }
    }
    #expect(throws: (any Error).self) {
      try UTType.declareTypes(inInfoPlistAt: folder.appendingPathComponent("missing"))
    }
  }

  @Test func exportedBeatsImportedBeatsSystem() throws {
    let tag = "zz-precedence"
    let imported = try UTType.declare(
      "com.example.p.imported", as: .imported, filenameExtensions: [tag, "zz-other"])
    #expect(UTType(filenameExtension: tag) == imported)
    let exported = try UTType.declare(
      "com.example.p.exported", as: .exported, filenameExtensions: [tag])
    #expect(UTType(filenameExtension: tag) == exported)
    #expect(
      UTType.types(tag: tag, tagClass: .filenameExtension, conformingTo: nil) == [
        exported, imported,
      ])
    #expect(UTType(importedAs: "com.example.p.imported") == exported)
    #expect(UTType(exportedAs: "com.example.p.imported") == imported)

    try UTType.declare("com.example.p.both", as: .imported, description: "theirs")
    try UTType.declare(
      "com.example.p.both", as: .exported, conformingTo: [.image], description: "ours")
    let both = try #require(UTType("com.example.p.both"))
    #expect(both.localizedDescription == "ours")
    #expect(both.conforms(to: .image))
  }

  /// In a process of its own: all other tests want the system's types as they are.
  @Test func systemTypesCanBeDeclaredAgain() async {
    await #expect(processExitsWith: .success) {
      #expect(UTType.realityFile.conforms(to: .data))
      try UTType.declare(
        "com.apple.reality", as: .exported, conformingTo: [.threeDContent], mimeTypes: ["model/x-r"]
      )
      #expect(UTType.realityFile.conforms(to: .threeDContent))
      #expect(!UTType.realityFile.conforms(to: .data))
      #expect(UTType.realityFile.preferredFilenameExtension == nil)
      #expect(UTType(mimeType: "model/x-r", conformingTo: .threeDContent) == .realityFile)
      #expect(UTType.png.conforms(to: .image))
    }
  }

  @Test func undeclaredTypesWork() throws {
    let name = "com.example.undeclared-" + UUID().uuidString
    #expect(UTType(name) == nil)
    let type = UTType(exportedAs: name)
    #expect(type.identifier == name)
    #expect(!type.isDeclared && !type.isDynamic && !type.isPublic)
    #expect(type.conforms(to: .data) && type.conforms(to: .item))
    #expect(UTType(name.uppercased()) == type)
    #expect(UTType(mimeType: "application/x-uti." + name) == type)
    #expect(UTType(mimeType: "application/x-uti.com.example.nobody")?.isDynamic == true)
    #expect(type.tags.isEmpty)
    #expect(type.preferredMIMEType == nil)
    let child = UTType(exportedAs: name + ".child", conformingTo: type)
    #expect(child.conforms(to: type) && child.conforms(to: .data))
    #expect(try JSONDecoder().decode([UTType].self, from: JSONEncoder().encode([type])) == [type])
    #expect(UTType(importedAs: name + ".other", conformingTo: .json).conforms(to: .text))
    #expect(UTType(exportedAs: "public.png") == .png)
  }

  @Test func `what can be no identifier is found by nobody`() {
    for name in ["", "a b/c", "com..example", "com.example."] {
      let type = UTType(exportedAs: name, conformingTo: .image)
      #expect(type.identifier == name)
      #expect(type.conforms(to: .image))
      #expect(UTType(name) == nil)
      #expect(throws: DecodingError.self) {
        try JSONDecoder().decode([UTType].self, from: JSONEncoder().encode([name]))
      }
    }
  }

  @Test func typesThatConformInCirclesEnd() throws {
    let one = UTType(exportedAs: "com.example.circle.one")
    let two = UTType(exportedAs: "com.example.circle.two", conformingTo: one)
    let again = UTType(exportedAs: "com.example.circle.one", conformingTo: two)
    #expect(again == one)
    #expect(one.conforms(to: two) && two.conforms(to: one))
    #expect(!one.conforms(to: .image))
    #expect(!one.supertypes.contains(one))
  }

  @Test func malformedDeclarationsInCodeAreErrors() {
    #expect(throws: UTTypeDeclarationError.self) { try UTType.declare("a b", as: .exported) }
    #expect(throws: UTTypeDeclarationError.self) { try UTType.declare("dyn.x", as: .exported) }
    #expect(throws: UTTypeDeclarationError.self) {
      try UTType.declare("com.example.m", as: .exported, mimeTypes: ["nothing"])
    }
  }

  @Test func theInfoPlistIsLookedForBesideTheExecutable() {
    #expect(
      BundleDeclarations.candidates(executable: "/opt/x/tool") == [
        "/opt/x/Info.plist", "/opt/x/tool.resources/Info.plist",
      ])
  }

  @Test func declarationsBecomeAPackageOfTheDesktop() throws {
    let file = try write(
      [
        "UTExportedTypeDeclarations": [
          [
            "UTTypeIdentifier": "com.example.pack", "UTTypeConformsTo": ["public.json"],
            "UTTypeDescription": "A & B <\"note\">",
            "UTTypeTagSpecification": ["public.filename-extension": ["pack"]],
          ], ["UTTypeIdentifier": "bad id"],
        ]
      ], .xml)
    let (xml, problems) = try UTType.sharedMIMEPackage(ofInfoPlistAt: file)
    #expect(problems.count == 1)
    #expect(xml.contains("<mime-type type=\"application/x-uti.com.example.pack\">"))
    #expect(xml.contains("<comment>A &amp; B &lt;&quot;note&quot;&gt;</comment>"))
    #expect(xml.contains("<sub-class-of type=\"application/json\"/>"))
    #expect(xml.contains("<glob pattern=\"*.pack\"/>"))
    #expect(!xml.contains("bad id"))
  }
}
