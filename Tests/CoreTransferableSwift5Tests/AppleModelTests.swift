import CoreTransferable
import Testing

@Suite("Models written for Apple, in Swift 5 mode")
struct AppleModelTests {
  @Test func theyTransfer() async throws {
    let profile = Profile(id: UUID(), name: "Ada", bio: "", funFacts: [])
    let name = try await profile.exported(as: .plainText)
    #expect(name == Data("Ada".utf8))
    let note = Note()
    note.text = "Milk"
    let copy = try await Note(importing: note.exported(as: .note), contentType: .note)
    #expect(copy.text == "Milk")
    #expect(note.suggestedFilename == "Milk.txt")
    #expect(Note.exportedContentTypes(visibility: .all) == [.note])
    #expect(Video.importedContentTypes() == [.mpeg4Movie])
    #expect(Composed().exportedContentTypes() == [.json, .utf8PlainText])
  }

  @Test func codersOfTheirOwnWork() async throws {
    let draft = Draft(text: "x")
    #expect(try await Draft(importing: draft.exported(as: .json), contentType: .json).text == "x")
    let list = try await draft.exported(as: .propertyList)
    #expect(try await Draft(importing: list, contentType: .propertyList).text == "x")
  }

  @Test func deprecatedSpellingsWork() async throws {
    let old = try await Old(importing: Data("in".utf8), contentType: .json)
    #expect(old.text == "in")
    let text = try await old.exported(as: .text)
    #expect(text == Data("in".utf8))
    let imported = try await Old(importing: Data("t".utf8), contentType: .utf8PlainText)
    #expect(imported.text == "t")
  }
}
