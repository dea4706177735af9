/// Names of selection targets: which are fixed, which carry no content, how to print a stranger's.
public enum TargetName {
  /// The longest name taken from a peer, in bytes.
  public static let maximumLength = 256
  /// The most names taken from one TARGETS reply.
  public static let maximumOffered = 4_096
  /// The most data targets put into our own TARGETS reply; some requestors read no further.
  public static let maximumAdvertised = 100

  /// Carries "secret" beside a value that nobody should keep.
  public static let passwordManagerHint = "x-kde-passwordManagerHint"
  /// Says whether pasting files moves them, for KDE.
  public static let kdeCutSelection = "application/x-kde-cutselection"
  /// Files with copy or cut, for GNOME.
  public static let gnomeCopiedFiles = "x-special/gnome-copied-files"
  /// Files with copy or cut, for MATE.
  public static let mateCopiedFiles = "x-special/mate-copied-files"
  /// What comes before the identifier of a content type that has no MIME type.
  public static let identifierPrefix = "application/x-uti."

  /// Targets that say something about the selection or its owner, ask for a side effect, or name a
  /// resource in the server. They are never content.
  public static let protocolTargets: Set<String> = [
    "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION",
    "INSERT_PROPERTY", "INCR", "NULL", "ATOM_PAIR", "TARGET_SIZES", "LENGTH", "LIST_LENGTH",
    "HOST_NAME", "HOSTNAME", "USER", "CLASS", "NAME", "CLIENT_WINDOW", "PROCESS", "TASK",
    "OWNER_OS", "CHARACTER_POSITION", "LINE_NUMBER", "COLUMN_NUMBER", "MODULE", "PROCEDURE",
    "PIXMAP", "BITMAP", "DRAWABLE", "COLORMAP", "FOREGROUND", "BACKGROUND", "BACKGROUND_COLOR",
    "ATOM", "INTEGER", "WINDOW", "CLIPBOARD_MANAGER", "XdndActionDirectSave", "XdndDirectSave0",
  ]

  /// Targets whose conversion changes something at the owner; nobody asks for them as data.
  public static let sideEffectTargets: Set<String> = [
    "DELETE", "INSERT_SELECTION", "INSERT_PROPERTY", "SAVE_TARGETS",
  ]

  /// Private notes between programs of one kind, never content for anyone else.
  public static let privateTargets: Set<String> = [
    "chromium/x-source-url", "chromium/x-renderer-taint", "chromium/from-privileged",
    "text/_moz_htmlcontext", "text/_moz_htmlinfo", "text/x-moz-text-internal",
    "text/x-moz-url-priv", "application/x-rootwindow-drop", "application/x-rootwin-drop",
    "application/x-kde-onlyreplaceempty", "application/x-kde-cutselection",
    "x-kde-passwordmanagerhint",
  ]

  /// Whether a target is content that may be shown, fetched and offered.
  ///
  /// - Parameter name: The target's name.
  public static func isContent(_ name: String) -> Bool {
    !protocolTargets.contains(name) && !name.hasPrefix("_GTK_")
      && !privateTargets.contains(name.lowercased())
  }

  /// Whether the value of `x-kde-passwordManagerHint` says that the content is a secret.
  ///
  /// - Parameter value: The bytes of the target.
  public static func saysSecret(_ value: some Sequence<UInt8>) -> Bool {
    String(decoding: value.filter { $0 > 0x20 }, as: UTF8.self) == "secret"
  }

  /// Whether a name from a peer is worth looking at: not empty, not `None`, no control characters,
  /// at most `maximumLength` bytes.
  ///
  /// - Parameter name: The target's name.
  public static func isAcceptable(_ name: String) -> Bool {
    !name.isEmpty && name != "None" && name.utf8.count <= maximumLength
      && !name.unicodeScalars.contains(where: isUnprintable)
  }

  /// Makes a name from a peer safe to print: control characters, line and paragraph separators and
  /// characters that turn the writing direction appear as `\u{…}`, a backslash as `\\`.
  ///
  /// - Parameter name: Any text from a peer.
  /// - Returns: One printable line.
  public static func escaped(_ name: String) -> String {
    var result = ""
    for scalar in name.unicodeScalars {
      if scalar == "\\" {
        result += "\\\\"
      } else if isUnprintable(scalar) || isInvisible(scalar) {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static func isUnprintable(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value < 0x20 || (scalar.value >= 0x7F && scalar.value < 0xA0)
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0xAD, 0x61C, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
      0xE0000...0xE007F:
      return true
    default: return false
    }
  }
}
