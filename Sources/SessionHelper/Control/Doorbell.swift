internal import Glibc
internal import Synchronization
internal import XlibTransport

/// Wakes the thread of a connection when one of some descriptors is ready, or a signal asks for the end.
///
/// A connection waits for its server and its mailbox only. A second thread that sleeps in `poll` watches the rest
/// and posts; it reads nothing and decides nothing. It rings once, and then waits until it is told what to watch
/// next, so that a descriptor that nobody has dealt with yet does not keep it busy.
final class Doorbell: Sendable {
  private struct State {
    var watched: [pollfd] = []
    var hasRung = false
  }

  private let state = Mutex(State())
  private let mailbox: Mailbox
  private let input: CInt
  private let output: CInt
  private static let stackSize = 128 << 10

  /// Where the signal handler writes; a plain number, since a handler may not enter the Swift runtime.
  nonisolated(unsafe) private static var signalDescriptor: CInt = -1
  nonisolated(unsafe) private static var signalCame: sig_atomic_t = 0
  // Safe: both are single words, written before the handler is set or by the handler alone.

  init?(mailbox: Mailbox) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    input = ends[0]
    output = ends[1]
    self.mailbox = mailbox
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    pthread_attr_setstacksize(&attributes, Self.stackSize)
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    // The thread lives as long as the process, and so does the doorbell.
    let context = Unmanaged.passRetained(self)
    let status = pthread_create(
      &thread, &attributes,
      { context in
        guard let context else { return nil }
        Unmanaged<Doorbell>.fromOpaque(context).takeUnretainedValue().run()
        return nil
      }, context.toOpaque())
    pthread_attr_destroy(&attributes)
    if status != 0 {
      context.release()
      return nil
    }
  }

  /// Watches these descriptors, each for its `events`, until one of them is ready.
  func watch(_ descriptors: [pollfd]) {
    let isNews = state.withLock { state in
      let same =
        state.watched.count == descriptors.count && !state.hasRung
        && zip(state.watched, descriptors).allSatisfy { $0.fd == $1.fd && $0.events == $1.events }
      state.watched = descriptors
      state.hasRung = false
      return !same
    }
    if isNews { poke() }
  }

  /// Whether SIGTERM, SIGINT or SIGHUP came.
  static var isAskedToEnd: Bool { signalCame != 0 }

  /// Lets signals that ask for the end ring the bell.
  func answerSignals() {
    Self.signalDescriptor = output
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      Doorbell.signalCame = 1
      var byte: UInt8 = 1
      let before = errno
      _ = write(Doorbell.signalDescriptor, &byte, 1)
      errno = before
    }
    action.sa_flags = SA_RESTART
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaction(number, &action, nil) }
  }

  private func poke() {
    var byte: UInt8 = 0
    _ = write(output, &byte, 1)
  }

  private func run() {
    while true {
      var descriptors = state.withLock { $0.hasRung ? [] : $0.watched }
      descriptors.append(pollfd(fd: input, events: Int16(POLLIN), revents: 0))
      guard poll(&descriptors, nfds_t(descriptors.count), -1) > 0 else { continue }
      var bytes: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0]
      let count = read(input, &bytes, bytes.count)
      let isSignal = count > 0 && bytes[..<count].contains(1)
      let isReady = descriptors.dropLast().contains { $0.revents != 0 }
      guard isReady || isSignal else { continue }
      if isReady { state.withLock { $0.hasRung = true } }
      // Posting, not waking: a turn that has begun already then ends too.
      mailbox.post { _ in }
    }
  }
}
