internal import CLinux
internal import Glibc

/// A process that goes on serving when the command that started it has returned.
///
/// It is in a session of its own, in `/`, with its standard descriptors on `/dev/null` and no other descriptor of the
/// caller, so that `$(command)`, pipes and ssh end with the command. It survives the terminal, and nobody has to
/// reap it.
///
/// It comes about by forking, so it has to be started before the program has a second thread: before the first
/// task, the first dispatch queue, the first connection.
public enum BackgroundProcess {
  /// What the background process says when it has begun to serve, or cannot.
  public struct Report: Hashable, Sendable {
    /// 0 where it serves; otherwise the exit status that the command should have.
    public var status: Int32
    /// What to tell the person who waits.
    public var message: String

    /// A report.
    ///
    /// - Parameters:
    ///   - status: 0 where the process serves; otherwise the exit status that the command should have.
    ///   - message: What to tell the person who waits.
    public init(status: Int32 = 0, message: String = "") {
      self.status = status
      self.message = message
    }
  }

  /// The background process's end of the report, used once.
  public struct Reporter: Sendable {
    let descriptor: CInt

    /// Tells the command that waits, which then returns.
    ///
    /// - Parameter report: What to tell.
    /// - Returns: False where the command is gone already, since somebody interrupted it.
    @discardableResult
    public func send(_ report: Report) -> Bool {
      var bytes = withUnsafeBytes(of: report.status.littleEndian) { Array($0) }
      bytes += Array(report.message.utf8)
      var sent = 0
      bytes.withUnsafeBytes { raw in
        while sent < raw.count, let start = raw.baseAddress {
          let count = write(descriptor, start + sent, raw.count - sent)
          if count > 0 { sent += count } else if count == 0 || errno != EINTR { return }
        }
      }
      close(descriptor)
      return sent == bytes.count
    }
  }

  /// Why there is no background process.
  public struct CannotStart: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call that failed, and why.
    public var description: String
  }

  /// Starts the process, and waits for its report.
  ///
  /// - Parameters:
  ///   - kept: Descriptors that the process needs, from 3 on.
  ///   - body: What the process does. It ends when `body` returns.
  /// - Returns: The report; status 4 where the process ended without one. Returns in the command only.
  /// - Throws: `CannotStart` where the system has no process or descriptor left.
  public static func start(
    keeping kept: [CInt] = [], _ body: (Reporter) -> Void
  ) throws(CannotStart) -> Report {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure("pipe") }
    let reading = ends[0]
    var writing = ends[1]
    if writing < 3 {
      // The caller runs without standard descriptors; the ones of the background process will take their places.
      let higher = fcntl(writing, F_DUPFD, 3)
      close(writing)
      guard higher >= 0 else {
        close(reading)
        throw failure("fcntl")
      }
      writing = higher
    }
    let child = cl_fork()
    let reporting = writing
    guard child >= 0 else {
      let error = failure("fork")
      close(reading)
      close(writing)
      throw error
    }
    if child == 0 {
      // The first child only makes the second one an orphan in a session of its own, without a terminal to win.
      setsid()
      guard cl_fork() == 0 else { _exit(0) }
      detach(keeping: kept + [reporting])
      body(Reporter(descriptor: reporting))
      exit(0)
    }
    close(writing)
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    let bytes = readAll(reading)
    close(reading)
    guard bytes.count >= 4 else {
      // Interrupted, crashed, or killed while it began.
      return Report(
        status: 4, message: "the background process ended before it could serve anything")
    }
    let code = bytes.withUnsafeBytes { Int32(littleEndian: $0.loadUnaligned(as: Int32.self)) }
    return Report(status: code, message: String(decoding: bytes.dropFirst(4), as: UTF8.self))
  }

  private static func detach(keeping kept: [CInt]) {
    cl_reset_signals()
    let null = open("/dev/null", O_RDWR)
    for descriptor in 0...2 as ClosedRange<CInt> {
      if null >= 0 { dup2(null, descriptor) } else { close(descriptor) }
    }
    let sorted = kept.sorted()
    cl_close_all_but(sorted, sorted.count)
    chdir("/")
  }

  private static func readAll(_ descriptor: CInt) -> [UInt8] {
    var all: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 {
        all += buffer[..<count]
      } else if count == 0 || errno != EINTR {
        return all
      }
    }
  }

  private static func failure(_ call: String) -> CannotStart {
    CannotStart(
      description: "no background process can be started: \(call): "
        + String(cString: strerror(errno)))
  }
}
