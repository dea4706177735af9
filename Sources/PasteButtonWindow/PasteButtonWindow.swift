import SelectionProtocol
public import XlibTransport

/// A small window that is one button.
///
/// It is pressed by the pointer (pressed and released inside), by the space bar or the Enter key, and closed by the
/// Escape key or the window manager. While it is disabled it shows that, and nothing presses it. It belongs to the
/// thread that runs its connection.
public final class PasteButtonWindow {
  /// Why there is no window.
  public struct CannotShow: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
  }

  private let connection: SelectionConnection
  private let drawing: ButtonDrawing
  private var window = Window.none
  private var width: Int
  private var height: Int
  private var appearance: ButtonAppearance
  private var isPointerDown = false
  private var isKeyDown = false

  /// Called for each press.
  public var onPress: (() -> Void)?
  /// Called once when the person closes the window.
  public var onClose: (() -> Void)?

  /// Shows the window.
  ///
  /// - Parameters:
  ///   - connection: Whose events tell of it.
  ///   - label: What the button does.
  /// - Throws: `CannotShow` where the connection broke, or the screen is of a kind that is not drawn on.
  public init(on connection: SelectionConnection, label: String) throws(CannotShow) {
    self.connection = connection
    drawing = ButtonDrawing(scale: max(0.5, min(connection.pixelScale, 8)))
    appearance = ButtonAppearance(label: label)
    (width, height) = drawing.size(for: appearance)
    window = connection.showWindow(
      title: label, className: "paste-button", width: width, height: height,
      background: ButtonDrawing.background
    ) { [weak self] event in self?.happened(event) }
    guard window != .none else {
      throw CannotShow(description: "the window cannot be shown: the connection was lost")
    }
    guard redraw() else {
      connection.closeWindow(window)
      throw CannotShow(
        description:
          "the window cannot be drawn: the screen of display \"\(connection.displayName)\" has no 24-bit "
          + "colours")
    }
  }

  deinit { connection.closeWindow(window) }

  /// Number of the window.
  public var identifier: UInt32 { window.rawValue }

  /// Enables or disables the button, and shows why.
  public func update(isEnabled: Bool, detail: String) {
    guard appearance.isEnabled != isEnabled || appearance.detail != detail else { return }
    change {
      $0.isEnabled = isEnabled
      $0.detail = detail
      if !isEnabled { $0.isPressed = false }
    }
  }

  private func happened(_ event: WindowEvent) {
    switch event {
    case .exposed:
      redraw()
    case .resized(let width, let height):
      guard (width, height) != (self.width, self.height) else { return }
      (self.width, self.height) = (width, height)
      redraw()
    case .pointerEntered:
      change {
        $0.hasPointer = true
        $0.isPressed = isPointerDown && $0.isEnabled
      }
    case .pointerLeft:
      change {
        $0.hasPointer = false
        $0.isPressed = false
      }
    case .pointerPressed(1, _, _):
      isPointerDown = true
      change { $0.isPressed = $0.isEnabled }
    case .pointerReleased(1, let x, let y):
      let isInside = (0..<width).contains(x) && (0..<height).contains(y)
      let wasPressed = isPointerDown && appearance.isPressed
      isPointerDown = false
      change { $0.isPressed = false }
      if wasPressed, isInside { press() }
    case .keyPressed(.space), .keyPressed(.enter):
      // Holding the key down repeats the event, not the press.
      guard !isKeyDown else { return }
      isKeyDown = true
      change { $0.isPressed = $0.isEnabled }
    case .keyReleased(.space), .keyReleased(.enter):
      let wasPressed = isKeyDown && appearance.isPressed
      isKeyDown = false
      change { $0.isPressed = false }
      if wasPressed { press() }
    case .keyPressed(.escape), .closeRequested:
      let close = onClose
      onClose = nil
      close?()
    case .focusChanged(let hasFocus):
      if !hasFocus { isKeyDown = false }
      change {
        $0.hasFocus = hasFocus
        if !hasFocus, !isPointerDown { $0.isPressed = false }
      }
    case .pointerPressed, .pointerReleased, .keyPressed(.other), .keyReleased:
      break
    }
  }

  private func press() {
    if appearance.isEnabled { onPress?() }
  }

  private func change(_ body: (inout ButtonAppearance) -> Void) {
    let before = appearance
    body(&appearance)
    if appearance != before { redraw() }
  }

  @discardableResult
  private func redraw() -> Bool {
    // A window manager may make it as large as it likes; the pixels are only as many as it has.
    let (width, height) = (max(1, min(width, 8_192)), max(1, min(height, 8_192)))
    let stride = ButtonDrawing.stride(width: width)
    let pixels = UnsafeMutableRawBufferPointer.allocate(
      byteCount: stride * height, alignment: 16)
    defer { pixels.deallocate() }
    return drawing.draw(appearance, into: pixels, width: width, height: height, stride: stride)
      && connection.draw(pixels, width: width, height: height, stride: stride, on: window)
  }
}
