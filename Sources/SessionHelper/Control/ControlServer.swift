internal import Glibc
internal import HelperControl
internal import SelectionProtocol
internal import XlibTransport

/// Answers requests on the helper's socket, without ever waiting for a client.
///
/// Only processes of the same user are heard. A client that says nothing, or takes no answer, is dropped after a
/// time, and so are more than a few clients at once.
final class ControlServer {
  /// A request that is answered once, now or later.
  struct Request {
    var verb: String
    var arguments: [String]
    /// What was sent along, for the verbs that take it.
    var body: [UInt8] = []
    var send: (HelperCode, [UInt8]) -> Void

    func reply(_ code: HelperCode, _ text: String) { send(code, Array(text.utf8)) }
  }

  private struct Client {
    var received: [UInt8] = []
    /// A request whose body is still to come, and how long that is.
    var awaited: (verb: String, arguments: [String], byteCount: Int)?
    /// How much is still to come of a body that is too large, and is thrown away.
    var skipped: Int?
    var isAnswered = false
    var unsent: ArraySlice<UInt8> = []
    /// What follows that, apart since it may be large.
    var body: ArraySlice<UInt8> = []
    var deadline: Instant
  }

  private let socket: HelperSocket
  private let listener: CInt
  private let device: dev_t
  private let inode: ino_t
  private var clients: [CInt: Client] = [:]
  private static let mostClients = 16
  /// Milliseconds for a request to come, and for an answer to be taken.
  private static let patience: Int64 = 2_000
  private static let bodyPiece = 256 << 10
  /// The most bytes of a body that is thrown away.
  private static let longestSkip = 256 << 20

  /// The most bytes of a body that are taken at present.
  var mostBytes: () -> Int = { HelperMessage.longestBody }

  /// Listens in the place of whatever listened there before.
  init(_ socket: HelperSocket) throws(HelperSocket.Unavailable) {
    try socket.makeDirectory()
    // Renamed into its place, the socket is never seen with another mode, and replaces a stale one at once.
    let temporary = HelperSocket(socket, suffix: ".\(getpid())")
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    func fail(_ what: String) -> HelperSocket.Unavailable {
      let reason = String(cString: strerror(errno))
      if descriptor >= 0 { close(descriptor) }
      unlink(temporary.path)
      return HelperSocket.Unavailable(description: "\(what): \(reason)")
    }
    guard descriptor >= 0 else { throw fail("socket") }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    unlink(temporary.path)
    let mask = umask(0o177)
    let bound = temporary.withAddress { bind(descriptor, $0, $1) }
    umask(mask)
    var status = stat()
    guard bound == 0, lstat(temporary.path, &status) == 0 else { throw fail(temporary.path) }
    guard listen(descriptor, 16) == 0, rename(temporary.path, socket.path) == 0 else {
      throw fail(socket.path)
    }
    self.socket = socket
    listener = descriptor
    device = status.st_dev
    inode = status.st_ino
  }

  deinit {
    for descriptor in clients.keys { close(descriptor) }
    close(listener)
    // Another helper may have taken the place in the meantime.
    var status = stat()
    if lstat(socket.path, &status) == 0, status.st_dev == device, status.st_ino == inode {
      unlink(socket.path)
    }
  }

  /// What to watch.
  var descriptors: [pollfd] {
    var all = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
    for (descriptor, client) in clients.sorted(by: { $0.key < $1.key }) {
      // A client that waits for its answer is watched for its end, which POLLRDHUP's lack leaves to POLLHUP.
      let events = !client.unsent.isEmpty ? POLLOUT : client.isAnswered ? 0 : POLLIN
      all.append(pollfd(fd: descriptor, events: Int16(events), revents: 0))
    }
    return all
  }

  /// When a client's time is over.
  var deadline: Instant? { clients.values.map(\.deadline).min() }

  /// Does whatever can be done without waiting.
  func serve(now: Instant, _ handle: (Request) -> Void) {
    var descriptors = self.descriptors
    guard poll(&descriptors, nfds_t(descriptors.count), 0) >= 0 else { return }
    for ready in descriptors where ready.revents != 0 {
      if ready.fd == listener {
        accept(now: now)
      } else if clients[ready.fd]?.unsent.isEmpty == false {
        send(to: ready.fd)
      } else {
        receive(from: ready.fd, now: now, handle)
      }
    }
    for (descriptor, client) in clients where client.deadline <= now { drop(descriptor) }
  }

  private func accept(now: Instant) {
    while true {
      let descriptor = Glibc.accept(listener, nil, nil)
      guard descriptor >= 0 else { return }
      // Whoever has said nothing for the longest time makes room.
      if clients.count >= Self.mostClients,
        let oldest = clients.min(by: { $0.value.deadline < $1.value.deadline })
      {
        drop(oldest.key)
      }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      guard Self.isOwnUser(descriptor) else {
        close(descriptor)
        continue
      }
      clients[descriptor] = Client(deadline: now + Self.patience)
    }
  }

  /// Whether the process at the other end runs as the same user.
  private static func isOwnUser(_ descriptor: CInt) -> Bool {
    // struct ucred, which the Glibc module leaves out: process, user, group.
    var credentials: (pid_t, uid_t, gid_t) = (0, .max, .max)
    var size = socklen_t(MemoryLayout.size(ofValue: credentials))
    guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &size) == 0 else {
      return false
    }
    return credentials.1 == geteuid()
  }

  private func receive(from descriptor: CInt, now: Instant, _ handle: (Request) -> Void) {
    guard clients[descriptor]?.isAnswered == false else { return drop(descriptor) }
    let isBody = clients[descriptor]?.awaited != nil || clients[descriptor]?.skipped != nil
    var buffer = [UInt8](
      repeating: 0, count: isBody ? Self.bodyPiece : HelperMessage.longestRequest)
    let count = read(descriptor, &buffer, buffer.count)
    if count < 0, errno == EAGAIN || errno == EINTR { return }
    guard count > 0 else { return drop(descriptor) }
    if isBody { clients[descriptor]?.deadline = now + Self.patience }
    if let left = clients[descriptor]?.skipped { return skip(descriptor, left - count) }
    clients[descriptor]?.received += buffer[..<count]
    if isBody {
      return takeBody(descriptor, handle)
    }
    guard let received = clients[descriptor]?.received else { return }
    guard let end = received.firstIndex(of: 0x0A) else {
      if received.count >= HelperMessage.longestRequest { drop(descriptor) }
      return
    }
    guard let (verb, arguments) = HelperMessage.parseRequest(Array(received[..<end])) else {
      return refuse(descriptor, "the request is not one of \(HelperMessage.protocolName)")
    }
    guard let length = HelperMessage.bodyLength(verb, arguments) else {
      return pass(descriptor, Request(verb: verb, arguments: arguments) { _, _ in }, handle)
    }
    let come = received[(end + 1)...]
    guard length <= Self.longestSkip else {
      return refuse(descriptor, "there is too much of it")
    }
    guard length <= mostBytes() else {
      clients[descriptor]?.received = []
      return skip(descriptor, length - come.count)
    }
    // One at a time: a body takes memory.
    guard !clients.contains(where: { $0.value.awaited != nil }) else {
      return refuse(descriptor, "another one is being taken: try again")
    }
    clients[descriptor]?.awaited = (verb, arguments, length)
    // All at once, since growing takes more; memory that is not written to costs nothing.
    var body: [UInt8] = []
    body.reserveCapacity(length + Self.bodyPiece)
    body += come
    clients[descriptor]?.received = body
    takeBody(descriptor, handle)
  }

  /// Waits for the end of a body that is too large, so that its sender is there for the answer.
  private func skip(_ descriptor: CInt, _ left: Int) {
    guard left <= 0 else {
      clients[descriptor]?.skipped = left
      return
    }
    clients[descriptor]?.skipped = nil
    clients[descriptor]?.isAnswered = true
    answer(descriptor, .nothing, Array("it is too large\n".utf8))
  }

  private func takeBody(_ descriptor: CInt, _ handle: (Request) -> Void) {
    guard let client = clients[descriptor], let awaited = client.awaited,
      client.received.count >= awaited.byteCount
    else { return }
    clients[descriptor]?.awaited = nil
    clients[descriptor]?.received = []
    var body = client.received
    if body.count > awaited.byteCount { body.removeLast(body.count - awaited.byteCount) }
    let request = Request(verb: awaited.verb, arguments: awaited.arguments, body: body) { _, _ in }
    pass(descriptor, request, handle)
  }

  private func pass(_ descriptor: CInt, _ request: Request, _ handle: (Request) -> Void) {
    clients[descriptor]?.isAnswered = true
    clients[descriptor]?.deadline = .distantFuture
    var request = request
    request.send = { [weak self] code, body in self?.answer(descriptor, code, body) }
    handle(request)
  }

  private func refuse(_ descriptor: CInt, _ reason: String) {
    clients[descriptor]?.isAnswered = true
    answer(descriptor, .usage, Array("\(reason)\n".utf8))
  }

  private func answer(_ descriptor: CInt, _ code: HelperCode, _ body: [UInt8]) {
    guard clients[descriptor]?.isAnswered == true, clients[descriptor]?.unsent.isEmpty == true
    else { return }
    clients[descriptor]?.unsent = HelperMessage.replyHead(code)[...]
    clients[descriptor]?.body = body[...]
    clients[descriptor]?.deadline = .now + Self.patience
    send(to: descriptor)
  }

  private func send(to descriptor: CInt) {
    while let unsent = clients[descriptor]?.unsent, !unsent.isEmpty {
      let count = unsent.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      guard count > 0 else { break }
      let rest = unsent.dropFirst(count)
      if rest.isEmpty {
        let body = clients[descriptor]?.body ?? []
        clients[descriptor]?.unsent = body
        clients[descriptor]?.body = []
      } else {
        clients[descriptor]?.unsent = rest
      }
    }
    drop(descriptor)
  }

  private func drop(_ descriptor: CInt) {
    guard clients.removeValue(forKey: descriptor) != nil else { return }
    close(descriptor)
  }
}
