import Foundation
import UniformTypeIdentifiers

extension UTType {
  /// The type that a file's name tells, or that of a folder; nil if it tells nothing.
  /// - Parameter file: The file, which need not be there.
  init?(nameOf file: URL) {
    guard file.isFileURL else { return nil }
    let pathExtension = file.pathExtension
    var isDirectory: ObjCBool = false
    _ = FileManager.default.fileExists(
      atPath: file.path(percentEncoded: false), isDirectory: &isDirectory)
    if isDirectory.boolValue {
      self =
        pathExtension.isEmpty
        ? .folder : UTType(filenameExtension: pathExtension, conformingTo: .directory) ?? .folder
    } else if pathExtension.isEmpty {
      return nil
    } else {
      self.init(filenameExtension: pathExtension)
    }
  }
}
