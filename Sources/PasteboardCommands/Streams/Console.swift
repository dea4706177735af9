internal import CLinux
internal import Glibc

/// What a command says, and how it ends.
enum Console {
  /// Writes text to standard output.
  ///
  /// - Throws: Where it cannot be written; a closed pipe ends the process quietly.
  static func write(_ text: String) throws(CommandFailure) {
    try write(Array(text.utf8))
  }

  static func write(_ bytes: [UInt8]) throws(CommandFailure) {
    let code = Descriptor.write(1, bytes)
    guard code == 0 else { throw outputFailure(code) }
  }

  /// The error for a failed write to standard output.
  static func outputFailure(_ code: CInt) -> CommandFailure {
    if code == EPIPE { dieOfClosedPipe() }
    return .failed("cannot write to standard output: \(Descriptor.reason(code))")
  }

  /// Writes one line to standard error.
  static func complain(_ program: String, _ message: String) {
    _ = Descriptor.write(2, Array("\(program): \(message)\n".utf8))
  }

  /// Ends as a program that does not know of SIGPIPE.
  ///
  /// The signal is ignored while there is a connection, since a server that ended would raise it too.
  static func dieOfClosedPipe() -> Never {
    signal(SIGPIPE, SIG_DFL)
    var set = sigset_t()
    sigemptyset(&set)
    sigaddset(&set, SIGPIPE)
    sigprocmask(SIG_UNBLOCK, &set, nil)
    raise(SIGPIPE)
    exit(ExitStatus.failed.rawValue)
  }

  static var outputIsTerminal: Bool { isatty(1) == 1 }
}
