import CoreTransferable
import Synchronization
import XlibTransport

/// What was copied, for as long as it is on offer.
///
/// The content is served whether or not this value is kept. It keeps the connection open; without it the connection
/// lasts as long as the pasteboard does.
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

  private struct State {
    var end: End?
    var isClearing = false
    var waiters: [Int: CheckedContinuation<End?, Never>] = [:]
    var cancelled: Set<Int> = []
    var nextWaiter = 0
  }

  /// The selection.
  public let selection: Selection
  /// When it was acquired, in milliseconds of the X server's clock.
  public var serverTime: UInt32 { acquired.withLock { $0 } }

  private let acquired = Mutex<UInt32>(0)
  private let state = Mutex(State())
  private let bridge: SelectionBridge

  init(_ selection: Selection, bridge: SelectionBridge) {
    self.selection = selection
    self.bridge = bridge
  }

  /// Whether it is still on offer.
  public var isCurrent: Bool { state.withLock { $0.end == nil } }

  /// Waits until it is not on offer any more.
  ///
  /// - Returns: Why.
  /// - Throws: `CancellationError` when the task is cancelled.
  @discardableResult
  public func untilReplaced() async throws -> End {
    let number = state.withLock { state in
      state.nextWaiter += 1
      return state.nextWaiter
    }
    let end = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let now: End?? = state.withLock { state in
          if let end = state.end { return .some(end) }
          if state.cancelled.remove(number) != nil { return .some(nil) }
          state.waiters[number] = continuation
          return nil
        }
        if let now { continuation.resume(returning: now) }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        let waiter = state.waiters.removeValue(forKey: number)
        if waiter == nil { state.cancelled.insert(number) }
        return waiter
      }
      waiter?.resume(returning: nil)
    }
    state.withLock { _ = $0.cancelled.remove(number) }
    guard let end else { throw CancellationError() }
    return end
  }

  /// Waits until everybody who asked while it was on offer has got what was asked for, or has given up.
  public func untilServed() async {
    await withCheckedContinuation { continuation in
      let isAccepted = bridge.post { connection in
        connection.whenIdle { continuation.resume() }
      }
      if !isAccepted { continuation.resume() }
    }
  }

  /// Takes the offer back: nobody owns the selection then. Does nothing where it is not current any more.
  ///
  /// - Throws: `PasteboardError` with `connectionLost`.
  public func clear() async throws {
    let name = selection.name
    do {
      try await bridge.run { connection in
        let isCurrent = self.state.withLock { state in
          guard state.end == nil else { return false }
          state.isClearing = true
          return true
        }
        if isCurrent { connection.relinquish(connection.atom(name)) }
      }
    } catch let error as DisplayError {
      throw PasteboardError(error, selection)
    }
  }

  func acquired(at time: UInt32) { acquired.withLock { $0 = time } }

  func ended(_ reason: End) {
    let waiters = state.withLock { state in
      guard state.end == nil else { return state.waiters }
      state.end = state.isClearing && reason == .replaced ? .cleared : reason
      defer { state.waiters = [:] }
      return state.waiters
    }
    let end = state.withLock { $0.end }
    for waiter in waiters.values { waiter.resume(returning: end) }
  }
}
