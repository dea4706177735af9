import Foundation
import Glibc

/// Packs a folder into a ZIP archive, which is what a folder is when it is asked for as data.
///
/// Files are stored as they are, so that packing costs little more than copying, and never pass through
/// memory as a whole. Symbolic links stay links. Source: PKWARE's APPNOTE 6.3, with ZIP64 where a size
/// needs it.
struct FolderArchive: ~Copyable {
  private enum Limit {
    /// The largest value of a 32-bit field; it says that the ZIP64 record has the number.
    static let field = UInt64(UInt32.max)
    static let entries = Int(UInt16.max)
    static let bufferBytes = 1 << 18
  }

  private struct Entry {
    var name: [UInt8]
    var mode: UInt32
    var modified: time_t
    var size: UInt64 = 0
    var checksum: UInt32 = 0
    var offset: UInt64
    /// Whether the local header has room for 64-bit sizes.
    var isLarge = false
  }

  private let output: OpenFile
  private let workplace: FileIdentity?
  private var entries: [Entry] = []
  private var position: UInt64 = 0

  /// Packs a folder, under its own name, but without the directory that the archive is made in.
  /// - Parameters:
  ///   - folder: The folder.
  ///   - archive: Where the archive appears; nothing may be there yet.
  static func pack(_ folder: URL, to archive: URL) throws {
    let target = archive.path(percentEncoded: false)
    let output = try OpenFile(
      target, flags: O_RDWR | O_CREAT | O_EXCL, mode: 0o600)
    var packer = FolderArchive(output: output, workplace: FileIdentity.parent(of: target))
    var path = folder.path(percentEncoded: false)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    try packer.add(path, as: folder.lastPathComponent, followsLink: true)
    try packer.finish()
  }

  private init(output: consuming OpenFile, workplace: FileIdentity?) {
    self.output = output
    self.workplace = workplace
  }

  private mutating func add(_ path: String, as name: String, followsLink: Bool) throws {
    try Task.checkCancellation()
    var info = stat()
    guard (followsLink ? stat(path, &info) : lstat(path, &info)) == 0 else {
      throw FileFailure.current("\(path) cannot be read")
    }
    switch info.st_mode & S_IFMT {
    case S_IFDIR:
      if !followsLink, FileIdentity(info) == workplace { return }
      _ = try begin("\(name)/", info)
      for child in try FileManager.default.contentsOfDirectory(atPath: path).sorted() {
        try add("\(path)/\(child)", as: "\(name)/\(child)", followsLink: false)
      }
    case S_IFLNK:
      let target = try FileManager.default.destinationOfSymbolicLink(atPath: path)
      let index = try begin(name, info)
      try append(Array(target.utf8), to: index)
      try close(index)
    case S_IFREG:
      try addFile(path, as: name)
    default:
      throw FileFailure(
        what: "\(path) cannot be packed", reason: "it is neither a file nor a folder")
    }
  }

  private mutating func addFile(_ path: String, as name: String) throws {
    let input = try OpenFile(path, flags: O_RDONLY | O_NONBLOCK)
    let index = try begin(name, try input.status())
    var buffer = [UInt8](repeating: 0, count: Limit.bufferBytes)
    while true {
      try Task.checkCancellation()
      let count = read(input.descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure.current("\(path) cannot be read") }
      guard count > 0 else { break }
      try append(count == buffer.count ? buffer : Array(buffer[..<count]), to: index)
    }
    guard entries[index].isLarge || entries[index].size < Limit.field else {
      throw FileFailure(what: "\(path) cannot be packed", reason: "it grew while it was read")
    }
    try close(index)
  }

  /// Writes the local header, with sizes to be filled in.
  private mutating func begin(_ name: String, _ info: stat) throws -> Int {
    let bytes = Array(name.utf8)
    guard bytes.count <= Int(UInt16.max) else {
      throw FileFailure(
        what: "\(name.prefix(80))… cannot be packed", reason: "its path is too long")
    }
    var entry = Entry(
      name: bytes, mode: UInt32(info.st_mode), modified: info.st_mtim.tv_sec, offset: position)
    entry.isLarge = info.st_mode & S_IFMT == S_IFREG && UInt64(info.st_size) >= Limit.field
    entries.append(entry)
    try write(Self.localHeader(entry))
    return entries.count - 1
  }

  private mutating func append(_ bytes: [UInt8], to index: Int) throws {
    entries[index].checksum = Checksum.extended(entries[index].checksum, by: bytes)
    entries[index].size += UInt64(bytes.count)
    try write(bytes)
  }

  /// Fills in the sizes.
  private mutating func close(_ index: Int) throws {
    let header = Self.localHeader(entries[index])
    try write(header, at: entries[index].offset)
  }

  private mutating func finish() throws {
    let start = position
    for entry in entries { try write(Self.directoryRecord(entry)) }
    let size = position - start
    var end: [UInt8] = []
    let needs64 =
      entries.count >= Limit.entries || start >= Limit.field || size >= Limit.field
    if needs64 {
      let record = position
      end.add(UInt32(0x0606_4B50))
      end.add(UInt64(44))
      end.add(UInt16(45))
      end.add(UInt16(45))
      end.add(UInt32(0))
      end.add(UInt32(0))
      end.add(UInt64(entries.count))
      end.add(UInt64(entries.count))
      end.add(size)
      end.add(start)
      end.add(UInt32(0x0706_4B50))
      end.add(UInt32(0))
      end.add(record)
      end.add(UInt32(1))
    }
    let count = UInt16(min(entries.count, Limit.entries))
    end.add(UInt32(0x0605_4B50))
    end.add(UInt32(0))
    end.add(count)
    end.add(count)
    end.add(UInt32(min(size, Limit.field)))
    end.add(UInt32(min(start, Limit.field)))
    end.add(UInt16(0))
    try write(end)
  }

  private static func localHeader(_ entry: Entry) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.add(UInt32(0x0403_4B50))
    bytes.addCommonFields(entry.modified, needs64: entry.isLarge)
    bytes.add(entry.checksum)
    let field = UInt32(entry.isLarge ? Limit.field : entry.size)
    bytes.add(field)
    bytes.add(field)
    bytes.add(UInt16(entry.name.count))
    bytes.add(UInt16(entry.isLarge ? 20 : 0))
    bytes += entry.name
    if entry.isLarge {
      bytes.add(UInt16(1))
      bytes.add(UInt16(16))
      bytes.add(entry.size)
      bytes.add(entry.size)
    }
    return bytes
  }

  private static func directoryRecord(_ entry: Entry) -> [UInt8] {
    let needs64 = entry.isLarge || entry.offset >= Limit.field
    var bytes: [UInt8] = []
    bytes.add(UInt32(0x0201_4B50))
    // Made by a Unix system, whose file mode is in the upper half of the attributes.
    bytes.add(UInt16(3 << 8 | 45))
    bytes.addCommonFields(entry.modified, needs64: needs64)
    bytes.add(entry.checksum)
    let field = UInt32(needs64 ? Limit.field : entry.size)
    bytes.add(field)
    bytes.add(field)
    bytes.add(UInt16(entry.name.count))
    bytes.add(UInt16(needs64 ? 28 : 0))
    bytes.add(UInt16(0))
    bytes.add(UInt16(0))
    bytes.add(UInt16(0))
    bytes.add(entry.mode << 16 | (entry.mode & S_IFMT == S_IFDIR ? 0x10 : 0))
    bytes.add(UInt32(needs64 ? Limit.field : entry.offset))
    bytes += entry.name
    if needs64 {
      bytes.add(UInt16(1))
      bytes.add(UInt16(24))
      bytes.add(entry.size)
      bytes.add(entry.size)
      bytes.add(entry.offset)
    }
    return bytes
  }

  private mutating func write(_ bytes: [UInt8]) throws {
    try write(bytes, at: position)
    position += UInt64(bytes.count)
  }

  private func write(_ bytes: [UInt8], at offset: UInt64) throws {
    try bytes.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let step = pwrite(
          output.descriptor, bytes.baseAddress?.advanced(by: written), bytes.count - written,
          off_t(offset) + off_t(written))
        if step < 0, errno == EINTR { continue }
        guard step > 0 else { throw FileFailure.current("\(output.path) cannot be written") }
        written += step
      }
    }
  }
}

/// CRC-32 as ZIP uses it, eight bytes at a time.
private enum Checksum {
  // Table n holds what a byte does to the checksum n bytes later; all eight stand one after another.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      tables[byte] = (0..<8).reduce(UInt32(byte)) { value, _ in
        value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1
      }
    }
    for index in 256..<tables.count {
      let before = tables[index - 256]
      tables[index] = before >> 8 ^ tables[Int(before & 0xFF)]
    }
    return tables
  }()

  static func extended(_ checksum: UInt32, by bytes: [UInt8]) -> UInt32 {
    tables.withUnsafeBufferPointer { tables in
      bytes.withUnsafeBytes { bytes in
        var value = ~checksum
        var index = 0
        while bytes.count - index >= 8 {
          let word =
            UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            ^ UInt64(value)
          value = 0
          for place in 0..<8 {
            value ^= tables[(7 - place) << 8 | Int(word >> UInt64(8 * place) & 0xFF)]
          }
          index += 8
        }
        while index < bytes.count {
          value = tables[Int((value ^ UInt32(bytes[index])) & 0xFF)] ^ value >> 8
          index += 1
        }
        return ~value
      }
    }
  }
}

extension [UInt8] {
  /// Adds a number in little-endian order.
  fileprivate mutating func add(_ number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Adds the fields a local header and a directory record share: the version needed, the flag that
  /// names are UTF-8, the method, which is none, and the time in MS-DOS's form.
  fileprivate mutating func addCommonFields(_ modified: time_t, needs64: Bool) {
    var seconds = modified
    var parts = tm()
    localtime_r(&seconds, &parts)
    // The form begins in 1980 and ends in 2107.
    let year = Swift.min(Swift.max(Int(parts.tm_year) - 80, 0), 127)
    let time = Int(parts.tm_hour) << 11 | Int(parts.tm_min) << 5 | Int(parts.tm_sec) / 2
    let date = year << 9 | (Int(parts.tm_mon) + 1) << 5 | Int(parts.tm_mday)
    add(UInt16(needs64 ? 45 : 20))
    add(UInt16(1 << 11))
    add(UInt16(0))
    add(UInt16(truncatingIfNeeded: time))
    add(UInt16(truncatingIfNeeded: date))
  }
}
