internal import SelectionProtocol

/// Lets a command that is run for each change rest after many runs: one that copies causes its own next run, for ever.
struct CommandPace {
  /// How many runs in a second there may be.
  static let most = 10
  /// Milliseconds; what changes meanwhile is one change.
  private static let span: Int64 = 1_000
  /// After so many rests one after the other it is no burst of copies any more.
  private static let restsUntilTold = 3

  private var runs: [Instant] = []
  private var rests = 0
  private var lastRest: Instant?

  /// The command was run.
  mutating func ran(at now: Instant) {
    runs.append(now)
    if runs.count > Self.most { runs.removeFirst() }
  }

  /// Until when the next run has to wait, if it has to.
  mutating func rest(from now: Instant) -> Instant? {
    guard runs.count == Self.most, let first = runs.first, now < first + Self.span else {
      return nil
    }
    runs.removeAll()
    let isNext = lastRest.map { now < $0 + 2 * Self.span } ?? false
    rests = isNext ? rests + 1 : 1
    lastRest = now + Self.span
    return lastRest
  }

  /// Whether this rest is the one that is worth a word.
  var isToBeTold: Bool { rests == Self.restsUntilTold }
}
