internal import CLinux
internal import Glibc
internal import SelectionProtocol
internal import XlibTransport

/// Standard output for content that comes from another program, which must not be kept waiting.
///
/// An owner gives a transfer up when nothing is fetched for a while (5 to 45 seconds, with those that are in use). What
/// the reader of standard output (a pager, a stopped pipeline) does not take at once is therefore kept in a file
/// without a name and written later: the content arrives whole, however long its reader pauses, and memory stays as
/// it is. Where there is no room for the file, the owner has to wait after all.
///
/// Only the end of a pipe, a terminal or a socket can make a writer wait, and only these are treated so. The
/// descriptor's own flags stay as they are, since they are shared with other processes.
final class PatientOutput {
  /// Milliseconds that a chunk may wait for a reader that took the one before.
  private static let patience: Int64 = 1_000
  /// The same while something is kept already.
  private static let impatience: Int64 = 100
  /// Bytes that fit into every pipe.
  private static let always = 4_096
  /// Content from here on gets a pipe of `widePipe` bytes: both its ends wake a third as often, and need a sixth less
  /// time.
  private static let large = 256 << 10
  private static let widePipe: CInt = 1 << 20

  private enum Way {
    case unknown
    /// Nobody can make this descriptor wait for long, or there is no way to ask.
    case plain
    /// A description of our own for the same pipe or terminal, which never waits.
    case opened(CInt)
    case socket
  }

  private let descriptor: CInt
  private var way = Way.unknown
  private var written = 0
  private var isWide = false
  private var spool: CInt = -1
  private var spoolStart = 0
  private var spoolEnd = 0

  /// - Parameter descriptor: Where the bytes go; it stays the caller's.
  init(_ descriptor: CInt) { self.descriptor = descriptor }

  deinit {
    if spool >= 0 { close(spool) }
    if case .opened(let own) = way { close(own) }
  }

  /// Writes bytes, or keeps what the reader does not take.
  ///
  /// - Returns: 0, or errno.
  func write(_ bytes: UnsafeRawBufferPointer) -> CInt {
    written += bytes.count
    if case .unknown = way {
      if written <= Self.always { return Descriptor.write(descriptor, bytes) }
      way = findWay()
    }
    if case .plain = way { return Descriptor.write(descriptor, bytes) }
    if !isWide, written > Self.large, case .opened(let own) = way {
      isWide = true
      cl_widen_pipe(own, Self.widePipe)
    }
    let deadline = Instant.now + (spoolStart < spoolEnd ? Self.impatience : Self.patience)
    let code = drain(until: deadline)
    guard code == 0 else { return code }
    var rest = bytes
    if spoolStart == spoolEnd {
      let (count, code) = push(rest, until: deadline)
      guard code == 0 else { return code }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
    guard !rest.isEmpty, !keep(rest) else { return 0 }
    let late = drain(until: nil)
    return late == 0 ? push(rest, until: nil).code : late
  }

  /// Writes what was kept, however long that takes.
  ///
  /// - Returns: 0, or errno.
  func finish() -> CInt { drain(until: nil) }

  // MARK: Writing

  private func findWay() -> Way {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .plain }
    // What may not be written is not opened anew for writing: that it was closed has to be told.
    let mode = fcntl(descriptor, F_GETFL) & O_ACCMODE
    guard mode == O_WRONLY || mode == O_RDWR else { return .plain }
    switch status.st_mode & S_IFMT {
    case S_IFSOCK: return .socket
    case S_IFIFO, S_IFCHR:
      let path = "/proc/self/fd/\(descriptor)"
      let own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      return own >= 0 ? .opened(own) : .plain
    default: return .plain
    }
  }

  /// Writes until all is written or the time is over.
  ///
  /// - Parameter deadline: nil for no end.
  /// - Returns: How much was written, and 0 or errno.
  private func push(
    _ bytes: UnsafeRawBufferPointer, until deadline: Instant?
  ) -> (count: Int, code: CInt) {
    var offset = 0
    while offset < bytes.count, let start = bytes.baseAddress {
      let count =
        switch way {
        case .opened(let own): Glibc.write(own, start + offset, bytes.count - offset)
        case .socket:
          send(
            descriptor, start + offset, bytes.count - offset,
            CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL))
        case .plain, .unknown: Glibc.write(descriptor, start + offset, bytes.count - offset)
        }
      if count >= 0 {
        offset += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: guard wait(until: deadline) else { return (offset, 0) }
      default: return (offset, errno)
      }
    }
    return (offset, 0)
  }

  /// - Returns: False where the time is over first.
  private func wait(until deadline: Instant?) -> Bool {
    let left = deadline.map { $0.milliseconds - Instant.now.milliseconds }
    if let left, left <= 0 { return false }
    let own = if case .opened(let own) = way { own } else { descriptor }
    var wait = pollfd(fd: own, events: Int16(POLLOUT), revents: 0)
    _ = poll(&wait, 1, left.map { CInt(clamping: $0) } ?? -1)
    return true
  }

  // MARK: Keeping

  /// Keeps bytes behind what is kept already.
  ///
  /// - Returns: False where there is no room; nothing of them is kept then.
  private func keep(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if spool < 0 { spool = (try? InputSpool.openUnnamedFile()) ?? -1 }
    guard spool >= 0 else { return false }
    var offset = 0
    while offset < bytes.count, let start = bytes.baseAddress {
      let count = pwrite(
        spool, start + offset, bytes.count - offset, off_t(spoolEnd + offset))
      if count > 0 { offset += count } else if count == 0 || errno != EINTR { return false }
    }
    spoolEnd += bytes.count
    return true
  }

  /// Writes what was kept, until the time is over.
  private func drain(until deadline: Instant?) -> CInt {
    guard spoolStart < spoolEnd else { return 0 }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 64)
    defer { buffer.deallocate() }
    while spoolStart < spoolEnd {
      let wanted = min(buffer.count, spoolEnd - spoolStart)
      let count = pread(spool, buffer.baseAddress, wanted, off_t(spoolStart))
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        return count == 0 ? EIO : errno
      }
      let (pushed, code) = push(
        UnsafeRawBufferPointer(rebasing: buffer[..<count]), until: deadline)
      spoolStart += pushed
      guard code == 0 else { return code }
      if pushed < count { return 0 }
    }
    // The room is given back before more is needed.
    ftruncate(spool, 0)
    (spoolStart, spoolEnd) = (0, 0)
    return 0
  }
}
