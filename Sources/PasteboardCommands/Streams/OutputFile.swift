internal import CLinux
internal import Glibc

/// A file that is written whole or not at all: without a name, or beside its place, then moved there.
///
/// An existing file's mode, and its owner where that is allowed, are kept, and a symbolic link stays one. What is no regular file (a pipe, a device) is
/// written directly. Where the file system knows files without a name, not even a killed process leaves anything.
struct OutputFile: ~Copyable {
  /// How the bytes get to their place.
  private enum Way {
    /// They are there.
    case direct
    /// The file has no name yet.
    case unnamed
    /// The file has a name beside its place.
    case named(RawText)
  }

  private let descriptor: CInt
  private let destination: RawText
  private var way: Way
  let name: RawText

  /// - Parameter path: Where the file is to be.
  init(path: RawText) throws(CommandFailure) {
    let (descriptor, destination, way) = try Self.create(path)
    name = path
    self.descriptor = descriptor
    self.destination = destination
    self.way = way
    if case .named(let place) = way { place.withCString { cl_remove_at_death($0) } }
  }

  private static func create(
    _ path: RawText
  ) throws(CommandFailure) -> (descriptor: CInt, destination: RawText, way: Way) {
    var status = stat()
    let exists = path.withCString { stat($0, &status) } == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR {
      throw Self.failure(path, EISDIR)
    }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = path.withCString { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
      guard descriptor >= 0 else { throw Self.failure(path, errno) }
      return (descriptor, path, .direct)
    }
    let destination = try Self.resolved(path, exists: exists)
    if exists, destination.withCString({ access($0, W_OK) }) != 0 {
      throw Self.failure(path, errno)
    }
    let unnamed = destination.directory.withCString { cl_open_linkable($0) }
    if unnamed >= 0 {
      // Its name later comes from /proc.
      if access(Self.link(unnamed), F_OK) == 0 {
        if exists { Self.keep(status, unnamed) }
        return (unnamed, destination, .unnamed)
      }
      close(unnamed)
    }
    var created: CInt = -1
    let place = try Self.named(path, beside: destination) { place in
      created = open(place, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      return created >= 0
    }
    if exists { Self.keep(status, created) }
    return (created, destination, .named(place))
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if case .named(let place) = way {
      place.withCString { _ = unlink($0) }
      cl_remove_at_death(nil)
    }
  }

  /// Writes the next bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
    let code = Descriptor.write(descriptor, bytes)
    guard code == 0 else { throw Self.failure(name, code) }
  }

  /// Puts the file in its place.
  consuming func finish() throws(CommandFailure) {
    if case .direct = way { return }
    // Some file systems report a failed write only when a descriptor is closed.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    if copy >= 0, close(copy) != 0, errno != EINTR { throw Self.failure(name, errno) }
    if case .unnamed = way {
      // A link never replaces a file; a name beside it can.
      let place = try Self.named(name, beside: destination) { place in
        cl_remove_at_death(place)
        if linkat(AT_FDCWD, Self.link(descriptor), AT_FDCWD, place, AT_SYMLINK_FOLLOW) == 0 {
          return true
        }
        let code = errno
        cl_remove_at_death(nil)
        errno = code
        return false
      }
      way = .named(place)
    }
    guard case .named(let place) = way else { return }
    let code = place.withCString { from in
      destination.withCString { to in rename(from, to) == 0 ? 0 : errno }
    }
    guard code == 0 else { throw Self.failure(name, code) }
  }

  /// Makes a new file the old one's owner's, with its mode.
  private static func keep(_ old: stat, _ descriptor: CInt) {
    // That order, since a new owner takes the set-user-ID bit away.
    if old.st_uid != geteuid() || old.st_gid != getegid() {
      _ = fchown(descriptor, old.st_uid, old.st_gid)
    }
    fchmod(descriptor, old.st_mode & 0o7777)
  }

  /// Finds a free name beside a file's place.
  ///
  /// - Parameter take: Takes the name; false, with errno, where that cannot be.
  private static func named(
    _ path: RawText, beside destination: RawText, _ take: (UnsafePointer<CChar>) -> Bool
  ) throws(CommandFailure) -> RawText {
    // A name somebody else has is tried once more with another number.
    for attempt in 0..<100 {
      let suffix = ".\(getpid())-\(attempt).part"
      // A long name leaves no room for more.
      let base = destination.lastComponent.bytes.prefix(200)
      let place = RawText(
        bytes: destination.directory.bytes + [UInt8(ascii: "/"), UInt8(ascii: ".")] + base
          + Array(suffix.utf8))
      if place.withCString(take) { return place }
      guard errno == EEXIST else { break }
    }
    throw failure(path, errno)
  }

  /// What names an open file without a name.
  private static func link(_ descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }

  private static func failure(_ path: RawText, _ code: CInt) -> CommandFailure {
    .failed("cannot write \(path.printable): \(Descriptor.reason(code))")
  }

  /// Where a link leads, so that the file there is replaced and not the link.
  private static func resolved(_ path: RawText, exists: Bool) throws(CommandFailure) -> RawText {
    var path = path
    var target = [CChar](repeating: 0, count: 4_097)
    // A link to nothing yet: realpath cannot follow it.
    for _ in 0..<40 {
      let length = path.withCString { readlink($0, &target, target.count - 1) }
      guard length > 0 else { return path }
      let next = target[..<length].map { UInt8(bitPattern: $0) }
      path =
        next.first == UInt8(ascii: "/")
        ? RawText(bytes: next)
        : RawText(bytes: path.directory.bytes + [UInt8(ascii: "/")] + next)
    }
    throw failure(path, ELOOP)
  }
}
