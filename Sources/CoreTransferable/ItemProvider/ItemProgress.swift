import Dispatch
import Foundation
import Synchronization

/// The progress of a load: as a load handler's own tells until there are bytes to count. Passes cancellation on.
final class ItemProgress: Sendable {
  private struct State {
    var followed: [Progress] = []
    /// Looks at the handler's progress.
    var timer: (any DispatchSourceTimer)?
    /// Whether the handler's progress does not count any more.
    var isCounting = false
  }

  /// What the caller of a load gets.
  let progress = Progress(totalUnitCount: -1)
  private let state = Mutex(State())

  deinit { stopFollowing() }

  /// Tells a handler's own progress, and cancels it along with this one.
  ///
  /// It is looked at from time to time. A child would be simpler, but Foundation on Linux goes on counting one after its
  /// parent was finished: that of a handler that answers first and counts then.
  func follow(_ handlerProgress: Progress?) {
    guard let handlerProgress else { return }
    state.withLock { state in
      state.followed.append(handlerProgress)
      guard !state.isCounting, state.timer == nil else { return }
      let timer = DispatchSource.makeTimerSource(queue: Self.queue)
      timer.schedule(
        deadline: .now(), repeating: .milliseconds(50), leeway: .milliseconds(10))
      timer.setEventHandler { [weak self] in self?.look(at: handlerProgress) }
      timer.activate()
      state.timer = timer
    }
    if progress.isCancelled { handlerProgress.cancel() }
  }

  private static let queue = DispatchQueue(label: "item progress")

  private func look(at handlerProgress: Progress) {
    let (done, total) = (handlerProgress.completedUnitCount, handlerProgress.totalUnitCount)
    state.withLock { state in
      // Finished is what the load is, not what the handler says.
      guard !state.isCounting, total > 0, (0..<total).contains(done) else { return }
      progress.totalUnitCount = total
      progress.completedUnitCount = done
    }
  }

  /// The handler answered, in one way or the other.
  func stopFollowing() {
    state.withLock { state in
      state.isCounting = true
      state.timer?.cancel()
      state.timer = nil
    }
  }

  func cancelFollowed() {
    for progress in state.withLock({ $0.followed }) { progress.cancel() }
  }

  func count(done: Int64, total: Int64) {
    stopFollowing()
    progress.totalUnitCount = total
    progress.completedUnitCount = done
  }

  func finish(bytes: Int64) {
    // Nothing to count would otherwise never look finished.
    count(done: max(1, bytes), total: max(1, bytes))
  }
}
