import SelectionProtocol
import Testing

private let start = Instant(milliseconds: 1_000)

private func transfer(_ count: Int?, chunk: Int = 10) -> OutgoingTransfer {
  OutgoingTransfer(
    byteCount: count, chunkSize: chunk, idleLimit: 1_000, sourceLimit: 5_000, now: start)
}

/// Invariants of `OutgoingTransfer`, by number.
struct OutgoingTransferTests {
  @Test(
    "1, 2, 3: chunks follow one another, then one terminator", arguments: 0...40, [4, 7, 8, 12])
  func grammar(count: Int, chunk: Int) {
    var state = transfer(count, chunk: chunk)
    var sent = 0
    while true {
      let action = state.propertyDeleted(now: start)
      guard case .writeChunk(let range) = action else {
        #expect(action == .writeTerminator)
        break
      }
      #expect(range.lowerBound == sent)
      #expect(!range.isEmpty && range.count <= chunk)
      sent = range.upperBound
      #expect(sent == count || range.count % 4 == 0)
    }
    #expect(sent == count)
    #expect(state.propertyDeleted(now: start) == .finish)
    #expect(state.propertyDeleted(now: start) == .none)
    #expect(state.deadlinePassed(now: .distantFuture) == .none)
  }

  @Test("2: what was not stored of a chunk comes with the next one", arguments: 1...9)
  func shortened(stored: Int) {
    var state = transfer(40, chunk: 12)
    var sent = 0
    while case .writeChunk(let range) = state.propertyDeleted(now: start) {
      #expect(range.lowerBound == sent)
      #expect(range.count == min(12, 40 - sent))
      // No more than there was, and not nothing.
      state.chunkShortened(to: 0)
      state.chunkShortened(to: 13)
      state.chunkShortened(to: stored)
      sent += min(stored, range.count)
    }
    #expect(sent == 40)
    #expect(state.propertyDeleted(now: start) == .finish)
    state.chunkShortened(to: 1)
    #expect(state.propertyDeleted(now: start) == .none)
  }

  @Test("2: a shortened chunk that the server had no memory for is sent again from its beginning")
  func shortenedAndRefused() {
    var state = transfer(100_000, chunk: 40_000)
    #expect(state.propertyDeleted(now: start) == .writeChunk(0..<40_000))
    state.chunkShortened(to: 39_998)
    #expect(state.chunkRefused() == .writeChunk(0..<19_996))
    #expect(state.propertyDeleted(now: start) == .writeChunk(19_996..<39_992))
  }

  @Test("3: a source that fails ends it without terminator, wherever it is", arguments: 0...6)
  func sourceFailed(deletions: Int) {
    var state = transfer(40)
    for _ in 0..<deletions { _ = state.propertyDeleted(now: start) }
    let wasOver = state.isOver
    #expect(state.sourceFailed() == (wasOver ? .none : .abandon))
    #expect(state.propertyDeleted(now: start) == .none)
    #expect(state.sourceFailed() == .none)
  }

  @Test("4: each deletion moves the deadline")
  func deadline() {
    var state = transfer(40)
    for index in 1...3 {
      let now = start + Int64(index) * 999
      #expect(state.deadlinePassed(now: now) == .none)
      _ = state.propertyDeleted(now: now)
    }
    #expect(state.deadlinePassed(now: start + (3 * 999 + 1_000)) == .abandon)
  }

  @Test("4: a source that is not there yet has its own limit", arguments: [true, false])
  func starving(isDeleted: Bool) {
    var state = transfer(nil)
    if isDeleted { #expect(state.propertyDeleted(now: start + 10) == .none) }
    // A second deletion of nothing is nothing.
    if isDeleted { #expect(state.propertyDeleted(now: start + 11) == .none) }
    #expect(state.deadlinePassed(now: start + 4_999) == .none)
    var late = state
    #expect(late.deadlinePassed(now: start + 5_000) == .abandon)
    #expect(state.isSourceMissing)
    let action = state.sourceReady(byteCount: 3, now: start + 4_999)
    #expect(action == (isDeleted ? .writeChunk(0..<3) : .none))
    #expect(!state.isSourceMissing)
    #expect(state.sourceReady(byteCount: 9, now: start + 4_999) == .none)
    #expect(state.deadline == start + 5_999)
    if !isDeleted { #expect(state.propertyDeleted(now: start) == .writeChunk(0..<3)) }
    #expect(state.propertyDeleted(now: start) == .writeTerminator)
  }
}
