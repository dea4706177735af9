import Glibc

/// Private directories that a killed process left behind.
///
/// Only a directory of our own naming, of this user, with mode 0700, not a moment old, that nobody
/// has locked is one. Where the file system has no locks nothing is removed.
enum StaleDirectories {
  /// How the names of private directories begin.
  static let prefix = "coretransferable-"
  private static let suffixLength = 6
  /// Seconds: a directory that was made just now may not be locked yet.
  private static let youth = 60

  /// Locks a directory for as long as the descriptor is open.
  /// - Returns: The descriptor, -1 where it could not be locked.
  static func lock(_ path: String) -> CInt {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return -1 }
    guard flock(descriptor, LOCK_SH | LOCK_NB) == 0 else {
      close(descriptor)
      return -1
    }
    return descriptor
  }

  /// The stale directories in a directory.
  static func paths(in parent: String) -> [String] {
    guard let directory = opendir(parent) else { return [] }
    defer { closedir(directory) }
    var stale: [String] = []
    while let entry = readdir(directory) {
      // Read in place: an entry is shorter than its type, which has room for the longest name.
      guard let place = MemoryLayout<dirent>.offset(of: \.d_name) else { return stale }
      let name = String(
        cString: UnsafeRawPointer(entry).advanced(by: place).assumingMemoryBound(to: CChar.self))
      guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + suffixLength else {
        continue
      }
      let path = "\(parent)/\(name)"
      if isStale(path) { stale.append(path) }
    }
    return stale
  }

  private static func isStale(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(),
      status.st_mode & 0o7777 == 0o700, status.st_mtim.tv_sec < time(nil) - youth
    else { return false }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }
}
