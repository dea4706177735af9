internal import CSystemd
internal import Glibc

/// Hears from the system's login manager when the session is locked or the machine goes to sleep.
///
/// Only for a history that is to be wiped then; otherwise no bus is ever spoken to. It offers nothing on the bus, and
/// listens to org.freedesktop.login1 alone, which no user can pretend to be there.
final class LoginSignals {
  private let login: OpaquePointer
  private(set) var isOver = false

  /// Milliseconds for the bus to answer in.
  private static let patience: CInt = 500

  /// Connects to the system bus.
  ///
  /// - Returns: `nil` where there is none, or it says no.
  init?() {
    guard let login = cs_login_open(getenv("XDG_SESSION_ID"), Self.patience) else { return nil }
    self.login = login
  }

  deinit { cs_login_close(login) }

  /// Can be read when there is something to take.
  var descriptor: CInt { cs_login_descriptor(login) }

  /// What was heard since the last call.
  func take() -> [HistorySettings.Wipe] {
    let heard = Int(cs_login_take(login))
    isOver = heard & Int(CS_OVER) != 0
    var wipes: [HistorySettings.Wipe] = []
    if heard & Int(CS_LOCKED) != 0 { wipes.append(.lock) }
    if heard & Int(CS_GOES_TO_SLEEP) != 0 { wipes.append(.suspend) }
    return wipes
  }
}
