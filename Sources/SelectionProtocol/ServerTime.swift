/// A point on the X server's clock, in milliseconds, that wraps around every 49.7 days.
///
/// Two times are compared by their signed difference; zero is `CurrentTime` and only that (ICCCM 2.1).
public struct ServerTime: Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// "Whenever the server reads this": not a time that anything can be compared with.
  public static let current = ServerTime(0)

  /// Whether this time is later than `other`, across a wrap of the clock.
  public func isAfter(_ other: ServerTime) -> Bool {
    Int32(bitPattern: rawValue &- other.rawValue) > 0
  }
}

/// A point on this process's monotonic clock, in milliseconds.
///
/// The state machines take it as a parameter and never read a clock.
public struct Instant: Hashable, Comparable, Sendable {
  public var milliseconds: Int64

  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// A point that never comes.
  public static let distantFuture = Instant(milliseconds: .max)

  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The point `duration` milliseconds after `instant`; `distantFuture` where that cannot be said.
  public static func + (instant: Instant, duration: Int64) -> Instant {
    let (sum, overflow) = instant.milliseconds.addingReportingOverflow(duration)
    return overflow ? .distantFuture : Instant(milliseconds: sum)
  }
}
