import CoreTransferable
import Foundation
import UniformTypeIdentifiers

struct Profile: Codable, Transferable, Equatable {
  var id = UUID()
  var name: String
  var bio = ""
  var funFacts: [String] = []
  var video: URL?
  var portrait: URL?

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .profile)
    ProxyRepresentation(exporting: \.name)
  }
}

struct ProfilesArchive: Transferable, Equatable {
  var rows: [String]
  var supportsCSV = true

  init(rows: [String], supportsCSV: Bool = true) {
    self.rows = rows
    self.supportsCSV = supportsCSV
  }

  init(csvData: Data) throws {
    rows = String(decoding: csvData, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  func convertToCSV() throws -> Data { Data(rows.joined(separator: "\n").utf8) }

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
      let copy = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
      try FileManager.default.copyItem(at: received.file, to: copy)
      return Self(file: copy)
    }
    ProxyRepresentation(exporting: \.file)
  }
}

struct Note: Transferable, Equatable {
  var title: String
  var body: String

  init(title: String, body: String) {
    self.title = title
    self.body = body
  }

  init(text: String) throws {
    let parts = text.split(separator: "\n", maxSplits: 1)
    guard let first = parts.first else { throw NoteError.empty }
    title = String(first)
    body = parts.count > 1 ? String(parts[1]) : ""
  }

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation {
      $0.title + "\n" + $0.body
    } importing: {
      try Note(text: $0)
    }
    .suggestedFileName { $0.title + ".txt" }
  }
}

enum NoteError: Error, Equatable { case empty }

extension UTType {
  static let profile = UTType(exportedAs: "com.example.profile")
}
