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
  private func pieces(of content: [UInt8], limits: TransferLimits) throws -> [Int] {
    try owner.acquire(
      owner.atoms.clipboard,
      Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(content))]))
    var sizes: [Int] = []
    var bytes: [UInt8] = []
    var outcome: Result<ConversionReply, ConversionFailure>?
    requestor.convert(
      Conversion(
        selection: requestor.atoms.clipboard, target: requestor.atom("UTF8_STRING"), limits: limits),
      receive: { piece, _, _ in
        sizes.append(piece.count)
        bytes.append(contentsOf: piece)
      },
      completion: { outcome = $0 })
    #expect(try turn([requestor, owner]) { outcome == nil })
    #expect(try #require(outcome).get().byteCount == content.count)
    #expect(bytes == content)
    return sizes
  }

  @Test func twoOfOursUseLargeChunks() throws {
    let sizes = try pieces(of: pattern(5_000_003), limits: TransferLimits())
    #expect(sizes.dropLast().allSatisfy { $0 == 1 << 20 })
    #expect(sizes.count == 5)
  }

  @Test func aRequestorThatAsksForNoneGetsOrdinaryChunks() throws {
    // What takes so little does not say how much it takes at once, as a foreign requestor does not.
    let sizes = try pieces(of: pattern(1_000_000), limits: TransferLimits(byteCount: 1 << 20))
    #expect(sizes.allSatisfy { $0 <= OwnerState.Configuration().chunkSize })
    #expect(sizes.count == 4)
  }
}
