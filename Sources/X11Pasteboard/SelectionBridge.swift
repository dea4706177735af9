import Foundation
import SelectionProtocol
import Synchronization
import XlibTransport

/// One display connection with the thread that runs it.
///
/// The thread does nothing but serve the connection: exporters, importers and file work of the items run elsewhere
/// and come back through the connection's mailbox. It ends with the bridge, or with the connection.
final class SelectionBridge: Sendable {
  private let mailbox: Mailbox
  private let isStopped: Stop
  let display: String

  /// Set once, read by the thread: whether it is to end.
  private final class Stop: Sendable {
    private let flag = Atomic(false)
    func stop() { flag.store(true, ordering: .releasing) }
    var isSet: Bool { flag.load(ordering: .acquiring) }
  }

  /// Connects, on a new thread.
  ///
  /// - Throws: `DisplayError`.
  static func connect(to display: String?) async throws -> SelectionBridge {
    let stop = Stop()
    let (mailbox, name) = try await withCheckedThrowingContinuation {
      (continuation: CheckedContinuation<(Mailbox, String), any Error>) in
      let thread = Thread {
        do throws(DisplayError) {
          let connection = try SelectionConnection(display: display)
          continuation.resume(returning: (connection.mailbox, connection.displayName))
          serve(connection, until: stop)
        } catch {
          continuation.resume(throwing: error)
        }
      }
      thread.name = "X11Pasteboard"
      thread.start()
    }
    return SelectionBridge(mailbox: mailbox, stop: stop, display: name)
  }

  private static func serve(_ connection: SelectionConnection, until stop: Stop) {
    // The loss of the connection is told to everybody who waits for something of it; here it only ends the loop.
    while !stop.isSet {
      do { try connection.turn() } catch { return }
    }
  }

  private init(mailbox: Mailbox, stop: Stop, display: String) {
    self.mailbox = mailbox
    isStopped = stop
    self.display = display
  }

  deinit {
    isStopped.stop()
    mailbox.wake()
  }

  /// Runs something on the connection's thread.
  ///
  /// - Throws: `DisplayError` with `connectionLost`.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (SelectionConnection) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let isAccepted = mailbox.post { connection in
        guard !connection.isLost else {
          continuation.resume(
            throwing: DisplayError(.connectionLost, display: connection.displayName))
          return
        }
        continuation.resume(with: Result { try body(connection) })
      }
      if !isAccepted {
        continuation.resume(throwing: DisplayError(.connectionLost, display: display))
      }
    }
  }

  /// Runs something on the connection's thread, sooner or later, if the connection lives.
  @discardableResult
  func post(_ body: @escaping @Sendable (SelectionConnection) -> Void) -> Bool {
    mailbox.post(body)
  }

  var isAlive: Bool { mailbox.post { _ in } }
}

/// The bridges of this process, one a display, shared while anybody uses them.
enum Bridges {
  private struct Weak {
    weak var bridge: SelectionBridge?
  }

  private static let known = Mutex<[String: Weak]>([:])

  static func bridge(to display: String?) async throws -> SelectionBridge {
    let name = display ?? ProcessInfo.processInfo.environment["DISPLAY"] ?? ""
    if let bridge = known.withLock({ $0[name]?.bridge }), bridge.isAlive { return bridge }
    let bridge = try await SelectionBridge.connect(to: display)
    return known.withLock { known in
      // Somebody may have connected in the meantime; one of the two is enough.
      if let other = known[name]?.bridge, other.isAlive { return other }
      known[name] = Weak(bridge: bridge)
      return bridge
    }
  }
}
