import Dispatch
import Foundation
import Synchronization
import XlibTransport

/// The threads of all bridges, so that the process can end without them.
///
/// When a process exits, libX11's destructor frees its locks. A thread that goes on calling Xlib then crashes, and a
/// command that did all it was asked for would report a crash. An exit handler, which runs before any destructor,
/// therefore ends the threads first. It waits no longer than `patience`, since the X server may be stuck.
enum BridgeThreads {
  /// Asks one thread to end.
  final class Stop: Sendable {
    private let flag = Atomic(false)
    private let mailbox = Mutex<Mailbox?>(nil)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    /// The thread can be woken from now on.
    func wakes(_ mailbox: Mailbox) { self.mailbox.withLock { $0 = mailbox } }

    func stop() {
      flag.store(true, ordering: .releasing)
      mailbox.withLock { $0 }?.wake()
    }
  }

  private struct State {
    var running: [Int: Stop] = [:]
    var next = 0
    var isExiting = false
  }

  private static let state = Mutex(State())
  private static let group = DispatchGroup()
  private static let patience = DispatchTimeInterval.milliseconds(500)
  private static let process = getpid()

  /// Runs `body` on a new thread, unless the process is ending.
  ///
  /// - Parameter body: Ends soon after `stop` was asked for, and then holds no connection any more.
  static func start(_ stop: Stop, _ body: @escaping @Sendable () -> Void) {
    endsAtExit
    let number: Int? = state.withLock { state in
      guard !state.isExiting else { return nil }
      state.next += 1
      state.running[state.next] = stop
      return state.next
    }
    guard let number else { return }
    group.enter()
    let thread = Thread {
      // A write to a server that is gone raises it, and ends a program that does nothing about it.
      var brokenPipe = sigset_t()
      sigemptyset(&brokenPipe)
      sigaddset(&brokenPipe, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &brokenPipe, nil)
      body()
      state.withLock { _ = $0.running.removeValue(forKey: number) }
      group.leave()
    }
    thread.name = "X11Pasteboard"
    thread.start()
  }

  private static let endsAtExit: Void = {
    _ = process
    atexit {
      // The threads of a process are not those of its forked children.
      guard getpid() == BridgeThreads.process else { return }
      let running = BridgeThreads.state.withLock { state in
        state.isExiting = true
        return Array(state.running.values)
      }
      for stop in running { stop.stop() }
      _ = BridgeThreads.group.wait(timeout: .now() + BridgeThreads.patience)
    }
  }()
}
