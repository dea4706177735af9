import SelectionProtocol

/// An event as the transport's rooms see it: Xlib's unions end in `XConnection`.
enum ServerEvent {
  case selectionRequest(SelectionRequest)
  case selectionClear(selection: Atom, window: Window, serial: UInt64)
  case selectionNotify(requestor: Window, selection: Atom, property: Atom)
  case propertyWritten(Window, Atom, time: ServerTime)
  case propertyDeleted(Window, Atom, serial: UInt64)
  case windowDestroyed(Window)
  case clientMessage(Window, type: Atom, data: [UInt32])
  /// An XFixes notice, with the owner that it names and the time of the selection's last change.
  case selectionChanged(SelectionWatch.Event, selection: Atom, owner: Window, time: ServerTime)
  /// What happened to a window that is shown.
  case window(Window, WindowEvent)
  case other
}

/// What to select on a window.
struct EventMask {
  static let propertyChange = 1 << 22
  static let structure = 1 << 17
}

/// One error that the server reported.
struct ServerError {
  var serial: UInt64
  /// The window that it names because it does not exist.
  var missingWindow: Window?
  /// Whether it had no memory for what was asked of it.
  var isOutOfMemory = false
}
