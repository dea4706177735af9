internal import Glibc
internal import Synchronization

/// Messages about a damaged database, for whoever keeps the machine.
enum DatabaseWarning {
  private static let reported = Mutex<Set<String>>([])

  /// Writes one line to standard error, once for each directory.
  static func write(_ message: String, about directory: String) {
    let isNew = reported.withLock { directories in
      directories.count < 256 && directories.insert(directory).inserted
    }
    guard isNew else { return }
    var line = "shared MIME database: \(directory) is ignored: \(message)\n"
    line.withUTF8 { bytes in
      _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
