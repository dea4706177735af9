import Foundation
import TestServer
import Testing

/// How much a command asks of the X server. The limits are exact: one request more is a decision, not noise.
@Suite struct TrafficTests {
  let instruments: Instruments
  let pasteboard = Instruments.debugBuild

  init() throws { instruments = try Instruments() }

  @Test func pasteOfAKilobyte() throws {
    try instruments.copyWithXclip(Data(repeating: 0x61, count: 1024))
    let traffic = try instruments.traffic(pasteboard, ["paste"])
    print("traffic: paste 1 KB: \(traffic)")
    #expect(traffic.total <= 32)
    #expect(traffic.replies <= 18)
    #expect(traffic.requests["ConvertSelection"] == 2)
    #expect(traffic.errors == 0)
  }

  @Test func copyUntilPastedOnce() throws {
    let traffic = try instruments.traffic(
      pasteboard, ["copy", "-f", "--once"], input: Data(repeating: 0x61, count: 1024),
      meanwhile: instruments.paste(until:))
    print("traffic: copy 1 KB, pasted once: \(traffic)")
    #expect(traffic.total <= 37)
    #expect(traffic.replies <= 26)
    #expect(traffic.errors == 0)
  }

  /// A transfer in parts costs a few requests a part, whatever the owner chooses as one: xclip's are a mebibyte.
  @Test(arguments: [4, 16]) func pasteOfMebibytes(count: Int) throws {
    try instruments.copyWithXclip(Data(repeating: 0x61, count: count << 20))
    let traffic = try instruments.traffic(pasteboard, ["paste"])
    print("traffic: paste \(count) MiB of xclip: \(traffic)")
    // One look at each part, one at the announcement, one at the end.
    #expect(traffic.total <= 34 + count)
    #expect(traffic.requests["ConvertSelection"] == 2)
    #expect(traffic.errors == 0)
  }
}
