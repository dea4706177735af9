import SelectionProtocol

/// Atoms for tests, with the numbers that a fresh server might give.
let testAtoms = ProtocolAtoms(
  clipboard: Atom(100), targets: Atom(101), multiple: Atom(102), timestamp: Atom(103),
  incr: Atom(104), null: Atom(105), saveTargets: Atom(106))

/// A property as a server keeps it.
struct StoredProperty: Equatable {
  var type: Atom
  var format: Int
  var bytes: [UInt8]
}

/// As much of an X server as two engines need: windows, properties, events in order, and failures on demand.
struct FakeServer {
  enum OwnerEvent: Equatable {
    case request(SelectionRequest)
    case deleted(TransferKey, serial: UInt64)
    case destroyed(Window)
    case chunkFailed(TransferKey, serial: UInt64)
    case chunkRefused(TransferKey, serial: UInt64)
  }

  enum RequestorEvent: Equatable {
    case notify(SelectionRequest, property: Atom)
    case changed(TransferKey)
  }

  /// What the owner stores.
  enum Kind {
    /// The whole of a content.
    case content
    /// A part of one, or its end.
    case chunk
    /// An INCR header, or what the protocol itself answers.
    case answer
  }

  private(set) var properties: [TransferKey: StoredProperty] = [:]
  private(set) var windows: Set<Window> = []
  var ownerEvents: [OwnerEvent] = []
  var requestorEvents: [RequestorEvent] = []
  /// Windows whose properties the owner is told of.
  var selected: Set<Window> = []
  /// Number of the owner's last request.
  var serial: UInt64 = 1_000
  /// Every store that the owner made, for tests of the grammar.
  var stores: [(key: TransferKey, property: StoredProperty, kind: Kind)] = []

  subscript(key: TransferKey) -> StoredProperty? { properties[key] }

  mutating func create(_ window: Window) { windows.insert(window) }

  mutating func destroy(_ window: Window) {
    guard windows.remove(window) != nil else { return }
    properties = properties.filter { $0.key.window != window }
    if selected.remove(window) != nil { ownerEvents.append(.destroyed(window)) }
  }

  /// - Returns: Whether the window exists.
  @discardableResult
  mutating func store(
    _ key: TransferKey, _ property: StoredProperty, byOwner: Bool = true, kind: Kind = .answer
  ) -> Bool {
    if byOwner { serial += 1 }
    guard windows.contains(key.window) else { return false }
    properties[key] = property
    if byOwner { stores.append((key, property, kind)) }
    requestorEvents.append(.changed(key))
    return true
  }

  mutating func delete(_ key: TransferKey, byOwner: Bool) {
    if byOwner { serial += 1 }
    guard properties.removeValue(forKey: key) != nil, selected.contains(key.window) else { return }
    ownerEvents.append(.deleted(key, serial: serial))
  }

  /// Reads a slice as a requestor does: what is read to its end is deleted.
  mutating func read(
    _ key: TransferKey, offset: Int, units: Int
  ) -> (slice: PropertySlice?, bytes: ArraySlice<UInt8>) {
    guard let property = properties[key], offset * 4 <= property.bytes.count else {
      return (nil, [])
    }
    let start = offset * 4
    let end = min(property.bytes.count, start + units * 4)
    let bytes = property.bytes[start..<end]
    var slice = PropertySlice(
      type: property.type, format: property.format, byteCount: bytes.count,
      bytesAfter: property.bytes.count - end)
    if property.format == 32, bytes.count >= 4 { slice.firstItem = numbers(Array(bytes))[0] }
    if end == property.bytes.count { delete(key, byOwner: false) }
    return (slice, bytes)
  }
}

/// Bytes of numbers, and back, in host order.
func bytes(_ numbers: [UInt32]) -> [UInt8] {
  numbers.flatMap { withUnsafeBytes(of: $0, Array.init) }
}

func numbers(_ bytes: [UInt8]) -> [UInt32] {
  bytes.withUnsafeBytes { raw in
    (0..<(raw.count / 4)).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
  }
}

/// Bytes in which no part looks like another.
func pattern(_ count: Int, seed: Int = 0) -> [UInt8] {
  [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
    for index in 0..<count {
      buffer[index] = UInt8(truncatingIfNeeded: (index &+ seed) &* 31 >> 3 ^ index >> 11)
    }
    initialized = count
  }
}

/// Random numbers that a seed repeats.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
