import Dispatch
import Foundation
import Synchronization

/// The time a caller gave ran out.
struct DeadlineExceeded: Error {}

/// Runs a closure that may ignore cancellation, and waits for it no longer than until the deadline or
/// until the calling task is cancelled.
///
/// The closure is told of either by cancellation of its task. If it goes on all the same, what it
/// returns later is dropped; whatever it holds lives until then.
/// - Throws: What the closure throws, ``DeadlineExceeded``, or `CancellationError`.
func waiting<Result: Sendable>(
  until deadline: ContinuousClock.Instant?,
  for operation: @escaping @Sendable @concurrent () async throws -> Result
) async throws -> Result {
  try Task.checkCancellation()
  let race = Race<Result>()
  let task = Task(executorPreference: TransferExecutor.shared) {
    do {
      race.finish(.success(try await operation()))
    } catch {
      race.finish(.failure(error))
    }
  }
  let timer = deadline.map { deadline in
    DeadlineTimer.start(deadline) {
      race.finish(.failure(DeadlineExceeded()))
      task.cancel()
    }
  }
  defer { timer?.cancel() }
  return try await withTaskCancellationHandler {
    try await withCheckedThrowingContinuation { race.resume($0) }
  } onCancel: {
    race.finish(.failure(CancellationError()))
    task.cancel()
  }
}

/// The first result wins and is handed over once.
private final class Race<Success: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Success, any Error>)
    case finished(Result<Success, any Error>)
    case handedOver
  }

  private let state = Mutex(State.open)

  func resume(_ continuation: CheckedContinuation<Success, any Error>) {
    let result: Result<Success, any Error>? = state.withLock { state in
      switch state {
      case .open:
        state = .waiting(continuation)
        return nil
      case .finished(let result):
        state = .handedOver
        return result
      case .waiting, .handedOver:
        return nil
      }
    }
    if let result { continuation.resume(with: result) }
  }

  func finish(_ result: Result<Success, any Error>) {
    let continuation: CheckedContinuation<Success, any Error>? = state.withLock { state in
      switch state {
      case .open:
        state = .finished(result)
        return nil
      case .waiting(let continuation):
        state = .handedOver
        return continuation
      case .finished, .handedOver:
        return nil
      }
    }
    continuation?.resume(with: result)
  }
}

/// A timer on a thread that nothing of a transferable type can block.
private enum DeadlineTimer {
  private static let queue = DispatchQueue(label: "transfer deadlines")

  static func start(
    _ deadline: ContinuousClock.Instant, _ action: @escaping @Sendable () -> Void
  ) -> any DispatchSourceTimer {
    let (seconds, attoseconds) = max(.zero, deadline - .now).components
    // A far deadline must not overflow Dispatch's nanoseconds.
    let capped = min(seconds, 1 << 30)
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now() + .seconds(Int(capped))
        + .nanoseconds(Int(attoseconds / 1_000_000_000)))
    timer.setEventHandler(handler: action)
    timer.activate()
    return timer
  }
}
