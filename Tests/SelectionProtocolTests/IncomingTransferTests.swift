import SelectionProtocol
import Testing

private let start = Instant(milliseconds: 1_000)
private let text = Atom(200)
private let incr = testAtoms.incr

private func transfer(_ limits: TransferLimits = TransferLimits()) -> IncomingTransfer {
  IncomingTransfer(limits: limits, incr: incr, now: start)
}

private func slice(
  _ count: Int, after: Int = 0, type: Atom = text, format: Int = 8, first: UInt32? = nil
) -> PropertySlice {
  PropertySlice(type: type, format: format, byteCount: count, bytesAfter: after, firstItem: first)
}

/// A transfer whose INCR header was read.
private func incremental(_ limits: TransferLimits = TransferLimits()) -> IncomingTransfer {
  var state = transfer(limits)
  _ = state.notified(property: Atom(300), now: start)
  _ = state.sliceRead(slice(4, type: incr, format: 32, first: 100), now: start)
  return state
}

/// Invariants of `IncomingTransfer`, by number.
struct IncomingTransferTests {
  @Test("a refusal is a failure, and nothing is read")
  func refused() {
    var state = transfer()
    #expect(state.notified(property: .none, now: start) == .fail(.refused))
    #expect(state.isOver)
    #expect(state.notified(property: Atom(300), now: start) == .none)
    #expect(state.cancel() == .none)
  }

  @Test("1: a property is read slice by slice to its end")
  func slices() {
    var state = transfer()
    #expect(state.notified(property: Atom(300), now: start) == .read(offset: 0))
    #expect(state.sliceRead(slice(8, after: 5), now: start) == .deliverThenRead(offset: 2))
    #expect(state.sliceRead(slice(4, after: 1), now: start) == .deliverThenRead(offset: 3))
    #expect(state.sliceRead(slice(1), now: start) == .deliverThenFinish)
    #expect(state.byteCount == 13)
    #expect(state.type == text)
    #expect(state.isOver && !state.wasIncremental)
  }

  @Test("2: another type or format in mid-property is inconsistent")
  func changingProperty() {
    for next in [slice(1, type: Atom(201)), slice(2, format: 16)] {
      var state = transfer()
      _ = state.notified(property: Atom(300), now: start)
      _ = state.sliceRead(slice(8, after: 1), now: start)
      #expect(state.sliceRead(next, now: start) == .fail(.inconsistent))
    }
  }

  @Test("2: a chunk of another type keeps the first one's; another format is inconsistent")
  func changingChunks() {
    var state = incremental()
    _ = state.propertyChanged(now: start)
    #expect(state.sliceRead(slice(8), now: start) == .deliverThenWait)
    _ = state.propertyChanged(now: start)
    #expect(state.sliceRead(slice(8, type: Atom(201)), now: start) == .deliverThenWait)
    #expect(state.type == text)
    _ = state.propertyChanged(now: start)
    #expect(state.sliceRead(slice(8, format: 32), now: start) == .fail(.inconsistent))
  }

  @Test("2: INCR within INCR is inconsistent")
  func nested() {
    var state = incremental()
    _ = state.propertyChanged(now: start)
    #expect(
      state.sliceRead(slice(4, type: incr, format: 32, first: 4), now: start)
        == .fail(.inconsistent))
  }

  @Test("3: absent after a positive answer is a failure, absent in mid-INCR is nothing")
  func absent() {
    var state = transfer()
    _ = state.notified(property: Atom(300), now: start)
    #expect(state.sliceRead(nil, now: start) == .fail(.missingProperty))
    state = incremental()
    #expect(state.propertyChanged(now: start) == .read(offset: 0))
    #expect(state.sliceRead(nil, now: start) == .none)
    #expect(state.propertyChanged(now: start) == .read(offset: 0))
    #expect(state.sliceRead(slice(8), now: start) == .deliverThenWait)
  }

  @Test("3: a chunk that vanishes while it is read is a failure")
  func vanishingChunk() {
    var state = incremental()
    _ = state.propertyChanged(now: start)
    #expect(state.sliceRead(slice(8, after: 8), now: start) == .deliverThenRead(offset: 2))
    #expect(state.sliceRead(nil, now: start) == .fail(.inconsistent))
  }

  @Test("3: present and empty is data, or the end", arguments: [8, 16, 32])
  func empty(format: Int) {
    var state = transfer()
    _ = state.notified(property: Atom(300), now: start)
    #expect(state.sliceRead(slice(0, format: format), now: start) == .deliverThenFinish)
    #expect(state.type == text)
    state = incremental()
    _ = state.propertyChanged(now: start)
    #expect(state.sliceRead(slice(0, type: Atom(9), format: format), now: start) == .finish)
    #expect(state.type == Atom(9))
    state = incremental()
    _ = state.propertyChanged(now: start)
    _ = state.sliceRead(slice(3), now: start)
    _ = state.propertyChanged(now: start)
    #expect(state.sliceRead(slice(0, type: Atom(9), format: format), now: start) == .finish)
    #expect(state.type == text && state.format == 8)
  }

  @Test("4: the header's number decides nothing", arguments: [nil, 0, 1, 5, 0x8000_0000, .max])
  func hint(number: UInt32?) {
    var state = transfer()
    _ = state.notified(property: Atom(300), now: start)
    #expect(
      state.sliceRead(slice(4, type: incr, format: 32, first: number), now: start) == .none)
    #expect(state.announcedByteCount == number.map { Int($0) })
    _ = state.propertyChanged(now: start)
    #expect(state.sliceRead(slice(5), now: start) == .deliverThenWait)
    _ = state.propertyChanged(now: start)
    #expect(state.sliceRead(slice(0), now: start) == .finish)
    #expect(state.byteCount == 5)
  }

  @Test("4: a header of any format counts; one that fills a slice does not")
  func oddHeaders() {
    for header in [slice(0, type: incr, format: 32), slice(3, type: incr, format: 8)] {
      var state = transfer()
      _ = state.notified(property: Atom(300), now: start)
      #expect(state.sliceRead(header, now: start) == .none)
      #expect(state.wasIncremental)
    }
    var state = transfer()
    _ = state.notified(property: Atom(300), now: start)
    #expect(
      state.sliceRead(slice(262_144, after: 4, type: incr, format: 32), now: start)
        == .fail(.inconsistent))
  }

  @Test("5: more than the limit fails, to the byte", arguments: [true, false])
  func limit(isIncremental: Bool) {
    for excess in [0, 1] {
      let limits = TransferLimits(byteCount: 10)
      var state = isIncremental ? incremental(limits) : transfer(limits)
      if isIncremental {
        _ = state.propertyChanged(now: start)
      } else {
        _ = state.notified(property: Atom(300), now: start)
      }
      _ = state.sliceRead(slice(8, after: 2 + excess), now: start)
      let last = state.sliceRead(slice(2 + excess), now: start)
      let good: IncomingTransfer.Action = isIncremental ? .deliverThenWait : .deliverThenFinish
      #expect(last == (excess == 0 ? good : .fail(.tooLarge)))
    }
  }

  @Test("6: deadlines count from the last progress")
  func deadlines() {
    let limits = TransferLimits(response: 100, idle: 1_000)
    var state = transfer(limits)
    #expect(state.deadlinePassed(now: start + 99) == .none)
    #expect(state.deadlinePassed(now: start + 100) == .fail(.noAnswer))
    state = transfer(limits)
    _ = state.notified(property: Atom(300), now: start + 50)
    _ = state.sliceRead(slice(4, type: incr, format: 32), now: start + 50)
    for index in 1...50 {
      let now = start + (50 + Int64(index) * 999)
      #expect(state.deadlinePassed(now: now) == .none)
      _ = state.propertyChanged(now: now)
      #expect(state.sliceRead(slice(1), now: now) == .deliverThenWait)
    }
    let last = start + (50 + 50 * 999)
    // What brings nothing is no progress.
    _ = state.propertyChanged(now: last + 900)
    _ = state.sliceRead(nil, now: last + 900)
    #expect(state.deadlinePassed(now: last + 999) == .none)
    #expect(state.deadlinePassed(now: last + 1_000) == .fail(.stalled))
  }

  @Test("6: an owner whose window is gone gets a short grace, from event to event")
  func ownerWindowGone() {
    var state = incremental()
    #expect(state.ownerWindowDestroyed(now: start) == .none)
    _ = state.propertyChanged(now: start + 200)
    #expect(state.sliceRead(slice(8), now: start + 200) == .deliverThenWait)
    #expect(state.deadlinePassed(now: start + 449) == .none)
    #expect(state.deadlinePassed(now: start + 450) == .fail(.ownerGone))
    state = transfer()
    _ = state.ownerWindowDestroyed(now: start)
    #expect(state.deadlinePassed(now: start + 250) == .fail(.ownerGone))
  }

  @Test("7: a chunk that somebody else deletes leaves a hole, which ends the transfer")
  func foreignDeletion() {
    var unread = incremental()
    #expect(unread.propertyDeleted() == .none)
    #expect(unread.propertyChanged(now: start) == .read(offset: 0))
    #expect(unread.sliceRead(nil, now: start) == .none)
    #expect(unread.propertyDeleted() == .fail(.inconsistent))
    // The next chunk was there before the deletion of the last one was heard of.
    var late = incremental()
    #expect(late.propertyDeleted() == .none)
    _ = late.propertyChanged(now: start)
    #expect(late.sliceRead(slice(4), now: start) == .deliverThenWait)
    #expect(late.propertyDeleted() == .none)
    #expect(late.propertyDeleted() == .fail(.inconsistent))
    #expect(late.propertyDeleted() == .none)
  }

  @Test("7: a hole is found at the end, too", arguments: [0, 1])
  func foreignDeletionAtTheEnd(foreign: Int) {
    var state = incremental()
    _ = state.propertyDeleted()
    _ = state.propertyChanged(now: start)
    #expect(state.sliceRead(slice(4), now: start) == .deliverThenWait)
    _ = state.propertyDeleted()
    _ = state.propertyChanged(now: start)
    #expect(state.sliceRead(slice(0), now: start) == .finish)
    #expect(state.isTorn(untold: 1 + foreign) == (foreign > 0))
  }

  @Test("7: deletions by this requestor alone, in slices and chunks, end nothing")
  func ownDeletions() {
    var state = incremental()
    for _ in 0..<3 {
      #expect(state.propertyDeleted() == .none)
      _ = state.propertyChanged(now: start)
      #expect(state.sliceRead(slice(8, after: 4), now: start) == .deliverThenRead(offset: 2))
      #expect(state.sliceRead(slice(4), now: start) == .deliverThenWait)
    }
    #expect(!state.isTorn(untold: 1))
  }

  @Test("7: what is deleted before the answer was never stored, unless it is stored again")
  func takenBack() {
    var gone = transfer()
    #expect(gone.propertyChanged(now: start) == .none)
    #expect(gone.propertyDeleted() == .none)
    #expect(gone.notified(property: Atom(300), now: start) == .fail(.missingProperty))
    var again = transfer()
    _ = again.propertyDeleted()
    _ = again.propertyChanged(now: start)
    #expect(again.notified(property: Atom(300), now: start) == .read(offset: 0))
    #expect(again.sliceRead(slice(4), now: start) == .deliverThenFinish)
    #expect(!again.isTorn(untold: 1))
  }

  @Test("an owner whose connection is closed ends it at once")
  func ownerDisconnected() {
    var state = incremental()
    #expect(state.ownerDisconnected() == .fail(.ownerGone))
    #expect(state.ownerDisconnected() == .none)
  }

  @Test("what comes after the end changes nothing")
  func afterTheEnd() {
    var finished = transfer()
    _ = finished.notified(property: Atom(300), now: start)
    _ = finished.sliceRead(slice(1), now: start)
    var failed = transfer()
    _ = failed.cancel()
    for state in [finished, failed] {
      var state = state
      #expect(state.notified(property: Atom(300), now: start) == .none)
      #expect(state.propertyChanged(now: start) == .none)
      #expect(state.propertyDeleted() == .none)
      #expect(state.sliceRead(slice(1), now: start) == .none)
      #expect(state.deadlinePassed(now: .distantFuture) == .none)
      #expect(state.ownerWindowDestroyed(now: start) == .none)
      #expect(state.cancel() == .none)
    }
  }

  @Test("what comes before its time changes nothing")
  func beforeItsTime() {
    var state = transfer()
    #expect(state.propertyChanged(now: start) == .none)
    #expect(state.sliceRead(slice(1), now: start) == .none)
    #expect(state.notified(property: Atom(300), now: start) == .read(offset: 0))
    #expect(state.notified(property: Atom(300), now: start) == .none)
    #expect(state.propertyChanged(now: start) == .none)
  }

  @Test("a slice that leads nowhere is inconsistent", arguments: [0, 1, 2, 3, 5])
  func stuck(count: Int) {
    var state = transfer()
    _ = state.notified(property: Atom(300), now: start)
    #expect(state.sliceRead(slice(count, after: 4), now: start) == .fail(.inconsistent))
  }
}
