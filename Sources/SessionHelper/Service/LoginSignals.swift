internal import Glibc

/// Hears from the system's login manager when the session is locked or the machine goes to sleep.
///
/// Only for a history that is to be wiped then; otherwise no bus is ever spoken to. It offers nothing on the bus, and
/// listens to org.freedesktop.login1 alone, which no user can pretend to be there.
final class LoginSignals {
  let descriptor: CInt
  private(set) var isOver = false
  private var received: [UInt8] = []
  private let session: String?

  /// Milliseconds for the bus to answer in.
  private static let patience: CInt = 500

  /// Connects to the system bus.
  ///
  /// - Returns: `nil` where there is none, or it says no.
  init?() {
    let named = getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) }
    guard let path = Self.path(named ?? "unix:path=/run/dbus/system_bus_socket") else { return nil }
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
    session = getenv("XDG_SESSION_ID").map {
      "/org/freedesktop/login1/session/" + Self.label(String(cString: $0))
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    guard connect(path), authenticate() else { return nil }
    var serial: UInt32 = 1
    var calls = BusMessage.call("Hello", serial: serial)
    for match in [
      "interface='org.freedesktop.login1.Manager',member='PrepareForSleep'",
      "interface='org.freedesktop.login1.Session',member='Lock'",
      "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',arg0='org.freedesktop.login1.Session'",
    ] {
      serial += 1
      calls += BusMessage.call(
        "AddMatch", "type='signal',sender='org.freedesktop.login1'," + match, serial: serial)
    }
    guard send(calls) else { return nil }
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  }

  deinit { close(descriptor) }

  /// What was heard since the last call.
  func take() -> [HistorySettings.Wipe] {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while !isOver {
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      guard count > 0, received.count < 2 * BusMessage.longest else {
        isOver = true
        break
      }
      received += buffer[..<count]
    }
    var heard: [HistorySettings.Wipe] = []
    while true {
      switch BusMessage.parse(received) {
      case .incomplete: return heard
      case .broken:
        isOver = true
        return heard
      case .message(let message, let byteCount):
        received.removeFirst(byteCount)
        if let wipe = meaning(of: message) { heard.append(wipe) }
      }
    }
  }

  private func meaning(of message: BusMessage) -> HistorySettings.Wipe? {
    guard message.type == BusMessage.signal else { return nil }
    let isOurs = session == nil || session == message.path
    switch message.member {
    case "PrepareForSleep": return message.flag == true ? .suspend : nil
    case "Lock": return isOurs ? .lock : nil
    case "PropertiesChanged":
      return isOurs && message.changedFlag("LockedHint") == true ? .lock : nil
    default: return nil
    }
  }

  // MARK: Connecting

  private static func path(_ addresses: String) -> String? {
    for address in addresses.split(separator: ";") where address.hasPrefix("unix:") {
      for part in address.dropFirst(5).split(separator: ",") where part.hasPrefix("path=") {
        return String(part.dropFirst(5))
      }
    }
    return nil
  }

  /// A session's name as a part of an object's path.
  private static func label(_ name: String) -> String {
    var result = ""
    for (index, byte) in name.utf8.enumerated() {
      let scalar = Unicode.Scalar(byte)
      let isLetter = ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar)
      if isLetter || (index > 0 && ("0"..."9").contains(scalar)) {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16)
        result += "_" + (digits.count < 2 ? "0" : "") + digits
      }
    }
    return result
  }

  private func connect(_ path: String) -> Bool {
    guard path.utf8.count <= 107 else { return false }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
      }
    }
  }

  /// By the user's number, which the bus checks (EXTERNAL).
  private func authenticate() -> Bool {
    let number = String(geteuid()).utf8.map { byte in
      String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
    }
    guard send([0] + Array("AUTH EXTERNAL \(number.joined())\r\n".utf8)) else { return false }
    var answer: [UInt8] = []
    var byte: UInt8 = 0
    while answer.last != 0x0A, answer.count < 256 {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&waiting, 1, Self.patience) == 1, read(descriptor, &byte, 1) == 1 else {
        return false
      }
      answer.append(byte)
    }
    return answer.starts(with: Array("OK ".utf8)) && send(Array("BEGIN\r\n".utf8))
  }

  private func send(_ bytes: [UInt8]) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
