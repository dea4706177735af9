import CoreTransferable
import UniformTypeIdentifiers

/// Several profiles, which travel as a table where they can.
struct ProfilesArchive: Codable, Sendable {
  var profiles: [Profile]

  /// Names and facts fit a table; pictures and films do not.
  var supportsCSV: Bool { profiles.allSatisfy { $0.video == nil && $0.portrait == nil } }
}

extension ProfilesArchive: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .profilesArchive)
    DataRepresentation(contentType: .commaSeparatedText) { archive in
      Data(archive.csv().utf8)
    } importing: { data in
      try ProfilesArchive(csv: String(decoding: data, as: UTF8.self))
    }
    .exportingCondition { archive in archive.supportsCSV }
    .suggestedFileName("profiles.csv")
  }
}

extension ProfilesArchive {
  struct MalformedTable: Error, CustomStringConvertible {
    let description: String
  }

  func csv() -> String {
    let rows = profiles.map { profile in
      [profile.id.uuidString, profile.name, profile.bio] + profile.funFacts
    }
    return rows.map { $0.map(Self.quoted).joined(separator: ",") + "\r\n" }.joined()
  }

  init(csv: String) throws {
    profiles = try Self.rows(csv).enumerated().map { index, fields in
      guard fields.count >= 3, let id = UUID(uuidString: fields[0]) else {
        throw MalformedTable(
          description: "line \(index + 1) is no profile: it needs an id, a name and a bio")
      }
      return Profile(
        id: id, name: fields[1], bio: fields[2], funFacts: Array(fields.dropFirst(3)))
    }
  }

  private static func quoted(_ field: String) -> String {
    let needsQuotes = field.unicodeScalars.contains { ",\"\r\n".unicodeScalars.contains($0) }
    return needsQuotes ? "\"" + field.replacing("\"", with: "\"\"") + "\"" : field
  }

  /// The fields of each row (RFC 4180).
  private static func rows(_ text: String) throws -> [[String]] {
    var rows: [[String]] = []
    var row: [String] = []
    var field = ""
    var isQuoted = false
    var scalars = text.unicodeScalars.makeIterator()
    var pushedBack: Unicode.Scalar?
    func endRow() {
      row.append(field)
      field = ""
      if row != [""] { rows.append(row) }
      row = []
    }
    while let scalar = pushedBack ?? scalars.next() {
      pushedBack = nil
      switch scalar {
      case "\"" where isQuoted:
        let next = scalars.next()
        if next == "\"" {
          field.unicodeScalars.append("\"")
        } else {
          isQuoted = false
          pushedBack = next
        }
      case "\"" where field.isEmpty: isQuoted = true
      case "," where !isQuoted:
        row.append(field)
        field = ""
      case "\n" where !isQuoted: endRow()
      case "\r" where !isQuoted: break
      default: field.unicodeScalars.append(scalar)
      }
    }
    guard !isQuoted else { throw MalformedTable(description: "a quotation mark is not closed") }
    endRow()
    return rows
  }
}
