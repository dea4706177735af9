internal import CX11
import SelectionProtocol

/// What the server tells.
extension XConnection {
  /// Events that can be taken without blocking.
  func eventCount() -> Int {
    guard !isDead else { return 0 }
    cx_claim_io_error_handler()
    return Int(XEventsQueued(display, QueuedAfterReading))
  }

  func nextEvent() -> ServerEvent? {
    guard !isDead else { return nil }
    var event = XEvent()
    XNextEvent(display, &event)
    return isDead ? nil : translated(event)
  }

  /// Takes the queued notices that our property was written, leaving all other events in their places.
  ///
  /// - Returns: The time of the last of them: anybody may write it too, and have done so a while ago.
  func takePropertyTime(_ window: Window, _ property: Atom) -> ServerTime? {
    guard !isDead else { return nil }
    var event = XEvent()
    var last: ServerTime?
    var left = Self.mostNotices
    while left > 0,
      cx_take_property_event(display, UInt(window.rawValue), UInt(property.rawValue), &event)
    {
      left -= 1
      last = ServerTime(event.xproperty.time)
    }
    return last
  }

  /// How many notices that our property was deleted are queued; they stay there.
  func deletionCount(_ window: Window, _ property: Atom) -> Int {
    guard !isDead else { return 0 }
    return Int(cx_count_deletions(display, UInt(window.rawValue), UInt(property.rawValue)))
  }

  /// Whoever writes faster than this is taken off must not keep anybody here.
  private static var mostNotices: Int { 4_096 }

  private func translated(_ event: XEvent) -> ServerEvent {
    let isSynthetic = event.xany.send_event != False
    switch event.type {
    // What only the server can know is not believed when another client sends it.
    case SelectionClear where isSynthetic, PropertyNotify where isSynthetic,
      DestroyNotify where isSynthetic:
      return .other
    case CX11.SelectionRequest:
      let request = event.xselectionrequest
      return .selectionRequest(
        SelectionRequest(
          owner: Window(request.owner), requestor: Window(request.requestor),
          selection: Atom(request.selection), target: Atom(request.target),
          property: Atom(request.property), time: ServerTime(request.time)))
    case SelectionClear:
      let clear = event.xselectionclear
      return .selectionClear(
        selection: Atom(clear.selection), window: Window(clear.window),
        serial: UInt64(clear.serial))
    case SelectionNotify:
      let notice = event.xselection
      return .selectionNotify(
        requestor: Window(notice.requestor), selection: Atom(notice.selection),
        property: Atom(notice.property))
    case PropertyNotify:
      let change = event.xproperty
      guard change.state == PropertyNewValue else {
        return .propertyDeleted(
          Window(change.window), Atom(change.atom), serial: UInt64(change.serial))
      }
      return .propertyWritten(
        Window(change.window), Atom(change.atom), time: ServerTime(change.time))
    case DestroyNotify:
      return .windowDestroyed(Window(event.xdestroywindow.window))
    case ClientMessage:
      let message = event.xclient
      guard message.format == 32 else { return .other }
      let data = withUnsafeBytes(of: message.data) { raw in
        (0..<5).map {
          UInt32(truncatingIfNeeded: raw.load(fromByteOffset: 8 * $0, as: CLong.self))
        }
      }
      return .clientMessage(
        Window(message.window), type: Atom(message.message_type), data: data)
    default:
      guard let base = xfixesBase, Int(event.type) == base, !isSynthetic else {
        return windowEvent(event)
      }
      let change = withUnsafeBytes(of: event) { $0.load(as: XFixesSelectionNotifyEvent.self) }
      let kind: SelectionWatch.Event =
        switch Int(change.subtype) {
        case Int(XFixesSelectionWindowDestroyNotify): .windowDestroyed
        case Int(XFixesSelectionClientCloseNotify): .clientClosed
        default: .ownerSet(Window(change.owner))
        }
      return .selectionChanged(
        kind, selection: Atom(change.selection), owner: Window(change.owner),
        time: ServerTime(change.selection_timestamp))
    }
  }
}

extension SelectionProtocol.Window {
  fileprivate init(_ raw: UInt) { self.init(UInt32(truncatingIfNeeded: raw)) }
}

extension SelectionProtocol.Atom {
  fileprivate init(_ raw: UInt) { self.init(UInt32(truncatingIfNeeded: raw)) }
}

extension ServerTime {
  fileprivate init(_ raw: UInt) { self.init(UInt32(truncatingIfNeeded: raw)) }
}
