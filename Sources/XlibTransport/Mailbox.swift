internal import CLinux
internal import Glibc
internal import Synchronization

/// Work for the thread that runs a connection, posted from any thread.
public final class Mailbox: Sendable {
  public typealias Job = @Sendable (SelectionConnection) -> Void

  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  private let state = Mutex(State())
  let descriptor: CInt

  /// An eventfd that wakes the thread, for signal handlers, which can do no more than write to it.
  public var wakeDescriptor: CInt { descriptor }

  init() throws(DisplayError) {
    descriptor = cl_eventfd()
    guard descriptor >= 0 else {
      throw DisplayError(
        .cannotOpen, display: "", reason: "eventfd: " + String(cString: strerror(errno)))
    }
  }

  deinit { Glibc.close(descriptor) }

  /// Runs `job` on the connection's thread, soon.
  ///
  /// - Returns: False where the connection is gone and the job will never run.
  @discardableResult
  public func post(_ job: @escaping Job) -> Bool {
    let accepted = state.withLock { state in
      guard !state.isClosed else { return false }
      state.jobs.append(job)
      return true
    }
    if accepted { wake() }
    return accepted
  }

  /// Makes a thread that waits look around.
  public func wake() {
    var one: UInt64 = 1
    _ = write(descriptor, &one, 8)
  }

  var isEmpty: Bool { state.withLock { $0.jobs.isEmpty } }

  /// Forgets that it was woken, so that the next wait waits.
  func drain() {
    var count: UInt64 = 0
    _ = read(descriptor, &count, 8)
  }

  func take() -> [Job] {
    state.withLock { state in
      defer { state.jobs = [] }
      return state.jobs
    }
  }

  /// Takes what is left, and accepts nothing more.
  func close() -> [Job] {
    state.withLock { state in
      defer { state = State(jobs: [], isClosed: true) }
      return state.jobs
    }
  }
}
