import Foundation
import Synchronization
import XlibTransport

/// The bridges of this process, one for each name of a display, shared while anybody uses them.
enum Bridges {
  private struct Weak {
    weak var bridge: SelectionBridge?
  }

  private static let known = Mutex<[String: Weak]>([:])

  /// What DISPLAY says.
  static var defaultDisplay: String { ProcessInfo.processInfo.environment["DISPLAY"] ?? "" }

  /// A bridge whose connection works.
  ///
  /// - Throws: `DisplayError`, `ServerDoesNotAnswer`, `CancellationError`.
  static func bridge(to display: String?) async throws -> SelectionBridge {
    let name = display ?? defaultDisplay
    if let bridge = find(name), try await isWorking(bridge) { return bridge }
    let bridge = try await SelectionBridge.connect(to: display)
    return known.withLock { known in
      known = known.filter { $0.value.bridge != nil }
      // Somebody may have connected in the meantime; one of the two is enough.
      if let other = known[name]?.bridge, other.post({ _ in }) { return other }
      known[name] = Weak(bridge: bridge)
      return bridge
    }
  }

  private static func find(_ name: String) -> SelectionBridge? {
    known.withLock { $0[name]?.bridge }
  }

  /// A server that ended a moment ago may not have been noticed yet; only a round trip tells.
  private static func isWorking(_ bridge: SelectionBridge) async throws -> Bool {
    do {
      _ = try await bridge.run { $0.serverTime() }
      return true
    } catch is DisplayError {
      return false
    }
  }
}
