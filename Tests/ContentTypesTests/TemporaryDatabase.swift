import Foundation

@testable import ContentTypes

/// Directories of a shared MIME database that only a test knows.
final class TemporaryDatabase {
  let root: String

  init() throws {
    let template = NSTemporaryDirectory() + "/content-types-XXXXXX"
    var bytes = Array(template.utf8CString)
    guard let made = mkdtemp(&bytes) else { throw CocoaError(.fileWriteUnknown) }
    root = String(cString: made)
  }

  deinit { try? FileManager.default.removeItem(atPath: root) }

  /// The `mime` directory of a name; made when missing.
  func directory(_ name: String = "home") throws -> String {
    let path = root + "/" + name + "/mime"
    try FileManager.default.createDirectory(
      atPath: path + "/packages", withIntermediateDirectories: true)
    return path
  }

  static let tool = ["/usr/bin/update-mime-database", "/usr/local/bin/update-mime-database"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// Writes a package of `<mime-type>` elements and compiles the directory.
  @discardableResult
  func install(_ types: String, as name: String = "test", in directory: String = "home") throws
    -> String
  {
    let document = """
      <?xml version="1.0" encoding="UTF-8"?>
      <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
      \(types)
      </mime-info>
      """
    return try installDocument(document, as: name, in: directory)
  }

  @discardableResult
  func installDocument(_ document: String, as name: String, in directory: String = "home") throws
    -> String
  {
    let path = try self.directory(directory)
    try Data(document.utf8).write(to: URL(fileURLWithPath: path + "/packages/\(name).xml"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: Self.tool ?? "/nonexistent")
    process.arguments = [path]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let message = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    if process.terminationStatus != 0 || message.contains("rror") {
      throw ToolFailure(message: message)
    }
    return path
  }

  struct ToolFailure: Error { var message: String }

  /// Leaves only the text files.
  func removeCache(in directory: String = "home") throws {
    try FileManager.default.removeItem(atPath: self.directory(directory) + "/mime.cache")
  }

  func write(_ bytes: [UInt8], to name: String) throws -> String {
    let path = root + "/" + name
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }
}

extension SharedMIMEDatabase {
  /// The database the distribution installs, whatever the user's environment says.
  static let installed = SharedMIMEDatabase(directories: ["/usr/share/mime"])

  static var isInstalled: Bool {
    FileManager.default.fileExists(atPath: "/usr/share/mime/mime.cache")
  }

  func types(forContent bytes: [UInt8]) -> [String] {
    bytes.withUnsafeBytes { types(forContent: $0) }
  }
}
