internal import Foundation
internal import Glibc

/// The declarations in the program's own Info.plist: beside the executable, else in `<executable>.resources/`.
enum BundleDeclarations {
  /// Reads them once, before the first look-up that they could change. Problems are reported on standard error.
  static func load() { _ = loaded }

  private static let loaded: Void = {
    guard let executable = executablePath else { return }
    for path in candidates(executable: executable) where access(path, R_OK) == 0 {
      for problem in read(path) { Warning.write("\(path): \(problem)") }
      return
    }
  }()

  /// Where the Info.plist of an executable may be, best place first.
  static func candidates(executable: String) -> [String] {
    let folder = executable.lastIndex(of: "/").map { executable[..<$0] } ?? "."
    return ["\(folder)/Info.plist", "\(executable).resources/Info.plist"]
  }

  /// Declares what a file holds.
  /// - Returns: One sentence for each problem.
  static func read(_ path: String) -> [String] {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size < 16 << 20
    else { return ["is not a file of at most 16 MB"] }
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: path))
      return try DeclarationList(propertyList: data).declare()
    } catch {
      return ["cannot be read: \(error.localizedDescription)"]
    }
  }

  /// The kernel's answer; the first argument may be anything.
  private static var executablePath: String? {
    var characters = [CChar](repeating: 0, count: 4096)
    let count = readlink("/proc/self/exe", &characters, characters.count)
    guard count > 0, count < characters.count else { return nil }
    return String(decoding: characters[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
