import CoreTransferable
import Synchronization
import XlibTransport

/// What was copied, for as long as it is on offer.
///
/// The content is served as long as the connection is open: while this value, the pasteboard, or anything else that
/// uses the display is kept.
public final class Ownership: Sendable {
  /// How an ownership ended.
  public enum End: Hashable, Sendable {
    /// Another program, or a later copy, took the selection.
    case replaced
    /// `clear` gave it up.
    case cleared
    /// The connection to the X server broke.
    case connectionLost
  }

  /// The selection.
  public let selection: Selection
  /// When it was acquired, in milliseconds of the X server's clock; what TIMESTAMP tells.
  public let serverTime: UInt32

  let period: OwnershipPeriod
  let bridge: SelectionBridge

  init(
    _ selection: Selection, serverTime: UInt32, period: OwnershipPeriod, bridge: SelectionBridge
  ) {
    self.selection = selection
    self.serverTime = serverTime
    self.period = period
    self.bridge = bridge
  }

  /// Whether it is still on offer.
  public var isCurrent: Bool { period.end == nil }

  /// Waits until it is not on offer any more.
  ///
  /// - Returns: Why.
  /// - Throws: `CancellationError` when the task is cancelled.
  @discardableResult
  public func untilReplaced() async throws -> End { try await period.untilEnd() }

  /// Waits until everybody who asked this process for something has got it, or has given up.
  ///
  /// It returns early when the task is cancelled, and when the connection is lost.
  public func untilServed() async {
    let result = PendingResult<Void>()
    let isAccepted = bridge.post { connection in
      connection.whenIdle { result.finish(.success(())) }
    }
    if !isAccepted { result.finish(.success(())) }
    _ = try? await result.value()
  }

  /// Takes the offer back: nobody owns the selection then. Does nothing where it is not current any more.
  ///
  /// - Throws: `PasteboardError` with `connectionLost` or `cancelled`.
  public func clear() async throws {
    let name = selection.name
    do {
      try await bridge.run { [period] connection in
        let atom = connection.atom(name)
        guard OwnItems.offered(atom, on: connection)?.period === period else { return }
        period.willBeCleared()
        connection.relinquish(atom)
      }
    } catch {
      throw PasteboardError(error, selection)
    }
  }
}
