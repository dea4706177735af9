private import Glibc

/// The C library's own converter, for the character sets that are not built in.
///
/// A static executable cannot load its modules: opening fails there, and so does the conversion,
/// with a message that says so.
enum Iconv {
  /// Whether shift states carry over from piece to piece, so that the text must be whole.
  static func isStateful(_ name: String) -> Bool {
    name.hasPrefix("iso2022") || name.hasPrefix("iso-2022") || name.hasPrefix("utf7")
      || name.hasPrefix("utf-7") || name.hasPrefix("hz")
  }

  /// Whether the character set's name is one that the converter may be asked for: names with a
  /// slash or comma carry options, and nothing a peer says may set those.
  static func isPlainName(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 64
      && name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
          UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "+"):
          return true
        default: return false
        }
      }
  }

  /// Whether the converter knows a character set.
  static func isKnown(_ name: String) -> Bool {
    guard isPlainName(name), let converter = open(name) else { return false }
    iconv_close(converter)
    return true
  }

  /// Converts to UTF-8.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - name: Its character set.
  /// - Returns: The text, and how many bytes at the end are the start of an unfinished character.
  /// - Throws: `.unsupportedCharset` when the converter does not know the name, `.invalidBytes`.
  static func decode(
    _ bytes: [UInt8], from name: String
  ) throws(SelectionFormatError) -> (text: [UInt8], unfinished: Int) {
    guard isPlainName(name), let converter = open(name) else {
      throw SelectionFormatError(
        .unsupportedCharset,
        message: "the character set \(TargetName.escaped(name)) is not known here"
          + " (a static build has only the common ones)")
    }
    defer { iconv_close(converter) }
    var input = bytes
    var output: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: max(256, min(bytes.count * 2, 262_144)))
    var consumed = 0
    var failure: Int32 = 0
    input.withUnsafeMutableBytes { source in
      piece.withUnsafeMutableBytes { target in
        var flushed = false
        while !flushed {
          var from = source.baseAddress?.assumingMemoryBound(to: CChar.self)
          from = from?.advanced(by: consumed)
          var left = source.count - consumed
          var to = target.baseAddress?.assumingMemoryBound(to: CChar.self)
          var room = target.count
          let result: Int
          if left > 0 {
            result = iconv(converter, &from, &left, &to, &room)
          } else {
            flushed = true
            result = iconv(converter, nil, nil, &to, &room)
          }
          let problem = result == -1 ? errno : 0
          let produced = target.count - room
          output += UnsafeRawBufferPointer(rebasing: target[0..<produced])
          consumed = source.count - left
          if problem == E2BIG, produced > 0 { continue }
          if problem != 0 {
            failure = problem
            return
          }
        }
      }
    }
    switch failure {
    case 0: return (output, 0)
    case EINVAL: return (output, bytes.count - consumed)
    default:
      throw SelectionFormatError(
        .invalidBytes,
        message: "byte \(consumed) does not belong to the character set \(name);"
          + " the owner may have named the wrong one")
    }
  }

  private static func open(_ name: String) -> iconv_t? {
    let converter = iconv_open("UTF-8", name)
    return Int(bitPattern: converter) == -1 ? nil : converter
  }
}
