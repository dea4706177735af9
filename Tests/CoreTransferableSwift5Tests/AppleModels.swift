// Written as for Apple's systems, in Swift 5 mode, with this one import.
import CoreTransferable

struct Profile: Codable {
  var id: UUID
  var name: String
  var bio: String
  var funFacts: [String]
  var video: URL?
  var portrait: URL?
}

extension Profile: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .profile)
    ProxyRepresentation(exporting: \.name)
  }
}

extension UTType {
  static var profile: UTType = UTType(exportedAs: "com.example.profile")
  static var note: UTType { UTType(exportedAs: "com.example.note", conformingTo: .json) }
}

struct ProfilesArchive {
  var supportsCSV: Bool { true }
  init(csvData: Data) throws {}
  func convertToCSV() throws -> Data { Data("a,b".utf8) }
}

extension ProfilesArchive: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .commaSeparatedText) { archive in
      try archive.convertToCSV()
    } importing: { data in
      try Self(csvData: data)
    }
    .exportingCondition { $0.supportsCSV }
  }
}

struct Video: Transferable {
  let file: URL

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(contentType: .mpeg4Movie) {
      SentTransferredFile($0.file)
    } importing: { received in
      let destination = try Self.copyVideoFile(source: received.file)
      return Self.init(file: destination)
    }
  }

  static func copyVideoFile(source: URL) throws -> URL { source }
}

/// A class that is not Sendable, as model classes written before Swift 6 are.
class Note: Transferable, Codable {
  var text = ""

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .note)
    DataRepresentation(exportedContentType: .utf8PlainText) { note in Data(note.text.utf8) }
      .suggestedFileName { $0.text + ".txt" }
      .visibility(.ownProcess)
  }
}

/// A coder that is not Sendable.
class Coder: TopLevelEncoder, TopLevelDecoder {
  func encode<T>(_ value: T) throws -> Data where T: Encodable { try JSONEncoder().encode(value) }

  func decode<T>(_ type: T.Type, from data: Data) throws -> T where T: Decodable {
    try JSONDecoder().decode(type, from: data)
  }
}

struct Draft: Codable, Transferable {
  var text: String

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .json, encoder: Coder(), decoder: Coder())
    CodableRepresentation(
      for: Draft.self, contentType: .propertyList, encoder: PropertyListEncoder(),
      decoder: PropertyListDecoder())
  }
}

/// The spellings that are deprecated still compile.
struct Old: Transferable {
  var text: String

  static func fetch(_ old: Old) async throws -> String { old.text }
  static func make(_ text: String) async throws -> Old { Old(text: text) }

  // Marked itself, so that the tests build without a warning.
  @available(*, deprecated)
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .json) { old in
      Data(old.text.utf8)
    } importing: { data in
      Old(text: String(decoding: data, as: UTF8.self))
    }
    ProxyRepresentation(exporting: { (old: Old) in try await Old.fetch(old) })
    ProxyRepresentation(
      exporting: { (old: Old) in try await Old.fetch(old) },
      importing: { (text: String) in try await Old.make(text) })
  }
}

struct Common<Item: Transferable & Codable>: TransferRepresentation {
  var body: some TransferRepresentation {
    CodableRepresentation<Item, JSONEncoder, JSONDecoder>(contentType: .json)
    ProxyRepresentation { (_: Item) in "common" }
  }
}

struct Composed: Codable, Transferable {
  static var transferRepresentation: some TransferRepresentation {
    Common<Composed>()
  }
}
