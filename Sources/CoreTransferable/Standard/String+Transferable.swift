import Foundation
import UniformTypeIdentifiers

extension String: Transferable {
  /// The text, as `public.utf8-plain-text`.
  ///
  /// Other encodings are taken too, by what the content type says: UTF-16, Mac OS Roman, or any
  /// `charset` of a MIME type.
  public static var transferRepresentation: some TransferRepresentation {
    TextRepresentation()
  }
}

/// Text as UTF-8 out, and in any encoding in.
private struct TextRepresentation: PrimitiveRepresentation {
  typealias Item = String

  var body: Never { return noBody() }

  func descriptions(in context: DescriptionContext) -> [RepresentationDescription<String>] {
    let text = RepresentationDescription<String>(
      contentType: .utf8PlainText,
      exporter: .data { Data($0.utf8) },
      importer: Importer(.data { try TextDecoding.text(of: $0, offeredAs: $1) }))
    // Not announced, because Apple announces UTF-8 alone, but good text all the same. `public.text`
    // only by name: HTML and RTF conform to it.
    let others = [(UTType.plainText, true), (.text, false)].map { contentType, takesConforming in
      RepresentationDescription<String>(
        contentType: contentType, exporter: nil,
        importer: Importer(
          .data { try TextDecoding.text(of: $0, offeredAs: $1) },
          isListed: false, takesConforming: takesConforming))
    }
    return [text] + others
  }
}
