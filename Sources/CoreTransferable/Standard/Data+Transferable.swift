public import Foundation
import UniformTypeIdentifiers

extension Data: Transferable {
  /// The bytes, as `public.data`. Whatever is dropped or pasted is taken.
  public static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .data) {
      $0
    } importing: {
      $0
    }
  }
}
