internal import CLinux
internal import Glibc

/// A file that is written whole or not at all: beside its place, then renamed.
///
/// An existing file's mode is kept, and a symbolic link stays one. What is no regular file (a pipe, a device) is
/// written directly.
struct OutputFile: ~Copyable {
  private let descriptor: CInt
  private let destination: RawText
  private let temporary: RawText?
  let name: RawText

  /// - Parameter path: Where the file is to be.
  init(path: RawText) throws(CommandFailure) {
    let (descriptor, destination, temporary) = try Self.create(path)
    name = path
    self.descriptor = descriptor
    self.destination = destination
    self.temporary = temporary
    temporary?.withCString { cl_remove_at_death($0) }
  }

  private static func create(
    _ path: RawText
  ) throws(CommandFailure) -> (descriptor: CInt, destination: RawText, temporary: RawText?) {
    var status = stat()
    let exists = path.withCString { stat($0, &status) } == 0
    if exists, status.st_mode & S_IFMT == S_IFDIR {
      throw Self.failure(path, EISDIR)
    }
    if exists, status.st_mode & S_IFMT != S_IFREG {
      let descriptor = path.withCString { open($0, O_WRONLY | O_CLOEXEC | O_NOCTTY) }
      guard descriptor >= 0 else { throw Self.failure(path, errno) }
      return (descriptor, path, nil)
    }
    let destination = try Self.resolved(path, exists: exists)
    if exists, destination.withCString({ access($0, W_OK) }) != 0 {
      throw Self.failure(path, errno)
    }
    var created: CInt = -1
    var place = RawText("")
    // A name somebody else has is tried once more with another number.
    for attempt in 0..<100 where created < 0 {
      let suffix = ".\(getpid())-\(attempt).part"
      // A long name leaves no room for more.
      let base = destination.lastComponent.bytes.prefix(200)
      place = RawText(
        bytes: destination.directory.bytes + [UInt8(ascii: "/"), UInt8(ascii: ".")] + base
          + Array(suffix.utf8))
      created = place.withCString { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
      if created < 0, errno != EEXIST { throw Self.failure(path, errno) }
    }
    guard created >= 0 else { throw Self.failure(path, EEXIST) }
    if exists { fchmod(created, status.st_mode & 0o7777) }
    return (created, destination, place)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if let temporary {
      temporary.withCString { _ = unlink($0) }
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
    guard let temporary else { return }
    // Some file systems report a failed write only when a descriptor is closed.
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    if copy >= 0, close(copy) != 0, errno != EINTR { throw Self.failure(name, errno) }
    let code = temporary.withCString { from in
      destination.withCString { to in rename(from, to) == 0 ? 0 : errno }
    }
    guard code == 0 else { throw Self.failure(name, code) }
  }

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
