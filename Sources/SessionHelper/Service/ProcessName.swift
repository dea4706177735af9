internal import Glibc
internal import SelectionFormats

/// Names of processes, for reports.
enum ProcessName {
  /// The name by which the kernel knows a process; never its arguments, which may hold anything.
  static func of(_ process: Int32) -> String? {
    let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 0 else { return nil }
    return TargetName.escaped(
      String(decoding: bytes[..<count].filter { $0 >= 0x20 }, as: UTF8.self))
  }
}
