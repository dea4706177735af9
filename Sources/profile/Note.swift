import CoreTransferable
import UniformTypeIdentifiers

/// A text that also comes from any text.
struct Note: Sendable {
  var text: String
}

extension Note: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation { (note: Note) in
      note.text
    } importing: { (text: String) in
      Note(text: text)
    }
  }
}
