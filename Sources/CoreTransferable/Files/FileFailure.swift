import Foundation
import Glibc

/// A file operation that failed, with the system's reason.
struct FileFailure: LocalizedError {
  let what: String
  let reason: String

  /// The failure that `errno` tells of.
  static func current(_ what: String) -> FileFailure {
    FileFailure(what: what, reason: String(cString: strerror(errno)))
  }

  var errorDescription: String? { "\(what): \(reason)" }
}
