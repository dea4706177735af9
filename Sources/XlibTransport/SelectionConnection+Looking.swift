public import SelectionProtocol

/// What is held down on the pointer and the keyboard.
public struct HeldKeys: Hashable, Sendable {
  /// The first button, which selects.
  public var isSelecting: Bool
  /// Shift, by which a selection is grown with the keyboard.
  public var isShifted: Bool
}

/// What a window says of itself.
public struct WindowFacts: Hashable, Sendable {
  /// Both parts of WM_CLASS.
  public var classes: [String]
  public var title: String
}

extension SelectionConnection {
  private static var mostWindows: Int { 512 }
  /// The most bytes of a title or class that are read, in units of four.
  private static var longestText: Int { 1_024 }

  /// What is held down now, by one question to the server.
  public func heldKeys() -> HeldKeys {
    let mask = x.pointerMask() ?? 0
    // Button1Mask and ShiftMask of the core protocol.
    return HeldKeys(isSelecting: mask & 1 << 8 != 0, isShifted: mask & 1 != 0)
  }

  /// Class and title of a window, whoever made it.
  public func facts(of window: Window) -> WindowFacts {
    let names = atoms(["WM_CLASS", "_NET_WM_NAME", "WM_NAME"])
    let classes = text(of: window, names[0]).split(separator: "\0").map(String.init)
    let title = text(of: window, names[1])
    return WindowFacts(
      classes: classes, title: title.isEmpty ? text(of: window, names[2]) : title)
  }

  /// The windows that people see: those that a window manager lists, otherwise those on the screen.
  public func shownWindowsOfAll() -> [Window] {
    let listed = numbers(of: x.root, atom("_NET_CLIENT_LIST"), most: Self.mostWindows)
    return listed.isEmpty
      ? x.windowsOnRoot(most: Self.mostWindows) : listed.map { Window($0) }
  }

  private func text(of window: Window, _ property: Atom) -> String {
    x.readProperty(window, property, offset: 0, length: Self.longestText, delete: false) {
      slice, bytes in
      guard let slice, slice.format == 8 else { return "" }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func numbers(of window: Window, _ property: Atom, most: Int) -> [UInt32] {
    x.readProperty(window, property, offset: 0, length: most, delete: false) { slice, bytes in
      guard let slice, slice.format == 32 else { return [] }
      return (0..<(bytes.count / 4)).map {
        bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
      }
    }
  }
}
