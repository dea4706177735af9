import Glibc

/// Which file this is, whatever its path.
///
/// The place a copy is made in may lie inside the folder that is copied, and must not become part of it.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  init(_ info: stat) {
    device = info.st_dev
    number = info.st_ino
  }

  /// The directory a path lies in; nil if it is not there.
  static func parent(of path: String) -> FileIdentity? {
    var info = stat()
    let end = path.lastIndex(of: "/") ?? path.startIndex
    return stat(end == path.startIndex ? "/" : String(path[..<end]), &info) == 0
      ? FileIdentity(info) : nil
  }
}
