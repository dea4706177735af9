/// The owner's side of one INCR transfer (ICCCM 2.7.2): from the stored header to the deletion of the terminator.
///
/// Invariants
///  1. A chunk is asked for only after the requestor deleted what was there before.
///  2. Every chunk lies right behind the last one that the server took, is not empty, and is at most `chunkSize`
///     bytes and a whole number of items. What the server had no memory for is sent again in halves, as long as they
///     are larger than `leastChunk`. The holder may store less of it, down to one byte.
///  3. The terminator is written exactly once, after the last chunk was deleted, and only if every byte was sent:
///     a source that fails never ends with it, since a torso would look whole.
///  4. Each deletion moves the deadline; nothing else does, except the arrival of a late source.
///  5. After `finished` or `abandoned` nothing is asked for any more.
///
/// ```
///              deleted              deleted, bytes left
///  header ───────────────▶ sending ◀──────────────────┐
///    │  source not there     │  └─────────────────────┘
///    ▼                       │ deleted, no bytes left
///  starving ──sourceReady──▶ │
///                            ▼            deleted
///                       terminating ─────────────▶ finished
///  sending ── chunkRefused ─▶ sending, a smaller chunk of the same bytes
///  any ── sourceFailed, deadline, requestorGone ─▶ abandoned
/// ```
public struct OutgoingTransfer: Sendable {
  /// What the holder of the connection has to do next.
  public enum Action: Equatable, Sendable {
    case none
    /// Store these bytes of the source as the property, replacing it.
    case writeChunk(Range<Int>)
    /// Store a property of zero length, of the transfer's type and format.
    case writeTerminator
    /// Everything arrived: forget the transfer.
    case finish
    /// Delete the property, and forget the transfer.
    case abandon
  }

  private enum State: Equatable {
    case header
    case starving
    case sending
    case terminating
    case finished
    case abandoned
  }

  private var state = State.header
  private var byteCount: Int?
  private var offset = 0
  /// Where the chunk begins that was asked for last.
  private var chunkStart = 0
  private var chunkSize: Int
  private let idleLimit: Int64

  /// A chunk of this size, in bytes, that the server has no memory for is not tried in halves any more.
  public static let leastChunk = 4_096

  /// When the requestor is given up, unless it makes progress before.
  public private(set) var deadline: Instant

  /// A transfer whose header is stored.
  ///
  /// - Parameters:
  ///   - byteCount: Bytes to send; `nil` while the source is not there yet.
  ///   - chunkSize: The most bytes in one property.
  ///   - idleLimit: Milliseconds without progress after which the requestor is given up.
  ///   - sourceLimit: Milliseconds until a source that is not there yet is given up.
  public init(
    byteCount: Int?, chunkSize: Int, idleLimit: Int64, sourceLimit: Int64, now: Instant
  ) {
    self.byteCount = byteCount
    self.chunkSize = max(4, chunkSize & ~3)
    self.idleLimit = idleLimit
    deadline = now + (byteCount == nil ? sourceLimit : idleLimit)
  }

  /// Whether the source is still to come.
  public var isSourceMissing: Bool { byteCount == nil && !isOver }

  public var isOver: Bool { state == .finished || state == .abandoned }

  /// The requestor deleted the property.
  public mutating func propertyDeleted(now: Instant) -> Action {
    switch state {
    case .header:
      guard byteCount != nil else {
        state = .starving
        return .none
      }
      deadline = now + idleLimit
      return next()
    case .sending:
      deadline = now + idleLimit
      return next()
    case .terminating:
      state = .finished
      return .finish
    case .starving, .finished, .abandoned:
      return .none
    }
  }

  /// The source, late, knows its size.
  public mutating func sourceReady(byteCount: Int, now: Instant) -> Action {
    guard self.byteCount == nil else { return .none }
    switch state {
    case .header:
      self.byteCount = byteCount
      deadline = now + idleLimit
      return .none
    case .starving:
      self.byteCount = byteCount
      deadline = now + idleLimit
      return next()
    case .sending, .terminating, .finished, .abandoned:
      return .none
    }
  }

  /// Only the beginning of the last chunk was stored: the next one goes on from there.
  ///
  /// - Parameter byteCount: How much was stored, at least one byte.
  public mutating func chunkShortened(to byteCount: Int) {
    guard state == .sending, byteCount > 0, byteCount < offset - chunkStart else { return }
    offset = chunkStart + byteCount
  }

  /// The server had no memory for the last chunk: half of it may fit.
  public mutating func chunkRefused() -> Action {
    switch state {
    case .sending:
      let half = (offset - chunkStart) / 2 & ~3
      guard half >= Self.leastChunk else { return abandon() }
      chunkSize = half
      offset = chunkStart
      return next()
    case .header, .starving, .terminating:
      return abandon()
    case .finished, .abandoned:
      return .none
    }
  }

  /// The source cannot give its bytes, or the store failed.
  public mutating func sourceFailed() -> Action { abandon() }

  /// Time passed without an event.
  public mutating func deadlinePassed(now: Instant) -> Action {
    deadline <= now ? abandon() : .none
  }

  private mutating func next() -> Action {
    let total = byteCount ?? 0
    guard offset < total else {
      state = .terminating
      return .writeTerminator
    }
    let end = offset + min(chunkSize, total - offset)
    chunkStart = offset
    offset = end
    state = .sending
    return .writeChunk(chunkStart..<end)
  }

  private mutating func abandon() -> Action {
    switch state {
    case .finished, .abandoned:
      return .none
    case .header, .starving, .sending, .terminating:
      state = .abandoned
      return .abandon
    }
  }
}
