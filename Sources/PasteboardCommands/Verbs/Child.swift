internal import CLinux
internal import Glibc

/// A program that is run with bytes on its standard input: no shell, nothing of the content in its arguments.
struct Child {
  /// The program and its arguments.
  var words: [RawText]
  /// Set in its environment, on top of this process's.
  var environment: [(String, String)] = []

  /// Runs the program to its end.
  ///
  /// - Parameter input: What it reads: an open file from its start; nil for nothing.
  /// - Returns: Its status, as a shell tells it.
  func run(input: CInt? = nil) throws(CommandFailure) -> Int32 {
    try Self.status(of: start(input: input), waits: true) ?? 0
  }

  /// The status of a program that was started, as a shell tells it.
  ///
  /// - Parameter waits: Whether to wait for its end.
  /// - Returns: nil while it runs.
  static func status(of child: pid_t, waits: Bool) -> Int32? {
    var status: CInt = 0
    while true {
      let ended = waitpid(child, &status, waits ? 0 : WNOHANG)
      if ended < 0, errno == EINTR { continue }
      guard ended == child else { return ended == 0 ? nil : 127 }
      return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
  }

  /// Starts the program.
  func start(input: CInt? = nil) throws(CommandFailure) -> pid_t {
    guard let program = words.first else { throw .usage("no command to run") }
    let null = open("/dev/null", O_RDWR | O_CLOEXEC)
    defer { close(null) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input ?? null, 0)
    _ = cl_spawn_close_from(&actions, 3)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // The command ignores these; the program expects them as they were.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    sigaddset(&defaults, SIGPIPE)
    sigaddset(&defaults, SIGXFSZ)
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
    var arguments = words.map { $0.withCString { strdup($0) } } + [nil]
    var variables = variables
    defer { for pointer in arguments + variables { free(pointer) } }
    var child: pid_t = 0
    let code = program.withCString {
      posix_spawnp(&child, $0, &actions, &attributes, &arguments, &variables)
    }
    guard code == 0 else {
      throw .failed("cannot run \(program.printable): \(Descriptor.reason(code))")
    }
    return child
  }

  /// This process's variables, byte for byte: they need not be UTF-8.
  private var variables: [UnsafeMutablePointer<CChar>?] {
    var result: [UnsafeMutablePointer<CChar>?] = []
    var pointer = environ
    while let entry = pointer.pointee {
      let isReplaced = environment.contains { name, _ in
        strncmp(entry, name + "=", name.utf8.count + 1) == 0
      }
      if !isReplaced { result.append(strdup(entry)) }
      pointer += 1
    }
    return result + environment.map { strdup("\($0.0)=\($0.1)") } + [nil]
  }
}
