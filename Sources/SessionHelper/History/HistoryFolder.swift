internal import Glibc
internal import HelperControl

/// Where the history is: `$XDG_DATA_HOME/pasteboard`, a folder that only its owner can enter.
struct HistoryFolder: Equatable {
  let path: String

  init(path: String) { self.path = path }

  /// - Returns: `nil` where the environment names no place.
  static func standard() -> HistoryFolder? {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let data = value("XDG_DATA_HOME") { return HistoryFolder(path: data + "/pasteboard") }
    return value("HOME").map { HistoryFolder(path: $0 + "/.local/share/pasteboard") }
  }

  /// A place that is emptied when the user has logged out.
  ///
  /// - Returns: `nil` where there is no such directory, or others can enter it.
  static func runtime() -> HistoryFolder? {
    guard let value = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), value.hasPrefix("/"),
      (try? HelperSocket.check(value)) != nil
    else { return nil }
    return HistoryFolder(path: value + "/pasteboard/history")
  }

  var file: String { path + "/history.sqlite" }
  private var files: [String] { [file, file + "-wal", file + "-shm", file + "-journal"] }

  /// Whether the history is turned on.
  var isEnabled: Bool {
    var status = stat()
    return lstat(file, &status) == 0
  }

  /// Makes the folder where it is missing, and checks it.
  func prepare() throws(HistoryError) {
    var directory = ""
    for part in path.split(separator: "/") {
      directory += "/" + part
      if mkdir(directory, 0o700) != 0, errno != EEXIST {
        throw HistoryError(
          code: .unavailable, description: "\(directory): " + String(cString: strerror(errno)))
      }
    }
    do {
      try HelperSocket.check(path)
    } catch {
      throw HistoryError(code: .unavailable, description: error.description)
    }
    try makeFile()
    // Backup programs leave out folders that hold this file.
    let tag = open(
      path + "/CACHEDIR.TAG", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if tag >= 0 {
      let text = Array("Signature: 8a477f597d28d172789f06886806bc55\n".utf8)
      _ = write(tag, text, text.count)
      close(tag)
    }
  }

  /// Makes an empty file where there is none, and checks those that exist.
  func makeFile() throws(HistoryError) {
    // SQLite gives its other files the mode of this one.
    let made = open(file, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if made >= 0 { close(made) }
    try check()
  }

  /// Whether the files that exist are this user's alone.
  func check() throws(HistoryError) {
    for name in files {
      var status = stat()
      guard lstat(name, &status) == 0 else { continue }
      guard status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
        status.st_mode & 0o077 == 0
      else {
        throw HistoryError(
          code: .unavailable, description: "\(name) is not a file that only this user can read")
      }
    }
  }

  /// Moves a damaged file out of the way, keeping it.
  ///
  /// - Returns: Where it is now.
  func moveAside(now: Int64) throws(HistoryError) -> String {
    let place = file + ".damaged-\(now)"
    var status = stat()
    guard lstat(place, &status) != 0, rename(file, place) == 0 else {
      throw HistoryError(code: .unavailable, description: "\(file) is damaged and cannot be moved")
    }
    for end in ["-wal", "-shm", "-journal"] { rename(file + end, place + end) }
    return place
  }

  /// Removes the history, overwriting it first.
  func erase() throws(HistoryError) {
    for name in files {
      let descriptor = open(name, O_WRONLY | O_CLOEXEC | O_NOFOLLOW)
      if descriptor >= 0 {
        var status = stat()
        if fstat(descriptor, &status) == 0 {
          let zeros = [UInt8](repeating: 0, count: 65_536)
          var left = Int(status.st_size)
          while left > 0 {
            let count = write(descriptor, zeros, min(left, zeros.count))
            guard count > 0 else { break }
            left -= count
          }
          fsync(descriptor)
        }
        close(descriptor)
      }
      guard unlink(name) == 0 || errno == ENOENT else {
        throw HistoryError(
          code: .unavailable, description: "\(name): " + String(cString: strerror(errno)))
      }
    }
  }
}
