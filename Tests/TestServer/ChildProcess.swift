import CLinux
import Foundation

/// A program that runs, with no descriptor of ours but the ones it is given.
///
/// Foundation's `Process` lets every child inherit a descriptor by which it notices the end: a daemon that the child
/// leaves behind, as xclip does, then looks like the child itself.
public final class ChildProcess: @unchecked Sendable {
  // `status` is only touched under the condition's lock.
  public struct CannotStart: Error, CustomStringConvertible {
    public let description: String
  }

  public let processIdentifier: pid_t
  private let condition = NSCondition()
  private var status: Int32?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - program: A path, or a name to look up in PATH.
  ///   - environment: The whole environment; `nil` for this process's own.
  ///   - descriptors: What the program gets as 0, 1, 2 and so on; `nil` for `/dev/null`.
  public init(
    _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
    directory: String? = nil, descriptors: [Int32?] = [nil, nil, nil]
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Copied out of the way first, so that one does not overwrite another.
    var copies: [Int32] = []
    defer { for copy in copies { close(copy) } }
    for (number, descriptor) in descriptors.enumerated() {
      if let descriptor {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 64)
        guard copy >= 0 else { throw CannotStart(description: "no descriptor left") }
        copies.append(copy)
        posix_spawn_file_actions_adddup2(&actions, copy, Int32(number))
      } else {
        posix_spawn_file_actions_addopen(&actions, Int32(number), "/dev/null", O_RDWR, 0)
      }
    }
    cl_spawn_close_from(&actions, Int32(max(3, descriptors.count)))
    if let directory { cl_spawn_change_directory(&actions, directory) }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The test runner ignores or blocks some signals; a program starts as from a shell.
    var all = sigset_t()
    sigfillset(&all)
    sigdelset(&all, SIGKILL)
    sigdelset(&all, SIGSTOP)
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    let variables = environment ?? ProcessInfo.processInfo.environment
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var settings: [UnsafeMutablePointer<CChar>?] =
      variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for pointer in words + settings { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, program, &actions, &attributes, &words, &settings)
    guard code == 0 else {
      throw CannotStart(description: "\(program): " + String(cString: strerror(code)))
    }
    processIdentifier = process
    let identifier = process
    let thread = Thread { [self] in
      var raw: Int32 = 0
      while waitpid(identifier, &raw, 0) < 0, errno == EINTR {}
      let signal = raw & 0x7F
      condition.withLock {
        status = signal == 0 ? (raw >> 8) & 0xFF : 128 + signal
        condition.broadcast()
      }
    }
    thread.start()
  }

  public var isRunning: Bool { condition.withLock { status == nil } }

  /// Waits for the end.
  ///
  /// - Returns: The exit status, or 128 and the signal's number; `nil` when it is not over in time.
  public func wait(seconds: Double = 20) -> Int32? {
    let deadline = Date(timeIntervalSinceNow: seconds)
    return condition.withLock {
      while status == nil, condition.wait(until: deadline) {}
      return status
    }
  }

  /// Sends a signal, unless the program is over.
  public func signal(_ number: Int32) {
    condition.withLock { if status == nil { kill(processIdentifier, number) } }
  }

  /// Ends it at once, and waits until it is gone.
  public func terminate() {
    signal(SIGKILL)
    _ = wait()
  }
}
