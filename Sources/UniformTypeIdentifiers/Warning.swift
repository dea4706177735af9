internal import Glibc

/// Messages for the developer.
enum Warning {
  /// Writes one line to standard error, whole or not at all.
  static func write(_ message: String) {
    var line = "UniformTypeIdentifiers: " + message + "\n"
    line.withUTF8 { bytes in
      _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
    }
  }
}
