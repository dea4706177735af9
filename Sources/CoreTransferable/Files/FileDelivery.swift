import Foundation
import Glibc
import UniformTypeIdentifiers

/// Puts a file into a directory of somebody else's under a name that is free.
enum FileDelivery {
  private static let greatestNumber = 10_000

  /// Makes a file or folder whole or not at all.
  /// - Parameters:
  ///   - name: A safe name; a number is added if it is taken.
  ///   - directory: An existing directory.
  ///   - make: Makes the file at a place inside the directory.
  /// - Returns: Where the file is.
  static func deliver(
    _ name: String, to directory: URL, make: (String) throws -> Void
  ) throws -> URL {
    let path = directory.path(percentEncoded: false)
    var info = stat()
    guard directory.isFileURL else {
      throw FileFailure(
        what: "\(directory.absoluteString) cannot receive a file", reason: "it is not a file URL")
    }
    guard stat(path, &info) == 0 else {
      throw FileFailure.current("\(path) is not there to receive a file")
    }
    guard info.st_mode & S_IFMT == S_IFDIR else {
      throw FileFailure(what: "\(path) cannot receive a file", reason: "it is not a directory")
    }
    var template = Array("\(path)/.transfer-XXXXXX".utf8CString)
    guard
      let workshop = template.withUnsafeMutableBufferPointer({ buffer -> String? in
        guard let base = buffer.baseAddress, mkdtemp(base) != nil else { return nil }
        return String(cString: base)
      })
    else { throw FileFailure.current("\(path) cannot receive a file") }
    defer { try? FileManager.default.removeItem(atPath: workshop) }
    let made = "\(workshop)/file"
    try make(made)
    return directory.appending(path: try place(made, in: path, as: name))
  }

  private static func place(_ made: String, in directory: String, as name: String) throws -> String
  {
    var info = stat()
    guard lstat(made, &info) == 0 else { throw FileFailure.current("\(made) is gone") }
    let isFolder = info.st_mode & S_IFMT == S_IFDIR
    for number in 1...greatestNumber {
      let candidate = number == 1 ? name : numbered(name, number)
      let path = "\(directory)/\(candidate)"
      // A hard link never replaces what is there; a renamed folder replaces only an empty folder.
      let isPlaced =
        isFolder
        ? lstat(path, &info) != 0 && rename(made, path) == 0
        : link(made, path) == 0 || (errno != EEXIST && renameWithoutLinks(made, path))
      if isPlaced { return candidate }
      guard errno == EEXIST || errno == ENOTEMPTY || lstat(path, &info) == 0 else {
        throw FileFailure.current("\(path) cannot be made")
      }
    }
    throw FileFailure(what: "\(directory)/\(name) cannot be made", reason: "the name is taken")
  }

  // For file systems without hard links, such as those of memory cards.
  private static func renameWithoutLinks(_ made: String, _ path: String) -> Bool {
    var info = stat()
    guard lstat(path, &info) != 0 else {
      errno = EEXIST
      return false
    }
    return rename(made, path) == 0
  }

  private static func numbered(_ name: String, _ number: Int) -> String {
    let dot = name.lastIndex(of: ".").flatMap { $0 == name.startIndex ? nil : $0 } ?? name.endIndex
    let suffix = " \(number)\(name[dot...])"
    var stem = name[..<dot]
    while stem.utf8.count + suffix.utf8.count > SafeFileName.greatestLength, !stem.isEmpty {
      stem.removeLast()
    }
    return stem + suffix
  }
}

extension ExportableRepresentation {
  /// Exports to a file in somebody else's directory.
  func export(to directory: URL) async throws -> URL {
    try await failures.exporting(requestedType ?? contentType) {
      try await waiting(until: nil) {
        switch source {
        case .data(let data):
          let data = try await data()
          return try FileDelivery.deliver(fileName(suggestedFileName), to: directory) {
            try FileContents.write(data, to: $0, mode: 0o666)
          }
        case .file(let file):
          let original = try Self.file(of: try await file())
          let name = fileName(suggestedFileName ?? original.lastPathComponent)
          return try FileDelivery.deliver(name, to: directory) {
            try FileCopy.copy(original, to: URL(filePath: $0))
          }
        }
      }
    }
  }

  private func fileName(_ suggestion: String?) -> String {
    SafeFileName.make(suggestion, fallback: failures.itemName, contentType: contentType)
  }
}
