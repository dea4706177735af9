import CoreTransferable
import Foundation
import SelectionProtocol
import Synchronization
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

@testable import XlibTransport

/// A program that copies and pastes for a long time, and one that many ask at once.
///
/// The test command does a little of it. `scripts/soak` does more: `SOAK` multiplies the numbers.
@Suite(.serialized, .timeLimit(.minutes(30))) struct SoakTests {
  private static let factor =
    ProcessInfo.processInfo.environment["SOAK"].flatMap { Int($0) } ?? 1
  private let server: XServer

  init() throws { server = try XServer() }

  private func tell(_ words: String) { print("soak: \(words)") }

  @Test("copies and pastes leave nothing behind") func copiesAndPastes() async throws {
    let count = 300 * Self.factor
    let clipboard = try await Pasteboard.clipboard(display: server.display)
    let other = try await Pasteboard.clipboard(display: server.display + ".0")
    // A foreign window that owns, and is watched, now and then.
    let peer = try SelectionConnection(display: server.display)
    let sizes = [0, 1, 5_000, 300_000, 20, 1_200_000, 100]
    func round(_ number: Int) async throws {
      let size = sizes[number % sizes.count]
      if number % 3 == 0 {
        try await clipboard.copy("text \(number)")
        let text = try await other.paste(String.self)
        try #require(text == ["text \(number)"])
      } else {
        let content = Soaked(bytes: Data(Pattern(version: number % 7, count: size).bytes))
        try await clipboard.copy(content)
        let pasted = try await other.paste(Soaked.self)
        try #require(pasted == [content], "round \(number), \(size) bytes")
      }
      // One that is given up at once; its window is watched for ten seconds more.
      if Self.factor > 1, number % 10 == 0 {
        let task = Task { try await other.paste(Soaked.self) }
        task.cancel()
        _ = await task.result
      }
    }
    for number in 0..<60 { try await round(number) }
    let window = peer.ownWindow.rawValue
    let before = try Figures(display: server.display, window: window)
    let start = ContinuousClock.now
    for number in 0..<count { try await round(number) }
    let time = ContinuousClock.now - start
    let after = try await settled(before, window: window)
    tell("\(count) copies and pastes in \(time): \(before); after: \(after)")
    #expect(after.growth(since: before) == [])
    // Memory that the allocator keeps is no leak; what grows with the count is.
    #expect(after.resident - before.resident < 16 << 20, "before \(before), after \(after)")
    withExtendedLifetime(peer) {}
  }

  /// Windows of cancelled transfers live on for a while.
  private func settled(
    _ before: Figures, window: UInt32?, turning connections: [SelectionConnection] = []
  ) async throws -> Figures {
    let end = ContinuousClock.now + .seconds(20)
    var figures = try Figures(display: server.display, window: window)
    while !figures.growth(since: before).isEmpty, ContinuousClock.now < end {
      for connection in connections { try connection.turn(until: .now) }
      figures = try Figures(display: server.display, window: window)
    }
    return figures
  }

  @Test("many requestors at once get everything whole") func manyAtOnce() async throws {
    let requestors = 100
    let size = Self.factor > 1 ? 10 << 20 : 400_000
    let content = Pattern(version: 3, count: size).bytes
    let clipboard = try await Pasteboard.clipboard(display: server.display)
    try await clipboard.copy(Soaked(bytes: Data(content)))
    let connections = try (0..<10).map { _ in try SelectionConnection(display: server.display) }
    let before = try Figures(display: server.display)
    let start = ContinuousClock.now
    let receipts = (0..<requestors).map { _ in Receipt() }
    for (index, receipt) in receipts.enumerated() {
      let connection = connections[index % connections.count]
      connection.convert(
        Conversion(selection: connection.atoms.clipboard, target: connection.atom(Soaked.target)),
        receive: { bytes, _, _ in
          let range = receipt.count..<(receipt.count + bytes.count)
          receipt.isRight =
            receipt.isRight && range.upperBound <= content.count
            && content.withUnsafeBytes { Self.isSame($0[range], bytes) }
          receipt.count += bytes.count
        }, completion: { receipt.outcome = $0 })
    }
    let end = Instant.now + 600_000
    while receipts.contains(where: { $0.outcome == nil }), Instant.now < end {
      for connection in connections { try connection.turn(until: .now) }
    }
    let time = ContinuousClock.now - start
    for receipt in receipts {
      _ = try #require(receipt.outcome).get()
      #expect(receipt.count == size && receipt.isRight)
    }
    let after = try await settled(before, window: nil, turning: connections)
    tell("\(requestors) requestors, \(size) bytes each, in \(time): \(before); after: \(after)")
    #expect(after.growth(since: before) == [])
    // The content itself, and what is under way, at most; not a copy for each requestor.
    #expect(after.resident - before.resident < 64 << 20)
  }

  @Test("a new copy in the midst of transfers: each gets the old or the new one, whole")
  func copiesUnderLoad() async throws {
    let copies = 40 * min(Self.factor, 25)
    let size = 1_500_000
    let clipboard = try await Pasteboard.clipboard(display: server.display)
    let contents = (0..<8).map { Soaked(bytes: Data(Pattern(version: $0, count: size + $0).bytes)) }
    try await clipboard.copy(contents[0])
    let display = server.display
    let isOver = Flag()
    let readers = (0..<4).map { _ in
      Task { try await onThread { try Self.read(display: display, until: isOver, contents) } }
    }
    let start = ContinuousClock.now
    for number in 1...copies {
      try await clipboard.copy(contents[number % contents.count])
      // The next copy comes when somebody has read, or at once.
      if number % 4 == 0 { _ = try await clipboard.paste(Soaked.self) }
    }
    isOver.set()
    var whole = 0
    var refused = 0
    var versions: Set<Int> = []
    for reader in readers {
      let result = try await reader.value
      whole += result.whole
      refused += result.refused
      versions.formUnion(result.versions)
    }
    tell(
      "\(copies) copies under load in \(ContinuousClock.now - start): \(whole) whole ones read,"
        + " of \(versions.count) contents, \(refused) times nothing")
    #expect(whole > 0)
    // An owner that changes its mind refuses nobody.
    #expect(refused == 0)
  }

  private static func isSame(
    _ first: Slice<UnsafeRawBufferPointer>, _ second: UnsafeRawBufferPointer
  ) -> Bool {
    let first = UnsafeRawBufferPointer(rebasing: first)
    guard first.count == second.count, let one = first.baseAddress, let other = second.baseAddress
    else { return first.count == second.count }
    return memcmp(one, other, first.count) == 0
  }

  private struct Readings {
    var whole = 0
    var refused = 0
    var versions: Set<Int> = []
  }

  /// Reads over and over, four at a time.
  private static func read(
    display: String, until isOver: Flag, _ contents: [Soaked]
  ) throws -> Readings {
    let connection = try SelectionConnection(display: display)
    let target = connection.atom(Soaked.target)
    var readings = Readings()
    repeat {
      let receipts = (0..<4).map { _ in Receipt() }
      for receipt in receipts {
        connection.convert(
          Conversion(selection: connection.atoms.clipboard, target: target),
          receive: { bytes, _, _ in receipt.bytes.append(contentsOf: bytes) },
          completion: { receipt.outcome = $0 })
      }
      let end = Instant.now + 60_000
      while receipts.contains(where: { $0.outcome == nil }), Instant.now < end {
        try connection.turn(until: .now + 100)
      }
      for receipt in receipts {
        guard case .success = try #require(receipt.outcome, "not over in time") else {
          readings.refused += 1
          continue
        }
        let version = try #require(
          contents.firstIndex { $0.bytes == receipt.bytes },
          "a mixture of \(receipt.bytes.count) bytes")
        readings.whole += 1
        readings.versions.insert(version)
      }
    } while !isOver.isSet
    return readings
  }

  private final class Receipt {
    var count = 0
    var isRight = true
    var bytes = Data()
    var outcome: ConversionOutcome?
  }

  private final class Flag: Sendable {
    private let flag = Atomic(false)
    func set() { flag.store(true, ordering: .releasing) }
    var isSet: Bool { flag.load(ordering: .acquiring) }
  }
}

/// Runs what blocks on a thread of its own: there are few of the shared ones.
private func onThread<Result: Sendable>(
  _ body: @escaping @Sendable () throws -> Result
) async throws -> Result {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
  }
}

/// Bytes of a type that only this test knows.
struct Soaked: Equatable, Sendable {
  static let target = "application/x-uti.com.example.soaked"
  var bytes: Data
}

extension Soaked: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: UTType(exportedAs: "com.example.soaked")) {
      $0.bytes
    } importing: {
      Soaked(bytes: $0)
    }
  }
}
