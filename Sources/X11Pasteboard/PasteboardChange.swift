import SelectionProtocol
import XlibTransport

/// Who owns a selection, as far as the X server tells.
public struct PasteboardOwner: Hashable, Sendable {
  /// Number of the owner's window.
  public let window: UInt32
  /// Whether it is this process, through the same connection.
  public let isOwnProcess: Bool
  /// The owner's process; `nil` for a remote client, or where the server does not tell. Not to be trusted: use it
  /// to show, never to decide.
  public let processIdentifier: Int32?

  init?(_ window: Window, _ connection: SelectionConnection) {
    guard window != .none else { return nil }
    self.window = window.rawValue
    isOwnProcess = connection.isOwn(window)
    processIdentifier = connection.process(of: window)
  }
}

/// A change of a selection's owner.
public struct PasteboardChange: Hashable, Sendable {
  /// What happened.
  public enum Reason: String, Hashable, Sendable {
    /// A program offers something new.
    case newOwner
    /// The owner took its offer back.
    case cleared
    /// The owner's window or connection went away.
    case ownerGone
  }

  /// What happened.
  public let reason: Reason
  /// Counts the changes since the watch began.
  public let generation: Int
  /// Number of the new owner's window; `nil` where there is none.
  public let ownerWindow: UInt32?
  /// Whether the new owner is this process, through the same connection.
  public let isOwnProcess: Bool
  /// When it happened, in milliseconds of the X server's clock; zero where unknown.
  public let serverTime: UInt32

  init(_ notice: SelectionNotice, _ connection: SelectionConnection) {
    reason =
      switch notice.reason {
      case .newOwner: .newOwner
      case .cleared: .cleared
      case .ownerGone: .ownerGone
      }
    generation = notice.generation
    ownerWindow = notice.owner == .none ? nil : notice.owner.rawValue
    isOwnProcess = connection.isOwn(notice.owner)
    serverTime = notice.time.rawValue
  }
}
