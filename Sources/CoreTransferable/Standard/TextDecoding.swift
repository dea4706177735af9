import ContentTypes
import Foundation
import Glibc
import UniformTypeIdentifiers

/// Decodes text by what its content type says, and by a byte order mark where that says nothing.
enum TextDecoding {
  enum Failure: LocalizedError {
    case invalid(encoding: String)
    case unknown(encoding: String)

    var errorDescription: String? {
      switch self {
      case .invalid(let encoding): "the bytes are not valid \(encoding) text"
      case .unknown(let encoding): "the text encoding '\(encoding)' is not known here"
      }
    }
  }

  private enum Encoding {
    case utf8
    /// Big-endian unless a mark, or the text itself, says otherwise.
    case utf16(bigEndian: Bool)
    case utf16Fixed(bigEndian: Bool)
    case macRoman
    /// One of the encodings that only the C library knows.
    case named(String)
    /// None was given.
    case unspecified
  }

  /// The text.
  /// - Parameters:
  ///   - data: The encoded text. Nothing in it is changed, except that a byte order mark of UTF-16 or
  ///     UTF-32 goes.
  ///   - offered: What the text was offered as.
  static func text(of data: Data, offeredAs offered: OfferedContent) throws -> String {
    switch encoding(of: offered) {
    case .utf8:
      if let text = utf8(data) ?? markedText(data) { return text }
      throw Failure.invalid(encoding: "UTF-8")
    case .utf16(let bigEndian):
      if let text = markedText(data) { return text }
      return try utf16(data, bigEndian: apparentOrder(data) ?? bigEndian)
    case .utf16Fixed(let bigEndian):
      return try utf16(data, bigEndian: bigEndian)
    case .macRoman:
      return try converted(data, from: "MACINTOSH")
    case .named(let name):
      return try converted(data, from: name)
    case .unspecified:
      if let text = utf8(data) ?? markedText(data) { return text }
      // Eight bits that are not UTF-8: what most such text was written in, and every byte has a
      // meaning or at least a place in it.
      return windowsLatin(data)
    }
  }

  private static func encoding(of offered: OfferedContent) -> Encoding {
    let contentType = offered.contentType
    if let charset = offered.charset?.lowercased() ?? charset(of: contentType) {
      return encoding(named: charset)
    }
    if contentType.conforms(to: .utf8PlainText) { return .utf8 }
    if contentType.conforms(to: .utf16ExternalPlainText) { return .utf16(bigEndian: true) }
    if contentType.conforms(to: .utf16PlainText) { return .utf16(bigEndian: false) }
    if contentType.identifier == "com.apple.traditional-mac-plain-text" { return .macRoman }
    return .unspecified
  }

  // Only an undeclared type's MIME type tells more than its identifier: the declared UTF-16 types share
  // one charset and differ in byte order.
  private static func charset(of contentType: UTType) -> String? {
    guard contentType.isDynamic else { return nil }
    return contentType.tags[.mimeType]?.lazy.compactMap { MIMEType($0)?.charset }.first
  }

  private static func encoding(named name: String) -> Encoding {
    switch name {
    case "utf-8", "utf8", "unicode-1-1-utf-8", "us-ascii": .utf8
    case "utf-16", "utf16", "unicode", "iso-10646-ucs-2": .utf16(bigEndian: true)
    case "utf-16le", "utf16le": .utf16Fixed(bigEndian: false)
    case "utf-16be", "utf16be": .utf16Fixed(bigEndian: true)
    default: .named(name)
    }
  }

  private static func utf8(_ data: Data) -> String? {
    String(validating: data, as: UTF8.self)
  }

  /// Text that begins with the mark of UTF-32 or UTF-16, or `nil` if it has none or is not valid.
  private static func markedText(_ data: Data) -> String? {
    let start = Array(data.prefix(4))
    if start == [0xFF, 0xFE, 0, 0] || start == [0, 0, 0xFE, 0xFF] {
      return String(data: data, encoding: .utf32)
    }
    if start.starts(with: [0xFF, 0xFE]) { return try? utf16(data.dropFirst(2), bigEndian: false) }
    if start.starts(with: [0xFE, 0xFF]) { return try? utf16(data.dropFirst(2), bigEndian: true) }
    return nil
  }

  private static func utf16(_ data: Data, bigEndian: Bool) throws -> String {
    let invalid = Failure.invalid(encoding: bigEndian ? "UTF-16BE" : "UTF-16LE")
    guard data.count.isMultiple(of: 2) else { throw invalid }
    let high = bigEndian ? 0 : 1
    let units = data.withUnsafeBytes { bytes in
      [UInt16](unsafeUninitializedCapacity: bytes.count / 2) { units, count in
        count = bytes.count / 2
        for index in 0..<count {
          units.initializeElement(
            at: index,
            to: UInt16(bytes[2 * index + high]) << 8 | UInt16(bytes[2 * index + 1 - high]))
        }
      }
    }
    guard let text = String(validating: units, as: UTF16.self) else { throw invalid }
    return text
  }

  /// Whether the zero bytes of Latin text betray big-endian or little-endian order; `nil` if they do
  /// not. Little of it proves nothing: single characters of other scripts have zero bytes too.
  private static func apparentOrder(_ data: Data) -> Bool? {
    let start = data.prefix(1024)
    var zeros = (even: 0, odd: 0)
    for (index, byte) in start.enumerated() where byte == 0 {
      if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
    }
    let enough = max(4, start.count / 4)
    if zeros.even >= enough, zeros.odd == 0 { return true }
    if zeros.odd >= enough, zeros.even == 0 { return false }
    return nil
  }

  private static let windowsLatinUpper: [UInt16] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
    0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
    0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
  ]

  private static func windowsLatin(_ data: Data) -> String {
    let spellings = (0...255).map { byte -> [UInt8] in
      let unit = (0x80...0x9F).contains(byte) ? windowsLatinUpper[byte - 0x80] : UInt16(byte)
      return Array(String(decoding: [unit], as: UTF16.self).utf8)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(data.count + data.count / 8)
    data.withUnsafeBytes { source in
      for byte in source {
        if byte < 0x80 { bytes.append(byte) } else { bytes += spellings[Int(byte)] }
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Text in an encoding that only the C library knows.
  private static func converted(_ data: Data, from encoding: String) throws -> String {
    guard encoding.utf8.count <= 64, !encoding.contains("/") else {
      throw Failure.unknown(encoding: encoding)
    }
    let descriptor = iconv_open("UTF-8", encoding)
    guard descriptor != iconv_t(bitPattern: -1) else { throw Failure.unknown(encoding: encoding) }
    defer { iconv_close(descriptor) }
    var input = data.map { CChar(bitPattern: $0) }
    var output = [CChar](repeating: 0, count: 1 << 16)
    var converted: [UInt8] = []
    try input.withUnsafeMutableBufferPointer { input in
      var source = input.baseAddress
      var left = input.count
      while left > 0 {
        let (result, failure, produced) = output.withUnsafeMutableBufferPointer { output in
          var destination = output.baseAddress
          var space = output.count
          let result = iconv(descriptor, &source, &left, &destination, &space)
          return (result, errno, output.count - space)
        }
        converted.append(contentsOf: output[..<produced].lazy.map { UInt8(bitPattern: $0) })
        guard result == .max else { continue }
        guard failure == E2BIG, produced > 0 else {
          throw Failure.invalid(encoding: encoding)
        }
      }
    }
    // Some encodings hold a character back until they know that nothing combines with it.
    let produced = output.withUnsafeMutableBufferPointer { output in
      var destination = output.baseAddress
      var space = output.count
      _ = iconv(descriptor, nil, nil, &destination, &space)
      return output.count - space
    }
    converted.append(contentsOf: output[..<produced].lazy.map { UInt8(bitPattern: $0) })
    guard let text = String(validating: converted, as: UTF8.self) else {
      throw Failure.invalid(encoding: encoding)
    }
    return text
  }
}
