internal import Glibc

/// Reads a descriptor line by line.
struct LineReader {
  enum Failure: Error {
    case unreadable
    case tooLong
  }

  let descriptor: CInt
  let longest: Int
  private var buffer: [UInt8] = []
  /// Where in the buffer the next line begins.
  private var start = 0
  private var searched = 0
  private var isAtEnd = false

  init(descriptor: CInt, longest: Int) {
    self.descriptor = descriptor
    self.longest = longest
  }

  /// The next line without its end; `nil` after the last one.
  mutating func next() throws(Failure) -> [UInt8]? {
    while true {
      if let end = buffer[searched...].firstIndex(of: 0x0A) {
        let line = Array(buffer[start..<end])
        start = end + 1
        searched = start
        return line
      }
      // Once for all lines that a piece had, not for each.
      buffer.removeFirst(start)
      start = 0
      searched = buffer.count
      if isAtEnd {
        defer {
          buffer = []
          searched = 0
        }
        return buffer.isEmpty ? nil : buffer
      }
      guard buffer.count <= longest else { throw .tooLong }
      var piece = [UInt8](repeating: 0, count: 1 << 18)
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .unreadable }
      if count == 0 { isAtEnd = true } else { buffer += piece[..<count] }
    }
  }
}
