/// One change of a selection's owner.
public struct SelectionNotice: Hashable, Sendable {
  public enum Reason: Hashable, Sendable {
    /// A client took the selection, or took it anew.
    case newOwner
    /// Its owner gave it up.
    case cleared
    /// Its owner's window or connection went away.
    case ownerGone
  }

  public var reason: Reason
  /// `none` unless there is a new owner.
  public var owner: Window
  /// When the selection changed, by the server's clock; zero where unknown.
  public var time: ServerTime
  /// Counts the changes since the watch began.
  public var generation: Int
}

/// The owner of one selection, followed by XFixes events or, without XFixes, by asking.
///
/// Invariants
///  1. Every change is told once, in order; the last one is never lost.
///  2. A destroyed owner window is told only after a grace, since some clients destroy their window and own the
///     selection again at once; a new owner within the grace is told in its place.
///  3. Taking the selection anew counts as a change although the owner stays the same.
public struct SelectionWatch: Sendable {
  public enum Event: Hashable, Sendable {
    case ownerSet(Window)
    case windowDestroyed
    case clientClosed
  }

  /// Milliseconds between an owner's destroyed window and the notice.
  public static let grace: Int64 = 25

  public private(set) var owner: Window
  public private(set) var generation = 0
  private var pending: (time: ServerTime, deadline: Instant)?
  /// What the owner's TIMESTAMP was when it was asked last.
  private var timestamp: ServerTime?
  private let pollInterval: Int64?
  private var nextPoll: Instant?

  /// - Parameter pollInterval: Milliseconds between questions for the owner; `nil` where events tell.
  public init(owner: Window, pollInterval: Int64?, now: Instant) {
    self.owner = owner
    self.pollInterval = pollInterval
    nextPoll = pollInterval.map { now + $0 }
  }

  public var isPolling: Bool { pollInterval != nil }

  /// When `deadlinePassed` has to be called.
  public var deadline: Instant? {
    [pending?.deadline, nextPoll].compactMap(\.self).min()
  }

  public mutating func happened(
    _ event: Event, time: ServerTime, now: Instant
  ) -> SelectionNotice? {
    switch event {
    case .ownerSet(let window):
      pending = nil
      return change(window == .none ? .cleared : .newOwner, window, time)
    case .windowDestroyed, .clientClosed:
      guard pending == nil else { return nil }
      pending = (time, now + Self.grace)
      return nil
    }
  }

  /// - Parameter polledOwner: The owner as the server tells it now, where it was asked.
  public mutating func deadlinePassed(polledOwner: Window?, now: Instant) -> SelectionNotice? {
    if let pending, pending.deadline <= now {
      self.pending = nil
      return change(.ownerGone, .none, pending.time)
    }
    guard let pollInterval, let next = nextPoll, next <= now else { return nil }
    nextPoll = now + pollInterval
    guard let polledOwner, polledOwner != owner else { return nil }
    return change(polledOwner == .none ? .ownerGone : .newOwner, polledOwner, .current)
  }

  /// An owner that is asked for since no events come told its TIMESTAMP.
  ///
  /// - Returns: A notice where it is another one than before; the first one is only kept.
  public mutating func timestampTold(_ time: ServerTime, by window: Window) -> SelectionNotice? {
    guard isPolling, window == owner else { return nil }
    defer { timestamp = time }
    guard let timestamp, timestamp != time else { return nil }
    return change(.newOwner, window, time)
  }

  private mutating func change(
    _ reason: SelectionNotice.Reason, _ owner: Window, _ time: ServerTime
  ) -> SelectionNotice {
    self.owner = owner
    timestamp = nil
    generation += 1
    return SelectionNotice(reason: reason, owner: owner, time: time, generation: generation)
  }
}
