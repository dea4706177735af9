import SelectionProtocol
import Testing

private let start = Instant(milliseconds: 1_000)

/// Invariants of `SelectionWatch`, by number.
struct SelectionWatchTests {
  @Test("1, 3: every acquisition is told, also one by the same owner")
  func acquisitions() {
    var watch = SelectionWatch(owner: .none, pollInterval: nil, now: start)
    for generation in 1...3 {
      let notice = watch.happened(.ownerSet(Window(5)), time: ServerTime(9), now: start)
      #expect(notice?.reason == .newOwner)
      #expect(notice?.owner == Window(5))
      #expect(notice?.generation == generation)
    }
    let notice = watch.happened(.ownerSet(.none), time: ServerTime(10), now: start)
    #expect(notice?.reason == .cleared)
    #expect(watch.deadline == nil)
  }

  @Test(
    "2: an owner that is gone is told after the grace",
    arguments: [SelectionWatch.Event.windowDestroyed, .clientClosed])
  func ownerGone(event: SelectionWatch.Event) {
    var watch = SelectionWatch(owner: Window(5), pollInterval: nil, now: start)
    #expect(watch.happened(event, time: ServerTime(9), now: start) == nil)
    #expect(watch.deadlinePassed(polledOwner: nil, now: start + 24) == nil)
    let notice = watch.deadlinePassed(polledOwner: nil, now: start + 25)
    #expect(notice?.reason == .ownerGone)
    #expect(notice?.owner == Window.none)
    #expect(watch.deadlinePassed(polledOwner: nil, now: start + 50) == nil)
  }

  @Test("2: a new owner within the grace is told in its place, once")
  func windowDance() {
    var watch = SelectionWatch(owner: Window(5), pollInterval: nil, now: start)
    _ = watch.happened(.windowDestroyed, time: ServerTime(9), now: start)
    _ = watch.happened(.clientClosed, time: ServerTime(9), now: start)
    let notice = watch.happened(.ownerSet(Window(6)), time: ServerTime(10), now: start + 10)
    #expect(notice?.generation == 1)
    #expect(watch.deadline == nil)
    #expect(watch.deadlinePassed(polledOwner: nil, now: start + 100) == nil)
  }

  @Test("without events the owner is asked for, once an interval")
  func polling() {
    var watch = SelectionWatch(owner: Window(5), pollInterval: 1_000, now: start)
    #expect(watch.deadline == start + 1_000)
    #expect(watch.deadlinePassed(polledOwner: Window(5), now: start + 1_000) == nil)
    #expect(watch.deadline == start + 2_000)
    #expect(watch.deadlinePassed(polledOwner: Window(6), now: start + 2_000)?.reason == .newOwner)
    #expect(
      watch.deadlinePassed(polledOwner: .some(.none), now: start + 3_000)?.reason == .ownerGone)
    #expect(watch.generation == 2)
  }

  @Test("without events, an owner's other TIMESTAMP is a change; the first one is not")
  func timestamps() {
    var watch = SelectionWatch(owner: Window(5), pollInterval: 1_000, now: start)
    #expect(watch.timestampTold(ServerTime(7), by: Window(5)) == nil)
    #expect(watch.timestampTold(ServerTime(7), by: Window(5)) == nil)
    #expect(watch.timestampTold(ServerTime(8), by: Window(6)) == nil)
    let notice = watch.timestampTold(ServerTime(8), by: Window(5))
    #expect(notice?.reason == .newOwner)
    #expect(notice?.time == ServerTime(8))
    #expect(watch.generation == 1)
    #expect(watch.timestampTold(ServerTime(8), by: Window(5)) == nil)
    var withEvents = SelectionWatch(owner: Window(5), pollInterval: nil, now: start)
    _ = withEvents.timestampTold(ServerTime(7), by: Window(5))
    #expect(withEvents.timestampTold(ServerTime(8), by: Window(5)) == nil)
  }
}

struct TimeTests {
  @Test("times are compared across the wrap of the server's clock")
  func wrap() {
    #expect(ServerTime(5).isAfter(ServerTime(0xFFFF_FFF0)))
    #expect(!ServerTime(0xFFFF_FFF0).isAfter(ServerTime(5)))
    #expect(!ServerTime(7).isAfter(ServerTime(7)))
    #expect(ServerTime(0x8000_0000).isAfter(ServerTime(1)))
  }

  @Test("instants do not overflow")
  func instants() {
    #expect(Instant(milliseconds: .max - 1) + 5 == .distantFuture)
    #expect(Instant(milliseconds: 5) < .distantFuture)
  }
}
