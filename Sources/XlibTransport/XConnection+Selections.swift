internal import CX11
import SelectionProtocol

/// Selections, and what clients send each other about them.
extension XConnection {
  func owner(of selection: Atom) -> Window {
    guard !isDead else { return .none }
    return Window(
      UInt32(truncatingIfNeeded: XGetSelectionOwner(display, UInt(selection.rawValue))))
  }

  func setOwner(of selection: Atom, to window: Window, time: ServerTime) {
    guard !isDead else { return }
    XSetSelectionOwner(
      display, UInt(selection.rawValue), UInt(window.rawValue), UInt(time.rawValue))
  }

  func convert(
    _ selection: Atom, to target: Atom, property: Atom, requestor: Window, time: ServerTime
  ) {
    guard !isDead else { return }
    XConvertSelection(
      display, UInt(selection.rawValue), UInt(target.rawValue), UInt(property.rawValue),
      UInt(requestor.rawValue), UInt(time.rawValue))
  }

  func notify(_ request: SelectionRequest, property: Atom) {
    guard !isDead else { return }
    var event = XEvent()
    event.xselection = XSelectionEvent(
      type: SelectionNotify, serial: 0, send_event: True, display: display,
      requestor: UInt(request.requestor.rawValue), selection: UInt(request.selection.rawValue),
      target: UInt(request.target.rawValue), property: UInt(property.rawValue),
      time: UInt(request.time.rawValue))
    XSendEvent(display, UInt(request.requestor.rawValue), False, NoEventMask, &event)
  }

  /// Sends a format 32 message.
  func sendMessage(
    to destination: Window, about window: Window, type: Atom, mask: Int, data: [UInt32]
  ) {
    guard !isDead else { return }
    var event = XEvent()
    event.xclient = XClientMessageEvent()
    event.xclient.type = ClientMessage
    event.xclient.window = UInt(window.rawValue)
    event.xclient.message_type = UInt(type.rawValue)
    event.xclient.format = 32
    withUnsafeMutablePointer(to: &event.xclient.data.l) { pointer in
      pointer.withMemoryRebound(to: CLong.self, capacity: 5) { longs in
        for index in 0..<5 { longs[index] = index < data.count ? CLong(data[index]) : 0 }
      }
    }
    XSendEvent(display, UInt(destination.rawValue), False, mask, &event)
  }
}
