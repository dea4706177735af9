import SelectionProtocol
import Testing
import XlibTransport

/// A value that closures on the connection's thread leave behind.
final class Box<Value> {
  var value: Value
  init(_ value: Value) { self.value = value }
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
  ) throws -> (result: Result<ConversionReply, ConversionFailure>, bytes: [UInt8]) {
    let bytes = Box<[UInt8]>([])
    let outcome = Box<Result<ConversionReply, ConversionFailure>?>(nil)
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
