import Foundation
import SelectionProtocol
import TestServer
import Testing

@testable import XlibTransport

/// A connection beside a client that does anything, on a server of their own.
@Suite(.serialized) struct HostilePeerTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let steps = environment["FUZZ_STEPS"].flatMap { Int($0) } ?? 400
  private static let first = environment["FUZZ_SEED"].flatMap { UInt64($0) } ?? 1

  @Test(
    "nothing that another client does harms an owner or a requestor",
    arguments: 0..<3 as Range<UInt64>)
  func survives(round: UInt64) throws {
    let server = try XServer()
    var configuration = OwnerState.Configuration()
    configuration.softDeadline = 20
    configuration.hardDeadline = 100
    configuration.idleLimit = 100
    configuration.chunkSize = 4_096
    let connection = try SelectionConnection(display: server.display, configuration: configuration)
    let small = Array("small".utf8)
    let large = [UInt8](repeating: 0x61, count: 50_000)
    let offer = Offer(targets: [
      .init(name: "UTF8_STRING", payload: MemoryPayload(small)),
      .init(name: "text/plain", typeName: "text/plain", payload: MemoryPayload(large)),
      .init(name: "STRING") { ticket in
        if ticket.requestor.rawValue % 2 == 0 {
          ticket.fail()
        } else {
          ticket.succeed(MemoryPayload(small))
        }
        return .pending(cancel: {})
      },
      .init(name: "COMPOUND_TEXT") { _ in .failed },
    ])
    try connection.acquire(connection.atoms.clipboard, offer)
    let primary = connection.atom("PRIMARY")
    _ = connection.watch(primary) { _ in }
    let seed = Self.first + round
    var peer = try HostilePeer(
      display: server.display, asked: "CLIPBOARD", owned: "PRIMARY", seed: seed)
    let asked = ["TARGETS", "UTF8_STRING", "text/plain", "MULTIPLE"].map { connection.atom($0) }
    let limits = TransferLimits(response: 50, idle: 50, byteCount: 200_000)
    let begun = Counter()
    let ended = Counter()
    let received = Counter()
    for step in 0..<Self.steps {
      peer.step()
      if step % 8 == 0, begun.value - ended.value < 16 {
        begun.value += 1
        let before = received.value
        connection.convert(
          Conversion(selection: primary, target: asked[step / 8 % asked.count], limits: limits),
          receive: { bytes, _, _ in received.value += bytes.count },
          completion: { result in
            ended.value += 1
            if case .success(let reply) = result, reply.byteCount > limits.byteCount {
              Issue.record("seed \(seed): \(reply.byteCount) bytes above the limit")
            }
          })
        #expect(received.value >= before)
      }
      if connection.currentOwner(of: connection.atoms.clipboard) == .none {
        // The peer destroyed the window: it is ours to take again.
        try connection.acquire(connection.atoms.clipboard, offer)
      }
      try connection.turn(until: .now)
    }
    #expect(peer.requestsSeen > 0)
    peer.close()
    let isQuiet = try connection.turn(until: .now + 20_000) {
      ended.value < begun.value || connection.isServing
    }
    #expect(isQuiet, "seed \(seed): \(ended.value) of \(begun.value) conversions ended")
    #expect(ended.value == begun.value)

    // After all that, an honest program gets everything.
    try connection.acquire(connection.atoms.clipboard, offer)
    let honest = try SelectionConnection(display: server.display)
    for (name, content) in [("UTF8_STRING", small), ("text/plain", large)] {
      var bytes: [UInt8] = []
      let outcome = Outcome()
      honest.convert(
        Conversion(selection: honest.atoms.clipboard, target: honest.atom(name)),
        receive: { chunk, _, _ in bytes += chunk }, completion: { outcome.value = $0 })
      let end = Instant.now + 20_000
      while outcome.value == nil, Instant.now < end {
        try honest.turn(until: .now + 1)
        try connection.turn(until: .now + 1)
      }
      _ = try #require(outcome.value).get()
      #expect(bytes == content, "seed \(seed)")
    }
    withExtendedLifetime(server) {}
  }

  private final class Counter { var value = 0 }
  private final class Outcome { var value: ConversionOutcome? }
}
