import Dispatch
import Foundation
import Synchronization

/// Runs the closures of transferable types on threads of their own.
///
/// A closure may block for ever. On Swift's shared threads two such closures would stop every task of
/// a machine with two cores, and Dispatch's pool, which grows only so far, would be used up by a
/// hundred receivers: no deadline could then be kept.
package final class TransferExecutor: TaskExecutor {
  package static let shared = TransferExecutor()

  private struct State {
    var jobs: [UnownedJob] = []
    var next = 0
    var idle = 0
    var threads = 0
  }

  private let state = Mutex(State())
  private let work = DispatchSemaphore(value: 0)

  private static let greatestThreadCount = 1024
  private static let idleSeconds = 5.0
  private static let stackBytes = 8 << 20

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let needsThread = state.withLock { state in
      state.jobs.append(job)
      let waiting = state.jobs.count - state.next
      guard waiting > state.idle, state.threads < Self.greatestThreadCount else { return false }
      state.threads += 1
      // Counted as idle at once, so that it is not started twice for the same job.
      state.idle += 1
      return true
    }
    work.signal()
    if needsThread { startThread() }
  }

  private func startThread() {
    let thread = Thread { [self] in run() }
    thread.name = "transfer"
    thread.stackSize = Self.stackBytes
    thread.start()
  }

  private func run() {
    let executor = asUnownedTaskExecutor()
    while let job = nextJob() {
      job.runSynchronously(on: executor)
      state.withLock { $0.idle += 1 }
    }
  }

  /// The next job, or `nil` once there has been none for a while and the thread is to end.
  private func nextJob() -> UnownedJob? {
    while true {
      let result = work.wait(timeout: .now() + Self.idleSeconds)
      let (job, ends): (UnownedJob?, Bool) = state.withLock { state in
        if state.next < state.jobs.count {
          let job = state.jobs[state.next]
          state.next += 1
          if state.next == state.jobs.count || state.next == 256 {
            state.jobs.removeFirst(state.next)
            state.next = 0
          }
          state.idle -= 1
          return (job, false)
        }
        guard result == .timedOut else { return (nil, false) }
        state.idle -= 1
        state.threads -= 1
        return (nil, true)
      }
      if let job { return job }
      if ends { return nil }
    }
  }
}
