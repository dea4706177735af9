import SelectionProtocol

/// Which events this client selects on which window, counted by reason.
///
/// `XSelectInput` replaces this client's whole mask on a window, so every reason to watch one adds to what is there.
///
/// A window that is gone takes its reasons along; its number may be another client's window a moment later. So the
/// one who added a reason takes it back only if it did not hear of the window's end.
struct WindowMasks {
  private struct Reason {
    let mask: Int
    var count: Int
  }

  private struct Entry {
    var base = 0
    /// There are only a few different masks.
    var reasons: [Reason] = []
    /// Number of the request that first selected something: older errors concern an earlier window.
    var serial: UInt64 = 0

    var mask: Int { reasons.reduce(base) { $0 | $1.mask } }
  }

  private var entries = WindowTable<Entry>()

  /// Windows of our own keep the mask they were created with.
  mutating func created(_ window: Window, mask: Int) {
    var entry = entries[window] ?? Entry()
    entry.base = mask
    entries[window] = entry
  }

  /// Forgets a window that does not exist any more.
  mutating func destroyed(_ window: Window) { entries[window] = nil }

  /// One more reason for `mask`; returns the whole mask to select where it changed.
  ///
  /// - Parameter serial: Number of the request that will select it.
  mutating func add(_ mask: Int, to window: Window, serial: UInt64) -> Int? {
    if entries[window] == nil { entries[window] = Entry(serial: serial) }
    return change(window) { entry in
      if let index = entry.reasons.firstIndex(where: { $0.mask == mask }) {
        entry.reasons[index].count += 1
      } else {
        entry.reasons.append(Reason(mask: mask, count: 1))
      }
    }
  }

  /// Whether the window in mind was asked for before the request that found it missing.
  func isMissing(_ window: Window, serial: UInt64) -> Bool {
    entries[window].map { $0.serial <= serial } ?? false
  }

  /// One reason less.
  mutating func remove(_ mask: Int, from window: Window) -> Int? {
    guard let index = entries[window]?.reasons.firstIndex(where: { $0.mask == mask }) else {
      return nil
    }
    return change(window) {
      $0.reasons[index].count -= 1
      if $0.reasons[index].count == 0 { $0.reasons.remove(at: index) }
    }
  }

  /// Windows that something is selected on.
  var count: Int { entries.count }

  private mutating func change(_ window: Window, _ body: (inout Entry) -> Void) -> Int? {
    var entry = entries[window] ?? Entry()
    let before = entry.mask
    body(&entry)
    entries[window] = entry.base == 0 && entry.reasons.isEmpty ? nil : entry
    return entry.mask == before ? nil : entry.mask
  }
}
