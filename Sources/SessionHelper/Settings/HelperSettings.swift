/// What the user has set, in the settings file and on the command line.
struct HelperSettings: Equatable {
  var limits = KeepingLimits()
  var choice = KeepingChoice()
  var rules: [CopyRule] = []
  var sync = SyncSettings()
  var history = HistorySettings()
  /// Whether to serve an X server that is a guest in a Wayland session.
  var servesXwayland = false
}

/// What is remembered, where, and for how long.
struct HistorySettings: Equatable {
  enum Storage: String {
    case disk
    /// In the runtime directory: it is gone when the user has logged out.
    case runtime
    /// In the helper's own memory: it is gone with the helper.
    case memory
  }

  /// When everything that is not pinned is deleted.
  enum Wipe: String {
    case logout
    case lock
    case suspend
  }

  var limits = HistoryStore.Limits()
  var storage = Storage.disk
  var wipes: Set<Wipe> = []
}

/// What of the primary selection and the clipboard follows the other.
struct SyncSettings: Equatable {
  var direction = SyncDirection.off
  /// Whether emptying the one empties what was made of it in the other.
  var clears = true
  /// The most bytes of a text.
  var limit = 1 << 20
}

/// Which selection follows which.
enum SyncDirection: String, CaseIterable {
  case off
  case primaryToClipboard = "primary-to-clipboard"
  case clipboardToPrimary = "clipboard-to-primary"
  case both

  /// Whether the primary selection is a source.
  var takesPrimary: Bool { self == .primaryToClipboard || self == .both }
  /// Whether the clipboard is a source.
  var takesClipboard: Bool { self == .clipboardToPrimary || self == .both }
}
