import Foundation
import TestServer
import Testing

/// What the library adds for each byte, in instructions of the debug build: hardly any where bytes are handed on, and
/// many where somebody looks at each. What does not depend on the size drops out, since two sizes are compared.
@Suite struct LibraryTests {
  let instruments: Instruments
  let program: String
  static let sizes = (small: 1_000, large: 4_000_000)

  init() throws {
    instruments = try Instruments()
    // valgrind cannot read what a debug build says of itself.
    program = instruments.directory.appending(path: "library-costs").path(percentEncoded: false)
    let built = builtProducts.appending(path: "library-costs").path(percentEncoded: false)
    try #require(try run("/usr/bin/strip", ["-g", "-o", program, built]).status == 0)
  }

  private func perByte(_ cost: (Int) throws -> Int) throws -> Double {
    let small = try cost(Self.sizes.small)
    let large = try cost(Self.sizes.large)
    return Double(large - small) / Double(Self.sizes.large - Self.sizes.small)
  }

  /// Pictures are passed on as they are: 1.5, and 2.4 where they are pasted. Text is looked at, for what it may be
  /// offered as and for whether it is valid: 25, of which the release build needs a tenth.
  @Test(arguments: [("picture", "image/png", 4.0), ("text", "UTF8_STRING", 50.0)])
  func aCopy(kind: String, target: String, limit: Double) throws {
    let perByte = try perByte { size in
      let owner = try instruments.startCounted(program, ["copy", kind, String(size)])
      let deadline = Date(timeIntervalSinceNow: 60)
      while try run(
        "/usr/bin/xclip", ["-o", "-selection", "clipboard", "-t", target],
        display: instruments.server.display, seconds: 60
      ).output.count != size {
        try #require(owner.child.isRunning && Date() < deadline, "nothing of \(size) bytes came")
      }
      try instruments.copyWithXclip(Data("the end".utf8))
      return try owner.instructions()
    }
    print("instructions: a byte of \(kind) copied by the library: \(perByte)")
    #expect(perByte < limit)
  }

  @Test(arguments: [("picture", "image/png", 4.0), ("text", "UTF8_STRING", 50.0)])
  func aPaste(kind: String, target: String, limit: Double) throws {
    let perByte = try perByte { size in
      try instruments.copyWithXclip(Data(repeating: 0x61, count: size), target: target)
      return try instruments.instructions(program, ["paste", kind, String(size)])
    }
    print("instructions: a byte of \(kind) pasted by the library: \(perByte)")
    #expect(perByte < limit)
  }
}
