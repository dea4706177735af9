package import Glibc

/// Where the helper of a display listens: `$XDG_RUNTIME_DIR/pasteboard/helper-DISPLAY`.
///
/// The directory is the user's own with mode 0700, the socket has mode 0600. There is no other place: without a
/// runtime directory that only its owner can enter there is no control.
public struct HelperSocket: Sendable, Equatable {
  /// Why there is no place for a socket.
  public struct Unavailable: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String

    package init(description: String) { self.description = description }
  }

  /// The directory that holds the socket.
  public let directory: String
  /// Path of the socket.
  public let path: String

  /// - Parameters:
  ///   - display: As in DISPLAY; the screen does not count.
  ///   - runtimeDirectory: The value of XDG_RUNTIME_DIR.
  public init(display: String, runtimeDirectory: String?) throws(Unavailable) {
    guard let runtime = runtimeDirectory, runtime.hasPrefix("/") else {
      throw Unavailable(description: "XDG_RUNTIME_DIR is not set")
    }
    try Self.check(runtime)
    directory = runtime + "/pasteboard"
    path = directory + "/helper-" + Self.fileName(of: display)
    // sun_path of sockaddr_un holds 107 bytes and a zero; a socket begins with a suffix to its name.
    guard path.utf8.count <= 95 else {
      throw Unavailable(description: "the path of XDG_RUNTIME_DIR is too long for a socket")
    }
  }

  /// Another place beside a socket.
  package init(_ other: HelperSocket, suffix: String) {
    directory = other.directory
    path = other.path + suffix
  }

  /// Makes the directory where it is missing.
  package func makeDirectory() throws(Unavailable) {
    if mkdir(directory, 0o700) != 0, errno != EEXIST {
      throw Unavailable(description: "\(directory): " + String(cString: strerror(errno)))
    }
    try Self.check(directory)
  }

  /// Whether a directory is one that only this user can enter.
  package static func check(_ path: String) throws(Unavailable) {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw Unavailable(description: "\(path): " + String(cString: strerror(errno)))
    }
    guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(),
      status.st_mode & 0o077 == 0
    else {
      throw Unavailable(description: "\(path) is not a directory that only this user can enter")
    }
  }

  /// A display's name without its screen, as a file's name.
  package static func fileName(of display: String) -> String {
    var name = display
    if let colon = name.lastIndex(of: ":"), let dot = name[colon...].firstIndex(of: ".") {
      name = String(name[..<dot])
    }
    // Xlib's other way to write the same.
    if name.hasPrefix("unix:") { name.removeFirst(4) }
    var scalars = String.UnicodeScalarView()
    for scalar in name.unicodeScalars {
      scalars.append(scalar == "/" || scalar == "\0" ? "_" : scalar)
    }
    return String(scalars)
  }

  /// Calls `body` with the address.
  package func withAddress<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result
  {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { raw in
      raw.copyBytes(from: path.utf8.prefix(raw.count - 1))
    }
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
