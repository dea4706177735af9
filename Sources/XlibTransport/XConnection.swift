internal import CX11
internal import Glibc
import SelectionProtocol

/// One private display connection: a thin wrapper for each Xlib call that the transport makes.
///
/// After the connection broke no call reaches Xlib any more except the closing one (libX11 would go on with a
/// freed socket), and every wrapper answers as if there were nothing.
final class XConnection {
  private let connection: OpaquePointer
  let display: OpaquePointer
  private var isClosed = false
  let root: Window
  /// The root window of screen 0, where managers that belong to no screen announce themselves (ICCCM 2.8).
  let firstRoot: Window
  /// The most bytes that fit one property, by the connection's own limit without BIG-REQUESTS (ICCCM 2.5).
  let maximumPropertySize: Int
  /// The most bytes that fit one property with BIG-REQUESTS, where the server has that.
  let largestPropertySize: Int
  let descriptor: CInt
  let name: String
  /// Whether the server has XFixes, once it was asked.
  var xfixesAnswer: Bool?
  /// Event number of XFixes' selection notice, where it was asked for.
  private var xfixesBase: Int?

  /// - Parameter name: As in DISPLAY; `nil` takes DISPLAY itself.
  init(name: String?, ignoresKeyboard: Bool) throws(DisplayError) {
    let effective = name ?? getenv("DISPLAY").map { String(cString: $0) } ?? ""
    guard !effective.isEmpty else { throw DisplayError(.noDisplayNamed, display: "") }
    guard let connection = cx_open(effective, ignoresKeyboard), let display = cx_display(connection)
    else {
      throw DisplayError(.cannotOpen, display: effective)
    }
    self.connection = connection
    self.display = display
    self.name = effective
    root = Window(UInt32(truncatingIfNeeded: XDefaultRootWindow(display)))
    firstRoot = Window(UInt32(truncatingIfNeeded: XRootWindow(display, 0)))
    // A request's header takes 24 bytes; the rest is a margin for its length field.
    maximumPropertySize = max(4_096, XMaxRequestSize(display) * 4 - 100) & ~3
    let extended = min(XExtendedMaxRequestSize(display), 1 << 30)
    largestPropertySize = max(maximumPropertySize, (extended * 4 - 100) & ~3)
    descriptor = XConnectionNumber(display)
  }

  deinit { close() }

  var isDead: Bool { isClosed || cx_is_dead(connection) }

  /// Closes the connection; afterwards it is dead.
  func close() {
    guard !isClosed else { return }
    isClosed = true
    cx_close(connection)
  }

  // MARK: Requests and errors

  /// Number of the next request.
  var nextSerial: UInt64 { isDead ? 0 : UInt64(XNextRequest(display)) }
  /// Number of the last request that the server is known to have dealt with.
  var processedSerial: UInt64 { isDead ? 0 : UInt64(XLastKnownRequestProcessed(display)) }

  /// Waits until the server has dealt with everything sent so far.
  func synchronize() {
    guard !isDead else { return }
    cx_claim_io_error_handler()
    XSync(display, False)
  }

  func flush() {
    guard !isDead else { return }
    cx_claim_io_error_handler()
    XFlush(display)
  }

  var hasError: Bool { !isClosed && cx_has_error(connection) }

  func takeError() -> ServerError? {
    var error = cx_error()
    guard !isClosed, cx_take_error(connection, &error) else { return nil }
    return ServerError(
      serial: error.serial,
      missingWindow: error.code == UInt8(BadWindow)
        ? Window(UInt32(truncatingIfNeeded: error.resource)) : nil)
  }

  // MARK: Events

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

  /// Takes the first queued notice that our property was written, leaving all other events in their places.
  func takePropertyTime(_ window: Window, _ property: Atom) -> ServerTime? {
    guard !isDead else { return nil }
    var event = XEvent()
    guard cx_take_property_event(display, UInt(window.rawValue), UInt(property.rawValue), &event)
    else { return nil }
    return ServerTime(event.xproperty.time)
  }

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

  // MARK: Atoms

  /// Interns all names in one round trip.
  func internAtoms(_ names: [String]) -> [Atom] {
    guard !isDead, !names.isEmpty else { return names.map { _ in .none } }
    return withUnsafeTemporaryAllocation(
      of: UnsafeMutablePointer<CChar>?.self, capacity: names.count
    ) { pointers in
      for (index, name) in names.enumerated() {
        pointers.initializeElement(at: index, to: strdup(name))
      }
      defer { for pointer in pointers { free(pointer) } }
      return internAtoms(pointers)
    }
  }

  private func internAtoms(
    _ names: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>
  ) -> [Atom] {
    var atoms = [UInt](repeating: 0, count: names.count)
    guard XInternAtoms(display, names.baseAddress, CInt(names.count), False, &atoms) != 0 else {
      return names.map { _ in .none }
    }
    return atoms.map { Atom(UInt32(truncatingIfNeeded: $0)) }
  }

  /// The bytes of the atoms' names in one round trip; `nil` for what is no atom.
  func atomNames(_ atoms: [Atom]) -> [[UInt8]?] {
    guard !isDead, !atoms.isEmpty else { return atoms.map { _ in nil } }
    var raw = atoms.map { UInt($0.rawValue) }
    var names = [UnsafeMutablePointer<CChar>?](repeating: nil, count: atoms.count)
    // One unknown atom makes the call as a whole fail; the known ones are filled in all the same.
    _ = XGetAtomNames(display, &raw, CInt(atoms.count), &names)
    return names.map { name in
      guard let name else { return nil }
      defer { XFree(name) }
      return Array(UnsafeRawBufferPointer(start: name, count: strlen(name)))
    }
  }

  // MARK: Windows

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

  // MARK: Properties

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

  // MARK: Selections

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

  // MARK: Extensions

  /// Whether the server tells of selection changes (XFixes 1.0); asked once.
  func queryXFixes() -> Bool {
    if let asked = xfixesAnswer { return asked }
    var event: CInt = 0
    var error: CInt = 0
    var major: CInt = 1
    var minor: CInt = 0
    let isThere =
      !isDead && XFixesQueryExtension(display, &event, &error) != 0
      && XFixesQueryVersion(display, &major, &minor) != 0 && major >= 1
    xfixesAnswer = isThere
    if isThere { xfixesBase = Int(event) + Int(XFixesSelectionNotify) }
    return isThere
  }

  func selectSelectionInput(_ window: Window, _ selection: Atom, enabled: Bool) {
    guard !isDead else { return }
    let mask =
      XFixesSetSelectionOwnerNotifyMask | XFixesSelectionWindowDestroyNotifyMask
      | XFixesSelectionClientCloseNotifyMask
    XFixesSelectSelectionInput(
      display, UInt(window.rawValue), UInt(selection.rawValue), enabled ? UInt(mask) : 0)
  }

  func processOfClient(behind window: Window) -> Int32? {
    guard !isDead else { return nil }
    let process = cx_process_of_window(display, UInt(window.rawValue))
    return process > 0 ? process : nil
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
