internal import SelectionProtocol

/// One copy of a living (or just ended) owner: what it offers and what of it was read so far.
struct CopyState: Sendable {
  enum Listing: Equatable {
    case unasked
    case asked
    case known([String])
    /// The owner says no to TARGETS, as some do.
    case refused
    /// The owner says nothing at all.
    case silent
  }

  enum Secrecy: Equatable {
    case unknown
    case asked
    case open
    case secret
  }

  enum Early: Equatable {
    case off
    case waiting(Instant)
    case running(until: Instant)
    case done
  }

  enum Read: Equatable {
    case running(isEarly: Bool, bytes: Int)
    case whole(bytes: Int)
    /// Not to be had, or more than may be taken.
    case failed(isEarly: Bool)

    var byteCount: Int {
      switch self {
      case .running(_, let bytes), .whole(let bytes): bytes
      case .failed: 0
      }
    }
  }

  struct Save: Equatable {
    var wishes: [SaveID]
    /// The list that came with the wish; `nil` where everything is wanted.
    var asked: [String]?
    var deadline: Instant
  }

  enum Acquisition: Equatable {
    case save
    case restore
    case takeOver
  }

  let id: CopyID
  let owner: Window
  /// When the owner took the clipboard, by the server's clock; zero where that is not known.
  let time: ServerTime
  var listing = Listing.unasked
  var secrecy = Secrecy.unknown
  /// Whether the hint was read and said "public".
  var hintIsPublic = false
  /// Why nothing of this copy is to be touched.
  var shunned: Refusal?
  var early: Early
  var reads: [String: Read] = [:]
  var save: Save?
  var saves = 0
  /// When the content of an owner that is gone is to be restored.
  var restoreAt: Instant?
  /// When that happens although reads still run.
  var restoreAtLast: Instant?
  var acquisition: Acquisition?

  /// The first time after the owner's own: some owners take no notice of losing to an equal one.
  var timeToFollow: ServerTime {
    time == .current ? .current : ServerTime(max(1, time.rawValue &+ 1))
  }

  var isGone: Bool { restoreAt != nil }

  var byteCount: Int { reads.values.reduce(0) { $0 + $1.byteCount } }

  var runningReads: Int {
    reads.values.count { if case .running = $0 { true } else { false } }
  }

  func isWhole(_ target: String) -> Bool {
    if case .whole = reads[target] { true } else { false }
  }

  /// What the owner offers, or what is known of it from a wish to save.
  var names: [String] {
    if case .known(let names) = listing { return names }
    return save?.asked ?? []
  }

  /// What a save wants, in order.
  var wanted: [String] { KeepingRules.keepable(save?.asked ?? names) }

  /// What is there whole, in order.
  var whole: [String] { KeepingRules.keepable(names + wanted).filter(isWhole) }

  func bytes(of targets: [String]) -> Int {
    targets.reduce(0) { $0 + (reads[$1]?.byteCount ?? 0) }
  }
}
