import CoreTransferable
import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("Matching of content types")
struct MatchingTests {
  @Test(arguments: [
    (UTType.image, "png"), (.png, "png"), (.jpeg, "jpeg"), (.data, "png"), (.text, "text"),
    (.plainText, "text"), (.utf8PlainText, "text"),
  ])
  func `the first conforming representation is exported`(
    asked: UTType, expected: String
  ) async throws {
    #expect(try await Picture().exported(as: asked) == Data(expected.utf8))
  }

  @Test(arguments: [
    ([UTType.png], ["image<png"]),
    ([.plainText, .jpeg, .png], ["image<jpeg", "image<png", "text<plain-text"]),
    ([.jpeg, .image, .png], ["image<image", "image<jpeg", "image<png"]),
    ([.utf8PlainText], ["text<utf8-plain-text"]),
    ([.html], []),
    ([.json], []),
    ([], []),
  ])
  func `candidates follow the type's order, then equality, then the owner's order`(
    offered: [UTType], expected: [String]
  ) {
    let candidates = PictureReader.importCandidates(offered: offered).map { candidate in
      let own = candidate.representation.contentType == .image ? "image" : "text"
      return "\(own)<\(candidate.contentType.identifier.dropFirst("public.".count))"
    }
    #expect(candidates.uniqued() == expected)
  }

  @Test func `an importer takes what conforms to it, not what it conforms to`() async throws {
    #expect(
      try await PictureReader(importing: Data([1]), contentType: .png).source == "image")
    let error = try await #require(throws: TransferError.self) {
      try await PictureReader(importing: Data([1]), contentType: .data)
    }
    #expect(error.code == .notImportable)
    #expect(error.availableContentTypes == [.image, .utf8PlainText])
    #expect(error.message.contains("PictureReader takes: public.image, public.utf8-plain-text"))
  }

  @Test func `without a content type each importer is tried in order`() async throws {
    #expect(try await PictureReader(importing: Data(), contentType: nil).source == "text")
    let error = try await #require(throws: TransferError.self) {
      try await Profile(importing: Data("{".utf8), contentType: nil)
    }
    #expect(error.code == .importFailed)
    #expect(error.underlyingError is DecodingError)
  }

  @Test func `plain bytes are taken under their own name, or from a pasteboard`() async throws {
    let error = try await #require(throws: TransferError.self) {
      try await Data(importing: Data([1]), contentType: .png)
    }
    #expect(error.code == .notImportable)
    #expect(try await Data(importing: Data([1]), contentType: .data) == Data([1]))
    #expect(try await Data(importing: Data([1]), contentType: nil) == Data([1]))
    #expect(Data.importCandidates(offered: [.png]).map(\.contentType) == [.png])
  }

  @Test func `of two representations with one content type the first is exported`() async throws {
    #expect(Doubled().exportedContentTypes() == [.png])
    #expect(try await Doubled().exported(as: .png) == Data("first".utf8))
    #expect(try await Doubled(prefersSecond: true).exported(as: .png) == Data("second".utf8))
    #expect(Doubled().exportableRepresentations().count == 1)
  }

  @Test func `both conditions of a representation must hold`() {
    #expect(Strict(a: true, b: true).exportedContentTypes() == [.png])
    #expect(Strict(a: true, b: false).exportedContentTypes() == [])
    #expect(Strict(a: false, b: true).exportedContentTypes() == [])
  }

  @Test func `visibility is never widened`() {
    #expect(Guarded.exportedContentTypes() == [.json])
    #expect(Guarded.exportedContentTypes(visibility: .team) == [.png, .json])
    #expect(Guarded.exportedContentTypes(visibility: .group) == [.json])
    #expect(Guarded.exportedContentTypes(visibility: .ownProcess) == [.png, .jpeg, .gif, .json])
    #expect(
      Guarded().exportableRepresentations().map(\.visibility)
        == [.team, .ownProcess, .ownProcess, .all])
  }
}

private struct Picture: Sample {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .png) { _ in Data("png".utf8) }
    DataRepresentation(exportedContentType: .jpeg) { _ in Data("jpeg".utf8) }
    ProxyRepresentation { (_: Picture) in "text" }
  }
}

private struct PictureReader: Sample {
  var source = ""

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(importedContentType: .image) { data in
      if data.isEmpty { throw NoteError.empty }
      return PictureReader(source: "image")
    }
    ProxyRepresentation(importing: { (_: String) in PictureReader(source: "text") })
  }
}

private struct Doubled: Sample {
  var prefersSecond = false

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .png) { _ in Data("first".utf8) }
      .exportingCondition { !$0.prefersSecond }
    DataRepresentation(exportedContentType: .png) { _ in Data("second".utf8) }
  }
}

private struct Strict: Sample {
  var a = false
  var b = false

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .png) { _ in Data() }
      .exportingCondition { $0.a }
      .visibility(.all)
      .exportingCondition { $0.b }
  }
}

private struct Guarded: Sample, Codable {
  static func picture(_ type: UTType) -> DataRepresentation<Guarded> {
    DataRepresentation(exportedContentType: type) { _ in Data() }
  }

  static var transferRepresentation: some TransferRepresentation {
    picture(.png).visibility(.team).visibility(.all)
    picture(.jpeg).visibility(.ownProcess).visibility(.all)
    picture(.gif).visibility(.team).visibility(.group)
    CodableRepresentation(contentType: .json)
  }
}
