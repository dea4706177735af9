import SelectionProtocol

/// Which events this client selects on which window, counted by reason.
///
/// `XSelectInput` replaces this client's whole mask on a window, so every reason to watch one adds to what is there.
struct WindowMasks {
  private struct Entry {
    var base = 0
    var counts: [Int: Int] = [:]

    var mask: Int { counts.keys.reduce(base, |) }
  }

  private var entries: [Window: Entry] = [:]

  /// Windows of our own keep the mask they were created with.
  mutating func created(_ window: Window, mask: Int) {
    entries[window, default: Entry()].base = mask
  }

  /// Forgets a window that does not exist any more.
  mutating func destroyed(_ window: Window) { entries[window] = nil }

  /// One more reason for `mask`; returns the whole mask to select where it changed.
  mutating func add(_ mask: Int, to window: Window) -> Int? {
    change(window) { $0.counts[mask, default: 0] += 1 }
  }

  /// One reason less.
  mutating func remove(_ mask: Int, from window: Window) -> Int? {
    guard entries[window]?.counts[mask] != nil else { return nil }
    return change(window) {
      $0.counts[mask, default: 1] -= 1
      if $0.counts[mask] == 0 { $0.counts[mask] = nil }
    }
  }

  /// Windows that something is selected on.
  var count: Int { entries.count }

  private mutating func change(_ window: Window, _ body: (inout Entry) -> Void) -> Int? {
    var entry = entries[window] ?? Entry()
    let before = entry.mask
    body(&entry)
    entries[window] = entry.base == 0 && entry.counts.isEmpty ? nil : entry
    return entry.mask == before ? nil : entry.mask
  }
}
