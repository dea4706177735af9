/// What became of the wish that a clipboard manager keeps a content.
public enum HandOverOutcome: Hashable, Sendable {
  /// The manager says that it has it.
  case saved
  /// Nobody manages the clipboard.
  case noManager
  /// The selection is not owned (any more), so that there is nothing to keep.
  case notOwner
  /// The manager, or its end, refused.
  case refused
  /// The manager did not answer in time.
  case noAnswer
  case connectionLost
}

/// The side of an owner that is about to end, and asks a clipboard manager to keep its content: the conversion of
/// SAVE_TARGETS on CLIPBOARD_MANAGER (the freedesktop ClipboardManager convention).
///
/// Invariants
///  1. The manager is asked only for a selection that is owned, and only if there is a manager.
///  2. Exactly one `finish` is asked for, by `limit` milliseconds after the start at the latest.
///  3. The manager's notice alone says whether it has the content: a reply that is absent or empty counts like any
///     other, a refusal does not. A refusal that comes when the selection is lost already says that there is nothing
///     left to keep.
///  4. After the notice what is being sent is sent to its end. A manager that confirmed without having taken the
///     selection gets `settling` milliseconds to begin to fetch, since some confirm first.
///  5. The owner goes on answering all the time; this machine only waits.
///
/// ```
///  begin ──no owner, no manager──▶ finished
///    │ ask
///    ▼      refused, gone, limit
///  asking ─────────────────────────────────▶ finished
///    │ accepted
///    ▼       not serving, and not owner or settled; limit
///  settling ───────────────────────────────▶ finished(saved)
/// ```
public struct HandOverState: Sendable {
  public enum Action: Equatable, Sendable {
    case none
    /// Convert SAVE_TARGETS, and report with `answered`.
    case ask
    case finish(HandOverOutcome)
  }

  /// How the conversion of SAVE_TARGETS ended.
  public enum Answer: Hashable, Sendable {
    case accepted
    case refused
    case noAnswer
    case connectionLost
  }

  private enum State: Equatable {
    case idle
    case asking
    case settling(until: Instant)
    case finished
  }

  /// Milliseconds for which a manager that confirmed, but did not take the selection, may begin to fetch.
  public static let settling: Int64 = 100

  private var state = State.idle
  private let limit: Int64
  private var end = Instant.distantFuture

  /// - Parameter limit: Milliseconds until it is given up.
  public init(limit: Int64 = 10_000) { self.limit = max(0, limit) }

  public var isOver: Bool { state == .finished }

  /// When `deadlinePassed` has to be called.
  public var deadline: Instant? {
    switch state {
    case .idle, .finished: nil
    case .asking: end
    case .settling(let until): min(until, end)
    }
  }

  /// - Parameters:
  ///   - isOwner: Whether the selection is owned now.
  ///   - hasManager: Whether another client owns CLIPBOARD_MANAGER.
  public mutating func begin(isOwner: Bool, hasManager: Bool, now: Instant) -> Action {
    guard state == .idle else { return .none }
    guard isOwner else { return finish(.notOwner) }
    guard hasManager else { return finish(.noManager) }
    end = now + limit
    state = .asking
    return .ask
  }

  /// The conversion of SAVE_TARGETS is over.
  ///
  /// - Parameters:
  ///   - isOwner: Whether the selection is still owned.
  ///   - isServing: Whether a request or a transfer is under way.
  public mutating func answered(
    _ answer: Answer, isOwner: Bool, isServing: Bool, now: Instant
  ) -> Action {
    guard state == .asking else { return .none }
    switch answer {
    case .accepted:
      state = .settling(until: now + (isOwner ? Self.settling : 0))
      return progressed(isOwner: isOwner, isServing: isServing, now: now)
    case .refused: return finish(isOwner ? .refused : .notOwner)
    case .noAnswer: return finish(.noAnswer)
    case .connectionLost: return finish(.connectionLost)
    }
  }

  /// Something happened that may end the waiting: a request came, a transfer ended, the selection was lost.
  public mutating func progressed(isOwner: Bool, isServing: Bool, now: Instant) -> Action {
    guard case .settling(let until) = state else { return .none }
    if end <= now { return finish(.saved) }
    guard !isServing else {
      // What it fetched in the meantime shows that it has begun; after that it may want more.
      state = .settling(until: isOwner ? now + Self.settling : end)
      return .none
    }
    return !isOwner || until <= now ? finish(.saved) : .none
  }

  /// Time passed.
  public mutating func deadlinePassed(isOwner: Bool, isServing: Bool, now: Instant) -> Action {
    switch state {
    case .idle, .finished: return .none
    case .asking: return end <= now ? finish(.noAnswer) : .none
    case .settling: return progressed(isOwner: isOwner, isServing: isServing, now: now)
    }
  }

  public mutating func connectionLost() -> Action {
    switch state {
    case .idle, .asking, .settling: finish(.connectionLost)
    case .finished: .none
    }
  }

  private mutating func finish(_ outcome: HandOverOutcome) -> Action {
    state = .finished
    return .finish(outcome)
  }
}
