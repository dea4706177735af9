import Foundation
import SelectionProtocol
import Synchronization
import XlibTransport

/// One display connection with the thread that runs it.
///
/// The thread does nothing but serve the connection. Exporters, importers and the encoding of long texts run elsewhere
/// and come back through the connection's mailbox; only the writing of received bytes to a private file happens here,
/// since that is what slows a faster sender down.
///
/// Invariants
///  1. The thread and the connection end with the bridge, with the loss of the connection, or with the process.
///  2. Nothing that the connection keeps (offers, watches, conversions) keeps the bridge.
///  3. Whoever waits for the thread stops waiting on cancellation, on loss, and when the server is stuck.
final class SelectionBridge: Sendable {
  private let mailbox: Mailbox
  private let isStopped: BridgeThreads.Stop
  let display: String

  /// How long a server may take to connect, or for a few round trips.
  static let patience = Duration.seconds(10)

  private struct Endpoint: Sendable {
    let mailbox: Mailbox
    let name: String
  }

  /// Connects, on a new thread.
  ///
  /// - Throws: `DisplayError`, `CancellationError`.
  static func connect(to display: String?) async throws -> SelectionBridge {
    let stop = BridgeThreads.Stop()
    let result = PendingResult<Endpoint>()
    BridgeThreads.start(stop) {
      do throws(DisplayError) {
        let connection = try SelectionConnection(display: display)
        stop.wakes(connection.mailbox)
        let endpoint = Endpoint(mailbox: connection.mailbox, name: connection.displayName)
        // Nobody may want it any more when it is there at last.
        if result.finish(.success(endpoint)) { serve(connection, until: stop) }
        connection.close()
      } catch {
        result.finish(.failure(error))
      }
    }
    do {
      let endpoint = try await result.value(within: patience)
      return SelectionBridge(mailbox: endpoint.mailbox, stop: stop, display: endpoint.name)
    } catch is ServerDoesNotAnswer {
      let name = display ?? Bridges.defaultDisplay
      throw DisplayError(
        .cannotOpen, display: name,
        reason: "the X server did not answer within \(patience.components.seconds) s")
    }
  }

  private static func serve(_ connection: SelectionConnection, until stop: BridgeThreads.Stop) {
    // The loss of the connection is told to everybody who waits for something of it; here it only ends the loop.
    while !stop.isSet {
      do { try connection.turn() } catch { return }
    }
    // Whoever still waits for something is told that it is over.
    connection.close()
  }

  private init(mailbox: Mailbox, stop: BridgeThreads.Stop, display: String) {
    self.mailbox = mailbox
    isStopped = stop
    self.display = display
  }

  deinit { isStopped.stop() }

  var connectionLost: DisplayError { DisplayError(.connectionLost, display: display) }

  /// Runs something short on the connection's thread.
  ///
  /// - Parameters:
  ///   - patience: How long the server may take.
  ///   - undo: Takes back what `body` did, where nobody waits for it any more when it is done.
  ///   - body: What to do. It is not begun once the waiting task is cancelled.
  /// - Throws: What `body` throws, `DisplayError` with `connectionLost`, `ServerDoesNotAnswer`, `CancellationError`.
  func run<Value: Sendable>(
    within patience: Duration = SelectionBridge.patience,
    orElse undo: @escaping @Sendable (SelectionConnection) -> Void = { _ in },
    _ body: @escaping @Sendable (SelectionConnection) throws -> Value
  ) async throws -> Value {
    try Task.checkCancellation()
    let result = PendingResult<Value>()
    let lost = connectionLost
    let isAccepted = mailbox.post { connection in
      guard !result.isOver else { return }
      let outcome = Result { try body(connection) }
      // A connection that broke meanwhile answered as if there were nothing.
      if connection.isLost {
        result.finish(.failure(lost))
      } else if !result.finish(outcome) {
        undo(connection)
      }
    }
    if !isAccepted { result.finish(.failure(lost)) }
    return try await result.value(within: patience)
  }

  /// Runs something on the connection's thread, sooner or later, if the connection lives.
  ///
  /// - Returns: False where the connection is gone.
  @discardableResult
  func post(_ body: @escaping @Sendable (SelectionConnection) -> Void) -> Bool {
    mailbox.post(body)
  }
}
