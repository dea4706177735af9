/// One slice of a property, as the server returned it, without its bytes.
public struct PropertySlice: Hashable, Sendable {
  public var type: Atom
  /// Bits an item: 8, 16 or 32.
  public var format: Int
  /// Bytes in this slice, where an item of format 32 counts four.
  public var byteCount: Int
  /// Bytes of the property behind this slice.
  public var bytesAfter: Int
  /// The first item, where the format is 32 and there is one: what an INCR header says.
  public var firstItem: UInt32?

  public init(type: Atom, format: Int, byteCount: Int, bytesAfter: Int, firstItem: UInt32? = nil) {
    self.type = type
    self.format = format
    self.byteCount = byteCount
    self.bytesAfter = bytesAfter
    self.firstItem = firstItem
  }
}

/// How long a requestor waits, and for how much.
public struct TransferLimits: Hashable, Sendable {
  /// Milliseconds until the owner's first answer.
  public var response: Int64
  /// Milliseconds without progress after that.
  public var idle: Int64
  /// The most bytes that are taken.
  public var byteCount: Int

  public init(response: Int64 = 5_000, idle: Int64 = 10_000, byteCount: Int = .max) {
    self.response = response
    self.idle = idle
    self.byteCount = byteCount
  }

  /// For TARGETS: two seconds, and never a long list.
  public static let targets = TransferLimits(response: 2_000, idle: 2_000, byteCount: 1 << 20)
}

/// Why a conversion brought nothing.
public enum TransferFailure: Hashable, Sendable {
  /// The owner, or the server in place of a missing owner, answered with property None.
  case refused
  /// The owner said yes, but stored nothing.
  case missingProperty
  /// The owner did not answer in time.
  case noAnswer
  /// The owner stopped in the middle.
  case stalled
  /// The owner's window or connection went away.
  case ownerGone
  /// More bytes than the limit.
  case tooLarge
  /// The owner broke the protocol: type or format changed in mid-transfer.
  case inconsistent
  /// The requestor gave up.
  case cancelled
}

/// The requestor's side of one conversion, on a window of its own (ICCCM 2.4, 2.5, 2.7.2).
///
/// Invariants
///  1. Every positive answer is read to its end with deletion, or the window is retired: nothing of one transfer
///     reaches another.
///  2. A slice counts only as long as its type and format are those of the first one; the empty terminator's
///     type is free.
///  3. A missing property after a positive answer is a failure; a missing property in mid-INCR is an event
///     already dealt with; a present, empty one is the end.
///  4. The number in an INCR header is a hint that nothing depends on.
///  5. Incomplete data is never reported as a success.
///  6. Deadlines count from the last progress.
///  7. Nobody but this requestor deletes what the owner stored: the owner would take it for read, and go on to the
///     next chunk. A deletion beyond those that reading brought about ends the transfer, since something is missing.
///
/// ```
///              notified            slice, rest      slice, no rest
///  requested ────────────▶ reading ────────┐     ┌──────────────▶ finished
///      │                     │  └──────────┘     │
///      │ refused             │ type INCR         │ empty chunk
///      ▼                     ▼                   │
///    failed               waiting ◀──────▶ readingChunk
///  any ── deadline, ownerGone, cancel, tooLarge, inconsistent ──▶ failed
/// ```
public struct IncomingTransfer: Sendable {
  public enum Action: Equatable, Sendable {
    case none
    /// Get the property from `offset` (in units of four bytes) with deletion, and report the slice.
    case read(offset: Int)
    /// The slice is content: pass it on, then get the rest from `offset`.
    case deliverThenRead(offset: Int)
    /// The slice is content: pass it on, then wait for the next chunk.
    case deliverThenWait
    /// The slice is content: pass it on; nothing follows.
    case deliverThenFinish
    /// Nothing follows, and the last slice is not content.
    case finish
    /// Retire the window.
    case fail(TransferFailure)
  }

  private enum State: Equatable {
    case requested
    case reading(offset: Int)
    case waiting
    case readingChunk(offset: Int)
    case finished
    case failed
  }

  private var state = State.requested
  private let limits: TransferLimits
  private let incr: Atom
  private var ownerIsGone = false
  /// Deletions that reading brought about, and those that the server told of.
  private var deletionsMade = 0
  private var deletionsTold = 0
  /// Whether what was stored before the answer was deleted again.
  private var isTakenBack = false

  public private(set) var deadline: Instant
  /// Type of the content, once it is known.
  public private(set) var type: Atom?
  /// Bits an item, once it is known.
  public private(set) var format: Int?
  /// Bytes passed on so far.
  public private(set) var byteCount = 0
  /// What an INCR header announced: a lower bound, if the owner told the truth.
  public private(set) var announcedByteCount: Int?

  /// Milliseconds that remain after the owner's window went away: enough for what was already under way.
  public static let graceAfterOwnerGone: Int64 = 250

  public init(limits: TransferLimits, incr: Atom, now: Instant) {
    self.limits = limits
    self.incr = incr
    deadline = now + limits.response
  }

  public var isOver: Bool { state == .finished || state == .failed }
  /// Whether the content came, or was to come, in chunks.
  public private(set) var wasIncremental = false

  /// `SelectionNotify` came; `property` is None when the owner refused.
  public mutating func notified(property: Atom, now: Instant) -> Action {
    guard state == .requested else { return .none }
    guard property != .none else { return fail(.refused) }
    guard !isTakenBack else { return fail(.missingProperty) }
    state = .reading(offset: 0)
    progress(now)
    return .read(offset: 0)
  }

  /// The property was written.
  public mutating func propertyChanged(now: Instant) -> Action {
    isTakenBack = false
    guard state == .waiting else { return .none }
    state = .readingChunk(offset: 0)
    return .read(offset: 0)
  }

  /// The property was deleted, by whomever.
  public mutating func propertyDeleted() -> Action {
    switch state {
    case .requested:
      isTakenBack = true
      return .none
    case .reading, .waiting, .readingChunk:
      deletionsTold += 1
      return isTorn(untold: 0) ? fail(.inconsistent) : .none
    case .finished, .failed:
      return .none
    }
  }

  /// Whether somebody else deleted the property, so that a part of the content may be missing.
  ///
  /// - Parameter untold: Deletions that the server reported, but that `propertyDeleted` was not called for yet.
  public func isTorn(untold: Int) -> Bool { deletionsTold + untold > deletionsMade }

  /// The server's answer to a read; `nil` when the property is absent.
  public mutating func sliceRead(_ slice: PropertySlice?, now: Instant) -> Action {
    switch state {
    case .reading(let offset):
      guard let slice else { return fail(.missingProperty) }
      countDeletion(with: slice)
      if offset == 0, slice.type == incr {
        announcedByteCount = slice.firstItem.map { Int($0) }
        wasIncremental = true
        state = .waiting
        progress(now)
        // A header that does not fit one slice is nonsense that would never be deleted.
        return slice.bytesAfter == 0 ? .none : fail(.inconsistent)
      }
      return content(slice, offset: offset, isChunk: false, now: now)
    case .readingChunk(let offset):
      guard let slice else {
        state = .waiting
        return offset == 0 ? .none : fail(.inconsistent)
      }
      countDeletion(with: slice)
      if offset == 0, slice.byteCount == 0, slice.bytesAfter == 0 {
        if type == nil, slice.type != .none {
          type = slice.type
          format = slice.format
        }
        state = .finished
        return .finish
      }
      return content(slice, offset: offset, isChunk: true, now: now)
    case .requested, .waiting, .finished, .failed:
      return .none
    }
  }

  /// Another client destroyed the requestor's window: nothing can come there any more.
  public mutating func windowDestroyed() -> Action { isOver ? .none : fail(.inconsistent) }

  /// The owner's window was destroyed. What is under way gets a short grace.
  public mutating func ownerWindowDestroyed(now: Instant) -> Action {
    guard !isOver, !ownerIsGone else { return .none }
    ownerIsGone = true
    deadline = min(deadline, now + Self.graceAfterOwnerGone)
    return .none
  }

  /// The owner's connection is closed: nothing can follow.
  public mutating func ownerDisconnected() -> Action {
    isOver ? .none : fail(.ownerGone)
  }

  public mutating func deadlinePassed(now: Instant) -> Action {
    guard deadline <= now else { return .none }
    switch state {
    case .requested: return fail(ownerIsGone ? .ownerGone : .noAnswer)
    case .reading, .waiting, .readingChunk: return fail(ownerIsGone ? .ownerGone : .stalled)
    case .finished, .failed: return .none
    }
  }

  public mutating func cancel() -> Action { isOver ? .none : fail(.cancelled) }

  /// The server deletes a property with its last slice.
  private mutating func countDeletion(with slice: PropertySlice) {
    if slice.bytesAfter == 0 { deletionsMade += 1 }
  }

  private mutating func content(
    _ slice: PropertySlice, offset: Int, isChunk: Bool, now: Instant
  ) -> Action {
    // A header in the place of a chunk would be content of a type that nobody asks for.
    guard slice.type != incr else { return fail(.inconsistent) }
    if let type, let format {
      // A later chunk may name another type (some owners do); it may not change the size of an item.
      guard slice.format == format, isChunk || slice.type == type else {
        return fail(.inconsistent)
      }
    } else {
      type = slice.type
      format = slice.format
    }
    guard slice.byteCount <= limits.byteCount - byteCount else { return fail(.tooLarge) }
    // The server cuts at whole units of four bytes, unless nothing is left.
    let isCut = slice.bytesAfter > 0
    guard !isCut || (slice.byteCount > 0 && slice.byteCount % 4 == 0) else {
      return fail(.inconsistent)
    }
    byteCount += slice.byteCount
    progress(now)
    guard isCut else {
      state = isChunk ? .waiting : .finished
      return isChunk ? .deliverThenWait : .deliverThenFinish
    }
    let next = offset + slice.byteCount / 4
    state = isChunk ? .readingChunk(offset: next) : .reading(offset: next)
    return .deliverThenRead(offset: next)
  }

  private mutating func progress(_ now: Instant) {
    deadline = now + (ownerIsGone ? min(limits.idle, Self.graceAfterOwnerGone) : limits.idle)
  }

  private mutating func fail(_ failure: TransferFailure) -> Action {
    state = .failed
    return .fail(failure)
  }
}
