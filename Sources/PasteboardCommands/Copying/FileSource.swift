internal import Glibc
internal import SelectionFormats
internal import XlibTransport

/// A file that content is served from, by ranges, as it is when somebody asks.
final class FileSource {
  let descriptor: CInt
  let name: RawText
  /// Whether the bytes were text when they were last looked at; nil where that does not matter.
  private var isText: Bool?
  private var seen: stat

  /// Takes over an open descriptor of a regular file.
  init(takingOver descriptor: CInt, name: RawText) throws(CommandFailure) {
    self.descriptor = descriptor
    self.name = name
    seen = stat()
    guard fstat(descriptor, &seen) == 0 else {
      let code = errno
      close(descriptor)
      throw .failed("cannot read \(name.printable): \(Descriptor.reason(code))")
    }
  }

  deinit { close(descriptor) }

  var byteCount: Int { Int(seen.st_size) }

  /// Looks at all of it.
  func scan(_ progress: Progress? = nil) throws(CommandFailure) -> TextRepertoire {
    defer { progress?.end() }
    var scanner = TextRepertoire.Scanner()
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { buffer.deallocate() }
    var offset = 0
    while !scanner.foundInvalid {
      let count = try read(at: offset, into: buffer)
      guard count > 0 else { break }
      scanner.consume(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      offset += count
      progress?.advance(to: offset)
    }
    let repertoire = scanner.finish()
    isText = repertoire.isText
    return repertoire
  }

  /// Reads bytes from an offset.
  ///
  /// - Returns: How many; 0 at the end.
  func read(
    at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws(CommandFailure) -> Int {
    while true {
      let count = pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      guard errno == EINTR else {
        throw .failed("cannot read \(name.printable): \(Descriptor.reason(errno))")
      }
    }
  }

  /// Reads the start.
  func head(_ length: Int) throws(CommandFailure) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: length, alignment: 1)
    defer { buffer.deallocate() }
    let count = try read(at: 0, into: buffer)
    return Array(buffer[..<count])
  }

  /// Reads all of it, where that is not too much to hold.
  func whole(atMost limit: Int) -> [UInt8]? {
    guard byteCount <= limit, let bytes = try? head(byteCount) else { return nil }
    return bytes.count == byteCount ? bytes : nil
  }

  /// The file as it is now.
  ///
  /// - Returns: nil where it cannot be read, or is no longer the text it was offered as.
  func payload(asText: Bool) -> FilePayload? {
    var now = stat()
    guard fstat(descriptor, &now) == 0 else { return nil }
    let isSame =
      now.st_size == seen.st_size && now.st_mtim.tv_sec == seen.st_mtim.tv_sec
      && now.st_mtim.tv_nsec == seen.st_mtim.tv_nsec
    if !isSame {
      seen = now
      if isText != nil, (try? scan()) == nil { return nil }
    }
    if asText, isText == false { return nil }
    let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { return nil }
    return try? FilePayload(takingOver: copy, path: "")
  }
}
