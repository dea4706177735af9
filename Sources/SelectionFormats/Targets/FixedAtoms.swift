extension TargetName {
  /// Every atom name known beforehand, to be interned in one batch; the server's predefined ones
  /// (PRIMARY, ATOM, STRING and so on) need no interning and are not among them.
  public static let fixedAtoms: [String] =
    protocolAtoms + textAtoms + dragAtoms + contentAtoms

  private static let protocolAtoms = [
    "CLIPBOARD", "TARGETS", "MULTIPLE", "TIMESTAMP", "ATOM_PAIR", "INCR", "NULL", "DELETE",
    "INSERT_SELECTION", "INSERT_PROPERTY", "SAVE_TARGETS", "TARGET_SIZES", "CLIPBOARD_MANAGER",
    "MANAGER", "LENGTH", "CLIP_TEMPORARY", "_NET_WM_NAME", "WM_STATE",
  ]

  private static let textAtoms = [
    "UTF8_STRING", "TEXT", "COMPOUND_TEXT", "C_STRING", "text/plain;charset=utf-8", "text/plain",
    "text/plain;charset=utf-16",
  ]

  private static let dragAtoms = [
    "XdndSelection", "XdndAware", "XdndProxy", "XdndTypeList", "XdndEnter", "XdndPosition",
    "XdndStatus", "XdndLeave", "XdndDrop", "XdndFinished", "XdndActionCopy", "XdndActionMove",
    "XdndActionLink", "XdndActionAsk", "XdndActionPrivate", "XdndActionDirectSave",
    "XdndActionList", "XdndActionDescription", "XdndDirectSave0",
  ]

  private static let contentAtoms = [
    passwordManagerHint, kdeCutSelection, gnomeCopiedFiles, mateCopiedFiles, "text/uri-list",
    "text/x-moz-url", "_NETSCAPE_URL", "FILE_NAME", "text/html", "text/rtf", "application/rtf",
    "image/png", "image/jpeg", "image/tiff", "image/bmp", "image/x-bmp", "image/x-MS-bmp",
    "image/gif", "image/webp", "image/svg+xml", "application/pdf", "application/json",
    "application/xml", "text/xml", "text/csv", "application/x-color", "application/octet-stream",
  ]
}
