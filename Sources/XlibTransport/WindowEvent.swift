/// What happens to a window that is shown.
public enum WindowEvent: Hashable, Sendable {
  /// Keys that a small window has a use for.
  public enum Key: Hashable, Sendable {
    case space
    case enter
    case escape
    case other
  }

  /// Its content has to be drawn.
  case exposed
  /// Its size in pixels changed.
  case resized(width: Int, height: Int)
  case pointerEntered
  case pointerLeft
  /// Position in pixels from the upper left corner.
  case pointerPressed(button: Int, x: Int, y: Int)
  case pointerReleased(button: Int, x: Int, y: Int)
  case keyPressed(Key)
  case keyReleased(Key)
  case focusChanged(hasFocus: Bool)
  /// The person closes it by the window manager.
  case closeRequested
}
