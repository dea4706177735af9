import Foundation
import Glibc

/// Files that people name.
enum Files {
  /// More than any profile has; what never ends is found out here.
  private static let largest = 64 << 20

  /// - Throws: `Failure` with status 4.
  static func read(_ path: String) throws(Failure) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? handle.close() }
      let data = try handle.read(upToCount: largest + 1) ?? Data()
      guard data.count <= largest else {
        throw Failure(status: 4, message: "it is larger than \(largest >> 20) MB")
      }
      return data
    } catch {
      throw Failure(status: 4, message: "\(path) cannot be read: \(reason(error))")
    }
  }

  /// Replaces a file whole or not at all, with the old one's permissions.
  static func replace(_ path: String, with data: Data) throws(Failure) {
    let target = URL(filePath: path).resolvingSymlinksInPath().path(percentEncoded: false)
    let beside = "\(target).\(UUID().uuidString).new"
    do {
      var old = stat()
      guard stat(target, &old) == 0, access(target, W_OK) == 0 else { throw current() }
      // Nobody may read what the old file kept private, not even for a moment.
      let descriptor = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { throw current() }
      defer { unlink(beside) }
      let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
      try handle.write(contentsOf: data)
      guard fchmod(descriptor, old.st_mode & 0o7777) == 0, fsync(descriptor) == 0 else {
        throw current()
      }
      try handle.close()
      guard rename(beside, target) == 0 else { throw current() }
    } catch {
      throw Failure(status: 4, message: "\(path) cannot be written: \(reason(error))")
    }
  }

  /// What was received came as a private file; it becomes as readable as any new file.
  static func openToOthers(_ file: URL) {
    let mask = umask(0)
    umask(mask)
    chmod(file.path(percentEncoded: false), 0o666 & ~mask)
  }

  /// One line of what went wrong.
  static func reason(_ error: any Error) -> String {
    switch error {
    case let failure as Failure: return failure.message
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return (path.isEmpty ? "" : "\(path): ") + context.debugDescription
    case let error as CocoaError where error.code == .fileReadNoSuchFile:
      return "there is no such file"
    case let error as CocoaError where error.code == .fileReadNoPermission:
      return "this user may not read it"
    case let error as POSIXError: return String(cString: strerror(error.code.rawValue))
    case let error as CocoaError:
      if let cause = error.underlying as? POSIXError { return reason(cause) }
      return error.localizedDescription
    default: return Failure(error).message
    }
  }

  private static func current() -> POSIXError {
    POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}
