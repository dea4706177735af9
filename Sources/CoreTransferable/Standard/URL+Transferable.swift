public import Foundation
import UniformTypeIdentifiers

extension URL: Transferable {
  /// The URL's own spelling, as `public.url` and, for a file, as `public.file-url` too.
  public static var transferRepresentation: some TransferRepresentation {
    URLRepresentation(contentType: .url)
    URLRepresentation(contentType: .fileURL).exportingCondition(\.isFileURL)
  }
}

private struct URLRepresentation: PrimitiveRepresentation {
  typealias Item = URL

  let contentType: UTType

  var body: Never { return noBody() }

  func descriptions(in context: DescriptionContext) -> [RepresentationDescription<URL>] {
    [
      RepresentationDescription(
        contentType: contentType,
        exporter: .data { Data($0.absoluteString.utf8) },
        importer: Importer(
          .data { data, offered in
            let url = try URLDecoding.url(of: data)
            // A file URL conforms to a URL, so that either representation may be given one.
            guard url.isFileURL || !offered.contentType.conforms(to: .fileURL) else {
              throw URLDecoding.Failure.notAFile(url.absoluteString)
            }
            return url
          }))
    ]
  }
}

/// Reads the URL out of what programs send as one.
enum URLDecoding {
  enum Failure: LocalizedError {
    case notText
    case empty
    case notAURL(String)
    case notAFile(String)

    var errorDescription: String? {
      switch self {
      case .notText: "a URL is UTF-8 text, and this is not"
      case .empty: "there is no URL in it"
      case .notAURL(let text): "'\(text.prefix(80))' is not a URL with a scheme"
      case .notAFile(let text): "'\(text.prefix(80))' is not the URL of a file"
      }
    }
  }

  /// The first URL of a URI list (RFC 2483): lines that end in CRLF, `#` in front of a comment.
  static func url(of data: Data) throws -> URL {
    guard let text = String(validating: data, as: UTF8.self) else { throw Failure.notText }
    let lines = text.split { $0.isNewline || $0 == "\0" }
    guard
      let line = lines.lazy.map({ trimmed($0) }).first(where: { !$0.isEmpty && !$0.hasPrefix("#") })
    else { throw Failure.empty }
    return try url(line)
  }

  private static func url(_ text: String) throws -> URL {
    guard hasScheme(text), let url = strict(text) ?? lenient(text) else {
      throw Failure.notAURL(text)
    }
    guard url.isFileURL, let host = url.host(), isThisMachine(host) else { return url }
    var components = URLComponents(url: url, resolvingAgainstBaseURL: false)
    components?.host = ""
    return components?.url ?? url
  }

  private static func strict(_ text: String) -> URL? {
    URL(string: text, encodingInvalidCharacters: false)
  }

  // Some programs send file names as they are.
  private static func lenient(_ text: String) -> URL? {
    text.lowercased().hasPrefix("file:") ? URL(string: text) : nil
  }

  private static func hasScheme(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), let first = text.utf8.first else { return false }
    let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
    return isLetter
      && text[..<colon].utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
          || [UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: ".")].contains(byte)
      }
  }

  private static func isThisMachine(_ host: String) -> Bool {
    ["localhost", ProcessInfo.processInfo.hostName.lowercased()].contains(host.lowercased())
  }

  private static func trimmed(_ line: Substring) -> String {
    String(line.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
