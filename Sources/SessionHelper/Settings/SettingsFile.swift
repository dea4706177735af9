internal import Glibc

/// Reads `$XDG_CONFIG_HOME/pasteboard/helper.conf`: one setting or rule a line. `#` at the beginning of a line
/// or after white space begins a comment, but for in quotes.
///
/// ```
/// early-images = pure   # screenshots
/// history-age = 12h
/// sync = primary-to-clipboard
/// limit.image/* = 8M
/// ignore class=Bitwarden
/// ignore program=keepassxc title="(Password|Secret)"
/// ```
/// A line that is not understood makes the whole file refused: a rule that was meant to protect something must not be
/// lost to a slip of the pen.
enum SettingsFile {
  struct Misuse: Error, Equatable, CustomStringConvertible {
    var path: String
    var line: Int
    var problem: String

    var description: String {
      line > 0 ? "\(path), line \(line): \(problem)" : "\(path): \(problem)"
    }
  }

  private static let mostBytes = 1 << 20

  /// Where it is by itself; `nil` where the environment names no place.
  static func standardPath() -> String? {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    if let place = value("XDG_CONFIG_HOME") { return place + "/pasteboard/helper.conf" }
    return value("HOME").map { $0 + "/.config/pasteboard/helper.conf" }
  }

  /// Reads a file over `settings`.
  ///
  /// - Parameter isWanted: Whether it is an error that there is no such file.
  static func read(
    _ path: String, isWanted: Bool, into settings: inout HelperSettings
  ) throws(Misuse) {
    // A pipe without a writer must not hold the start up.
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      if !isWanted, errno == ENOENT || errno == ENOTDIR { return }
      throw Misuse(path: path, line: 0, problem: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      throw Misuse(path: path, line: 0, problem: String(cString: strerror(EISDIR)))
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw Misuse(path: path, line: 0, problem: "it is not a regular file")
    }
    guard status.st_uid == geteuid() || status.st_uid == 0,
      status.st_mode & 0o022 == 0
    else {
      throw Misuse(path: path, line: 0, problem: "others than its owner can write it")
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw Misuse(path: path, line: 0, problem: String(cString: strerror(errno)))
      }
      guard count > 0 else { break }
      bytes += buffer[..<count]
      guard bytes.count <= mostBytes else {
        throw Misuse(path: path, line: 0, problem: "it is too long")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Misuse(path: path, line: 0, problem: "it is not UTF-8")
    }
    try parse(text, path: path, into: &settings)
  }

  static func parse(
    _ text: String, path: String, into settings: inout HelperSettings
  ) throws(Misuse) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      do throws(SettingsLine.Misuse) {
        try SettingsLine.apply(String(line), to: &settings)
      } catch {
        throw Misuse(path: path, line: number + 1, problem: error.problem)
      }
    }
  }
}
