import CLinux
import Foundation
import Glibc

/// Copies files without reading them into memory.
///
/// Where the file system can, the copy shares the original's blocks. Otherwise the kernel copies, and
/// only between file systems that know no other way do bytes pass through a small buffer. Holes stay
/// holes.
enum FileCopy {
  // <unistd.h> defines these for GNU sources only, which the Glibc module is not.
  private enum Seek {
    static let data: Int32 = 3
    static let hole: Int32 = 4
  }

  // Small enough that cancellation takes effect soon.
  private static let stepBytes = 64 << 20
  private static let bufferBytes = 1 << 18

  /// Copies a file, or a folder with everything in it.
  ///
  /// Symbolic links inside a folder are copied as links; the source itself is followed. The directory
  /// that the copy is made in is left out where it lies inside the source: it is there for this copy only.
  /// - Parameters:
  ///   - source: What to copy.
  ///   - destination: Where the copy appears; nothing may be there yet.
  ///   - progress: Called with the bytes copied by each step; what it throws ends the copy.
  /// - Throws: ``FileFailure``, or `CancellationError` if the task is cancelled. What had been copied
  ///   by then stays where it is.
  static func copy(
    _ source: URL, to destination: URL, progress: (Int64) throws -> Void = { _ in }
  ) throws {
    let target = destination.path(percentEncoded: false)
    try copy(
      source.path(percentEncoded: false), to: target, followsLink: true,
      except: FileIdentity.parent(of: target), progress: progress)
  }

  /// The size of a file in bytes, or of all files in a folder together.
  static func size(of url: URL) -> Int64 {
    var info = stat()
    let path = url.path(percentEncoded: false)
    guard stat(path, &info) == 0 else { return 0 }
    guard info.st_mode & S_IFMT == S_IFDIR else { return Int64(info.st_size) }
    let inside = FileManager.default.enumerator(atPath: path)
    var sum: Int64 = 0
    while let name = inside?.nextObject() as? String {
      guard lstat("\(path)/\(name)", &info) == 0, info.st_mode & S_IFMT == S_IFREG else { continue }
      sum += Int64(info.st_size)
    }
    return sum
  }

  private static func copy(
    _ source: String, to destination: String, followsLink: Bool, except workplace: FileIdentity?,
    progress: (Int64) throws -> Void
  ) throws {
    try Task.checkCancellation()
    var info = stat()
    guard (followsLink ? stat(source, &info) : lstat(source, &info)) == 0 else {
      throw FileFailure.current("\(source) cannot be read")
    }
    switch info.st_mode & S_IFMT {
    case S_IFREG:
      try copyFile(source, to: destination, progress: progress)
    case S_IFDIR:
      if !followsLink, FileIdentity(info) == workplace { return }
      try copyFolder(
        source, to: destination, mode: info.st_mode, except: workplace, progress: progress)
    case S_IFLNK:
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: source)
      guard symlink(target, destination) == 0 else {
        throw FileFailure.current("\(destination) cannot be made")
      }
    default:
      throw FileFailure(
        what: "\(source) cannot be copied", reason: "it is neither a file nor a folder")
    }
  }

  private static func copyFolder(
    _ source: String, to destination: String, mode: mode_t, except workplace: FileIdentity?,
    progress: (Int64) throws -> Void
  ) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: source)
    guard mkdir(destination, 0o700) == 0 else {
      throw FileFailure.current("\(destination) cannot be made")
    }
    for name in names {
      try copy(
        "\(source)/\(name)", to: "\(destination)/\(name)", followsLink: false, except: workplace,
        progress: progress)
    }
    // Kept writable for its owner, so that the copy can be removed again.
    _ = chmod(destination, (mode & 0o777) | 0o700)
  }

  private static func copyFile(
    _ source: String, to destination: String, progress: (Int64) throws -> Void
  ) throws {
    let input = try OpenFile(source, flags: O_RDONLY | O_NONBLOCK)
    let info = try input.status()
    guard info.st_mode & S_IFMT == S_IFREG else {
      throw FileFailure(what: "\(source) cannot be copied", reason: "it is no longer a file")
    }
    let mode = (info.st_mode & 0o777) | 0o600
    let output = try OpenFile(destination, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    if cl_clone_file(output.descriptor, input.descriptor) == 0 {
      try progress(Int64(info.st_size))
      return
    }
    try copyBytes(from: input, to: output, size: info.st_size, progress: progress)
  }

  private static func copyBytes(
    from input: borrowing OpenFile, to output: borrowing OpenFile, size: off_t,
    progress: (Int64) throws -> Void
  ) throws {
    var position: off_t = 0
    while position < size {
      let data = lseek(input.descriptor, position, Seek.data)
      guard data >= 0 else {
        // Nothing but a hole to the end, or no notion of holes.
        if errno != ENXIO {
          try copyRange(from: input, to: output, at: position, until: size, progress)
        }
        break
      }
      let hole = lseek(input.descriptor, data, Seek.hole)
      let end = hole > data ? min(hole, size) : size
      try progress(Int64(data - position))
      try copyRange(from: input, to: output, at: data, until: end, progress)
      position = end
    }
    // A file that says it is empty may still have content, such as those in /proc.
    if size == 0 {
      try copyThroughBuffer(from: input, to: output, at: 0, until: off_t.max, progress)
    } else if try output.status().st_size < size, ftruncate(output.descriptor, size) != 0 {
      throw FileFailure.current("\(output.path) cannot be written")
    }
  }

  private static func copyRange(
    from input: borrowing OpenFile, to output: borrowing OpenFile, at start: off_t,
    until end: off_t, _ progress: (Int64) throws -> Void
  ) throws {
    var position = start
    guard lseek(input.descriptor, position, SEEK_SET) >= 0,
      lseek(output.descriptor, position, SEEK_SET) >= 0
    else { throw FileFailure.current("\(input.path) cannot be read") }
    while position < end {
      try Task.checkCancellation()
      let copied = cl_copy_file_range(
        input.descriptor, output.descriptor, min(stepBytes, Int(end - position)))
      if copied < 0, errno == EINTR { continue }
      if copied < 0, [EXDEV, ENOSYS, EINVAL, EOPNOTSUPP, EPERM].contains(errno) {
        try copyThroughBuffer(from: input, to: output, at: position, until: end, progress)
        return
      }
      guard copied >= 0 else { throw FileFailure.current("\(output.path) cannot be written") }
      // Some file systems report an end that is none; reading knows for sure.
      if copied == 0 {
        try copyThroughBuffer(from: input, to: output, at: position, until: end, progress)
        return
      }
      position += off_t(copied)
      try progress(Int64(copied))
    }
  }

  private static func copyThroughBuffer(
    from input: borrowing OpenFile, to output: borrowing OpenFile, at start: off_t,
    until end: off_t, _ progress: (Int64) throws -> Void
  ) throws {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferBytes, alignment: 16)
    defer { buffer.deallocate() }
    var position = start
    while position < end {
      try Task.checkCancellation()
      let count = pread(
        input.descriptor, buffer.baseAddress, min(bufferBytes, Int(end - position)), position)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure.current("\(input.path) cannot be read") }
      if count == 0 {
        guard end == off_t.max else {
          throw FileFailure(
            what: "\(input.path) cannot be read", reason: "it became shorter while it was copied")
        }
        return
      }
      var written = 0
      while written < count {
        let step = pwrite(
          output.descriptor, buffer.baseAddress?.advanced(by: written), count - written,
          position + off_t(written))
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw FileFailure.current("\(output.path) cannot be written") }
        written += step
      }
      position += off_t(count)
      try progress(Int64(count))
    }
  }
}

/// An open file that is closed when it goes out of use.
struct OpenFile: ~Copyable {
  let descriptor: Int32
  let path: String

  init(_ path: String, flags: Int32, mode: mode_t = 0) throws {
    descriptor = open(path, flags | O_CLOEXEC, mode)
    self.path = path
    guard descriptor >= 0 else {
      let isMade = flags & O_CREAT != 0
      throw FileFailure.current("\(path) cannot be \(isMade ? "made" : "opened")")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  func status() throws -> stat {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw FileFailure.current("\(path) has no status") }
    return info
  }
}
