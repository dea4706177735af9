/// `text/uri-list` (RFC 2483, section 5).
public enum URIList {
  /// Reads a list.
  ///
  /// Lines end in CRLF, LF or CR; comments, empty lines, blanks around a URI and trailing NULs are
  /// dropped. A line that is not UTF-8, or holds control characters, is percent-encoded, so that no
  /// byte of it is lost.
  ///
  /// - Parameter bytes: The list.
  /// - Returns: The URIs in order.
  public static func parse(_ bytes: some Sequence<UInt8>) -> [String] {
    var uris: [String] = []
    var line: [UInt8] = []
    func endLine() {
      if let uri = uri(in: line) { uris.append(uri) }
      line.removeAll(keepingCapacity: true)
    }
    for byte in bytes {
      if byte == 0x0D || byte == 0x0A { endLine() } else { line.append(byte) }
    }
    endLine()
    return uris
  }

  /// Writes a list: CRLF after every URI.
  ///
  /// - Parameter uris: The URIs.
  /// - Returns: The list's bytes.
  public static func serialize(_ uris: [String]) -> [UInt8] {
    var bytes: [UInt8] = []
    for uri in uris { bytes += Array(uri.utf8) + [0x0D, 0x0A] }
    return bytes
  }

  private static func uri(in line: [UInt8]) -> String? {
    func isDropped(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0 }
    let trimmed = line.drop(while: isDropped)
    guard let last = trimmed.lastIndex(where: { !isDropped($0) }) else { return nil }
    let uri = trimmed[...last]
    guard uri.first != UInt8(ascii: "#") else { return nil }
    let isText =
      uri.withUnsafeBytes { UTF8Validator.isValid($0) } && !uri.contains { $0 < 0x20 || $0 == 0x7F }
    return isText ? String(decoding: uri, as: UTF8.self) : FileURI.sanitized(uri)
  }
}
