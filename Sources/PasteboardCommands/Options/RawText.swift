internal import Glibc

/// An argument or a path: bytes, which need not be UTF-8.
struct RawText: Hashable {
  /// Without a NUL.
  var bytes: [UInt8]

  init(_ pointer: UnsafePointer<CChar>) {
    bytes = Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
  }

  init(_ text: String) { bytes = Array(text.utf8) }
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The bytes as text, what is not UTF-8 replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  var isEmpty: Bool { bytes.isEmpty }

  /// Lends the bytes with a NUL behind them.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
    return terminated.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return "".withCString(body) }
      return body(start)
    }
  }

  /// What comes behind the last slash.
  var lastComponent: RawText {
    var end = bytes[...]
    while end.count > 1, end.last == UInt8(ascii: "/") { end.removeLast() }
    guard let slash = end.lastIndex(of: UInt8(ascii: "/")), end.count > 1 else {
      return RawText(bytes: Array(end))
    }
    return RawText(bytes: Array(end[(slash + 1)...]))
  }

  /// What comes before the last slash: `.` where there is none, `/` where it is the first.
  var directory: RawText {
    guard let slash = bytes.lastIndex(of: UInt8(ascii: "/")) else { return RawText(".") }
    return slash == 0 ? RawText("/") : RawText(bytes: Array(bytes[..<slash]))
  }
}
