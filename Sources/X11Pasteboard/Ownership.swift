import SelectionProtocol
import XlibTransport

/// What was copied, for as long as it is on offer.
///
/// The content is served until it is replaced or cleared, or the process ends, whether or not this value or the
/// pasteboard is kept.
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

  /// What became of the wish that a clipboard manager keeps the content.
  public enum HandOver: Hashable, Sendable {
    /// The manager says that it has it.
    case saved
    /// Nobody manages this selection; only CLIPBOARD ever is.
    case noManager
    /// It is not on offer any more, so that there is nothing to keep.
    case notCurrent
    /// It was copied as a secret, which no manager is asked to keep.
    case secret
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

  /// Asks the clipboard manager to keep the content, as a program does that is about to end (the freedesktop
  /// ClipboardManager convention). The manager fetches it meanwhile.
  ///
  /// - Parameter limit: How long that may take.
  /// - Returns: What became of it; `saved` only where the manager said so.
  /// - Throws: `PasteboardError`: `refused`, `timedOut`, `connectionLost`, `cancelled`.
  @discardableResult
  public func handOver(within limit: Duration = .seconds(10)) async throws -> HandOver {
    guard selection == .clipboard else { return .noManager }
    let outcome = PendingResult<HandOverOutcome>()
    do {
      let early: HandOver? = try await bridge.run { [period] connection in
        let atom = connection.atoms.clipboard
        guard OwnItems.offered(atom, on: connection)?.period === period else { return .notCurrent }
        guard connection.offer(of: atom)?.isStorable == true else { return .secret }
        connection.handOver(limit: limit.milliseconds) { outcome.finish(.success($0)) }
        return nil
      }
      if let early { return early }
      return try handOver(try await outcome.value())
    } catch {
      throw PasteboardError(error, selection)
    }
  }

  private func handOver(_ outcome: HandOverOutcome) throws -> HandOver {
    switch outcome {
    case .saved: return .saved
    case .noManager: return .noManager
    case .notOwner: return .notCurrent
    case .refused:
      throw PasteboardError(
        .refused, selection, "the clipboard manager refused to keep the content")
    case .noAnswer:
      throw PasteboardError(.timedOut, selection, "the clipboard manager did not answer in time")
    case .connectionLost: throw bridge.connectionLost
    }
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
