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
    case tooLong
    case notAURL(String)
    case notAFile(String)

    var errorDescription: String? {
      switch self {
      case .notText: "a URL is UTF-8 text, and this is not"
      case .empty: "there is no URL in it"
      case .tooLong: "it is longer than any URL"
      case .notAURL(let text): "'\(text.prefix(80))' is not a URL with a scheme"
      case .notAFile(let text): "'\(text.prefix(80))' is not the URL of a file"
      }
    }
  }

  // No program takes a longer one, and reading it costs far more than its length.
  private static let greatestLength = 1 << 20

  /// The first URL of a URI list (RFC 2483): lines that end in CRLF, `#` in front of a comment.
  static func url(of data: Data) throws -> URL {
    var rest = data[...]
    while !rest.isEmpty {
      let end = rest.firstIndex { $0 == 0x0A || $0 == 0x0D || $0 == 0 } ?? rest.endIndex
      let line = trimmed(rest[..<end])
      rest = end < rest.endIndex ? rest[rest.index(after: end)...] : Data()
      guard let first = line.first, first != UInt8(ascii: "#") else { continue }
      guard line.count <= greatestLength else { throw Failure.tooLong }
      guard let text = String(validating: line, as: UTF8.self) else { throw Failure.notText }
      return try url(text)
    }
    throw Failure.empty
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

  private static func trimmed(_ line: Data) -> Data {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    guard let start = line.firstIndex(where: { !isBlank($0) }),
      let end = line.lastIndex(where: { !isBlank($0) })
    else { return Data() }
    return line[start...end]
  }
}
