internal import CX11
internal import Glibc
import SelectionProtocol

/// Windows that a person sees.
extension XConnection {
  /// Creates a window with a background, not yet shown.
  func createShownWindow(width: Int, height: Int, background: UInt32) -> Window {
    guard !isDead else { return .none }
    var attributes = XSetWindowAttributes()
    attributes.background_pixel = UInt(background)
    attributes.bit_gravity = ForgetGravity
    attributes.event_mask =
      ExposureMask | StructureNotifyMask | KeyPressMask | KeyReleaseMask | ButtonPressMask
      | ButtonReleaseMask | EnterWindowMask | LeaveWindowMask | FocusChangeMask
    let window = XCreateWindow(
      display, UInt(root.rawValue), 0, 0, UInt32(width), UInt32(height), 0, 0,
      UInt32(InputOutput), nil, UInt(CWBackPixel | CWBitGravity | CWEventMask), &attributes)
    return Window(UInt32(truncatingIfNeeded: window))
  }

  /// Names the window, and says what it understands, as ICCCM 4.1.2 and EWMH have it.
  func describe(
    _ window: Window, title: String, className: String, leastWidth: Int, leastHeight: Int,
    closes: Atom, utf8Title: Atom, utf8: Atom, processProperty: Atom
  ) {
    guard !isDead else { return }
    let raw = UInt(window.rawValue)
    var hints = XSizeHints()
    hints.flags = CLong(PMinSize)
    hints.min_width = CInt(leastWidth)
    hints.min_height = CInt(leastHeight)
    var input = XWMHints()
    input.flags = CLong(InputHint | StateHint)
    input.input = True
    input.initial_state = NormalState
    title.withCString { text in
      className.withCString { name in
        var classHint = XClassHint(
          res_name: UnsafeMutablePointer(mutating: name),
          res_class: UnsafeMutablePointer(mutating: name))
        // This sets WM_CLIENT_MACHINE and WM_LOCALE_NAME too.
        Xutf8SetWMProperties(display, raw, text, text, nil, 0, &hints, &input, &classHint)
      }
    }
    var protocols = [UInt(closes.rawValue)]
    XSetWMProtocols(display, raw, &protocols, 1)
    Array(title.utf8).withUnsafeBytes {
      changeProperty(window, utf8Title, type: utf8, format: 8, bytes: $0)
    }
    changeProperty(
      window, processProperty, type: .cardinal, numbers: [UInt32(bitPattern: getpid())])
  }

  func map(_ window: Window) {
    guard !isDead else { return }
    XMapWindow(display, UInt(window.rawValue))
  }

  /// Draws pixels of four bytes (blue, green, red, unused; host order of 0xRRGGBB) over the whole window.
  ///
  /// - Returns: False where the screen has no such pixels.
  func draw(
    _ pixels: UnsafeMutableRawBufferPointer, width: Int, height: Int, stride: Int, on window: Window
  ) -> Bool {
    guard !isDead, let base = pixels.baseAddress, pixels.count >= stride * height,
      width > 0, height > 0
    else { return false }
    let screen = XDefaultScreen(display)
    guard let visual = XDefaultVisual(display, screen), XDefaultDepth(display, screen) >= 24,
      visual.pointee.red_mask == 0xFF0000, visual.pointee.green_mask == 0xFF00,
      visual.pointee.blue_mask == 0xFF
    else { return false }
    guard
      let image = XCreateImage(
        display, visual, UInt32(XDefaultDepth(display, screen)), ZPixmap, 0,
        base.assumingMemoryBound(to: CChar.self), UInt32(width), UInt32(height), 32, CInt(stride))
    else { return false }
    // The pixels are in this machine's order, whatever the server's is; Xlib swaps where they differ.
    image.pointee.byte_order = UInt32(1).littleEndian == 1 ? LSBFirst : MSBFirst
    XPutImage(
      display, UInt(window.rawValue), XDefaultGC(display, screen), image, 0, 0, 0, 0,
      UInt32(width), UInt32(height))
    // The pixels belong to the caller.
    image.pointee.data = nil
    XFree(image)
    return true
  }

  /// Dots an inch that the desktop's settings ask for, else what the screen is said to have, else 96.
  func dotsPerInch() -> Double {
    guard !isDead else { return 96 }
    if let value = XGetDefault(display, "Xft", "dpi"), let dots = Double(String(cString: value)),
      (24...1_200).contains(dots)
    {
      return dots
    }
    return 96
  }

  func windowEvent(_ event: XEvent) -> ServerEvent {
    let window = Window(UInt32(truncatingIfNeeded: event.xany.window))
    switch event.type {
    case Expose:
      return event.xexpose.count == 0 ? .window(window, .exposed) : .other
    case ConfigureNotify:
      let size = event.xconfigure
      return .window(window, .resized(width: Int(size.width), height: Int(size.height)))
    case EnterNotify: return .window(window, .pointerEntered)
    case LeaveNotify: return .window(window, .pointerLeft)
    case ButtonPress:
      let press = event.xbutton
      return .window(
        window, .pointerPressed(button: Int(press.button), x: Int(press.x), y: Int(press.y)))
    case ButtonRelease:
      let press = event.xbutton
      return .window(
        window, .pointerReleased(button: Int(press.button), x: Int(press.x), y: Int(press.y)))
    case KeyPress: return .window(window, .keyPressed(key(event)))
    case KeyRelease: return .window(window, .keyReleased(key(event)))
    case FocusIn: return .window(window, .focusChanged(hasFocus: true))
    case FocusOut: return .window(window, .focusChanged(hasFocus: false))
    default: return .other
    }
  }

  private func key(_ event: XEvent) -> WindowEvent.Key {
    var press = event.xkey
    switch Int32(truncatingIfNeeded: XLookupKeysym(&press, 0)) {
    case 0x20, 0xFF80: return .space
    case 0xFF0D, 0xFF8D: return .enter
    case 0xFF1B: return .escape
    default: return .other
    }
  }
}
