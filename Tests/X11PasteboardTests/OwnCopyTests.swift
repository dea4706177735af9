import CoreTransferable
import Foundation
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

/// A process that pastes what it copied itself.
@Suite(.serialized, .timeLimit(.minutes(2))) struct OwnCopyTests: TwoEndsSuite {
  let ends: TwoEnds

  init() async throws { ends = try await TwoEnds() }

  /// Whatever another program can paste, this one can too, and the same.
  private func expectTheSame(_ what: String) async throws {
    func expect<Item: Transferable & Equatable>(_ type: Item.Type) async throws {
      let (theirs, ours) = (try? await other.paste(type), try? await clipboard.paste(type))
      #expect(ours == theirs, "\(what) as \(type)")
      #expect(
        try await clipboard.canPaste(type) == other.canPaste(type), "\(what) as \(type)")
    }
    try await expect(String.self)
    try await expect(URL.self)
    try await expect(AttributedString.self)
    let (seen, own) = (try await other.contentTypes(), try await clipboard.contentTypes())
    // JSON has no order of its own.
    for type in seen where type != .person {
      let (theirs, ours) = (
        try? await other.data(of: type), try? await clipboard.data(of: type)
      )
      #expect(ours == theirs, "\(what): \(type)")
      // What others take for a list of files may be one of links.
      let isThere = own.contains { $0.conforms(to: type) }
      #expect(isThere || (theirs == nil && type == .fileURL), "\(what): \(seen), \(own)")
    }
  }

  @Test func linksAndFilesArePastedAsOthersPasteThem() async throws {
    let folder = try ScratchFolder()
    let one = try folder.file("a b#é%.txt", Data("one".utf8))
    let two = try folder.file("b.png", Data([1]))
    let link = try #require(URL(string: "https://a.b/c?d=%20e#f"))
    try await clipboard.copy(link)
    try await expectTheSame("a link")
    #expect(try await clipboard.paste(String.self) == [link.absoluteString])
    try await clipboard.copy([link, link.appending(path: "g")])
    try await expectTheSame("links")
    try await clipboard.copy(one)
    try await expectTheSame("a file")
    try await clipboard.copy([one, two])
    try await expectTheSame("files")
    try await clipboard.copy(Film(file: one))
    try await expectTheSame("what makes a file")
    #expect(try await clipboard.paste(URL.self).map(\.path) == [one.path])
    try await clipboard.copy(Person.zoe)
    try await expectTheSame("a person")
    try await clipboard.copy("text")
    try await expectTheSame("text")
  }

  @Test func itsOwnRepresentationsGoFirst() async throws {
    try await clipboard.copy(Guarded())
    #expect(try await clipboard.contentTypes().contains(.secretNote))
    #expect(try await !other.contentTypes().contains(.secretNote))
    let error = await failure { try await clipboard.paste(Film.self) }
    #expect(error?.code == .notOnOffer)
    #expect(error?.offered.contains(.secretNote) == true)
  }
}
