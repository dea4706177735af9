import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// A toolkit in the same process, with error handlers of its own, which are one for the whole process.
@Suite(.serialized) struct ForeignHandlerTests {
  private typealias ErrorHandler = @convention(c) (OpaquePointer?, OpaquePointer?) -> Int32
  private typealias IOErrorHandler = @convention(c) (OpaquePointer?) -> Int32

  /// A function of the Xlib that is loaded already.
  private func xlib<Function>(_ name: String, _: Function.Type) throws -> Function {
    let symbol = try #require(dlsym(nil, name))
    return unsafeBitCast(symbol, to: Function.self)
  }

  @Test func errorsGoWhereTheyBelong() throws {
    let server = try XServer()
    let connection = try SelectionConnection(display: server.display)
    let setHandler = try xlib(
      "XSetErrorHandler", (@convention(c) (ErrorHandler?) -> ErrorHandler?).self)
    let open = try xlib(
      "XOpenDisplay", (@convention(c) (UnsafePointer<CChar>?) -> OpaquePointer?).self)
    let close = try xlib("XCloseDisplay", (@convention(c) (OpaquePointer?) -> Int32).self)
    let sync = try xlib("XSync", (@convention(c) (OpaquePointer?, Int32) -> Int32).self)
    let destroy = try xlib("XDestroyWindow", (@convention(c) (OpaquePointer?, UInt) -> Int32).self)
    foreignErrors.reset()
    let previous = setHandler { _, _ in
      foreignErrors.count()
      return 0
    }
    defer { _ = setHandler(previous) }
    // Ours: a requestor that is gone when it is answered.
    try connection.acquire(
      connection.atoms.clipboard,
      Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("x"))]))
    let peer = try Peer(display: server.display)
    let window = try peer.ask("window")
    try peer.order("convert \(window) CLIPBOARD UTF8_STRING P 0")
    try peer.ask("destroy \(window)")
    try connection.turn(until: .now + 1_000)
    #expect(!connection.isServing)
    #expect(foreignErrors.value == 0)
    // Theirs.
    let display = try #require(open(server.display))
    _ = destroy(display, 0x1FF_FFFF)
    _ = sync(display, 0)
    #expect(foreignErrors.value == 1)
    _ = close(display)
    #expect(!connection.isLost)
  }

  @Test func aBrokenConnectionOfOursIsNotTheirs() throws {
    let server = try XServer()
    let connection = try SelectionConnection(display: server.display)
    let setHandler = try xlib(
      "XSetIOErrorHandler", (@convention(c) (IOErrorHandler?) -> IOErrorHandler?).self)
    foreignErrors.reset()
    // A toolkit's handler would end the process.
    let previous = setHandler { _ in
      foreignErrors.count()
      return 0
    }
    defer { _ = setHandler(previous) }
    try connection.turn(until: .now)
    server.kill()
    #expect(throws: DisplayError.self) { while true { try connection.turn(until: .now + 1_000) } }
    #expect(foreignErrors.value == 0)
  }
}

/// How often the foreign handler was called; a C function has no other place to leave it.
private let foreignErrors = Counter()

private final class Counter: @unchecked Sendable {
  // Every access takes the lock.
  private let lock = NSLock()
  private var number = 0
  var value: Int { lock.withLock { number } }
  func count() { lock.withLock { number += 1 } }
  func reset() { lock.withLock { number = 0 } }
}
