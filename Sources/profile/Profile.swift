import CoreTransferable
import UniformTypeIdentifiers

/// A person's profile.
struct Profile: Codable, Sendable {
  var id: UUID
  var name: String
  var bio: String
  var funFacts: [String]
  var video: URL?
  var portrait: URL?
}

extension Profile: Transferable {
  // Programs that know the profile get all of it; all others get the name.
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .profile)
    ProxyRepresentation(exporting: \.name)
  }
}

extension UTType {
  static var profile: UTType { UTType(exportedAs: "com.example.profile") }
  static var profilesArchive: UTType { UTType(exportedAs: "com.example.profiles-archive") }
}
