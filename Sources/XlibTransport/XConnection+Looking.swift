internal import CX11
import SelectionProtocol

/// What a look at the pointer and at other clients' windows tells.
extension XConnection {
  /// Buttons and modifiers that are down, as the core protocol counts them; `nil` where the connection broke.
  func pointerMask() -> UInt32? {
    guard !isDead else { return nil }
    var rootWindow: UInt = 0
    var child: UInt = 0
    var (rootX, rootY, x, y): (CInt, CInt, CInt, CInt) = (0, 0, 0, 0)
    var mask: UInt32 = 0
    // The mask is right although the pointer may be on another screen, which the result says.
    _ = XQueryPointer(
      display, UInt(root.rawValue), &rootWindow, &child, &rootX, &rootY, &x, &y, &mask)
    return isDead ? nil : mask
  }

  /// The windows directly on the screen, lowest first; the first `most` of them.
  func windowsOnRoot(most: Int) -> [SelectionProtocol.Window] {
    guard !isDead else { return [] }
    var rootWindow: UInt = 0
    var parent: UInt = 0
    var children: UnsafeMutablePointer<UInt>?
    var count: UInt32 = 0
    guard
      XQueryTree(display, UInt(root.rawValue), &rootWindow, &parent, &children, &count) != 0,
      let children
    else { return [] }
    defer { XFree(children) }
    return (0..<min(Int(count), most)).map {
      SelectionProtocol.Window(UInt32(truncatingIfNeeded: children[$0]))
    }
  }
}
