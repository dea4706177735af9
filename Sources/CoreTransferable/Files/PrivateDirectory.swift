import CLinux
import Foundation
import Glibc
import Synchronization

/// A directory that only this user can enter, removed with everything in it when it is let go.
///
/// It lies in `TMPDIR`, else in `/tmp`, or in `/var/tmp` where `/tmp` is made of memory, since what
/// is received may be larger than memory.
package final class PrivateDirectory: Sendable {
  /// The directory.
  package let url: URL

  private let isRemoved = Mutex(false)

  /// Makes an empty directory of mode 0700.
  /// - Throws: `POSIXError` if it cannot be made.
  package init() throws {
    let parent = Self.parent()
    var template = Array("\(parent)/transfer-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let base = buffer.baseAddress, mkdtemp(base) != nil else { return nil }
      return String(cString: base)
    }
    guard let made else { throw FileFailure.current("\(parent) takes no new directory") }
    url = URL(filePath: made, directoryHint: .isDirectory)
    Self.live.withLock { _ = $0.insert(made) }
    Self.removeAtExit
  }

  deinit {
    remove()
  }

  /// Removes the directory and what is in it. Doing so again has no effect.
  package func remove() {
    let isFirst = isRemoved.withLock { isRemoved in
      defer { isRemoved = true }
      return !isRemoved
    }
    guard isFirst else { return }
    let path = url.path(percentEncoded: false)
    Self.removeTree(path)
    Self.live.withLock { _ = $0.remove(Self.trimmed(path)) }
  }

  private static let owner = getpid()
  private static let live = Mutex(Set<String>())

  // A process that ends while a receiver still has a file would leave it behind for good.
  private static let removeAtExit: Void = {
    _ = owner
    atexit {
      // A forked child that exits has no say over its parent's files.
      guard getpid() == PrivateDirectory.owner else { return }
      for path in PrivateDirectory.live.withLock({ Array($0) }) {
        PrivateDirectory.removeTree(path)
      }
    }
  }()

  private static func removeTree(_ path: String) {
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func trimmed(_ path: String) -> String {
    path.hasSuffix("/") ? String(path.dropLast()) : path
  }

  private static func parent() -> String {
    if let chosen = ProcessInfo.processInfo.environment["TMPDIR"], chosen.hasPrefix("/") {
      return trimmed(chosen)
    }
    return cl_is_memory_file_system("/tmp") == 1 ? "/var/tmp" : "/tmp"
  }
}
