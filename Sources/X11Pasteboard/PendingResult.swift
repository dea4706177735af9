import Foundation
import Synchronization

/// The X server did not take part for longer than anybody wants to wait.
struct ServerDoesNotAnswer: Error {}

/// A result that one place waits for and others may bring: the connection's thread, a cancellation, the clock.
///
/// The first one counts. Whoever waits is never kept by a thread that is stuck in the X server.
final class PendingResult<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value, any Error>)
    case finished(Result<Value, any Error>)
    case over
  }

  private let state = Mutex(State.open)

  /// Whether the result is there, so that further work for it is in vain.
  var isOver: Bool {
    state.withLock { state in
      switch state {
      case .open, .waiting: false
      case .finished, .over: true
      }
    }
  }

  /// Brings the result.
  ///
  /// - Returns: False where there was one before; this one is dropped then.
  @discardableResult
  func finish(_ result: Result<Value, any Error>) -> Bool {
    let (isFirst, continuation): (Bool, CheckedContinuation<Value, any Error>?) =
      state.withLock { state in
        switch state {
        case .open:
          state = .finished(result)
          return (true, nil)
        case .waiting(let continuation):
          state = .over
          return (true, continuation)
        case .finished, .over:
          return (false, nil)
        }
      }
    continuation?.resume(with: result)
    return isFirst
  }

  /// Waits for the result; called once.
  ///
  /// - Parameters:
  ///   - patience: How long; `nil` where the result is sure to come.
  ///   - onCancel: Called when the waiting task is cancelled before there is a result.
  /// - Throws: The result's error, `CancellationError`, or `ServerDoesNotAnswer` when patience is at its end.
  func value(
    within patience: Duration? = nil, onCancel: @escaping @Sendable () -> Void = {}
  ) async throws -> Value {
    // A source, since its cancellation frees it at once; a delayed block would stay until its time comes.
    let timer = patience.map { patience in
      let timer = DispatchSource.makeTimerSource(queue: .global())
      timer.schedule(deadline: .now() + .milliseconds(Int(clamping: patience.milliseconds)))
      timer.setEventHandler { self.finish(.failure(ServerDoesNotAnswer())) }
      timer.activate()
      return timer
    }
    defer { timer?.cancel() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let result: Result<Value, any Error>? = state.withLock { state in
          switch state {
          case .open:
            state = .waiting(continuation)
            return nil
          case .finished(let result):
            state = .over
            return result
          case .waiting, .over:
            return .failure(CancellationError())
          }
        }
        if let result { continuation.resume(with: result) }
      }
    } onCancel: {
      if finish(.failure(CancellationError())) { onCancel() }
    }
  }
}

extension Duration {
  /// Whole milliseconds, at least 1; a duration beyond all use is cut.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    guard seconds < 1 << 40 else { return .max }
    return max(1, max(0, seconds) * 1_000 + attoseconds / 1_000_000_000_000_000)
  }
}
