import SelectionProtocol
import Testing

@testable import SessionHelper

/// The numbers are those of the invariants of `SyncState`.
@Suite struct SyncStateTests {
  private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: 10_000 + milliseconds) }

  private func state(_ direction: SyncDirection, clears: Bool = true) -> SyncState {
    var settings = SyncSettings()
    settings.direction = direction
    settings.clears = clears
    return SyncState(settings: settings)
  }

  // 1
  @Test func turnedOffItAsksForNothing() {
    var state = state(.off)
    state.changed(.primary, time: ServerTime(5), now: at(0))
    state.changed(.clipboard, time: ServerTime(6), now: at(0))
    #expect(state.deadline == nil)
    #expect(state.cleared(.primary).isEmpty)
  }

  @Test(arguments: [SyncSelection.primary, .clipboard])
  func onlyTheSourceIsFollowed(source: SyncSelection) {
    var state = state(source == .primary ? .primaryToClipboard : .clipboardToPrimary)
    state.changed(source.other, time: ServerTime(5), now: at(0))
    #expect(state.deadline == nil)
    state.changed(source, time: ServerTime(6), now: at(0))
    #expect(state.deadline == at(50))
  }

  // 2
  @Test func itWaitsForQuietAndForTheButton() {
    var state = state(.primaryToClipboard)
    state.changed(.primary, time: ServerTime(5), now: at(0))
    #expect(state.deadlinePassed(now: at(49)).isEmpty)
    state.changed(.primary, time: ServerTime(6), now: at(30))
    #expect(state.deadline == at(80))
    #expect(state.deadlinePassed(now: at(80)) == [.look(.primary)])
    #expect(state.looked(.primary, isHeld: true, now: at(80)).isEmpty)
    #expect(state.deadline == at(120))
    #expect(state.deadlinePassed(now: at(120)) == [.look(.primary)])
    #expect(
      state.looked(.primary, isHeld: false, now: at(120)) == [
        .follow(.primary, time: ServerTime(6))
      ])
    #expect(state.deadline == nil)
  }

  @Test func theClipboardIsFollowedWhateverIsHeld() {
    var state = state(.clipboardToPrimary)
    state.changed(.clipboard, time: ServerTime(5), now: at(0))
    #expect(state.deadlinePassed(now: at(50)) == [.follow(.clipboard, time: ServerTime(5))])
  }

  @Test func aButtonThatIsHeldForEverIsNotWaitedFor() {
    var state = state(.primaryToClipboard)
    state.changed(.primary, time: ServerTime(5), now: at(0))
    var looks = 0
    while let deadline = state.deadline, looks < 10_000 {
      #expect(state.deadlinePassed(now: deadline) == [.look(.primary)])
      #expect(state.looked(.primary, isHeld: true, now: deadline).isEmpty)
      looks += 1
    }
    #expect((1_000..<2_000).contains(looks))
    #expect(state.deadline == nil)
  }

  @Test func whoeverEndsMeanwhileIsForgotten() {
    var state = state(.primaryToClipboard)
    state.changed(.primary, time: ServerTime(5), now: at(0))
    state.ownerGone(.primary)
    #expect(state.deadline == nil)
  }

  // 3
  @Test(arguments: [UInt32(5), 6])
  func whatOthersChangedTogetherOrLaterIsLeftAlone(other: UInt32) {
    var state = state(.both)
    state.changed(.primary, time: ServerTime(5), now: at(0))
    state.changed(.clipboard, time: ServerTime(other), now: at(0))
    let actions = state.deadlinePassed(now: at(50))
    // The later one is followed, and one that came together with the other is not.
    #expect(
      actions.filter { $0 != .look(.primary) }
        == (other == 5 ? [] : [.follow(.clipboard, time: ServerTime(6))]))
    #expect(state.looked(.primary, isHeld: false, now: at(50)).isEmpty)
  }

  // 4
  @Test func tooManyChangesMakeItRest() {
    var state = state(.clipboardToPrimary)
    var followed = 0
    var rests = 0
    for number in 0..<30 {
      let now = at(Int64(number) * 60)
      state.changed(.clipboard, time: ServerTime(UInt32(number + 1)), now: now)
      for action in state.deadlinePassed(now: now + 50) {
        switch action {
        case .follow: followed += 1
        case .rest: rests += 1
        case .look, .withdraw: Issue.record("\(action)")
        }
      }
    }
    #expect(followed == 10)
    #expect(rests == 1)
    state.changed(.clipboard, time: ServerTime(1_000), now: at(6_000))
    #expect(state.deadlinePassed(now: at(6_050)) == [.follow(.clipboard, time: ServerTime(1_000))])
  }

  // 5
  @Test func emptyingTheSourceEmptiesWhatWasMadeOfIt() {
    var state = state(.primaryToClipboard)
    state.changed(.primary, time: ServerTime(5), now: at(0))
    state.gave(.clipboard)
    #expect(state.cleared(.primary) == [.withdraw(.clipboard)])
    #expect(state.cleared(.primary).isEmpty)
  }

  @Test func emptyingTheSourceLeavesWhatIsAnothers() {
    var state = state(.primaryToClipboard)
    state.gave(.clipboard)
    state.lost(.clipboard)
    #expect(state.cleared(.primary).isEmpty)
    state.gave(.clipboard)
    state.changed(.clipboard, time: ServerTime(9), now: at(0))
    #expect(state.cleared(.primary).isEmpty)
  }

  @Test func theUserMayWantItToStay() {
    var state = state(.primaryToClipboard, clears: false)
    state.gave(.clipboard)
    #expect(state.cleared(.primary).isEmpty)
  }

  @Test func theEndOfTheSourceLeavesWhatWasMadeOfIt() {
    var state = state(.primaryToClipboard)
    state.changed(.primary, time: ServerTime(5), now: at(0))
    state.gave(.clipboard)
    state.ownerGone(.primary)
    // Still made here: the next thing to happen to the source is a new selection.
    #expect(state.cleared(.clipboard).isEmpty)
  }
}
