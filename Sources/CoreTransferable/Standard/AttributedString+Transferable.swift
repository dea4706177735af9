public import Foundation
import Synchronization
package import UniformTypeIdentifiers

extension AttributedString: Transferable {
  /// The text without its attributes, as `String` transfers it, after any rich form that another
  /// module has added.
  public static var transferRepresentation: some TransferRepresentation {
    RichTextRepresentation()
    ProxyRepresentation {
      String($0.characters)
    } importing: {
      AttributedString($0)
    }
  }

  /// Adds a rich form of text, such as HTML, after those added before and ahead of plain text.
  ///
  /// Markup lives in modules of its own, so that transferring text links none of it.
  /// - Parameters:
  ///   - contentType: The content type of the form; one that was added before is replaced.
  ///   - exporting: Writes the text.
  ///   - importing: Reads the text.
  package static func addTransferRepresentation(
    contentType: UTType,
    exporting: @escaping @Sendable @concurrent (AttributedString) async throws -> Data,
    importing: @escaping @Sendable @concurrent (Data) async throws -> AttributedString
  ) {
    let added = RepresentationDescription<AttributedString>(
      contentType: contentType, exporter: .data(exporting),
      importer: Importer(.data { data, _ in try await importing(data) }))
    RichTextRepresentation.added.withLock { forms in
      forms.removeAll { $0.contentType == contentType }
      forms.append(added)
    }
  }
}

private struct RichTextRepresentation: PrimitiveRepresentation {
  typealias Item = AttributedString

  static let added = Mutex<[RepresentationDescription<AttributedString>]>([])

  var body: Never { return noBody() }

  func descriptions(
    in context: DescriptionContext
  ) -> [RepresentationDescription<AttributedString>] {
    Self.added.withLock { $0 }
  }
}
