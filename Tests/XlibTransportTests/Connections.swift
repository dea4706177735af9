import SelectionProtocol
import Synchronization
import Testing
import XlibTransport

/// A value that closures on the connection's thread leave behind.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
}

/// A fact that posted work leaves behind, from any thread.
final class Flag: Sendable {
  private let flag = Atomic(false)
  func setTrue() { flag.store(true, ordering: .releasing) }
  var value: Bool { flag.load(ordering: .acquiring) }
}

/// Turns several connections of this thread by turns until `condition` fails.
///
/// - Returns: Whether it failed before `milliseconds` were over.
func turn(
  _ connections: [SelectionConnection], within milliseconds: Int64 = 20_000,
  while condition: () -> Bool
) throws -> Bool {
  let end = Instant.now + milliseconds
  while condition() {
    guard Instant.now < end else { return false }
    for connection in connections { try connection.turn(until: .now + 1) }
  }
  return true
}

extension SelectionConnection {
  /// Converts, and collects the bytes, while `others` are turned too.
  func paste(
    _ selection: Atom, _ target: Atom, parameter: [Atom]? = nil,
    limits: TransferLimits = TransferLimits(), with others: [SelectionConnection] = []
  ) throws -> (result: ConversionOutcome, bytes: [UInt8]) {
    let bytes = Box<[UInt8]>([])
    let outcome = Box<ConversionOutcome?>(nil)
    convert(
      Conversion(selection: selection, target: target, parameter: parameter, limits: limits),
      receive: { chunk, _, _ in bytes.value.append(contentsOf: chunk) },
      completion: { outcome.value = $0 })
    let isOver: Bool
    if others.isEmpty {
      isOver = try turn(until: .now + 30_000) { outcome.value == nil }
    } else {
      isOver = try XlibTransportTests.turn([self] + others, within: 30_000) { outcome.value == nil }
    }
    try #require(isOver)
    return (try #require(outcome.value), bytes.value)
  }
}

/// Bytes that differ from each other and from themselves shifted.
func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    for index in 0..<count {
      buffer[index] = UInt8(truncatingIfNeeded: (index &+ seed) &* 31 >> 3 ^ index >> 11)
    }
    initialized = count
  }
}

/// What the peers write: the same bytes, made here.
func text(_ count: Int) -> [UInt8] { (0..<count).map { UInt8($0 % 251) } }

/// A property as the peers describe it.
func describe(_ type: String, _ count: Int, format: Int = 8) -> String {
  "\(type) \(format) \(count) \(digest(text(count)))"
}

/// Adler-32 in hexadecimal digits, by which a peer's data is compared with ours.
func digest(_ bytes: [UInt8]) -> String {
  var low: UInt32 = 1
  var high: UInt32 = 0
  bytes.withUnsafeBufferPointer { buffer in
    for byte in buffer {
      low = (low &+ UInt32(byte)) % 65_521
      high = (high &+ low) % 65_521
    }
  }
  let digits = String(high << 16 | low, radix: 16)
  return String(repeating: "0", count: 8 - digits.count) + digits
}
