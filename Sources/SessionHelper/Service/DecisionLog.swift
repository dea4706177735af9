internal import SelectionProtocol

/// The last decisions, for whoever asks what the helper did. Holds numbers and reasons, no content.
struct DecisionLog {
  private struct Entry {
    var note: KeepingNote
    var time: Instant
  }

  private static let length = 20
  private var entries: [Entry] = []
  private(set) var saved = 0
  private(set) var restored = 0
  private(set) var refused = 0
  private(set) var secrets = 0
  private(set) var lost = 0
  private(set) var ruledOut = 0
  /// Targets of saved copies that their owners did not give.
  private(set) var missing = 0
  private(set) var tooLarge = 0

  mutating func add(_ note: KeepingNote, now: Instant) {
    if entries.count == Self.length { entries.removeFirst() }
    entries.append(Entry(note: note, time: now))
    switch note {
    case .saved(_, _, let left, let large):
      saved += 1
      missing += left - large
      tooLarge += large
    case .restored, .tookOver: restored += 1
    case .notSaved: refused += 1
    case .secret: secrets += 1
    case .lost: lost += 1
    case .ruledOut: ruledOut += 1
    case .ignored, .paused, .cleared, .replaced: break
    }
  }

  func lines(now: Instant) -> [String] {
    entries.map { entry in
      let seconds = (now.milliseconds - entry.time.milliseconds) / 1_000
      return "\(seconds) s ago: \(Self.words(for: entry.note))"
    }
  }

  static func words(for note: KeepingNote) -> String {
    switch note {
    case .secret: "a copy marked as a secret was left alone"
    case .ignored: "a copy was ignored as asked"
    case .ruledOut: "a copy was ignored by a rule"
    case .paused: "paused"
    case .cleared: "the clipboard was cleared: nothing is kept"
    case .saved(let targets, let bytes, let left, let tooLarge):
      "saved \(targets) types, \(bytes) bytes"
        + (left > tooLarge ? "; \(left - tooLarge) types could not be had" : "")
        + (tooLarge > 0 ? "; \(tooLarge) types were too large" : "")
    case .notSaved(let reason): "a save was refused: \(reason.rawValue)"
    case .restored(let targets, let bytes):
      "restored \(targets) types, \(bytes) bytes, after their program ended"
    case .lost: "a program ended of whose copy nothing had been read"
    case .tookOver(let targets, let bytes): "took over \(targets) types, \(bytes) bytes"
    case .replaced: "what was kept was replaced by a new copy"
    }
  }
}
