import Foundation
import TestServer
import Testing

/// What a command costs, in instructions of the release build: no load of the machine changes them. A limit lies an
/// eighth above what was measured when it was set; whoever makes something dearer on purpose raises it and says why.
@Suite(.enabled(if: Instruments.releaseBuild != nil, "scripts/test makes the release build"))
struct InstructionTests {
  let instruments: Instruments
  let pasteboard: String

  init() throws {
    instruments = try Instruments()
    pasteboard = try #require(Instruments.releaseBuild)
  }

  @Test(arguments: [
    (["paste"], 570_000), (["paste", "-t", "text/plain"], 1_360_000), (["types"], 850_000),
    (["inspect"], 930_000), (["--version"], 140_000),
  ])
  func aCommandOnAKilobyte(arguments: [String], limit: Int) throws {
    try instruments.copyWithXclip(Data(repeating: 0x61, count: 1024))
    let count = try instruments.instructions(pasteboard, arguments)
    print("instructions: pasteboard \(arguments.joined(separator: " ")): \(count) of \(limit)")
    #expect(count <= limit)
  }

  @Test(arguments: [(1024, 0.15), (4_000_000, 0.4)])
  func aPasteCostsAFractionOfXclips(size: Int, most: Double) throws {
    let data = Data(repeating: 0x61, count: size)
    try instruments.copyWithXclip(data)
    let ours = try instruments.instructions(pasteboard, ["paste"])
    let theirs = try instruments.instructions(
      "/usr/bin/xclip", ["-o", "-selection", "clipboard"])
    print("instructions: paste of \(size) bytes: \(ours), xclip \(theirs)")
    #expect(Double(ours) <= most * Double(theirs))
  }

  /// From the start to the end of a copy that is pasted once.
  @Test func aCopyCostsLessThanXclips() throws {
    func cost(_ program: String, _ arguments: [String]) throws -> Int {
      let word = Data(UUID().uuidString.utf8)
      let owner = try instruments.startCounted(program, arguments, input: word)
      instruments.paste(until: owner.child)
      return try owner.instructions()
    }
    let ours = try cost(pasteboard, ["copy", "-f", "--once"])
    let theirs = try cost("/usr/bin/xclip", ["-quiet", "-loops", "1", "-selection", "clipboard"])
    print("instructions: copy until pasted once: \(ours), xclip \(theirs)")
    #expect(ours <= 2_730_000)
    #expect(ours < theirs)
  }
}
