import Foundation
import Testing
import UniformTypeIdentifiers

@Suite struct UTTypeTests {
  @Test(arguments: constants) func constantsHaveApplesIdentifiers(
    _ constant: (type: UTType, identifier: String)
  ) throws {
    #expect(constant.type.identifier == constant.identifier)
    #expect(UTType(constant.identifier) == constant.type)
    #expect(constant.type.isDeclared)
    #expect(!constant.type.isDynamic)
    #expect(constant.type.description == constant.identifier)
    #expect(
      constant.type.tags[.filenameExtension]?.first == constant.type.preferredFilenameExtension)
    #expect(constant.type.tags[.mimeType]?.first == constant.type.preferredMIMEType)
  }

  @Test func thereAre141Constants() { #expect(constants.count == 141) }

  @Test func everyConstantIsWrittenAsOneString() throws {
    let types = constants.map(\.type)
    let data = try JSONEncoder().encode(types)
    #expect(try JSONDecoder().decode([String].self, from: data) == types.map(\.identifier))
    #expect(try JSONDecoder().decode([UTType].self, from: data) == types)
    #expect(
      try PropertyListDecoder().decode([UTType].self, from: PropertyListEncoder().encode(types))
        == types)
  }

  @Test func undeclaredIdentifiersAreReadButNotMalformedOnes() throws {
    func decode(_ text: String) throws -> UTType {
      try JSONDecoder().decode([UTType].self, from: Data("[\"\(text)\"]".utf8))[0]
    }
    let foreign = try decode("com.example.elsewhere")
    #expect(foreign.identifier == "com.example.elsewhere")
    #expect(!foreign.isDeclared)
    #expect(foreign.supertypes.isEmpty)
    #expect(UTType("com.example.elsewhere") == nil)
    #expect(try decode("dyn.ah62d4rv4ge81g6pq").tags[.filenameExtension] == ["sql"])
    for text in ["", "a b", "dyn.ah62d4rv4gu8y", "a..b", ".", "x/y"] {
      #expect(throws: DecodingError.self) { try decode(text) }
    }
    #expect(UTType(identifier: "com.example.elsewhere", allowUndeclared: false) == nil)
    #expect(UTType(identifier: "com.example.elsewhere", allowUndeclared: true) == foreign)
  }

  @Test func lookUpsAnswerAsOnApplesSystems() throws {
    #expect(UTType("PUBLIC.PNG") == .png)
    #expect(UTType("com.example.nobody") == nil)
    #expect(UTType(mimeType: "image/jpeg") == .jpeg)
    #expect(UTType(mimeType: "image/pjpeg") == .jpeg)
    #expect(UTType(mimeType: "application/rtf") == .rtf)
    #expect(UTType(mimeType: "text/plain;charset=utf-8") == .utf8PlainText)
    #expect(UTType(mimeType: "") == nil)
    #expect(UTType(filenameExtension: "") == nil)
    #expect(UTType(filenameExtension: "mp4") == .mpeg4Movie)
    #expect(UTType(filenameExtension: "sql")?.identifier == "dyn.ah62d4rv4ge81g6pq")
    #expect(
      UTType(mimeType: "dev.kaya/note")?.identifier == "dyn.ah62d4rv4gq80k3p0f3z0c8pbf71g87df")
    #expect(
      UTType(tag: "dev.kaya/note", tagClass: .mimeType, conformingTo: nil)?.identifier
        == "dyn.agq80k3p0f3z0c8pbf71g87df")
    #expect(
      UTType(tag: "XMSS", tagClass: UTTagClass(rawValue: "com.apple.ostype"), conformingTo: .data)?
        .identifier
        == "dyn.ah62d4rv4gk8zuxnxnq")
    #expect(UTType.types(tag: "", tagClass: .mimeType, conformingTo: nil).isEmpty)
    #expect(
      UTType.types(tag: "plist", tagClass: .filenameExtension, conformingTo: nil).map(\.identifier)
        == [
          "com.apple.property-list", "com.apple.xml-property-list",
          "com.apple.binary-property-list",
          "com.apple.ascii-property-list",
        ])
  }

  @Test func conformanceIsApplesGraph() {
    #expect(UTType.png.conforms(to: .item))
    #expect(UTType.png.conforms(to: .png))
    #expect(!UTType.png.conforms(to: .text))
    #expect(UTType.png.isSubtype(of: .image))
    #expect(!UTType.png.isSubtype(of: .png))
    #expect(UTType.image.isSupertype(of: .png))
    #expect(UTType.png.supertypes == [.image, .data, .content, .item])
    #expect(!UTType.html.conforms(to: .plainText))
  }

  @Test func whatPeopleCallATypeIsNeverMissingForFiles() {
    for type in [UTType.png, .pdf, .html, .zip, .swiftSource, .image, .data, .utf8PlainText] {
      #expect(type.localizedDescription?.isEmpty == false, "\(type)")
    }
    #expect(UTType(filenameExtension: "never-heard-of")?.localizedDescription == nil)
    // The shared MIME database knows it, but a dynamic type is never described.
    #expect(UTType(filenameExtension: "sql")?.isDynamic == true)
    #expect(UTType(filenameExtension: "sql")?.localizedDescription == nil)
  }

  @Test func namesGetFittingExtensions() {
    let folder = URL(fileURLWithPath: "/tmp/x")
    func name(_ text: String, _ type: UTType) -> String {
      folder.appendingPathComponent(text, conformingTo: type).path
    }
    #expect(name("a", .png) == "/tmp/x/a.png")
    #expect(name("a.png", .png) == "/tmp/x/a.png")
    #expect(name("a.PNG", .png) == "/tmp/x/a.PNG")
    #expect(name("a.jpg", .jpeg) == "/tmp/x/a.jpg")
    #expect(name("a.png", .jpeg) == "/tmp/x/a.png.jpeg")
    #expect(name("a.jpg", .image) == "/tmp/x/a.jpg")
    #expect(name("a.b", .data) == "/tmp/x/a.b")
    #expect(name(".png", .png) == "/tmp/x/.png.png")
    #expect(folder.appendingPathExtension(for: .pdf).path == "/tmp/x.pdf")
    #expect(
      folder.appendingPathExtension(for: .pdf).appendingPathExtension(for: .pdf).path
        == "/tmp/x.pdf")
    #expect(NSString(string: "/tmp/x").appendingPathExtension(for: .pdf) == "/tmp/x.pdf")
    #expect(
      NSString(string: "/tmp").appendingPathComponent("a", conformingTo: .gif) == "/tmp/a.gif")
    var url = folder
    url.appendPathComponent("b", conformingTo: .folder)
    #expect(url.hasDirectoryPath)
    url.appendPathExtension(for: .gif)
    #expect(url.lastPathComponent == "b.gif")
  }

  @Test func filesHaveATypeByTheirURL() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("a.png")
    try Data().write(to: file)
    let link = folder.appendingPathComponent("link")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
    #expect(try file.resourceValues(forKeys: [.contentTypeKey]).contentType == .png)
    #expect(try file.resourceValues(forKeys: [.contentTypeKey, .fileSizeKey]).fileSize == 0)
    #expect(try folder.resourceValues(forKeys: [.contentTypeKey]).contentType == .folder)
    #expect(try link.resourceValues(forKeys: [.contentTypeKey]).contentType == .symbolicLink)
    #expect(try file.resourceValues(forKeys: [.fileSizeKey]).contentType == nil)
    #expect(UTType(contentsOf: file) == .png)
    #expect(UTType(contentsOf: link) == .png)
    #expect(UTType(contentsOf: folder.appendingPathComponent("missing")) == nil)
    #expect(UTType(sniffing: Data("%PDF-1.7\n".utf8)) == .pdf)
    #expect(UTType(sniffing: Data()) == nil)
    #expect(UTType(sniffing: Data("xx%PDF-1.7\n".utf8)[2...]) == .pdf)
    let web = try #require(URL(string: "https://example.com/a.png"))
    #expect(UTType(contentsOf: web) == nil)
  }

  @Test func objectsAreAsGoodAsValues() throws {
    let object = try #require(UTTypeReference("public.png"))
    #expect(object == UTTypeReference(filenameExtension: "png"))
    #expect(object.hash == UTTypeReference(.png).hash)
    #expect(object.conforms(to: UTTypeReference(.image)))
    #expect(object.supertypes.contains(UTTypeReference(.item)))
    #expect(object.copy() as? UTTypeReference === object)
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    #expect(
      try NSKeyedUnarchiver.unarchivedObject(ofClass: UTTypeReference.self, from: data) == object)
    #expect(UTType.png._bridgeToObjectiveC() == object)
    #expect(UTType._unconditionallyBridgeFromObjectiveC(object) == .png)
  }

  @Test func tagClassesAreTheirIdentifiers() throws {
    #expect(UTTagClass.filenameExtension.rawValue == "public.filename-extension")
    #expect(UTTagClass.mimeType.description == "public.mime-type")
    let data = try JSONEncoder().encode([UTTagClass.mimeType])
    #expect(String(decoding: data, as: UTF8.self) == "[\"public.mime-type\"]")
  }
}
