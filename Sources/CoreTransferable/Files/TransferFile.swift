import Foundation
import Glibc
package import UniformTypeIdentifiers

/// A file on its way between a sender and a receiver, with what must outlive it.
///
/// A copy lies in a ``PrivateDirectory`` of its own and is removed when the last reference to this
/// object is let go, or by ``remove()``. The sender's own file is never touched.
package final class TransferFile: Sendable {
  /// Where the file is, or is to be made.
  package let url: URL

  /// Whether this is the sender's own file rather than a copy.
  package let isOriginal: Bool

  private let directory: PrivateDirectory?

  /// Refers to the sender's own file.
  /// - Parameter original: The file.
  package init(original: URL) {
    url = original
    isOriginal = true
    directory = nil
  }

  /// Makes a place for a file that is about to be received or copied; the file itself is not made.
  /// - Parameters:
  ///   - suggestedName: What the sender calls the file; made safe here.
  ///   - fallback: The stem of the name when there is no usable suggestion.
  ///   - contentType: The file's content type, which decides the extension.
  /// - Throws: An error that tells why no private directory could be made.
  package init(suggestedName: String?, fallback: String, contentType: UTType?) throws {
    let directory = try PrivateDirectory()
    let name = SafeFileName.make(suggestedName, fallback: fallback, contentType: contentType)
    url = directory.url.appending(path: name, directoryHint: .notDirectory)
    isOriginal = false
    self.directory = directory
  }

  /// The size in bytes; of a folder, that of all its files.
  package var size: Int64 { FileCopy.size(of: url) }

  /// Removes a copy now. The sender's own file stays.
  package func remove() {
    directory?.remove()
  }

  /// Makes the file with these contents.
  func write(_ data: Data) throws {
    try FileContents.write(data, to: url.path(percentEncoded: false), mode: 0o600)
  }
}

/// The bytes of whole files.
enum FileContents {
  // Below this, reading is cheaper than mapping and costs no memory worth saving.
  private static let largestRead = 4 << 20

  /// A file's bytes, or a folder as a ZIP archive. A large file is mapped, not read, and what is mapped is a private copy: the
  /// original may become shorter at any time, and touching a mapped byte that is gone ends the process.
  /// - Parameters:
  ///   - file: The file.
  ///   - isPrivate: Whether nobody else can change the file.
  static func data(of file: URL, isPrivate: Bool) throws -> Data {
    let path = file.path(percentEncoded: false)
    let input = try OpenFile(path, flags: O_RDONLY | O_NONBLOCK)
    let info = try input.status()
    switch info.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR:
      let directory = try PrivateDirectory()
      let archive = directory.url.appending(path: "archive", directoryHint: .notDirectory)
      try FolderArchive.pack(file, to: archive)
      return try Data(contentsOf: archive, options: .alwaysMapped)
    default:
      throw FileFailure(what: "\(path) cannot be read", reason: "it is neither a file nor a folder")
    }
    guard info.st_size > largestRead else { return try read(input) }
    if isPrivate { return try Data(contentsOf: file, options: .alwaysMapped) }
    let directory = try PrivateDirectory()
    let copy = directory.url.appending(path: "contents", directoryHint: .notDirectory)
    try FileCopy.copy(file, to: copy)
    // The mapping keeps the contents when the directory goes.
    return try Data(contentsOf: copy, options: .alwaysMapped)
  }

  /// Throws unless a file or folder is there and may be read.
  static func checkReadable(_ file: URL) throws {
    guard file.isFileURL else {
      throw FileFailure(
        what: "\(file.absoluteString) cannot be read", reason: "it is not a file URL")
    }
    let path = file.path(percentEncoded: false)
    guard access(path, R_OK) == 0 else { throw FileFailure.current("\(path) cannot be read") }
  }

  /// Makes a file; nothing may be there yet.
  static func write(_ data: Data, to path: String, mode: mode_t) throws {
    let output = try OpenFile(path, flags: O_WRONLY | O_CREAT | O_EXCL, mode: mode)
    for region in data.regions {
      try region.withUnsafeBytes { bytes in
        var written = 0
        while written < bytes.count {
          try Task.checkCancellation()
          let step = Glibc.write(
            output.descriptor, bytes.baseAddress?.advanced(by: written),
            min(bytes.count - written, 16 << 20))
          if step < 0, errno == EINTR { continue }
          guard step > 0 else { throw FileFailure.current("\(path) cannot be written") }
          written += step
        }
      }
    }
  }

  private static func read(_ input: borrowing OpenFile) throws -> Data {
    var data = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = Glibc.read(input.descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw FileFailure.current("\(input.path) cannot be read") }
      guard count > 0 else { return data }
      data.append(contentsOf: buffer[..<count])
    }
  }
}
