import SelectionProtocol
import Testing

/// Random histories of a selection, against a list of what has to be told.
struct WatchWalkTests {
  @Test("every change is told once, in order, after its grace", arguments: [true, false])
  func histories(polls: Bool) {
    #expect(
      RandomWalk.firstFault { seed in
        var walk = WatchWalk(seed: seed, polls: polls)
        walk.run()
        return walk.faults
      } == nil)
  }
}

private struct WatchWalk {
  private var random: SplitMix
  private var now = Instant(milliseconds: 1_000)
  private var watch: SelectionWatch
  private let polls: Bool
  /// The owner as the server knows it.
  private var owner = Window(5)
  private var expected: [(SelectionNotice.Reason, Window)] = []
  /// When a loss without a successor has to be told.
  private var loss: Instant?
  private var told: [SelectionNotice] = []
  private(set) var faults: [String] = []
  private static let interval: Int64 = 100

  init(seed: UInt64, polls: Bool) {
    random = SplitMix(seed: seed)
    self.polls = polls
    watch = SelectionWatch(owner: owner, pollInterval: polls ? Self.interval : nil, now: now)
  }

  mutating func run() {
    for _ in 0..<40 { polls ? pollStep() : eventStep() }
    pass(10 * Self.interval)
    if told.map(\.generation) != Array(1..<(told.count + 1)) { faults.append("generations") }
    let all = told.map { ($0.reason, $0.owner) }
    if !all.elementsEqual(expected, by: ==) { faults.append("told \(all), not \(expected)") }
    if watch.owner != owner { faults.append("\(watch.owner) in place of \(owner)") }
    if !polls, watch.deadline != nil { faults.append("a deadline without anything to do") }
  }

  private mutating func eventStep() {
    switch Int.random(in: 0..<6, using: &random) {
    case 0, 1:
      owner = Window(UInt32.random(in: 5..<8, using: &random))
      loss = nil
      expected.append((.newOwner, owner))
      keep(watch.happened(.ownerSet(owner), time: ServerTime(1), now: now))
    case 2:
      owner = .none
      loss = nil
      expected.append((.cleared, .none))
      keep(watch.happened(.ownerSet(.none), time: ServerTime(2), now: now))
    case 3:
      guard owner != .none else { return }
      owner = .none
      loss = loss ?? now + SelectionWatch.grace
      // A client whose connection ends loses its windows too: both are told.
      for event in [SelectionWatch.Event.windowDestroyed, .clientClosed].shuffled(using: &random) {
        keep(watch.happened(event, time: ServerTime(3), now: now))
        if random.chance(50) { break }
        // Later, but within the grace: that does not begin anew.
        pass(Int64.random(in: 0..<10, using: &random))
      }
    default: pass(Int64.random(in: 0..<40, using: &random))
    }
  }

  private mutating func pollStep() {
    if random.chance(30) {
      let windows = [Window.none, Window(5), Window(6)]
      owner = windows.randomElement(using: &random) ?? .none
    }
    pass(Int64.random(in: 1..<150, using: &random))
  }

  /// Lets time go by, deadline for deadline.
  private mutating func pass(_ milliseconds: Int64) {
    let end = now + milliseconds
    while let deadline = watch.deadline, deadline <= end {
      now = max(now, deadline)
      if let due = loss, due <= now {
        expected.append((.ownerGone, .none))
        loss = nil
      }
      if polls, watch.owner != owner {
        expected.append((owner == .none ? .ownerGone : .newOwner, owner))
      }
      keep(watch.deadlinePassed(polledOwner: polls ? owner : nil, now: now))
      if watch.deadline == deadline {
        faults.append("a deadline that stays")
        return
      }
    }
    if let due = loss, due <= end { faults.append("no deadline for a loss at \(due)") }
    now = end
  }

  private mutating func keep(_ notice: SelectionNotice?) { if let notice { told.append(notice) } }
}
