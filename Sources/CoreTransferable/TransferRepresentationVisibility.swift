/// Who may see a representation.
///
/// X11 has no notion of a team or of an app group, and visibility is never widened: `team` and
/// `group` are treated as `ownProcess` by everything that leaves the process.
public struct TransferRepresentationVisibility: Sendable, Equatable {
  private enum Audience: Sendable, Equatable {
    case all, team, group, ownProcess
  }

  private let audience: Audience

  /// Every program.
  public static let all = TransferRepresentationVisibility(audience: .all)

  /// Programs of the same team.
  public static let team = TransferRepresentationVisibility(audience: .team)

  /// Programs of the same app group.
  public static let group = TransferRepresentationVisibility(audience: .group)

  /// Only the program that offers it.
  public static let ownProcess = TransferRepresentationVisibility(audience: .ownProcess)
}

extension TransferRepresentationVisibility {
  // `team` and `group` overlap without one containing the other.
  private var reach: Int {
    switch audience {
    case .all: 2
    case .team, .group: 1
    case .ownProcess: 0
    }
  }

  /// Whether somebody who is known to be `audience` sees a representation of this visibility.
  package func includes(_ audience: TransferRepresentationVisibility) -> Bool {
    self == audience || reach > audience.reach
  }

  /// The visibility that grants no more than either of the two.
  func narrowed(to other: TransferRepresentationVisibility) -> TransferRepresentationVisibility {
    if self == other { return self }
    if reach == other.reach { return .ownProcess }
    return reach < other.reach ? self : other
  }
}
