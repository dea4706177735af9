internal import Glibc
internal import Synchronization
public import XlibTransport

/// Bytes of a copy, in memory of their own that is wiped and given back when nobody needs them any more.
///
/// The memory does not come from the common heap: nothing of a copy stays behind there, an ended copy costs
/// nothing, and a core dump leaves it out. Growing moves nothing.
public final class KeptBytes: Payload, @unchecked Sendable {
  // Safe since bytes are only appended before anybody else gets to see the value.

  /// No more memory, or more than may be used.
  public struct Exhausted: Error, Hashable, Sendable {}

  private struct Segment {
    let start: UnsafeMutableRawPointer
    let capacity: Int
    /// Offset of the first byte in the whole.
    let offset: Int
    var count = 0
  }

  private static let page = 4_096
  private static let largestSegment = 1 << 20
  private static let inUse = Atomic<Int>(0)

  /// Bytes of memory that all values take together.
  public static var totalInUse: Int { inUse.load(ordering: .relaxed) }

  private var segments: [Segment] = []
  public private(set) var byteCount = 0
  private let limit: Int

  /// - Parameter limit: How many bytes all values together may take.
  public init(limit: Int) { self.limit = limit }

  deinit {
    for segment in segments {
      explicit_bzero(segment.start, segment.count)
      munmap(segment.start, segment.capacity)
      Self.inUse.subtract(segment.capacity, ordering: .relaxed)
    }
  }

  /// Adds bytes behind those that are there.
  public func append(_ bytes: UnsafeRawBufferPointer) throws(Exhausted) {
    var rest = bytes
    while let source = rest.baseAddress, !rest.isEmpty {
      if segments.last.map({ $0.count == $0.capacity }) ?? true { try grow(by: rest.count) }
      let last = segments.count - 1
      let count = min(rest.count, segments[last].capacity - segments[last].count)
      (segments[last].start + segments[last].count).copyMemory(from: source, byteCount: count)
      segments[last].count += count
      byteCount += count
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Adds bytes behind those that are there.
  public func append(_ bytes: [UInt8]) throws(Exhausted) {
    var isWhole = true
    bytes.withUnsafeBytes { raw in
      do { try append(raw) } catch { isWhole = false }
    }
    guard isWhole else { throw Exhausted() }
  }

  /// Adds the first bytes of others.
  func append(_ other: KeptBytes, count: Int) throws(Exhausted) {
    var left = count
    for segment in other.segments where left > 0 {
      let piece = UnsafeRawBufferPointer(start: segment.start, count: min(left, segment.count))
      try append(piece)
      left -= piece.count
    }
  }

  private func grow(by wanted: Int) throws(Exhausted) {
    let doubled = (segments.last?.capacity ?? 0) * 2
    let size = min(Self.largestSegment, max(doubled, wanted))
    let capacity = (max(size, Self.page) + Self.page - 1) & ~(Self.page - 1)
    guard Self.inUse.add(capacity, ordering: .relaxed).newValue <= limit else {
      Self.inUse.subtract(capacity, ordering: .relaxed)
      throw Exhausted()
    }
    let memory = mmap(
      nil, capacity, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    // MAP_FAILED, which does not import.
    guard let memory, Int(bitPattern: memory) != -1 else {
      Self.inUse.subtract(capacity, ordering: .relaxed)
      throw Exhausted()
    }
    madvise(memory, capacity, Int32(MADV_DONTDUMP))
    segments.append(Segment(start: memory, capacity: capacity, offset: byteCount))
  }

  public func withBytes(
    in range: Range<Int>, scratch: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws {
    guard range.lowerBound >= 0, range.upperBound <= byteCount else { throw Exhausted() }
    guard let first = segments.lastIndex(where: { $0.offset <= range.lowerBound }) else {
      return body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    let inside = range.lowerBound - segments[first].offset
    if inside + range.count <= segments[first].count {
      return body(
        UnsafeRawBufferPointer(start: segments[first].start + inside, count: range.count))
    }
    guard scratch.count >= range.count, let destination = scratch.baseAddress else {
      throw Exhausted()
    }
    var copied = 0
    for segment in segments[first...] where copied < range.count {
      let from = range.lowerBound + copied - segment.offset
      let count = min(segment.count - from, range.count - copied)
      (destination + copied).copyMemory(from: segment.start + from, byteCount: count)
      copied += count
    }
    body(UnsafeRawBufferPointer(start: destination, count: range.count))
  }

  /// A copy of the bytes in common memory.
  public var array: [UInt8] {
    var all: [UInt8] = []
    all.reserveCapacity(byteCount)
    forEachPiece { all.append(contentsOf: $0) }
    return all
  }

  /// Whether these bytes are what is there from `offset` on.
  func holds(_ bytes: UnsafeRawBufferPointer, at offset: Int) -> Bool {
    guard offset >= 0, offset + bytes.count <= byteCount else { return false }
    guard let start = bytes.baseAddress else { return true }
    var compared = 0
    for segment in segments where compared < bytes.count {
      let from = offset + compared - segment.offset
      guard from >= 0, from < segment.count else { continue }
      let count = min(segment.count - from, bytes.count - compared)
      guard memcmp(segment.start + from, start + compared, count) == 0 else { return false }
      compared += count
    }
    return compared == bytes.count
  }

  /// Lends the bytes piece by piece, in order.
  public func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) rethrows {
    for segment in segments {
      try body(UnsafeRawBufferPointer(start: segment.start, count: segment.count))
    }
  }
}

/// One target of a copy: its bytes as the owner gave them.
public struct KeptValue: Sendable {
  public var bytes: KeptBytes
  /// Name of the reply's type.
  public var typeName: String
  /// Bits an item.
  public var format: Int

  public init(bytes: KeptBytes, typeName: String, format: Int = 8) {
    self.bytes = bytes
    self.typeName = typeName
    self.format = format
  }
}
