internal import CLinux
internal import Glibc
internal import SelectionFormats

/// Where the bytes of a representation are.
enum ContentSource {
  case memory([UInt8])
  case file(FileSource)
  /// Standard input, as far as it came.
  case followed(FollowedInput)

  /// The most bytes that are held in memory; more is in a file.
  static let mostInMemory = 4 << 20
}

/// Bytes that were read, and what they hold as text.
struct LoadedContent {
  var source: ContentSource
  /// What the bytes hold as text; `invalid` where they were not looked at because they are something else.
  var repertoire: TextRepertoire
  /// The first bytes.
  var head: [UInt8]
  var isEmpty: Bool { head.isEmpty }
}

/// Reads a stream to its end: into memory or, when there is more, into a file without a name.
struct InputSpool {
  private var memory: [UInt8] = []
  private var file: CInt = -1
  private var byteCount = 0
  private var last: UInt8?
  private var head: [UInt8] = []
  private var scanner = TextRepertoire.Scanner()

  /// Reads a stream.
  ///
  /// - Parameters:
  ///   - name: For messages.
  ///   - headLength: How much of the start is kept for recognising it.
  ///   - trimsNewline: Whether one newline at the end is dropped.
  static func load(
    _ descriptor: CInt, name: RawText, headLength: Int, trimsNewline: Bool,
    progress: Progress? = nil
  ) throws(CommandFailure) -> LoadedContent {
    var spool = InputSpool()
    try spool.read(descriptor, name: name, headLength: headLength, progress: progress)
    return try spool.content(name, trimsNewline: trimsNewline)
  }

  /// What was read so far.
  mutating func content(
    _ name: RawText, trimsNewline: Bool
  ) throws(CommandFailure) -> LoadedContent {
    if trimsNewline, last == 0x0A {
      byteCount -= 1
      if file >= 0 {
        ftruncate(file, off_t(byteCount))
      } else {
        memory.removeLast()
      }
      if byteCount < head.count { head.removeLast() }
    }
    let repertoire = scanner.finish()
    guard file >= 0 else {
      return LoadedContent(source: .memory(memory), repertoire: repertoire, head: head)
    }
    return LoadedContent(
      source: .file(try FileSource(takingOver: file, name: name)), repertoire: repertoire,
      head: head)
  }

  /// Reads a stream to its end; several follow each other.
  ///
  /// - Parameter copy: Gets all that is read, too.
  mutating func read(
    _ descriptor: CInt, name: RawText, headLength: Int, progress: Progress? = nil,
    copy: CInt? = nil
  ) throws(CommandFailure) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 64)
    defer { buffer.deallocate() }
    while true {
      let count = Descriptor.read(descriptor, into: buffer)
      guard count >= 0 else {
        discard()
        throw .failed("cannot read \(name.printable): \(Descriptor.reason(CInt(-count)))")
      }
      guard count > 0 else { break }
      let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
      if !scanner.foundInvalid { scanner.consume(bytes) }
      if head.count < headLength { head += bytes.prefix(headLength - head.count) }
      last = bytes.last
      try store(bytes)
      if let copy {
        let code = Descriptor.write(copy, bytes)
        guard code == 0 else { throw Console.outputFailure(code) }
      }
      progress?.advance(to: byteCount)
    }
    progress?.end()
  }

  private mutating func store(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
    if file < 0, byteCount + bytes.count > ContentSource.mostInMemory {
      file = try Self.openUnnamedFile()
      try append(memory)
      memory = []
    }
    byteCount += bytes.count
    if file < 0 {
      memory += bytes
    } else {
      let code = Descriptor.write(file, bytes)
      guard code == 0 else { throw full(code) }
    }
  }

  private mutating func append(_ bytes: [UInt8]) throws(CommandFailure) {
    let code = Descriptor.write(file, bytes)
    guard code == 0 else { throw full(code) }
  }

  private mutating func full(_ code: CInt) -> CommandFailure {
    discard()
    return .failed(
      "cannot keep the content in \(Self.directory): \(Descriptor.reason(code)); nothing was "
        + "copied (TMPDIR chooses another directory)")
  }

  private mutating func discard() {
    if file >= 0 { close(file) }
    file = -1
  }

  /// The directory for what does not fit into memory: TMPDIR, or where files of any size belong.
  static var directory: String {
    if let set = getenv("TMPDIR"), set.pointee != 0 { return String(cString: set) }
    let isInMemory = cl_is_memory_file_system("/tmp") != 0
    return isInMemory && access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp"
  }

  /// Opens a file without a name, for reading and writing.
  static func openUnnamedFile() throws(CommandFailure) -> CInt {
    let directory = directory
    let unnamed = cl_open_unnamed(directory)
    if unnamed >= 0 { return unnamed }
    // File systems without nameless files.
    var template = Array((directory + "/pasteboard-XXXXXX").utf8CString)
    let named = mkstemp(&template)
    guard named >= 0 else {
      throw .failed(
        "cannot make a file in \(directory): \(Descriptor.reason(errno)) (TMPDIR chooses another "
          + "directory)")
    }
    unlink(template)
    _ = fcntl(named, F_SETFD, FD_CLOEXEC)
    return named
  }
}
