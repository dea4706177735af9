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
/// Pasteboards of one display share a connection, with a thread that lasts as long as any pasteboard, stream of changes
/// or content on offer that uses it. What was copied is served by this process, as X11 has it: when the process ends, so
/// does the content, unless a clipboard manager took it over.
public final class Pasteboard: Sendable {
  /// The selection.
  public let selection: Selection
  let display: String?
  private let current: Mutex<SelectionBridge>

  private init(_ selection: Selection, display: String?, bridge: SelectionBridge) {
    self.selection = selection
    self.display = display
    current = Mutex(bridge)
  }

  /// CLIPBOARD: what copy and paste commands use.
  ///
  /// - Parameter display: As in DISPLAY; `nil` takes DISPLAY itself.
  /// - Throws: `PasteboardError` with `cannotConnect`, or `timedOut` where the X server does not answer.
  public static func clipboard(display: String? = nil) async throws -> Pasteboard {
    try await named(.clipboard, display: display)
  }

  /// PRIMARY: what is selected.
  ///
  /// - Parameter display: As in DISPLAY; `nil` takes DISPLAY itself.
  /// - Throws: `PasteboardError` with `cannotConnect`, or `timedOut` where the X server does not answer.
  public static func primary(display: String? = nil) async throws -> Pasteboard {
    try await named(.primary, display: display)
  }

  /// Any selection by its name.
  ///
  /// - Parameters:
  ///   - name: The name of the selection's atom: 1 to 256 bytes without control characters.
  ///   - display: As in DISPLAY; `nil` takes DISPLAY itself.
  /// - Throws: `PasteboardError` with `cannotConnect`, `timedOut` where the X server does not answer, or `invalidName`.
  public static func named(_ name: String, display: String? = nil) async throws -> Pasteboard {
    try await named(Selection(name), display: display)
  }

  /// A selection.
  ///
  /// - Parameters:
  ///   - selection: The selection.
  ///   - display: As in DISPLAY; `nil` takes DISPLAY itself.
  /// - Throws: `PasteboardError` with `cannotConnect`, `timedOut` where the X server does not answer, or `invalidName`.
  public static func named(
    _ selection: Selection, display: String? = nil
  ) async throws -> Pasteboard {
    guard TargetName.isAcceptable(selection.name) else {
      throw PasteboardError(
        .invalidName, selection,
        "\"\(TargetName.escaped(String(selection.name.prefix(40))))\" cannot be the name of a selection: "
          + "it needs 1 to \(TargetName.maximumLength) bytes without control characters")
    }
    do {
      let bridge = try await Bridges.bridge(to: display)
      return Pasteboard(selection, display: display, bridge: bridge)
    } catch {
      throw PasteboardError(error, selection)
    }
  }

  /// Connects anew, after the connection was lost. What was owned is owned no more, and streams of changes have ended.
  ///
  /// Does nothing where the connection works.
  ///
  /// - Throws: `PasteboardError` with `cannotConnect`, or `timedOut` where the X server does not answer.
  public func reconnect() async throws {
    do {
      let bridge = try await Bridges.bridge(to: display)
      current.withLock { $0 = bridge }
    } catch {
      throw PasteboardError(error, selection)
    }
  }

  var bridge: SelectionBridge { current.withLock { $0 } }

  /// Runs something short on the connection's thread.
  func run<Value: Sendable>(
    orElse undo: @escaping @Sendable (SelectionConnection) -> Void = { _ in },
    _ body: @escaping @Sendable (SelectionConnection) throws -> Value
  ) async throws -> Value {
    do {
      return try await bridge.run(orElse: undo, body)
    } catch {
      throw PasteboardError(error, selection)
    }
  }

  // MARK: Looking

  /// What is on offer, in the owner's order; empty where nobody offers anything.
  ///
  /// An owner that keeps its list to itself is taken to offer text, as the oldest programs do. Of this process's own
  /// copy the representations that never leave it are listed too.
  ///
  /// - Parameter limits: How long the owner may take.
  /// - Returns: The content types, each once.
  /// - Throws: `PasteboardError`: `timedOut`, `ownerGone`, `connectionLost`, `cancelled`.
  public func contentTypes(limits: Limits = Limits()) async throws -> [UTType] {
    try await offer(limits: limits).contentTypes
  }

  /// Who offers something; `nil` where nobody does.
  ///
  /// - Throws: `PasteboardError` with `connectionLost` or `cancelled`.
  public func owner() async throws -> PasteboardOwner? {
    let name = selection.name
    return try await run { connection in
      PasteboardOwner(connection.currentOwner(of: connection.atom(name)), connection)
    }
  }

  /// Empties the selection, whoever owns it.
  ///
  /// - Throws: `PasteboardError`: `ownershipRefused` where somebody took it in the same moment, `connectionLost`,
  ///   `cancelled`.
  public func clear() async throws {
    let name = selection.name
    let isEmpty = try await run { connection in
      let atom = connection.atom(name)
      OwnItems.offered(atom, on: connection)?.period.willBeCleared()
      return connection.clear(atom)
    }
    guard isEmpty else {
      throw PasteboardError(
        .ownershipRefused, selection,
        "\(selection) could not be emptied: another program took it in the same moment")
    }
  }
}
