internal import CX11
import SelectionProtocol

/// What the server may have beyond the core protocol.
extension XConnection {
  /// Whether the server tells of selection changes (XFixes 1.0); asked once.
  func queryXFixes() -> Bool {
    if let asked = xfixesAnswer { return asked }
    var event: CInt = 0
    var error: CInt = 0
    var major: CInt = 1
    var minor: CInt = 0
    let isThere =
      !isDead && XFixesQueryExtension(display, &event, &error) != 0
      && XFixesQueryVersion(display, &major, &minor) != 0 && major >= 1
    xfixesAnswer = isThere
    if isThere { xfixesBase = Int(event) + Int(XFixesSelectionNotify) }
    return isThere
  }

  func selectSelectionInput(_ window: Window, _ selection: Atom, enabled: Bool) {
    guard !isDead else { return }
    let mask =
      XFixesSetSelectionOwnerNotifyMask | XFixesSelectionWindowDestroyNotifyMask
      | XFixesSelectionClientCloseNotifyMask
    XFixesSelectSelectionInput(
      display, UInt(window.rawValue), UInt(selection.rawValue), enabled ? UInt(mask) : 0)
  }

  func processOfClient(behind window: Window) -> Int32? {
    guard !isDead else { return nil }
    let process = cx_process_of_window(display, UInt(window.rawValue))
    return process > 0 ? process : nil
  }
}
