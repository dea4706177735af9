public import SelectionProtocol

extension SelectionConnection {
  /// Shows a window.
  ///
  /// - Parameters:
  ///   - title: For the window manager and task lists.
  ///   - className: WM_CLASS, for settings and rules of the desktop.
  ///   - width: In pixels, as wanted; what it becomes is told by `resized`.
  ///   - height: In pixels.
  ///   - background: What the server fills it with before it is drawn, as 0xRRGGBB.
  ///   - handler: Told what happens to it, on the connection's thread.
  /// - Returns: The window; `none` where the connection broke.
  public func showWindow(
    title: String, className: String, width: Int, height: Int, background: UInt32,
    _ handler: @escaping (WindowEvent) -> Void
  ) -> Window {
    let names = atoms(["WM_DELETE_WINDOW", "_NET_WM_NAME", "UTF8_STRING", "_NET_WM_PID"])
    let window = x.createShownWindow(width: width, height: height, background: background)
    guard window != .none else { return .none }
    shownWindows[window] = handler
    x.describe(
      window, title: title, className: className, leastWidth: width, leastHeight: height,
      closes: names[0], utf8Title: names[1], utf8: names[2], processProperty: names[3])
    x.map(window)
    x.flush()
    return window
  }

  /// Draws over a window that is shown.
  ///
  /// - Parameters:
  ///   - pixels: Rows of pixels, each a 32-bit number 0xRRGGBB in this machine's order.
  ///   - stride: Bytes from one row to the next.
  /// - Returns: False where the screen has no such pixels.
  public func draw(
    _ pixels: UnsafeMutableRawBufferPointer, width: Int, height: Int, stride: Int,
    on window: Window
  ) -> Bool {
    guard shownWindows[window] != nil else { return false }
    let isDrawn = x.draw(pixels, width: width, height: height, stride: stride, on: window)
    x.flush()
    return isDrawn
  }

  /// Closes a window that was shown.
  public func closeWindow(_ window: Window) {
    guard shownWindows.removeValue(forKey: window) != nil else { return }
    x.destroyWindow(window)
    x.flush()
  }

  /// How many pixels stand for one of a screen with 96 dots an inch.
  public var pixelScale: Double { x.dotsPerInch() / 96 }

  func closeRequested(_ window: Window, type: Atom, data: [UInt32]) -> Bool {
    guard let handler = shownWindows[window], type == atom("WM_PROTOCOLS"),
      data.first == atom("WM_DELETE_WINDOW").rawValue
    else { return false }
    handler(.closeRequested)
    return true
  }
}
