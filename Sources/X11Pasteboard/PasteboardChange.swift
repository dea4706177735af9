import SelectionProtocol
import XlibTransport

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
  /// Counts the changes since the connection began to watch the selection.
  public let generation: Int
  /// The new owner; `nil` where there is none.
  public let owner: PasteboardOwner?
  /// When it happened, in milliseconds of the X server's clock; zero where unknown.
  public let serverTime: UInt32

  /// Number of the new owner's window; `nil` where there is none.
  public var ownerWindow: UInt32? { owner?.window }
  /// Whether the new owner is this process, through the same connection.
  public var isOwnProcess: Bool { owner?.isOwnProcess ?? false }

  init(_ notice: SelectionNotice, _ connection: SelectionConnection) {
    reason =
      switch notice.reason {
      case .newOwner: .newOwner
      case .cleared: .cleared
      case .ownerGone: .ownerGone
      }
    generation = notice.generation
    owner = PasteboardOwner(notice.owner, connection)
    serverTime = notice.time.rawValue
  }
}
