public import CoreTransferable
import Foundation
import Synchronization
public import UniformTypeIdentifiers

/// A button that pastes: enabled while the pasteboard offers something that it takes.
///
/// It draws nothing; a user interface shows `isEnabled`, follows `states`, and calls `press`.
///
/// ```swift
/// let button = try await PasteButton(payloadType: String.self) { names in profile.funFacts += names }
/// ```
public final class PasteButton: Sendable {
  private struct State {
    var isEnabled = false
    var watchers: [Int: AsyncStream<Bool>.Continuation] = [:]
    var nextWatcher = 0
    var task: Task<Void, Never>?
  }

  private let state = Mutex(State())
  private let accepts: @Sendable ([UTType]) -> Bool
  private let action: @Sendable () async throws -> Void

  /// A button that pastes items of a type.
  ///
  /// - Parameters:
  ///   - payloadType: The type of the items.
  ///   - pasteboard: Where to paste from; `nil` for CLIPBOARD.
  ///   - onPaste: Called with the items at each press.
  /// - Throws: `PasteboardError` with `cannotConnect`.
  public convenience init<Item: Transferable & Sendable>(
    payloadType: Item.Type, pasteboard: Pasteboard? = nil,
    onPaste: @escaping @Sendable ([Item]) -> Void
  ) async throws {
    let source = if let pasteboard { pasteboard } else { try await Pasteboard.clipboard() }
    await self.init(
      source,
      accepts: { offered in
        // Files that a file manager copied become items of what they are; which that is shows only on pasting.
        !Item.importCandidates(offered: offered).isEmpty
      },
      action: { onPaste(try await source.paste(payloadType)) })
  }

  /// A button that hands item providers over.
  ///
  /// - Parameters:
  ///   - supportedContentTypes: The content types that are taken, or supertypes of them.
  ///   - pasteboard: Where to paste from; `nil` for CLIPBOARD.
  ///   - payloadAction: Called with the providers at each press.
  /// - Throws: `PasteboardError` with `cannotConnect`.
  public convenience init(
    supportedContentTypes: [UTType], pasteboard: Pasteboard? = nil,
    payloadAction: @escaping @Sendable ([NSItemProvider]) -> Void
  ) async throws {
    let source = if let pasteboard { pasteboard } else { try await Pasteboard.clipboard() }
    await self.init(
      source,
      accepts: { offered in
        offered.contains { type in supportedContentTypes.contains { type.conforms(to: $0) } }
      },
      action: {
        payloadAction([try await source.itemProvider(conformingTo: supportedContentTypes)])
      })
  }

  private init(
    _ pasteboard: Pasteboard, accepts: @escaping @Sendable ([UTType]) -> Bool,
    action: @escaping @Sendable () async throws -> Void
  ) async {
    self.accepts = accepts
    self.action = action
    // The watch begins before the first look, so that no change falls between the two.
    let changes = pasteboard.changes
    update((try? await pasteboard.contentTypes()) ?? [])
    let task = Task.detached { [weak self] in
      for await change in changes {
        let offered =
          change.reason == .newOwner ? (try? await pasteboard.contentTypes()) ?? [] : []
        guard let self else { return }
        update(offered)
      }
      self?.update([])
    }
    state.withLock { $0.task = task }
  }

  deinit {
    let (task, watchers) = state.withLock { ($0.task, Array($0.watchers.values)) }
    task?.cancel()
    for watcher in watchers { watcher.finish() }
  }

  /// Whether a press would find something.
  public var isEnabled: Bool { state.withLock { $0.isEnabled } }

  /// Whether the button is enabled, now and whenever that changes.
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

  /// Pastes, and calls the action with what came.
  ///
  /// - Throws: `PasteboardError`; `notOnOffer` or `empty` where the button is disabled.
  public func press() async throws { try await action() }

  private func update(_ offered: [UTType]) {
    let isEnabled = accepts(offered)
    state.withLock { state in
      guard state.isEnabled != isEnabled else { return }
      state.isEnabled = isEnabled
      for watcher in state.watchers.values { watcher.yield(isEnabled) }
    }
  }
}
