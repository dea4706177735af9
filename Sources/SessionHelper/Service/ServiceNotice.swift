internal import Glibc
internal import SelectionProtocol
internal import XlibTransport

/// Tells a service manager how the helper is doing (sd_notify), where one asked for it.
final class ServiceNotice {
  private let descriptor: CInt
  /// Milliseconds between signs of life; `nil` where nobody waits for them.
  private let interval: Int64?
  private var nextSign: Instant?

  /// Takes NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID from the environment.
  init() {
    func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    descriptor = Self.connected(to: value("NOTIFY_SOCKET") ?? "")
    let isMeant = value("WATCHDOG_PID").map { $0 == String(getpid()) } ?? true
    if descriptor >= 0, isMeant, let micro = value("WATCHDOG_USEC").flatMap({ Int64($0) }),
      micro > 0
    {
      interval = max(1, micro / 2_000)
    } else {
      interval = nil
    }
    for name in ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"] { unsetenv(name) }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// When `signOfLife` has to be called.
  var deadline: Instant? { nextSign }

  func ready(_ status: String) {
    send("READY=1\nSTATUS=\(status)")
    nextSign = interval.map { .now + $0 }
  }

  func stopping() { send("STOPPING=1") }

  func status(_ text: String) { send("STATUS=\(text)") }

  func signOfLife(now: Instant) {
    guard let interval, let due = nextSign, due <= now else { return }
    nextSign = now + interval
    send("WATCHDOG=1")
  }

  private func send(_ text: String) {
    guard descriptor >= 0 else { return }
    let bytes = Array(text.utf8)
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  private static func connected(to path: String) -> CInt {
    var bytes = Array(path.utf8)
    guard bytes.first == UInt8(ascii: "/") || bytes.first == UInt8(ascii: "@"), bytes.count <= 107
    else { return -1 }
    let isAbstract = bytes[0] == UInt8(ascii: "@")
    if isAbstract { bytes[0] = 0 }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
    // The name of an abstract socket ends where the address does.
    let length = MemoryLayout<sa_family_t>.size + bytes.count + (isAbstract ? 0 : 1)
    let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    guard descriptor >= 0 else { return -1 }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(length))
      }
    }
    guard status == 0 else {
      close(descriptor)
      return -1
    }
    return descriptor
  }
}
