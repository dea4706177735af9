import CoreTransferable
import UniformTypeIdentifiers
import X11Pasteboard

struct Profile: Codable, Transferable {
  var name: String

  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .profile)
    ProxyRepresentation(exporting: \.name)
  }
}

extension UTType {
  static var profile: UTType { UTType(exportedAs: "com.example.profile") }
}

let clipboard = try await Pasteboard.clipboard()
let ownership = try await clipboard.copy(Profile(name: "Juliane"))
print("Paste the name anywhere; this program serves it until something else is copied.")
try await ownership.untilReplaced()
