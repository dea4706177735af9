internal import Glibc

/// The bytes of a file that does not change while they are in use.
///
/// A mapped file that somebody shortens in place kills its reader, so only files that a package manager replaces by
/// renaming are mapped; files the user's own programs write are read into memory.
///
/// Unchecked `Sendable`: the memory is never written after `init` and lives as long as the object.
final class FileBytes: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  private let isMapped: Bool

  /// What tells one state of a file from another.
  struct Identity: Equatable, Sendable {
    var device: UInt64
    var inode: UInt64
    var size: Int
    var seconds: Int
    var nanoseconds: Int

    /// The state of the file at a path; nil when there is no regular file.
    init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }

    init?(_ status: stat) {
      guard status.st_mode & S_IFMT == S_IFREG else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      size = Int(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  /// Opens a regular file.
  /// - Parameters:
  ///   - path: The file.
  ///   - limit: The greatest size accepted, in bytes.
  ///   - mapped: Whether to map the file instead of reading it.
  /// - Returns: nil when there is no such file, it is too large or cannot be read.
  init?(path: String, limit: Int, mapped: Bool) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0, let identity = Identity(status), identity.size <= limit
    else { return nil }
    if mapped, identity.size > 0 {
      guard
        let memory = mmap(nil, identity.size, PROT_READ, MAP_PRIVATE, descriptor, 0),
        memory != MAP_FAILED
      else { return nil }
      bytes = UnsafeRawBufferPointer(start: memory, count: identity.size)
      isMapped = true
      return
    }
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(identity.size, 1), alignment: 16)
    var filled = 0
    while filled < identity.size {
      let count = read(descriptor, memory.baseAddress.map { $0 + filled }, identity.size - filled)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      filled += count
    }
    bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<filled])
    isMapped = false
  }

  /// Takes a copy of bytes.
  init(copying source: [UInt8]) {
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: max(source.count, 1), alignment: 16)
    memory.copyBytes(from: source)
    bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<source.count])
    isMapped = false
  }

  deinit {
    if isMapped {
      munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress), bytes.count)
    } else {
      bytes.baseAddress.map { UnsafeMutableRawPointer(mutating: $0).deallocate() }
    }
  }
}
