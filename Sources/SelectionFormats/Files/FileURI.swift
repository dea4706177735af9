/// Turns paths into file URIs and back (RFC 8089, RFC 3986).
///
/// A path is bytes: it may hold any byte but NUL and need not be UTF-8. A URI is always text.
public enum FileURI {
  /// Writes an absolute path as a URI with an empty authority.
  ///
  /// - Parameter path: The bytes of an absolute path.
  /// - Returns: `file:///…`, every byte outside RFC 3986's path characters percent-encoded.
  /// - Throws: `SelectionFormatError` with `.invalidURI` for a relative or empty path, or a NUL.
  public static func uri(path: [UInt8]) throws(SelectionFormatError) -> String {
    guard path.first == UInt8(ascii: "/") else {
      throw SelectionFormatError(.invalidURI, message: "only an absolute path has a file URI")
    }
    guard !path.contains(0) else {
      throw SelectionFormatError(.invalidURI, message: "a path cannot hold a NUL byte")
    }
    var encoded = Array("file://".utf8)
    encoded.reserveCapacity(path.count + 7)
    for byte in path {
      if isPathCharacter(byte) {
        encoded.append(byte)
      } else {
        encoded.append(UInt8(ascii: "%"))
        encoded.append(hexDigit(byte >> 4))
        encoded.append(hexDigit(byte & 15))
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  /// Writes an absolute path as a URI with an empty authority.
  ///
  /// - Parameter path: An absolute path.
  /// - Returns: `file:///…`.
  /// - Throws: `SelectionFormatError` with `.invalidURI` for a relative or empty path, or a NUL.
  public static func uri(path: String) throws(SelectionFormatError) -> String {
    try uri(path: Array(path.utf8))
  }

  /// Whether a URI has the `file` scheme.
  ///
  /// - Parameter uri: The URI.
  public static func isFileURI(_ uri: String) -> Bool {
    hasFileScheme(Array(uri.utf8))
  }

  /// Reads the path out of a file URI.
  ///
  /// `file:/path`, `file:///path`, `file://localhost/path` and `file://` with this machine's own
  /// name are local. Bytes that should have been percent-encoded are taken as they are; a query or
  /// a fragment is refused, since a file name with a bare `?` or `#` cannot be told from one.
  ///
  /// - Parameters:
  ///   - uri: The URI.
  ///   - hostNames: The names of this machine; compared without case.
  /// - Returns: The bytes of the path.
  /// - Throws: `SelectionFormatError` with `.invalidURI`; the message says why.
  public static func path(
    of uri: String, hostNames: [String] = []
  ) throws(SelectionFormatError) -> [UInt8] {
    let bytes = Array(uri.utf8)
    guard hasFileScheme(bytes) else {
      throw SelectionFormatError(.invalidURI, message: "not a file URI: \(display(uri))")
    }
    var rest = bytes[5...]
    if rest.starts(with: Array("//".utf8)) {
      rest = rest.dropFirst(2)
      let host = rest.prefix { $0 != UInt8(ascii: "/") }
      rest = rest.dropFirst(host.count)
      let name = String(decoding: host, as: UTF8.self).lowercased()
      guard
        name.isEmpty || name == "localhost"
          || hostNames.contains(where: { $0.lowercased() == name })
      else {
        throw SelectionFormatError(
          .invalidURI,
          message: "the file is on another machine, \(TargetName.escaped(name)): \(display(uri))")
      }
    }
    guard rest.first == UInt8(ascii: "/") else {
      throw SelectionFormatError(
        .invalidURI, message: "the file URI has no absolute path: \(display(uri))")
    }
    return try decodePath(rest, of: uri)
  }

  private static func decodePath(
    _ encoded: ArraySlice<UInt8>, of uri: String
  ) throws(SelectionFormatError) -> [UInt8] {
    var path: [UInt8] = []
    path.reserveCapacity(encoded.count)
    var index = encoded.startIndex
    while index < encoded.endIndex {
      var byte = encoded[index]
      switch byte {
      case UInt8(ascii: "?"), UInt8(ascii: "#"):
        throw SelectionFormatError(
          .invalidURI, message: "the file URI has a query or fragment: \(display(uri))")
      case UInt8(ascii: "%"):
        guard index + 2 < encoded.endIndex, let high = hexValue(encoded[index + 1]),
          let low = hexValue(encoded[index + 2])
        else {
          throw SelectionFormatError(
            .invalidURI, message: "the file URI has a % without two digits: \(display(uri))")
        }
        byte = high << 4 | low
        index += 2
      default: break
      }
      guard byte != 0 else {
        throw SelectionFormatError(
          .invalidURI, message: "the file URI names a path with a NUL byte: \(display(uri))")
      }
      path.append(byte)
      index += 1
    }
    return path
  }

  /// Percent-encodes what can stand in no URI: everything outside printable ASCII.
  static func sanitized(_ bytes: some Sequence<UInt8>) -> String {
    var encoded: [UInt8] = []
    for byte in bytes {
      if byte > 0x20 && byte < 0x7F {
        encoded.append(byte)
      } else {
        encoded += [UInt8(ascii: "%"), hexDigit(byte >> 4), hexDigit(byte & 15)]
      }
    }
    return String(decoding: encoded, as: UTF8.self)
  }

  private static func display(_ uri: String) -> String {
    let escaped = TargetName.escaped(uri)
    return escaped.utf8.count <= 200 ? escaped : String(escaped.prefix(200)) + "…"
  }

  private static func hasFileScheme(_ bytes: [UInt8]) -> Bool {
    bytes.count >= 5 && bytes[4] == UInt8(ascii: ":")
      && zip(bytes, Array("file".utf8)).allSatisfy { $0 | 0x20 == $1 }
  }

  private static func isPathCharacter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      return true
    default:
      // RFC 3986's path characters without ";", which some readers take for a separator.
      return "/-._~!$&'()*+,=:@".utf8.contains(byte)
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  private static func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): return digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): return digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): return digit - UInt8(ascii: "A") + 10
    default: return nil
    }
  }
}
