import Glibc
import Testing

@testable import HelperControl

/// A file line by line.
@Suite struct LineReaderTests {
  /// The lines of a text that comes through a pipe in pieces.
  private func lines(_ text: String, longest: Int = 1 << 20) throws -> [String] {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    // Less than a pipe holds.
    try #require(text.utf8.count < 60_000)
    #expect(HelperCommand.write(Array(text.utf8), to: ends[1]))
    close(ends[1])
    var reader = LineReader(descriptor: ends[0], longest: longest)
    var all: [String] = []
    while let line = try reader.next() { all.append(String(decoding: line, as: UTF8.self)) }
    return all
  }

  @Test func everyLineComesOnce() throws {
    #expect(try lines("").isEmpty)
    #expect(try lines("a") == ["a"])
    #expect(try lines("a\n\nb\n") == ["a", "", "b"])
    #expect(try lines("a\nlast") == ["a", "last"])
    let many = (0..<9_000).map { String($0) }
    #expect(try lines(many.joined(separator: "\n")) == many)
  }

  @Test func aLineThatIsTooLongIsRefused() {
    #expect(throws: LineReader.Failure.self) {
      try lines(String(repeating: "a", count: 50_000), longest: 1_000)
    }
  }
}
