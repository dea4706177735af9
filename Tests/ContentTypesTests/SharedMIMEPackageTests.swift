import Foundation
import Testing

@testable import ContentTypes

@Suite struct SharedMIMEPackageTests {
  static let declarations = [
    TypeDeclaration(
      identifier: "com.example.pack.note", conformsTo: ["public.json", "public.content"],
      filenameExtensions: ["note", "n*t"],
      mimeTypes: ["application/vnd.example.note;v=1", "text/x-example-note"],
      typeDescription: "Notes & <more> \"quoted\" 'it' \u{1} ü"),
    TypeDeclaration(
      identifier: "com.example.pack.child", conformsTo: ["com.example.pack.note", "public.data"],
      filenameExtensions: ["child"]),
    TypeDeclaration(identifier: "com.example.pack.source", conformsTo: ["public.source-code"]),
    TypeDeclaration(identifier: "not valid"),
  ]

  @Test(.enabled(if: TemporaryDatabase.tool != nil)) func theDatabaseAcceptsAndKnowsTheTypes()
    throws
  {
    let temporary = try TemporaryDatabase()
    let xml = SharedMIMEPackage.xml(for: Self.declarations)
    let path = try temporary.installDocument(xml, as: "example-types")
    let database = SharedMIMEDatabase(directories: [path])
    #expect(database.types(forFileName: "A.Note") == ["application/vnd.example.note"])
    #expect(database.types(forFileName: "a.n*t") == ["application/vnd.example.note"])
    #expect(database.types(forFileName: "a.nxt") == [])
    #expect(database.canonicalName("text/x-example-note") == "application/vnd.example.note")
    #expect(
      database.canonicalName("application/x-uti.com.example.pack.note")
        == "application/vnd.example.note")
    #expect(database.parents(of: "application/vnd.example.note") == ["application/json"])
    #expect(
      database.parents(of: "application/x-uti.com.example.pack.child") == [
        "application/vnd.example.note"
      ])
    #expect(database.isSubclass("application/x-uti.com.example.pack.source", of: "text/plain"))
    #expect(
      database.description(of: "application/vnd.example.note", languages: [])
        == "Notes & <more> \"quoted\" 'it'  ü")
    #expect(
      database.description(of: "application/x-uti.com.example.pack.child", languages: [])
        == "com.example.pack.child")
  }

  @Test func fileNamesHaveAVendorsPrefix() {
    #expect(SharedMIMEPackage.fileName(for: "com.example.note") == "example-note.xml")
    #expect(SharedMIMEPackage.fileName(for: "note") == "note-types.xml")
    #expect(SharedMIMEPackage.fileName(for: "com.7up.a.b") == "up-a-b.xml")
    #expect(SharedMIMEPackage.fileName(for: "") == "vendor-types.xml")
  }
}
