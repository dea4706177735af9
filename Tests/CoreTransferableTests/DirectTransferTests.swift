import CoreTransferable
import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Direct export and import")
struct DirectTransferTests {
  let profile = Profile(name: "Ada", bio: "Counts", funFacts: ["Poet's daughter"])

  @Test func `a profile lists its types in order`() {
    #expect(Profile.exportedContentTypes() == [.profile, .utf8PlainText])
    #expect(Profile.importedContentTypes() == [.profile])
    #expect(profile.exportedContentTypes() == [.profile, .utf8PlainText])
    #expect(profile.importedContentTypes() == [.profile])
  }

  @Test func `a profile goes through its own type and through text`() async throws {
    let data = try await profile.exported(as: .profile)
    #expect(try await Profile(importing: data, contentType: .profile) == profile)
    #expect(try await Profile(importing: data, contentType: nil) == profile)
    #expect(try await Profile(importing: profile.exported(as: nil), contentType: nil) == profile)
    #expect(try await profile.exported(as: .plainText) == Data("Ada".utf8))
    #expect(try await profile.exported(as: .text) == Data("Ada".utf8))
  }

  @Test func `what is not exported is refused with the types on offer`() async throws {
    let error = try await #require(throws: TransferError.self) {
      try await profile.exported(as: .png)
    }
    #expect(error.code == .notExportable)
    #expect(error.itemType == "Profile")
    #expect(error.contentType == .png)
    #expect(error.availableContentTypes == [.profile, .utf8PlainText])
    #expect(error.message.contains("com.example.profile, public.utf8-plain-text"))
    #expect(error.localizedDescription == error.message)
  }

  @Test func `a message names a type by its tag where nobody declared one`() async throws {
    struct Odd: Transferable {
      static let types = [
        UTType(mimeType: "application/x-odd"), UTType(filenameExtension: "odd-one"),
      ].compactMap(\.self)
      static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: types[0]) { _ in Data() }
        DataRepresentation(exportedContentType: types[1]) { _ in Data() }
      }
    }
    try #require(Odd.types.count == 2)
    let error = try await #require(throws: TransferError.self) {
      try await Odd().exported(as: UTType(mimeType: "image/x-odd"))
    }
    #expect(error.message.contains("exported as image/x-odd:"))
    #expect(error.message.hasSuffix("On offer: application/x-odd, .odd-one."))
  }

  @Test func `the message says for people what a closure threw`() async throws {
    struct Failing: Transferable {
      static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(exportedContentType: .png) { _ in
          throw CocoaError(.fileWriteOutOfSpace)
        }
        DataRepresentation(exportedContentType: .pdf) { _ in
          throw NSError(
            domain: "D", code: 7, userInfo: [NSLocalizedDescriptionKey: "The ink is dry."])
        }
        DataRepresentation(exportedContentType: .gif) { _ in throw Unnamed.reason }
      }
    }
    enum Unnamed: Error { case reason }
    let said: [(UTType, String)] = [
      (.png, CocoaError(.fileWriteOutOfSpace).localizedDescription.dropLast().description),
      (.pdf, "(The ink is dry)."), (.gif, "(reason)."),
    ]
    for (type, words) in said {
      let error = try await #require(throws: TransferError.self) {
        try await Failing().exported(as: type)
      }
      #expect(error.message.contains(words), "\(error.message)")
      #expect(!error.message.contains("Code="))
    }
  }

  @Test func `a condition that is false takes the type away`() async throws {
    let archive = ProfilesArchive(rows: ["a,b"], supportsCSV: false)
    #expect(ProfilesArchive.exportedContentTypes() == [.commaSeparatedText])
    #expect(archive.exportedContentTypes() == [])
    #expect(archive.importedContentTypes() == [.commaSeparatedText])
    let error = try await #require(throws: TransferError.self) {
      try await archive.exported(as: .commaSeparatedText)
    }
    #expect(error.code == .conditionFalse)
    let read = try await ProfilesArchive(
      importing: Data("x,y\nz,w".utf8), contentType: .commaSeparatedText)
    #expect(read.rows == ["x,y", "z,w"])
  }
}
