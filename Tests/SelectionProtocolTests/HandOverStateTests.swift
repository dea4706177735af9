import SelectionProtocol
import Testing

private let start = Instant(milliseconds: 1_000)

/// Invariants of `HandOverState`, by number.
struct HandOverStateTests {
  private func asking() -> HandOverState {
    var state = HandOverState()
    _ = state.begin(isOwner: true, hasManager: true, now: start)
    return state
  }

  @Test("1: asked only where there is something, and somebody to keep it")
  func begin() {
    var state = HandOverState()
    #expect(state.begin(isOwner: false, hasManager: true, now: start) == .finish(.notOwner))
    state = HandOverState()
    #expect(state.begin(isOwner: true, hasManager: false, now: start) == .finish(.noManager))
    #expect(state.isOver)
    #expect(state.begin(isOwner: true, hasManager: true, now: start) == .none)
    state = HandOverState()
    #expect(state.begin(isOwner: true, hasManager: true, now: start) == .ask)
    #expect(state.begin(isOwner: true, hasManager: true, now: start) == .none)
    #expect(state.deadline == start + 10_000)
  }

  @Test("2: it ends at the limit")
  func limit() {
    var state = asking()
    #expect(state.deadlinePassed(isOwner: true, isServing: true, now: start + 9_999) == .none)
    #expect(
      state.deadlinePassed(isOwner: true, isServing: true, now: start + 10_000)
        == .finish(.noAnswer))
    #expect(state.deadline == nil)
    #expect(state.answered(.accepted, isOwner: false, isServing: false, now: start) == .none)
  }

  @Test("3: the answer decides")
  func answers() {
    for (answer, outcome) in [
      (HandOverState.Answer.refused, HandOverOutcome.refused), (.noAnswer, .noAnswer),
      (.connectionLost, .connectionLost),
    ] {
      var state = asking()
      #expect(
        state.answered(answer, isOwner: true, isServing: true, now: start) == .finish(outcome))
    }
    var state = asking()
    #expect(
      state.answered(.accepted, isOwner: false, isServing: false, now: start) == .finish(.saved))
    // Somebody copied anew while the manager was reading.
    state = asking()
    #expect(
      state.answered(.refused, isOwner: false, isServing: false, now: start)
        == .finish(.notOwner))
    state = asking()
    #expect(state.connectionLost() == .finish(.connectionLost))
    #expect(state.connectionLost() == .none)
  }

  @Test("4: what is being sent is sent to its end")
  func serving() {
    var state = asking()
    #expect(state.answered(.accepted, isOwner: false, isServing: true, now: start) == .none)
    #expect(state.deadline == start + 10_000)
    #expect(state.progressed(isOwner: false, isServing: true, now: start + 5_000) == .none)
    #expect(
      state.progressed(isOwner: false, isServing: false, now: start + 5_001) == .finish(.saved))
  }

  @Test("4: a manager that did not take the selection gets a moment to begin, after each fetch")
  func settling() {
    var state = asking()
    #expect(state.answered(.accepted, isOwner: true, isServing: false, now: start) == .none)
    #expect(state.deadline == start + 100)
    #expect(state.progressed(isOwner: true, isServing: true, now: start + 50) == .none)
    #expect(state.deadlinePassed(isOwner: true, isServing: true, now: start + 100) == .none)
    #expect(state.deadline == start + 200)
    #expect(state.progressed(isOwner: true, isServing: false, now: start + 199) == .none)
    var lost = state
    #expect(
      lost.progressed(isOwner: false, isServing: false, now: start + 199) == .finish(.saved))
    #expect(
      state.deadlinePassed(isOwner: true, isServing: false, now: start + 200) == .finish(.saved))
  }

  @Test("2, 4: a transfer that never ends does not outlive the limit")
  func endless() {
    var state = asking()
    _ = state.answered(.accepted, isOwner: true, isServing: true, now: start)
    var now = start
    var finishes = 0
    while let deadline = state.deadline {
      #expect(deadline > now)
      now = deadline
      if case .finish = state.deadlinePassed(isOwner: true, isServing: true, now: now) {
        finishes += 1
      }
    }
    #expect(finishes == 1)
    #expect(now == start + 10_000)
  }
}
