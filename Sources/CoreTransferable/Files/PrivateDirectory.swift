import CLinux
import Foundation
import Glibc
import Synchronization

/// A directory that only this user can enter, removed with everything in it when it is let go.
///
/// It lies in `TMPDIR`, else in `/tmp`, or in `/var/tmp` where `/tmp` is made of memory, since what
/// is received may be larger than memory. A process that was killed leaves it behind; the next one
/// that makes such a directory there removes it (`StaleDirectories`). While it is in use it is
/// locked, so that nobody takes it for one that was left.
package final class PrivateDirectory: Sendable {
  /// The directory.
  package let url: URL

  /// Holds the lock for as long as this process, or a forked child of it, is there.
  private let lock: CInt

  private let isRemoved = Mutex(false)

  /// Makes an empty directory of mode 0700.
  /// - Throws: `POSIXError` if it cannot be made.
  package init() throws {
    let parent = Self.parent()
    Self.sweepOnce(parent)
    var template = Array("\(parent)/\(StaleDirectories.prefix)XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let base = buffer.baseAddress, mkdtemp(base) != nil else { return nil }
      return String(cString: base)
    }
    guard let made else { throw FileFailure.current("\(parent) takes no new directory") }
    url = URL(filePath: made, directoryHint: .isDirectory)
    lock = StaleDirectories.lock(made)
    Self.live.withLock { _ = $0.insert(made) }
    Self.removeAtExit
  }

  deinit {
    remove()
    if lock >= 0 { close(lock) }
  }

  /// Removes the directory and what is in it. Doing so again has no effect.
  ///
  /// A forked child has no say over its parent's files: there it has no effect at all.
  package func remove() {
    guard getpid() == Self.owner else { return }
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
  private static let swept = Mutex(Set<String>())

  /// Removes what others left in `parent`, the first time that this process uses it.
  private static func sweepOnce(_ parent: String) {
    _ = owner
    guard swept.withLock({ $0.insert(parent).inserted }) else { return }
    for path in StaleDirectories.paths(in: parent) { removeTree(path) }
  }

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
