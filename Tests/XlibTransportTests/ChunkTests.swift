import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// How much travels at once.
@Suite(.serialized) struct ChunkTests {
  private let server: XServer
  private let owner: SelectionConnection
  private let requestor: SelectionConnection

  init() throws {
    server = try XServer()
    owner = try SelectionConnection(display: server.display, names: ["UTF8_STRING"])
    requestor = try SelectionConnection(display: server.display, names: ["UTF8_STRING"])
  }

  /// Sizes of the pieces in which the content arrives.
  private func sizes(
    of content: [UInt8], as name: String = "image/png", limits: TransferLimits
  ) throws -> [Int] {
    try pieces(of: content, as: name, limits: limits).map(\.count)
  }

  private func pieces(
    of content: [UInt8], as name: String, limits: TransferLimits
  ) throws -> [[UInt8]] {
    try owner.acquire(
      owner.atoms.clipboard,
      Offer(targets: [.init(name: name, payload: MemoryPayload(content))]))
    var pieces: [[UInt8]] = []
    var bytes: [UInt8] = []
    var outcome: ConversionOutcome?
    requestor.convert(
      Conversion(
        selection: requestor.atoms.clipboard, target: requestor.atom(name), limits: limits),
      receive: { piece, _, _ in
        pieces.append(Array(piece))
        bytes.append(contentsOf: piece)
      },
      completion: { outcome = $0 })
    #expect(try turn([requestor, owner]) { outcome == nil })
    #expect(try #require(outcome).get().byteCount == content.count)
    #expect(bytes == content)
    return pieces
  }

  @Test func twoOfOursUseLargeChunks() throws {
    let sizes = try sizes(of: pattern(5_000_003), limits: TransferLimits())
    #expect(sizes.dropLast().allSatisfy { $0 == 1 << 20 })
    #expect(sizes.count == 5)
  }

  @Test func aRequestorThatAsksForNoneGetsOrdinaryChunks() throws {
    // What takes so little does not say how much it takes at once, as a foreign requestor does not.
    let sizes = try sizes(of: pattern(1_000_000), limits: TransferLimits(byteCount: 1 << 20))
    #expect(sizes.allSatisfy { $0 <= OwnerState.Configuration().chunkSize })
    #expect(sizes.count == 4)
  }

  /// Tk decodes each chunk by itself.
  @Test(arguments: ["\u{E9}", "\u{4F60}", "\u{1F600}"], 0...3)
  func noCharacterLiesInTwoChunks(character: String, shift: Int) throws {
    let text = String(repeating: "x", count: shift) + String(repeating: character, count: 200_000)
    let limits = TransferLimits(byteCount: 1 << 20)
    let pieces = try pieces(of: Array(text.utf8), as: "UTF8_STRING", limits: limits)
    #expect(pieces.count > 1)
    #expect(pieces.allSatisfy { String(validating: $0, as: UTF8.self) != nil })
    #expect(pieces.dropLast().allSatisfy { $0.count > OwnerState.Configuration().chunkSize - 4 })
  }

  /// What is no UTF-8, whatever it is called, arrives as it is.
  @Test func brokenTextIsNotChanged() throws {
    for byte: UInt8 in [0x80, 0xBF, 0xC3, 0xE4, 0xF0, 0xFF] {
      let content = [UInt8](repeating: byte, count: 600_000)
      #expect(
        try sizes(of: content, as: "UTF8_STRING", limits: TransferLimits(byteCount: 1 << 20))
          .count == 3)
    }
  }
}
