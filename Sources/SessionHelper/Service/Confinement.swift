internal import Glibc

/// What the process gives up at its start, so that nothing of a copy reaches others by accident.
enum Confinement {
  static func apply() {
    // No core dump may hold what was copied.
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    // The Glibc module has neither of the two: prctl is variadic, mallopt has a header of its own.
    typealias Prctl = @convention(c) (CInt, UInt, UInt, UInt, UInt) -> CInt
    if let symbol = dlsym(nil, "prctl") {
      let prctl = unsafeBitCast(symbol, to: Prctl.self)
      let setDumpable: CInt = 4
      _ = prctl(setDumpable, 0, 0, 0, 0)
    }
    typealias Mallopt = @convention(c) (CInt, CInt) -> CInt
    if let symbol = dlsym(nil, "mallopt") {
      let mallopt = unsafeBitCast(symbol, to: Mallopt.self)
      // Memory is overwritten when it is freed: libX11 hands content over in memory from the common heap.
      let perturb: CInt = -6
      _ = mallopt(perturb, 0x5A)
    }
    // Whoever started the helper may have left signals blocked, as worker threads do.
    var none = sigset_t()
    sigemptyset(&none)
    sigprocmask(SIG_SETMASK, &none, nil)
    umask(0o077)
    _ = chdir("/")
  }
}
