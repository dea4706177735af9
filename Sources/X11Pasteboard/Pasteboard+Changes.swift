import Synchronization
import XlibTransport

extension Pasteboard {
  /// The owner's changes, from now on; nothing is fetched. Ends with the connection.
  ///
  /// A reader that is slow misses intermediate changes, never the last one. The stream keeps the connection: who
  /// watches wants to go on watching. It ends when it is dropped, or its reader's task is cancelled.
  public var changes: AsyncStream<PasteboardChange> { changes(keeping: 32) }

  /// - Parameter count: How many changes wait for a slow reader.
  func changes(keeping count: Int) -> AsyncStream<PasteboardChange> {
    let name = selection.name
    let bridge = bridge
    return AsyncStream(bufferingPolicy: .bufferingNewest(count)) { continuation in
      let watcher = Watcher()
      // Set before the watch begins, so that a connection that is lost at once finds it.
      continuation.onTermination = { _ in
        guard let token = watcher.stop() else { return }
        bridge.post { $0.unwatch(token) }
      }
      let isAccepted = bridge.post { connection in
        guard !connection.isLost, watcher.isWanted else {
          continuation.finish()
          return
        }
        let token = connection.watch(
          connection.atom(name), ended: { continuation.finish() },
          { [unowned connection] notice in
            continuation.yield(PasteboardChange(notice, connection))
          })
        if !watcher.started(token) { connection.unwatch(token) }
      }
      if !isAccepted { continuation.finish() }
    }
  }
}

/// A watch that may be ended before it has begun.
private final class Watcher: Sendable {
  private enum State {
    case new
    case running(WatchToken)
    case stopped
  }

  private let state = Mutex(State.new)

  var isWanted: Bool {
    state.withLock { state in
      if case .stopped = state { false } else { true }
    }
  }

  /// - Returns: False where nobody wants it any more.
  func started(_ token: WatchToken) -> Bool {
    state.withLock { state in
      guard case .new = state else { return false }
      state = .running(token)
      return true
    }
  }

  func stop() -> WatchToken? {
    state.withLock { state in
      defer { state = .stopped }
      if case .running(let token) = state { return token }
      return nil
    }
  }
}
