internal import Glibc

/// Bytes that are sent in ranges, from memory or from a file.
///
/// What it returns must not change while it exists: a transfer reads it bit by bit.
public protocol Payload: Sendable {
  /// Bytes in all.
  var byteCount: Int { get }

  /// Lends the bytes of `range`, all of them, while `body` runs.
  ///
  /// - Parameter scratch: Memory of at least `range.count` bytes that may be used to hold them.
  /// - Throws: Where the bytes cannot be had (any more).
  func withBytes(
    in range: Range<Int>, scratch: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws
}

/// Bytes in memory.
public struct MemoryPayload: Payload {
  public let bytes: [UInt8]

  public init(_ bytes: [UInt8]) { self.bytes = bytes }
  public init(_ text: String) { bytes = Array(text.utf8) }

  public var byteCount: Int { bytes.count }

  public func withBytes(
    in range: Range<Int>, scratch: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}

/// A file, kept open and read by ranges: memory does not grow with it.
public final class FilePayload: Payload {
  /// Why a file cannot be sent (on).
  public enum Failure: Error, Hashable, Sendable {
    case cannotOpen(path: String, code: Int32)
    case notRegular(path: String)
    /// The file changed while it was being sent; the rest would not belong to what went before.
    case changed
    case cannotRead(code: Int32)
  }

  private let descriptor: CInt
  private let seconds: Int
  private let nanoseconds: Int
  public let byteCount: Int

  /// Takes over an open descriptor of a regular file, and closes it at the end.
  public init(takingOver descriptor: CInt, path: String) throws(Failure) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw .cannotOpen(path: path, code: code)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw .notRegular(path: path)
    }
    self.descriptor = descriptor
    byteCount = Int(status.st_size)
    seconds = status.st_mtim.tv_sec
    nanoseconds = status.st_mtim.tv_nsec
    posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL)
  }

  public convenience init(path: String) throws(Failure) {
    // Without O_NONBLOCK the opening of a FIFO would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .cannotOpen(path: path, code: errno) }
    try self.init(takingOver: descriptor, path: path)
  }

  deinit { close(descriptor) }

  /// The same file as it is now, for a transfer that begins now.
  public func refreshed() throws(Failure) -> FilePayload {
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .cannotRead(code: errno) }
    return try FilePayload(takingOver: copy, path: "")
  }

  public func withBytes(
    in range: Range<Int>, scratch: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws {
    guard scratch.count >= range.count, let start = scratch.baseAddress else {
      throw Failure.cannotRead(code: EINVAL)
    }
    var filled = 0
    while filled < range.count {
      let count = pread(
        descriptor, start + filled, range.count - filled, off_t(range.lowerBound + filled))
      if count > 0 {
        filled += count
      } else if count == 0 {
        throw Failure.changed
      } else if errno != EINTR {
        throw Failure.cannotRead(code: errno)
      }
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Failure.cannotRead(code: errno) }
    guard status.st_mtim.tv_sec == seconds, status.st_mtim.tv_nsec == nanoseconds,
      Int(status.st_size) == byteCount
    else { throw Failure.changed }
    body(UnsafeRawBufferPointer(start: start, count: filled))
  }
}
