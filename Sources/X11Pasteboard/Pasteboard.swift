import ContentTypes
import CoreTransferable
import Foundation
import SelectionFormats
import SelectionProtocol
import Synchronization
public import UniformTypeIdentifiers
import XlibTransport

/// A selection of an X server, to copy to and paste from.
///
/// ```swift
/// let clipboard = try await Pasteboard.clipboard()
/// let ownership = try await clipboard.copy(profile)
/// let names = try await clipboard.paste(String.self)
/// ```
///
/// Pasteboards of one display share a connection. What was copied is served by this process, as X11 has it: when
/// it ends, the content is gone, unless a clipboard manager took it over (`Ownership.handOver`).
public final class Pasteboard: Sendable {
  /// The selection.
  public let selection: Selection
  let display: String?
  private let current: Mutex<SelectionBridge>

  /// How long an owner may take, and how much it may send.
  public struct Limits: Hashable, Sendable {
    /// Until the owner's list of targets.
    public var targets: Duration = .seconds(2)
    /// Until the first data.
    public var response: Duration = .seconds(5)
    /// Without progress after that.
    public var idle: Duration = .seconds(10)
    /// Bytes of one transfer.
    public var byteCount: Int = .max

    public init() {}

    var forTargets: TransferLimits {
      TransferLimits(
        response: targets.milliseconds, idle: targets.milliseconds,
        byteCount: TransferLimits.targets.byteCount)
    }
    var forContent: TransferLimits {
      TransferLimits(
        response: response.milliseconds, idle: idle.milliseconds, byteCount: byteCount)
    }
  }

  private init(_ selection: Selection, display: String?, bridge: SelectionBridge) {
    self.selection = selection
    self.display = display
    current = Mutex(bridge)
  }

  /// CLIPBOARD: what copy and paste commands use.
  ///
  /// - Parameter display: As in DISPLAY; `nil` takes DISPLAY itself.
  /// - Throws: `PasteboardError` with `cannotConnect`.
  public static func clipboard(display: String? = nil) async throws -> Pasteboard {
    try await named(.clipboard, display: display)
  }

  /// PRIMARY: what is selected.
  ///
  /// - Parameter display: As in DISPLAY; `nil` takes DISPLAY itself.
  /// - Throws: `PasteboardError` with `cannotConnect`.
  public static func primary(display: String? = nil) async throws -> Pasteboard {
    try await named(.primary, display: display)
  }

  /// Any selection by its name.
  ///
  /// - Throws: `PasteboardError` with `cannotConnect`.
  public static func named(_ name: String, display: String? = nil) async throws -> Pasteboard {
    try await named(Selection(name), display: display)
  }

  /// A selection.
  ///
  /// - Throws: `PasteboardError` with `cannotConnect`.
  public static func named(
    _ selection: Selection, display: String? = nil
  ) async throws -> Pasteboard {
    do {
      let bridge = try await Bridges.bridge(to: display)
      return Pasteboard(selection, display: display, bridge: bridge)
    } catch let error as DisplayError {
      throw PasteboardError(error, selection)
    }
  }

  /// Connects anew, after the connection was lost. What was owned is owned no more.
  ///
  /// - Throws: `PasteboardError` with `cannotConnect`.
  public func reconnect() async throws {
    do {
      let bridge = try await Bridges.bridge(to: display)
      current.withLock { $0 = bridge }
    } catch let error as DisplayError {
      throw PasteboardError(error, selection)
    }
  }

  var bridge: SelectionBridge { current.withLock { $0 } }

  /// Runs something on the connection's thread.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (SelectionConnection) throws -> Value
  ) async throws -> Value {
    do {
      return try await bridge.run(body)
    } catch let error as DisplayError {
      throw PasteboardError(error, selection)
    }
  }

  // MARK: Looking

  /// What is on offer, in the owner's order; empty where nobody offers anything.
  ///
  /// - Throws: `PasteboardError`: `refused`, `timedOut`, `connectionLost`, …
  public func contentTypes(limits: Limits = Limits()) async throws -> [UTType] {
    switch try await offer(limits: limits) {
    case .none: []
    case .targets(let targets, _): targets.contentTypes.map { UTType($0) }
    case .unlisted: OfferedTargets.probes().compactMap(\.contentType).uniqueTypes
    }
  }

  /// Who offers something; `nil` where nobody does.
  ///
  /// - Throws: `PasteboardError` with `connectionLost`.
  public func owner() async throws -> PasteboardOwner? {
    let name = selection.name
    return try await run { connection in
      PasteboardOwner(connection.currentOwner(of: connection.atom(name)), connection)
    }
  }

  /// Empties the selection, whoever owns it.
  ///
  /// - Throws: `PasteboardError`: `ownershipRefused` where somebody took it in the same moment, `connectionLost`.
  public func clear() async throws {
    let name = selection.name
    guard try await run({ connection in connection.clear(connection.atom(name)) }) else {
      throw PasteboardError(
        .ownershipRefused, selection,
        "\(selection) could not be emptied: another program took it in the same moment")
    }
  }

  /// The owner's changes, from now on; nothing is fetched. Ends with the connection.
  ///
  /// A reader that is slow misses intermediate changes, never the last one.
  public var changes: AsyncStream<PasteboardChange> {
    let name = selection.name
    let bridge = bridge
    return AsyncStream(bufferingPolicy: .bufferingNewest(32)) { continuation in
      let watcher = Watcher()
      let isAccepted = bridge.post { connection in
        guard !connection.isLost else {
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
      guard isAccepted else {
        continuation.finish()
        return
      }
      // The stream keeps the bridge: who watches wants to go on watching.
      continuation.onTermination = { _ in
        guard let token = watcher.stop() else { return }
        bridge.post { $0.unwatch(token) }
      }
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

extension Duration {
  /// Whole milliseconds, at least 1.
  var milliseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
    return overflow ? .max : max(1, product &+ attoseconds / 1_000_000_000_000_000)
  }
}

extension [ContentType] {
  /// Each once, as content types of the public API.
  var uniqueTypes: [UTType] {
    var seen: Set<ContentType> = []
    return filter { seen.insert($0).inserted }.map { UTType($0) }
  }
}
