internal import Glibc
internal import SelectionProtocol
internal import XlibTransport

/// Talks to the helper that runs for a display.
///
/// ```
/// let reply = try HelperClient(display: ":0").ask("status")
/// print(reply.text, terminator: "")
/// exit(reply.code.rawValue)
/// ```
public struct HelperClient: Sendable {
  /// Why there is no reply.
  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a command should exit with.
    public var code: HelperCode
    public var description: String
  }

  private let socket: HelperSocket
  private static let longestReply = 256 << 20

  /// - Parameter display: As in DISPLAY; `nil` takes DISPLAY itself.
  /// - Throws: `Failure` with `noDisplay` or `noHelper`.
  public init(display: String? = nil) throws(Failure) {
    let name = display ?? getenv("DISPLAY").map { String(cString: $0) } ?? ""
    guard !name.isEmpty else {
      throw Failure(code: .noDisplay, description: "DISPLAY is not set")
    }
    do {
      socket = try HelperSocket(
        display: name, runtimeDirectory: getenv("XDG_RUNTIME_DIR").map { String(cString: $0) })
    } catch {
      throw Failure(code: .noHelper, description: "no helper can be reached: \(error)")
    }
  }

  /// Sends a request, and waits for the whole reply.
  ///
  /// - Parameters:
  ///   - verb: `status`, `doctor`, `pause`, `resume`, `ignore-next`, `takeover`, `wait-kept`, `sync`, `reload`
  ///     or `history`.
  ///   - arguments: Of the verb, such as the seconds of a pause.
  ///   - body: What is sent along, for the verbs that take it.
  ///   - milliseconds: How long to wait in all.
  /// - Throws: `Failure` with `noHelper`, `usage` or `timedOut`. What the helper itself refuses is a reply.
  public func ask(
    _ verb: String, _ arguments: [String] = [], body: [UInt8] = [], milliseconds: Int64 = 5_000
  ) throws(Failure) -> HelperReply {
    guard let head = HelperMessage.request(verb, arguments) else {
      throw Failure(code: .usage, description: "\(verb): the arguments cannot be sent")
    }
    let request = head + body
    let deadline = Instant.now + milliseconds
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { throw failure("socket") }
    defer { close(descriptor) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // A helper that is stopped takes neither a connection nor much of a request.
    var patience = timeval(
      tv_sec: Int(milliseconds / 1_000), tv_usec: Int(milliseconds % 1_000) * 1_000)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    guard socket.withAddress({ connect(descriptor, $0, $1) }) == 0 else {
      guard errno != EAGAIN else { throw late }
      throw Failure(
        code: .noHelper,
        description: "no helper runs for this display (\(String(cString: strerror(errno))))")
    }
    var sent = 0
    while sent < request.count {
      let count = request[sent...].withUnsafeBytes {
        send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { throw late }
      // Whoever hangs up in the middle of a request may have said why.
      guard count > 0 else { break }
      sent += count
    }
    let reply = try receive(descriptor, until: deadline)
    guard let parsed = HelperMessage.parseReply(reply) else {
      throw Failure(code: .noHelper, description: "the helper ended without an answer")
    }
    return parsed
  }

  private func receive(_ descriptor: CInt, until deadline: Instant) throws(Failure) -> [UInt8] {
    var reply: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let left = deadline.milliseconds - Instant.now.milliseconds
      var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&waiting, 1, CInt(clamping: max(0, left)))
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else {
        throw late
      }
      let count = read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return reply }
      reply += buffer[..<count]
      guard reply.count <= Self.longestReply else {
        throw Failure(code: .noHelper, description: "the helper's answer is too long")
      }
    }
  }

  private var late: Failure {
    Failure(code: .timedOut, description: "the helper did not answer in time")
  }

  private func failure(_ what: String) -> Failure {
    Failure(code: .noHelper, description: "\(what): " + String(cString: strerror(errno)))
  }
}
