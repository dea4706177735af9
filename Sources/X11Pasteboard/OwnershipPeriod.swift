import Synchronization

/// From the copy until the selection is owned no more. The connection tells it; whoever waits asks it.
final class OwnershipPeriod: Sendable {
  private struct State {
    var end: Ownership.End?
    var isBeingCleared = false
    var waiters: [Int: PendingResult<Ownership.End>] = [:]
    var nextWaiter = 0
  }

  private let state = Mutex(State())

  var end: Ownership.End? { state.withLock { $0.end } }

  /// Whoever gives the selection up says so before.
  func willBeCleared() { state.withLock { $0.isBeingCleared = true } }

  func ended(_ reason: Ownership.End) {
    let (end, waiters) = state.withLock { state in
      defer { state.waiters = [:] }
      let end = state.end ?? (state.isBeingCleared && reason == .replaced ? .cleared : reason)
      state.end = end
      return (end, state.waiters)
    }
    for waiter in waiters.values { waiter.finish(.success(end)) }
  }

  /// - Throws: `CancellationError`.
  func untilEnd() async throws -> Ownership.End {
    let result = PendingResult<Ownership.End>()
    let number: Int? = state.withLock { state in
      if let end = state.end {
        result.finish(.success(end))
        return nil
      }
      state.nextWaiter += 1
      state.waiters[state.nextWaiter] = result
      return state.nextWaiter
    }
    defer { if let number { state.withLock { _ = $0.waiters.removeValue(forKey: number) } } }
    return try await result.value()
  }
}
