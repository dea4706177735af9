import CoreTransferable
import Foundation
import Testing
import UniformTypeIdentifiers

/// A type whose representations are given by a test.
protocol Sample: Transferable, Equatable {
  init()
}

@Suite("Builder and composition")
struct BuilderTests {
  @Test func `ten representations keep their order`() {
    #expect(
      Ten.exportedContentTypes().map(\.identifier) == (1...10).map { "com.example.r\($0)" })
  }

  @Test func `a composed representation takes its place in order`() {
    #expect(
      Composed.exportedContentTypes()
        == [.json, .png, .jpeg, .utf8PlainText])
    #expect(Composed.importedContentTypes() == [.json])
  }

  @Test func `generic composed representations nest`() {
    #expect(Nested.exportedContentTypes() == [.png, .jpeg, .png, .jpeg].uniqued())
  }

  @Test func `a body made of itself comes to an end`() {
    #expect(Endless.exportedContentTypes() == [])
  }

  @Test func `types that are each other's proxies come to an end`() {
    #expect(Ping.exportedContentTypes() == [.png, .jpeg])
    #expect(Pong.exportedContentTypes() == [.jpeg, .png])
  }

  @Test func `a representation of a foreign kind without a body offers nothing`() {
    #expect(Bodiless.exportedContentTypes() == [])
    #expect(Never.exportedContentTypes() == [])
    #expect(Never.importedContentTypes() == [])
  }

  @Test func `coders of the user's choice are used`() async throws {
    let item = Listed(value: 7)
    let list = try await item.exported(as: .propertyList)
    #expect(list.starts(with: Data("<?xml".utf8)))
    let binary = try await item.exported(as: .binaryPropertyList)
    #expect(binary.starts(with: Data("bplist".utf8)))
    #expect(try await item.exported(as: .plainText) == Data("7 reversed".utf8))
    #expect(try await Listed(importing: list, contentType: .xmlPropertyList) == item)
    #expect(try await Listed(importing: binary, contentType: .binaryPropertyList) == item)
  }

  @Test func `modified codable representations infer their item`() {
    #expect(Modified.exportedContentTypes() == [.json])
    #expect(Modified.exportedContentTypes(visibility: .ownProcess) == [.profile, .json])
    #expect(Modified(ok: false).exportedContentTypes(.ownProcess) == [.profile])
    #expect(Modified(ok: true).suggestedFilename == "m.json")
  }
}

extension Array where Element: Equatable {
  func uniqued() -> [Element] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}

private struct Ten: Sample {
  static func one(_ number: Int) -> DataRepresentation<Ten> {
    DataRepresentation(exportedContentType: UTType(exportedAs: "com.example.r\(number)")) { _ in
      Data()
    }
  }

  static var transferRepresentation: some TransferRepresentation {
    one(1)
    one(2)
    one(3)
    one(4)
    one(5)
    one(6)
    one(7)
    one(8)
    one(9)
    one(10)
  }
}

private struct Pictures<Item: Transferable>: TransferRepresentation {
  var body: some TransferRepresentation<Item> {
    DataRepresentation(exportedContentType: .png) { (_: Item) in Data([1]) }
    DataRepresentation(exportedContentType: .jpeg) { (_: Item) in Data([2]) }
  }
}

private struct Twice<Item: Transferable>: TransferRepresentation {
  var body: some TransferRepresentation<Item> {
    Pictures<Item>()
    Pictures<Item>()
  }
}

private struct Composed: Sample, Codable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .json)
    Pictures<Composed>()
    ProxyRepresentation { (_: Composed) in "composed" }
  }
}

private struct Nested: Sample {
  static var transferRepresentation: some TransferRepresentation { Twice<Nested>() }
}

private struct EndlessBody: TransferRepresentation {
  typealias Item = Endless
  typealias Body = EndlessBody
  var body: EndlessBody { return EndlessBody() }
}

private struct Endless: Sample {
  static var transferRepresentation: some TransferRepresentation { EndlessBody() }
}

private struct ForeignPrimitive: TransferRepresentation {
  typealias Item = Bodiless
  var body: Never { return fatalError("never asked for") }
}

private struct Bodiless: Sample {
  static var transferRepresentation: some TransferRepresentation { ForeignPrimitive() }
}

private struct Ping: Sample {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .png) { _ in Data() }
    ProxyRepresentation(exporting: { (_: Ping) in Pong() })
  }
}

private struct Pong: Sample {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .jpeg) { _ in Data() }
    ProxyRepresentation(exporting: { (_: Pong) in Ping() })
  }
}

private struct ReversingCoder: TopLevelEncoder, TopLevelDecoder, Sendable {
  func encode<T: Encodable>(_ value: T) throws -> Data {
    Data("\((value as? Listed)?.value ?? 0) reversed".utf8)
  }

  func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T {
    throw NoteError.empty
  }
}

private struct Listed: Codable, Transferable, Equatable {
  var value = 0

  static var binary: PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    return encoder
  }

  static var xml: PropertyListEncoder {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    return encoder
  }

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(
      contentType: .xmlPropertyList, encoder: xml, decoder: PropertyListDecoder())
    CodableRepresentation(
      for: Listed.self, contentType: .binaryPropertyList, encoder: binary,
      decoder: PropertyListDecoder())
    CodableRepresentation(
      contentType: .utf8PlainText, encoder: ReversingCoder(), decoder: ReversingCoder()
    ).visibility(.all)
  }
}

private struct Modified: Codable, Transferable {
  var ok = true

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .profile).visibility(.ownProcess)
    CodableRepresentation(for: Modified.self, contentType: .json)
      .suggestedFileName("m.json").exportingCondition { $0.ok }
  }
}
