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
    /// The cheap targets are read; a picture follows after a longer pause.
    case waitingForPicture(Instant)
    case runningPicture(until: Instant)
    case done
  }

  enum Read: Equatable {
    /// `stored` counts what takes memory: not the bytes that another target of the copy has as well.
    case running(isEarly: Bool, bytes: Int, stored: Int)
    case whole(bytes: Int, stored: Int)
    case failed(isEarly: Bool)
    /// More than may be taken.
    case tooLarge(isEarly: Bool)

    var byteCount: Int {
      switch self {
      case .running(_, let bytes, _), .whole(let bytes, _): bytes
      case .failed, .tooLarge: 0
      }
    }

    var stored: Int {
      switch self {
      case .running(_, _, let stored), .whole(_, let stored): stored
      case .failed, .tooLarge: 0
      }
    }
  }

  enum Sizes: Equatable {
    case unasked
    case asked
    case known([String: Int])
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
  let choice: KeepingChoice
  /// When the copy was made, by our own clock.
  let began: Instant
  /// When the owner took the clipboard, by the server's clock; zero where that is not known.
  let time: ServerTime
  var listing = Listing.unasked
  var secrecy = Secrecy.unknown
  /// Whether the user wants the copies of its program although they are marked.
  var ignoresMarkers = false
  var sizes = Sizes.unasked
  /// Hints, in lower case, that were read and said that the copy may be kept.
  var openHints: Set<String> = []
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

  /// Whether something is read without a wish to save.
  var isReadingEarly: Bool {
    switch early {
    case .running, .runningPicture: true
    case .off, .waiting, .waitingForPicture, .done: false
    }
  }

  /// What the owner says of a target's size, where it does.
  func announcedSize(of target: String) -> Int? {
    if case .known(let sizes) = sizes { sizes[target] } else { nil }
  }

  /// How much memory it takes.
  var stored: Int { reads.values.reduce(0) { $0 + $1.stored } }

  /// The most bytes that another target can have without taking memory of its own.
  var largestWhole: Int {
    reads.values.reduce(0) { if case .whole(let bytes, _) = $1 { max($0, bytes) } else { $0 } }
  }

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

  /// The first hint whose value is not known yet.
  var unreadHint: String? {
    KeepingRules.hints(in: names + (save?.asked ?? [])).first {
      !openHints.contains($0.lowercased())
    }
  }

  /// What a save wants, in order.
  var wanted: [String] { KeepingRules.keepable(save?.asked ?? names, choice) }

  /// What is there whole, in order.
  var whole: [String] { KeepingRules.keepable(names + wanted, choice).filter(isWhole) }

  /// How many of these were too large to be kept.
  func tooLarge(of targets: [String]) -> Int {
    targets.count { if case .tooLarge = reads[$0] { true } else { false } }
  }

  func bytes(of targets: [String]) -> Int {
    targets.reduce(0) { $0 + (reads[$1]?.byteCount ?? 0) }
  }
}
