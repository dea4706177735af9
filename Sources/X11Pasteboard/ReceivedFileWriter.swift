import Foundation
import Glibc

/// A private file that is written as bytes arrive.
final class ReceivedFileWriter: Sendable {
  private let descriptor: CInt
  private let path: String

  /// Makes the file; nothing may be there yet.
  ///
  /// - Throws: `POSIXError`.
  init(path: String) throws {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Self.failure() }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Throws: `POSIXError`, such as that the disk is full.
  func write(_ bytes: UnsafeRawBufferPointer) throws {
    var written = 0
    while written < bytes.count, let start = bytes.baseAddress {
      let count = Glibc.write(descriptor, start + written, bytes.count - written)
      if count > 0 {
        written += count
      } else if count == 0 || errno != EINTR {
        throw Self.failure()
      }
    }
  }

  private static func failure() -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
