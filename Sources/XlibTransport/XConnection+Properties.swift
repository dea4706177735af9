internal import CX11
import SelectionProtocol

/// Windows that only carry properties, and the properties.
extension XConnection {
  /// An unmapped window that only carries properties.
  func createWindow(mask: Int) -> Window {
    guard !isDead else { return .none }
    var attributes = XSetWindowAttributes()
    attributes.event_mask = mask
    attributes.override_redirect = True
    let window = XCreateWindow(
      display, UInt(root.rawValue), -10, -10, 1, 1, 0, 0, UInt32(InputOnly), nil,
      UInt(CWEventMask | CWOverrideRedirect), &attributes)
    return Window(UInt32(truncatingIfNeeded: window))
  }

  func destroyWindow(_ window: Window) {
    guard !isDead else { return }
    XDestroyWindow(display, UInt(window.rawValue))
  }

  func selectInput(_ window: Window, mask: Int) {
    guard !isDead else { return }
    XSelectInput(display, UInt(window.rawValue), mask)
  }

  /// Stores bytes, an item of format 32 or 16 taking four or two of them.
  func changeProperty(
    _ window: Window, _ property: Atom, type: Atom, format: Int, bytes: UnsafeRawBufferPointer,
    append: Bool = false
  ) {
    guard !isDead else { return }
    let mode = append ? PropModeAppend : PropModeReplace
    let count = bytes.count / max(1, format / 8)
    // Xlib wants format 32 as C long and format 16 as C short, in host order, whatever their size here.
    switch format {
    case 32:
      let longs = (0..<count).map {
        CLong(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
      }
      longs.withUnsafeBytes { raw in
        _ = XChangeProperty(
          display, UInt(window.rawValue), UInt(property.rawValue), UInt(type.rawValue), 32, mode,
          raw.bindMemory(to: UInt8.self).baseAddress, CInt(count))
      }
    default:
      _ = XChangeProperty(
        display, UInt(window.rawValue), UInt(property.rawValue), UInt(type.rawValue),
        CInt(format), mode, bytes.bindMemory(to: UInt8.self).baseAddress, CInt(count))
    }
  }

  func changeProperty(_ window: Window, _ property: Atom, type: Atom, numbers: [UInt32]) {
    numbers.withUnsafeBytes {
      changeProperty(window, property, type: type, format: 32, bytes: $0)
    }
  }

  /// Appends nothing, for the time in the notice of it.
  func touchTimestamp(_ window: Window, _ property: Atom) {
    changeProperty(
      window, property, type: .integer, format: 32,
      bytes: UnsafeRawBufferPointer(start: nil, count: 0), append: true)
  }

  func deleteProperty(_ window: Window, _ property: Atom) {
    guard !isDead else { return }
    XDeleteProperty(display, UInt(window.rawValue), UInt(property.rawValue))
  }

  /// Reads one slice, and lends its bytes, packed by format, while `body` runs.
  ///
  /// - Parameters:
  ///   - offset: In units of four bytes.
  ///   - length: The most units of four bytes.
  ///   - delete: Deletes the property if the slice is its last one.
  func readProperty<Result>(
    _ window: Window, _ property: Atom, offset: Int, length: Int, delete: Bool,
    _ body: (PropertySlice?, UnsafeRawBufferPointer) throws -> Result
  ) rethrows -> Result {
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    guard !isDead else { return try body(nil, empty) }
    var type: UInt = 0
    var format: CInt = 0
    var count: UInt = 0
    var after: UInt = 0
    var data: UnsafeMutablePointer<UInt8>?
    let status = XGetWindowProperty(
      display, UInt(window.rawValue), UInt(property.rawValue), offset, length,
      delete ? True : False,
      UInt(AnyPropertyType), &type, &format, &count, &after, &data)
    defer { if let data { XFree(data) } }
    guard status == Success, type != 0, [8, 16, 32].contains(format), let data else {
      return try body(nil, empty)
    }
    var slice = PropertySlice(
      type: Atom(UInt32(truncatingIfNeeded: type)), format: Int(format),
      byteCount: Int(count) * Int(format) / 8, bytesAfter: Int(after))
    guard format == 32 else {
      return try body(slice, UnsafeRawBufferPointer(start: data, count: slice.byteCount))
    }
    // Xlib returns C longs, sign-extended: keep the 32 bits that were on the wire.
    let longs = UnsafeRawPointer(data)
    let items = (0..<Int(count)).map {
      UInt32(
        truncatingIfNeeded: longs.load(
          fromByteOffset: $0 * MemoryLayout<CLong>.stride, as: CLong.self))
    }
    slice.firstItem = items.first
    return try items.withUnsafeBytes { try body(slice, $0) }
  }
}
