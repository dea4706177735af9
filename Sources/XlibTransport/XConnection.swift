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
  /// The bits of a window's number that say which client made it.
  let clientMask: UInt32
  let descriptor: CInt
  let name: String
  /// Whether the server has XFixes, once it was asked.
  var xfixesAnswer: Bool?
  /// Event number of XFixes' selection notice, where it was asked for.
  var xfixesBase: Int?

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
    clientMask = cx_client_mask(display)
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
        ? Window(UInt32(truncatingIfNeeded: error.resource)) : nil,
      isOutOfMemory: error.code == UInt8(BadAlloc))
  }
}
