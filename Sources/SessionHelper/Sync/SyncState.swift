internal import SelectionProtocol

/// One of the two selections that may follow each other.
enum SyncSelection: Hashable {
  case primary
  case clipboard

  var other: SyncSelection { self == .primary ? .clipboard : .primary }
}

/// Decides when a change of one selection is taken over into the other.
///
/// Invariants
///  1. Turned off it asks for nothing.
///  2. A change is followed only after a time of quiet, and one of PRIMARY only when neither the first button nor
///     Shift is down: whoever still selects is not disturbed. It looks only while a change waits.
///  3. What was made by the helper is never a source, and a selection that somebody else changed at the same time or
///     later is not overwritten: two that follow each other come to rest.
///  4. After too many changes in a second it rests for a while, and says so once.
///  5. Emptying the source empties what was made of it, unless the user wants that otherwise.
struct SyncState {
  enum Action: Equatable {
    /// Look at the pointer, and report with `looked`.
    case look(SyncSelection)
    /// Take the text of this selection over into the other.
    case follow(SyncSelection, time: ServerTime)
    /// Empty what was made of the other selection here.
    case withdraw(SyncSelection)
    /// It changed too often.
    case rest
  }

  private struct Change: Equatable {
    var time: ServerTime
    var due: Instant
    var began: Instant
  }

  /// Milliseconds without a change.
  static let quiet: Int64 = 50
  /// Milliseconds from one look at the pointer to the next.
  static let look: Int64 = 40
  /// How long somebody may go on selecting.
  static let patience: Int64 = 60_000
  static let mostInASecond = 10
  static let restTime: Int64 = 5_000

  var settings: SyncSettings
  private var waiting: [SyncSelection: Change] = [:]
  /// When others changed the selections last, by the server's clock.
  private var times: [SyncSelection: ServerTime] = [:]
  /// Where the helper's own content of a selection comes from.
  private var made: Set<SyncSelection> = []
  private var recent: [Instant] = []
  private var restsUntil: Instant?

  init(settings: SyncSettings) { self.settings = settings }

  private func isSource(_ selection: SyncSelection) -> Bool {
    selection == .primary ? settings.direction.takesPrimary : settings.direction.takesClipboard
  }

  /// Another program took a selection.
  mutating func changed(_ selection: SyncSelection, time: ServerTime, now: Instant) {
    made.remove(selection)
    times[selection] = time
    guard isSource(selection) else { return }
    let began = waiting[selection]?.began ?? now
    waiting[selection] = Change(time: time, due: now + Self.quiet, began: began)
  }

  /// Its owner emptied a selection.
  mutating func cleared(_ selection: SyncSelection) -> [Action] {
    made.remove(selection)
    times[selection] = nil
    guard waiting.removeValue(forKey: selection) != nil || isSource(selection),
      settings.clears, made.remove(selection.other) != nil
    else { return [] }
    return [.withdraw(selection.other)]
  }

  /// Its owner ended: what was made of it stays.
  mutating func ownerGone(_ selection: SyncSelection) {
    waiting[selection] = nil
    times[selection] = nil
    made.remove(selection)
  }

  /// The helper offers, on this selection, what it took from the other.
  mutating func gave(_ selection: SyncSelection) { made.insert(selection) }

  /// The helper does not offer it any more.
  mutating func lost(_ selection: SyncSelection) { made.remove(selection) }

  /// Whether the selection was changed by others after this change of the other one, or together with it.
  func isOverwritten(_ selection: SyncSelection, since time: ServerTime) -> Bool {
    guard let last = times[selection], time != .current else { return false }
    return last == time || last.isAfter(time)
  }

  /// When `deadlinePassed` has to be called.
  var deadline: Instant? { waiting.values.map(\.due).min() }

  mutating func deadlinePassed(now: Instant) -> [Action] {
    var actions: [Action] = []
    for (selection, change) in waiting where change.due <= now {
      if selection == .primary {
        actions.append(.look(selection))
      } else {
        actions += follow(selection, change, now: now)
      }
    }
    return actions
  }

  /// What a look at the pointer told.
  mutating func looked(
    _ selection: SyncSelection, isHeld: Bool, now: Instant
  ) -> [Action] {
    guard let change = waiting[selection], change.due <= now else { return [] }
    guard isHeld else { return follow(selection, change, now: now) }
    if change.began + Self.patience <= now {
      waiting[selection] = nil
    } else {
      waiting[selection]?.due = now + Self.look
    }
    return []
  }

  private mutating func follow(
    _ selection: SyncSelection, _ change: Change, now: Instant
  ) -> [Action] {
    waiting[selection] = nil
    guard !isOverwritten(selection.other, since: change.time) else { return [] }
    if let until = restsUntil {
      guard until <= now else { return [] }
      restsUntil = nil
    }
    recent.removeAll { $0 + 1_000 <= now }
    guard recent.count < Self.mostInASecond else {
      restsUntil = now + Self.restTime
      recent = []
      return [.rest]
    }
    recent.append(now)
    return [.follow(selection, time: change.time)]
  }
}
