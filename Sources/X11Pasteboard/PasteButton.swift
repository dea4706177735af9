public import CoreTransferable
import Foundation
import Synchronization
public import UniformTypeIdentifiers

/// A button that pastes: enabled while the pasteboard offers something that it takes.
///
/// It draws nothing; a user interface shows `isEnabled`, follows `states`, and calls `press`.
///
/// ```swift
/// let button = PasteButton(payloadType: String.self) { names in profile.funFacts += names }
/// ```
///
/// It connects by itself and looks at the pasteboard soon after it was made; until then, and where there is no X
/// server, it is disabled. `refresh` waits for that look.
public final class PasteButton: Sendable {
  private struct State {
    var isEnabled = false
    var watchers: [Int: AsyncStream<Bool>.Continuation] = [:]
    var nextWatcher = 0
    var task: Task<Void, Never>?
    var isFollowing = false
    var pasteboard: Pasteboard?
  }

  private let state: Mutex<State>
  private let accepts: @Sendable (Pasteboard) async throws -> Bool
  private let action: @Sendable (Pasteboard) async throws -> Void

  /// A button that pastes items of a type.
  ///
  /// - Parameters:
  ///   - payloadType: The type of the items.
  ///   - pasteboard: Where to paste from; `nil` for CLIPBOARD.
  ///   - onPaste: Called with the items at each press, which waits for it. It may be bound to the main actor, as on
  ///     Apple's systems, where it says so: `{ @MainActor names in … }`.
  public convenience init<Item: Transferable & Sendable>(
    payloadType: Item.Type, pasteboard: Pasteboard? = nil,
    onPaste: @escaping @Sendable ([Item]) async -> Void
  ) {
    self.init(
      pasteboard,
      accepts: { try await $0.canPaste(payloadType) },
      action: { await onPaste(try await $0.paste(payloadType)) })
  }

  /// A button that hands item providers over: one for each where several files or links are on offer, else
  /// one.
  ///
  /// - Parameters:
  ///   - supportedContentTypes: The content types that are taken, or supertypes of them.
  ///   - pasteboard: Where to paste from; `nil` for CLIPBOARD.
  ///   - payloadAction: Called with the providers at each press, which waits for it.
  public convenience init(
    supportedContentTypes: [UTType], pasteboard: Pasteboard? = nil,
    payloadAction: @escaping @Sendable ([NSItemProvider]) async -> Void
  ) {
    self.init(
      pasteboard,
      accepts: {
        try await $0.contentTypes().contains { type in
          supportedContentTypes.contains { type.conforms(to: $0) }
        }
      },
      action: {
        await payloadAction(try await $0.itemProviders(conformingTo: supportedContentTypes))
      })
  }

  private init(
    _ pasteboard: Pasteboard?, accepts: @escaping @Sendable (Pasteboard) async throws -> Bool,
    action: @escaping @Sendable (Pasteboard) async throws -> Void
  ) {
    state = Mutex(State(pasteboard: pasteboard))
    self.accepts = accepts
    self.action = action
    Task { [weak self] in _ = try? await self?.follow() }
  }

  deinit {
    let (task, watchers) = state.withLock { ($0.task, Array($0.watchers.values)) }
    task?.cancel()
    for watcher in watchers { watcher.finish() }
  }

  /// Whether a press would find something.
  public var isEnabled: Bool { state.withLock { $0.isEnabled } }

  /// Whether the button is enabled, now and whenever that changes. Ends with the button.
  public var states: AsyncStream<Bool> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let number = state.withLock { state in
        state.nextWatcher += 1
        state.watchers[state.nextWatcher] = continuation
        continuation.yield(state.isEnabled)
        return state.nextWatcher
      }
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.watchers.removeValue(forKey: number) }
      }
    }
  }

  /// Looks at the pasteboard now.
  ///
  /// - Returns: Whether the button is enabled.
  @discardableResult
  public func refresh() async -> Bool {
    guard let pasteboard = try? await follow() else { return false }
    await look(at: pasteboard)
    return isEnabled
  }

  /// Pastes, and calls the action with what came. A disabled button looks once more.
  ///
  /// After the connection was lost and `Pasteboard.reconnect` was called, a press makes the button follow the
  /// pasteboard again.
  ///
  /// - Throws: `PasteboardError`; `notOnOffer`, which says what is on offer, or `empty` where there is nothing to
  ///   paste; `cannotConnect` where there is no X server.
  public func press() async throws { try await action(try await follow()) }

  /// Follows the pasteboard, unless that is done already.
  ///
  /// - Throws: `PasteboardError` with `cannotConnect`.
  @discardableResult
  private func follow() async throws -> Pasteboard {
    let pasteboard: Pasteboard
    if let known = state.withLock({ $0.pasteboard }) {
      pasteboard = known
    } else {
      let connected = try await Pasteboard.clipboard()
      pasteboard = state.withLock { state in
        let first = state.pasteboard ?? connected
        state.pasteboard = first
        return first
      }
    }
    let isFirst = state.withLock { state in
      defer { state.isFollowing = true }
      return !state.isFollowing
    }
    guard isFirst else { return pasteboard }
    // The watch begins before the first look, so that no change falls between the two. Only the last change counts.
    let changes = pasteboard.changes(keeping: 1)
    await look(at: pasteboard)
    let task = Task { [weak self] in
      for await change in changes {
        guard let self else { return }
        if change.reason == .newOwner { await look(at: pasteboard) } else { update(false) }
      }
      self?.lost()
    }
    state.withLock { $0.task = task }
    return pasteboard
  }

  private func look(at pasteboard: Pasteboard) async {
    update((try? await accepts(pasteboard)) ?? false)
  }

  private func lost() {
    state.withLock { $0.isFollowing = false }
    update(false)
  }

  private func update(_ isEnabled: Bool) {
    // Told under the lock, so that the watchers see the states in their order.
    state.withLock { state in
      guard state.isEnabled != isEnabled else { return }
      state.isEnabled = isEnabled
      for watcher in state.watchers.values { watcher.yield(isEnabled) }
    }
  }
}
