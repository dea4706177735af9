internal import Glibc

/// Reading and writing of descriptors, with errno where that fails.
enum Descriptor {
  /// Prepares the process for reading and writing.
  ///
  /// A file that grows beyond the limit of its size (`ulimit -f`) is an error to be told, not a signal to die of.
  static func prepare() {
    signal(SIGXFSZ, SIG_IGN)
    reserveStandardOnes()
  }

  /// Makes sure that 0, 1 and 2 are open, so that nothing else gets these numbers.
  ///
  /// What was closed stays unusable: reading standard input or writing standard output fails as before.
  private static func reserveStandardOnes() {
    for (descriptor, mode) in [(CInt(0), O_WRONLY), (1, O_RDONLY), (2, O_WRONLY)]
    where fcntl(descriptor, F_GETFD) < 0 {
      _ = open("/dev/null", mode)
    }
  }

  /// Writes all bytes.
  ///
  /// - Returns: 0, or errno.
  static func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> CInt {
    var offset = 0
    while offset < bytes.count, let start = bytes.baseAddress {
      let count = Glibc.write(descriptor, start + offset, bytes.count - offset)
      if count >= 0 {
        offset += count
      } else if errno == EAGAIN {
        // Somebody else made the descriptor non-blocking, for all who share it.
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
      } else if errno != EINTR {
        return errno
      }
    }
    return 0
  }

  static func write(_ descriptor: CInt, _ bytes: [UInt8]) -> CInt {
    bytes.withUnsafeBytes { write(descriptor, $0) }
  }

  /// Reads some bytes.
  ///
  /// - Returns: How many, 0 at the end, or the negative errno.
  static func read(_ descriptor: CInt, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 { return count }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&wait, 1, -1)
      default: return -Int(errno)
      }
    }
  }

  /// What errno means, in words.
  static func reason(_ code: CInt) -> String { String(cString: strerror(code)) }
}
