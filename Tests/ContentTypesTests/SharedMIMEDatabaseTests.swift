import Foundation
import Testing

@testable import ContentTypes

@Suite(.enabled(if: TemporaryDatabase.tool != nil, "needs update-mime-database"))
struct SharedMIMEDatabaseTests {
  static let notes = """
    <mime-type type="application/x-note">
      <comment>note</comment><comment xml:lang="de">Notiz &amp; mehr</comment>
      <glob pattern="*.note"/><glob pattern="*.nt"/><glob pattern="*.note.gz" weight="50"/>
      <magic priority="60"><match type="string" value="NOTE" offset="0:4"/></magic>
      <alias type="text/x-note"/><sub-class-of type="text/x-markup"/>
    </mime-type>
    <mime-type type="text/x-markup">
      <comment>markup</comment><alias type="text/markup"/><sub-class-of type="text/plain"/>
      <glob pattern="Noteworthy*"/><glob pattern="notefile"/>
    </mime-type>
    <mime-type type="application/X-Capital.Letters">
      <comment>capitals</comment><glob pattern="*.cap"/><glob pattern="*.CAP" case-sensitive="true"/>
      <magic priority="40"><match type="big16" value="0x4142" offset="2" mask="0xfff0">
        <match type="host32" value="0x01020304" offset="4"/></match></magic>
    </mime-type>
    <mime-type type="image/x-heavy"><comment>heavy</comment><glob pattern="*.nt" weight="80"/></mime-type>
    """

  /// With the compiled cache, and with the text files alone.
  @Test(arguments: [true, false]) func aDirectoryAnswersByItsRules(hasCache: Bool) throws {
    let temporary = try TemporaryDatabase()
    let path = try temporary.install(Self.notes)
    if !hasCache { try temporary.removeCache() }
    let database = SharedMIMEDatabase(directories: [path])

    #expect(database.canonicalName("text/x-note") == "application/x-note")
    #expect(database.canonicalName("TEXT/X-Note") == "application/x-note")
    #expect(
      database.canonicalName("application/x-capital.letters") == "application/X-Capital.Letters")
    #expect(database.canonicalName("application/x-nobody") == "application/x-nobody")
    #expect(database.aliases(of: "application/x-note") == ["text/x-note"])
    #expect(database.parents(of: "text/x-note") == ["text/x-markup"])
    #expect(database.isSubclass("application/x-note", of: "text/plain"))
    #expect(database.isSubclass("application/x-note", of: "text/markup"))
    #expect(database.isSubclass("application/x-note", of: "application/octet-stream"))
    #expect(!database.isSubclass("text/plain", of: "application/x-note"))
    #expect(!database.isSubclass("inode/directory", of: "application/octet-stream"))
    #expect(database.knows("application/x-note"))
    #expect(!database.knows("application/x-nobody"))

    #expect(database.types(forFileName: "a.note") == ["application/x-note"])
    #expect(database.types(forFileName: "A.NOTE") == ["application/x-note"])
    #expect(database.types(forFileName: "a.note.gz") == ["application/x-note"])
    #expect(database.types(forFileName: "a.nt") == ["image/x-heavy"])
    #expect(database.types(forFileName: "notefile") == ["text/x-markup"])
    #expect(database.types(forFileName: "NoteFile") == ["text/x-markup"])
    #expect(database.types(forFileName: "noteworthy things") == ["text/x-markup"])
    #expect(database.types(forFileName: "a.CAP") == ["application/X-Capital.Letters"])
    #expect(database.types(forFileName: "note") == [])
    #expect(database.types(forFileName: "") == [])

    #expect(database.types(forContent: Array("NOTE".utf8)) == ["application/x-note"])
    #expect(database.types(forContent: Array("xxxNOTE".utf8)) == ["application/x-note"])
    #expect(database.types(forContent: Array("xxxxxNOTE".utf8)) == [])
    #expect(
      database.types(forContent: [0, 0, 0x41, 0x4F, 4, 3, 2, 1]) == [
        "application/X-Capital.Letters"
      ])
    #expect(database.types(forContent: [0, 0, 0x41, 0x4F, 1, 2, 3, 4]) == [])
    #expect(database.types(forContent: []) == [])
    #expect(database.magicExtent >= 8)

    #expect(database.filenameExtensions(of: "text/x-note") == ["note", "nt", "note.gz"])
    #expect(database.description(of: "application/x-note", languages: []) == "note")
    #expect(
      database.description(of: "application/x-note", languages: ["de_AT", "de"]) == "Notiz & mehr")
    #expect(database.description(of: "../../etc/x", languages: []) == nil)
  }

  @Test func aMoreImportantDirectoryWins() throws {
    let temporary = try TemporaryDatabase()
    let system = try temporary.install(Self.notes, in: "system")
    let home = try temporary.install(
      """
      <mime-type type="application/x-note">
        <comment>my note</comment><glob-deleteall/><glob pattern="*.mine"/><magic-deleteall/>
        <magic><match type="string" value="MINE" offset="0"/></magic>
        <sub-class-of type="application/x-parent"/>
      </mime-type>
      <mime-type type="application/x-other"><comment>other</comment><alias type="text/x-note"/></mime-type>
      """)
    let database = SharedMIMEDatabase(directories: [home, system])
    #expect(database.canonicalName("text/x-note") == "application/x-other")
    #expect(database.types(forFileName: "a.note") == [])
    #expect(database.types(forFileName: "a.mine") == ["application/x-note"])
    #expect(database.types(forContent: Array("NOTE".utf8)) == [])
    #expect(database.types(forContent: Array("MINE".utf8)) == ["application/x-note"])
    #expect(
      database.parents(of: "application/x-note") == ["application/x-parent", "text/x-markup"])
    #expect(database.filenameExtensions(of: "application/x-note") == ["mine"])
    #expect(database.description(of: "application/x-note", languages: []) == "my note")
    #expect(
      SharedMIMEDatabase(directories: [system, home]).canonicalName("text/x-note")
        == "application/x-note")
  }

  @Test func changesAreSeen() throws {
    let temporary = try TemporaryDatabase()
    let path = try temporary.directory()
    let database = SharedMIMEDatabase(directories: [path], checkInterval: 0)
    #expect(database.types(forFileName: "a.note") == [])
    try temporary.install(Self.notes)
    #expect(database.types(forFileName: "a.note") == ["application/x-note"])
    let type = try #require(
      ContentType.types(
        tag: "application/x-note", tagClass: .mimeType, conformingTo: .data, database: database
      ).first)
    #expect(type.conforms(to: .plainText, database: database))
    try FileManager.default.removeItem(atPath: path)
    #expect(database.types(forFileName: "a.note") == [])
    #expect(!type.conforms(to: .plainText, database: database))
  }

  @Test func circlesEnd() throws {
    let temporary = try TemporaryDatabase()
    let path = try temporary.install(
      """
      <mime-type type="application/x-a"><sub-class-of type="application/x-b"/></mime-type>
      <mime-type type="application/x-b"><sub-class-of type="application/x-c"/></mime-type>
      <mime-type type="application/x-c"><sub-class-of type="application/x-a"/></mime-type>
      <mime-type type="application/x-self"><sub-class-of type="application/x-self"/></mime-type>
      <mime-type type="application/x-evil"><alias type="text/plain"/><glob pattern="*.evil"/></mime-type>
      <mime-type type="text/x-one"><alias type="text/x-two"/></mime-type>
      <mime-type type="text/x-two"><alias type="text/x-one"/></mime-type>
      """)
    let database = SharedMIMEDatabase(directories: [path])
    #expect(database.isSubclass("application/x-a", of: "application/x-c"))
    #expect(!database.isSubclass("application/x-a", of: "image/png"))
    #expect(!database.isSubclass("application/x-self", of: "image/png"))
    #expect(database.canonicalName("text/plain") == "text/plain")
    #expect(["text/x-one", "text/x-two"].contains(database.canonicalName("text/x-one")))
    let type = try #require(
      ContentType.types(
        tag: "application/x-a", tagClass: .mimeType, conformingTo: .data, database: database
      ).first)
    #expect(!type.conforms(to: .image, database: database))
    #expect(type.supertypes(database: database).contains(.data))
    #expect(
      ContentType.types(
        tag: "text/plain", tagClass: .mimeType, conformingTo: .data, database: database)
        == [.plainText])
  }

  @Test func typesTheSystemDoesNotDeclareFollowTheDatabase() throws {
    let temporary = try TemporaryDatabase()
    let path = try temporary.install(Self.notes)
    let database = SharedMIMEDatabase(directories: [path])
    func type(_ mimeType: String) throws -> ContentType {
      try #require(
        ContentType.types(
          tag: mimeType, tagClass: .mimeType, conformingTo: .data, database: database
        ).first)
    }
    let note = try type("application/x-note")
    #expect(try type("TEXT/X-NOTE") == note)
    #expect(note.isDynamic)
    #expect(
      note.identifier
        == DynamicIdentifier(
          tag: "application/x-note", tagClass: .mimeType, supertype: "public.data"
        )
        .identifier)
    #expect(note.conforms(to: .plainText, database: database))
    #expect(note.conforms(to: try type("text/x-markup"), database: database))
    #expect(note.filenameExtensions(database: database) == ["note", "nt", "note.gz"])
    #expect(note.typeDescription(database: database, languages: ["de"]) == "Notiz & mehr")
    #expect(note.freedesktopMIMETypes(database: database) == ["application/x-note", "text/x-note"])
    let capitals = try type("application/x-capital.letters")
    #expect(capitals.mimeTypes(database: database) == ["application/X-Capital.Letters"])
    #expect(try type("image/x-heavy").conforms(to: .image, database: database))
    let byName = try #require(
      ContentType.types(
        tag: "note", tagClass: .filenameExtension, conformingTo: .data, database: database
      ).first)
    #expect(byName.isDynamic)
    #expect(byName.conforms(to: note, database: database))
    #expect(byName.conforms(to: .plainText, database: database))
    #expect(byName.mimeTypes(database: database) == ["application/x-note"])
  }

  @Test func theEnvironmentNamesTheDirectories() {
    func directories(_ values: [String: String]) -> [String] {
      SharedMIMEDatabase.standardDirectories { values[$0] }
    }
    #expect(
      directories(["HOME": "/home/a"]) == [
        "/home/a/.local/share/mime", "/usr/local/share/mime", "/usr/share/mime",
      ])
    #expect(
      directories([
        "HOME": "/home/a", "XDG_DATA_HOME": "/data/", "XDG_DATA_DIRS": "rel:/one/:/two::/one",
      ]) == ["/data/mime", "/one/mime", "/two/mime"])
    #expect(
      directories(["XDG_DATA_HOME": "rel", "HOME": "/h", "XDG_DATA_DIRS": ""]) == [
        "/h/.local/share/mime", "/usr/local/share/mime", "/usr/share/mime",
      ])
    #expect(directories(["XDG_DATA_DIRS": "/x"]) == ["/x/mime"])
  }
}
