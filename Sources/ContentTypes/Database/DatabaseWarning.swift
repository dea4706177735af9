internal import Glibc

/// Messages about a damaged database, for whoever keeps the machine.
enum DatabaseWarning {
  /// Writes one line to standard error.
  static func write(_ message: String) {
    var line = "shared MIME database: " + message + "\n"
    line.withUTF8 { bytes in
      _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
