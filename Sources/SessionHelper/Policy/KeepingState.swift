public import SelectionProtocol

/// Decides what of the clipboard is read, kept and offered again, and when.
///
/// It knows neither bytes nor a display: it takes events and times, and asks for what has to be done by
/// `KeepingAction`.
///
/// Invariants
///  1. Nothing is read before the owner's list of targets was searched for markers; of a secret only the hint's
///     value is ever asked for, and nothing is kept.
///  2. The clipboard is taken on three occasions only: a wish to save was fulfilled, the owner is gone without
///     having cleared, or the user demands it (also by choosing from the history, or by letting the
///     clipboard follow PRIMARY). Never at the start, never from an owner that lives and did not ask.
///  3. After a deliberate clear nothing comes back.
///  4. A new copy ends everything that concerns the one before: reads, wishes, what was kept.
///  5. Every wish to save gets exactly one answer: yes only after each transfer is over and the clipboard is ours,
///     and none later than `KeepingLimits.save` after the wish.
///  6. Without a wish to save only cheap targets are read, one after the other, each at most once a copy.
///  7. Bytes are counted while they come; what is too large is dropped alone, the rest of the copy is kept.
///
/// ```
///  newOwner ─▶ waiting ─▶ list ─▶ (hint) ─▶ early reads ─▶ settled
///     ▲                     ▲                                 │ wish to save
///     │                     └── wish to save ─▶ all reads ◀───┘
///     │ newOwner                                 │ over, or too late
///  held ◀───────── acquire ◀─────────────────────┤
///     │ cleared                                  │ owner gone, grace over
///     ▼                                          ▼
///   empty ◀──────────────────────── cleared ── any
/// ```
public struct KeepingState: Sendable {
  /// What the helper itself offers on the clipboard.
  public struct Held: Hashable, Sendable {
    public var copy: CopyID
    public var targets: Int
    public var bytes: Int
  }

  /// How the present copy stands.
  public enum Standing: Hashable, Sendable {
    case empty
    /// The helper offers it: it outlives its program.
    case held(targets: Int, bytes: Int)
    /// Its program lives; this much of it would outlive it, counting the forms of a text once.
    case covered(things: Int, bytes: Int, offered: Int)
    /// It is being looked at.
    case pending
    case notKept(Refusal)
  }

  public var limits: KeepingLimits
  public var choice: KeepingChoice
  var copy: CopyState?
  public private(set) var held: Held?
  public private(set) var isPaused = false
  private var pausedUntil: Instant?
  private var ignoreUntil: Instant?
  private var lastChange: Instant?
  private var lastNumber = 0

  public init(
    limits: KeepingLimits = KeepingLimits(), choice: KeepingChoice = KeepingChoice()
  ) {
    self.limits = limits
    self.choice = choice
  }

  // MARK: Changes of the owner

  /// Another client owns the clipboard, at the start or from now on.
  ///
  /// - Parameter time: When it took it, by the server's clock; zero where that is not known.
  public mutating func newOwner(
    _ owner: Window, time: ServerTime = .current, now: Instant
  ) -> [KeepingAction] {
    let actions = end(.replaced) + drop(note: .replaced)
    let isCalm = lastChange.map { $0 + limits.calm <= now } ?? true
    lastChange = now
    lastNumber += 1
    var new = CopyState(
      id: CopyID(rawValue: lastNumber), owner: owner, choice: choice, began: now, time: time,
      early: limits.readsEarly
        ? .waiting(now + (isCalm ? limits.pause : limits.stormPause)) : .off)
    if isPaused {
      new.shunned = .paused
    } else if let until = ignoreUntil {
      ignoreUntil = nil
      if now < until { new.shunned = .ignored }
    }
    if new.shunned != nil { new.early = .off }
    copy = new
    return actions + (new.shunned == .ignored ? [.note(.ignored)] : [])
  }

  /// Somebody emptied the clipboard on purpose.
  public mutating func cleared() -> [KeepingAction] {
    guard copy != nil || held != nil else { return [] }
    return end(.nothingThere) + drop(note: nil) + [.note(.cleared)]
  }

  /// The owner's window or connection went away, without a word.
  public mutating func ownerGone(now: Instant) -> [KeepingAction] {
    guard copy != nil, copy?.isGone == false else { return [] }
    copy?.restoreAt = now + limits.grace
    copy?.restoreAtLast = now + limits.grace + limits.lastReads
    return []
  }

  /// Ends what concerns the present copy.
  mutating func end(_ reason: Refusal) -> [KeepingAction] {
    guard let ended = copy else { return [] }
    let actions = ended.runningReads > 0 ? [KeepingAction.cancelReads(ended.id)] : []
    let answers = refuseSave(reason)
    copy = nil
    return actions + answers + [.forget(ended.id)]
  }

  private mutating func drop(note: KeepingNote?) -> [KeepingAction] {
    guard held != nil else { return [] }
    held = nil
    return note.map { [.note($0)] } ?? []
  }

  /// Answers every wish to save with no.
  mutating func refuseSave(_ reason: Refusal) -> [KeepingAction] {
    guard let save = copy?.save else { return [] }
    copy?.save = nil
    return save.wishes.map { .answer($0, isKept: false) } + [.note(.notSaved(reason))]
  }

  // MARK: Wishes

  /// A client asks that the present copy be kept.
  ///
  /// - Parameter targets: What it wants kept; `nil` for everything.
  public mutating func saveRequested(
    _ wish: SaveID, targets: [String]?, now: Instant
  ) -> [KeepingAction] {
    func refuse(_ reason: Refusal) -> [KeepingAction] {
      [.answer(wish, isKept: false), .note(.notSaved(reason))]
    }
    guard var present = copy else {
      return held == nil ? refuse(.nothingThere) : [.answer(wish, isKept: true)]
    }
    if let reason = present.shunned { return refuse(reason) }
    guard present.secrecy != .secret else { return refuse(.secret) }
    guard !present.isGone, present.acquisition == nil else { return refuse(.nothingThere) }
    guard present.saves < limits.savesPerCopy else { return refuse(.tooOften) }
    present.saves += 1
    if present.save != nil {
      present.save?.wishes.append(wish)
    } else {
      present.save = .init(wishes: [wish], asked: targets, deadline: now + limits.save)
      // What an early read left out was too large for it, or came at a bad time.
      present.reads = present.reads.filter {
        switch $0.value {
        case .failed, .tooLarge: false
        case .running, .whole: true
        }
      }
      // Who was busy when it copied may well answer when it asks for something.
      if present.listing == .silent || present.listing == .refused { present.listing = .unasked }
      // A list may name a marker that the owner does not advertise.
      switch present.ignoresMarkers
        ? .open : KeepingRules.marking(of: targets ?? [], present.choice)
      {
      case .open: break
      case .secret: present.secrecy = .secret
      case .hinted:
        if present.secrecy == .open, present.unreadHint != nil { present.secrecy = .unknown }
      }
    }
    copy = present
    return advance(now: now)
  }

  /// The user wants the helper's copy in place of an owner that does not answer.
  ///
  /// - Returns: What follows, or why it cannot be.
  public mutating func takeOver(now: Instant) -> (actions: [KeepingAction], refusal: Refusal?) {
    guard let present = copy else { return ([], held == nil ? .nothingThere : nil) }
    if let reason = present.shunned { return ([], reason) }
    guard present.secrecy != .secret else { return ([], .secret) }
    let targets = present.whole
    guard !targets.isEmpty, present.acquisition == nil else { return ([], .nothingKept) }
    copy?.acquisition = .takeOver
    let action = KeepingAction.acquire(
      present.id, targets: targets, offered: present.names, fromOwner: present.owner,
      time: present.timeToFollow)
    return (cancelRunningReads() + [action], nil)
  }

  /// The user chose something else for the clipboard, and the helper offers it.
  public mutating func adopted(targets: Int, bytes: Int) -> [KeepingAction] {
    let actions = end(.replaced)
    lastNumber += 1
    held = Held(copy: CopyID(rawValue: lastNumber), targets: targets, bytes: bytes)
    return actions
  }

  /// From now on nothing is read or kept; what the helper offers already stays.
  ///
  /// - Parameter until: When that ends by itself; `nil` for never.
  public mutating func pause(until: Instant?, now: Instant) -> [KeepingAction] {
    isPaused = true
    pausedUntil = until
    guard let present = copy, present.shunned == nil else { return [.note(.paused)] }
    let actions = cancelRunningReads() + refuseSave(.paused) + [.forget(present.id)]
    copy?.reads = [:]
    copy?.early = .off
    copy?.shunned = .paused
    return actions + [.note(.paused)]
  }

  /// Ends a pause: the next copy is looked at again.
  public mutating func resume() {
    isPaused = false
    pausedUntil = nil
  }

  /// The next copy is neither read nor kept.
  public mutating func ignoreNext(now: Instant) { ignoreUntil = now + limits.ignoreNext }

  // MARK: Standing

  /// How the present copy stands.
  public var standing: Standing {
    guard let present = copy else {
      return held.map { .held(targets: $0.targets, bytes: $0.bytes) } ?? .empty
    }
    if let reason = present.shunned { return .notKept(reason) }
    if present.secrecy == .secret { return .notKept(.secret) }
    if present.save != nil || present.isGone || present.acquisition != nil { return .pending }
    switch present.early {
    case .waiting, .running, .waitingForPicture, .runningPicture: return .pending
    case .off where present.reads.isEmpty: return .notKept(.notReadEarly)
    case .off, .done:
      let whole = present.whole
      if whole.isEmpty {
        if present.listing == .silent { return .notKept(.ownerSilent) }
        let isTooLarge = present.tooLarge(of: present.wanted) > 0
        guard present.saves > 0 else {
          return .notKept(isTooLarge ? .tooLargeEarly : .notReadEarly)
        }
        // Its program did ask.
        return .notKept(isTooLarge ? .tooLarge : .nothingKept)
      }
      return .covered(
        things: KeepingRules.things(in: whole, present.choice), bytes: present.bytes(of: whole),
        offered: KeepingRules.things(in: present.names, present.choice))
    }
  }

  /// Whether a pause ends, or the next copy is ignored.
  public func isIgnoringNext(now: Instant) -> Bool { ignoreUntil.map { now < $0 } ?? false }

  /// When `deadlinePassed` has to be called.
  public var deadline: Instant? {
    guard let present = copy else { return pausedUntil }
    var early: Instant?
    switch present.early {
    case .waiting(let instant), .running(until: let instant), .waitingForPicture(let instant),
      .runningPicture(until: let instant):
      early = instant
    case .off, .done: break
    }
    if present.isGone { early = nil }
    let restore =
      present.acquisition == nil
      ? (present.runningReads > 0 ? present.restoreAtLast : present.restoreAt) : nil
    return [early, present.save?.deadline, restore, pausedUntil].compactMap(\.self).min()
  }

  /// Lets pass what is due.
  public mutating func deadlinePassed(now: Instant) -> [KeepingAction] {
    if let until = pausedUntil, until <= now { resume() }
    var actions: [KeepingAction] = []
    if let save = copy?.save, save.deadline <= now {
      actions += cancelRunningReads()
      actions += finishSave()
    }
    switch copy?.early {
    case .waiting(let instant) where instant <= now && copy?.isGone == false:
      copy?.early = .running(until: now + limits.early)
    case .waitingForPicture(let instant) where instant <= now && copy?.isGone == false:
      copy?.early = .runningPicture(until: now + limits.early)
    case .running(let instant) where instant <= now,
      .runningPicture(let instant) where instant <= now:
      if copy?.save == nil { actions += cancelRunningReads() }
      actions += settle()
    default: break
    }
    if let last = copy?.restoreAtLast, last <= now { actions += cancelRunningReads() }
    return actions + advance(now: now)
  }

  mutating func hold(_ held: Held) { self.held = held }
}
