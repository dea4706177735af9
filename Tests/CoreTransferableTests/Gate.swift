import Synchronization

/// Lets tasks wait for a moment in a test. It stays open once opened, and ignores cancellation.
final class Gate: Sendable {
  private enum State {
    case closed([CheckedContinuation<Void, Never>])
    case open
  }

  private let state = Mutex(State.closed([]))

  func open() {
    let waiting: [CheckedContinuation<Void, Never>] = state.withLock { state in
      guard case .closed(let waiting) = state else { return [] }
      state = .open
      return waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  func passage() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        guard case .closed(let waiting) = state else { return true }
        state = .closed(waiting + [continuation])
        return false
      }
      if isOpen { continuation.resume() }
    }
  }
}
