internal import Glibc
internal import SelectionProtocol
internal import XlibTransport

/// Says how far long work has come: on a terminal only, and only after a second.
final class Progress {
  private let verb: String
  private let total: Int?
  private let start = Instant.now
  private var next: Instant
  /// Columns that the last line took; 0 where there is none.
  private var width = 0

  /// - Parameters:
  ///   - verb: What is being done.
  ///   - total: How many bytes there will be, where that is known.
  /// - Returns: nil where standard error is no terminal.
  init?(_ verb: String, of total: Int? = nil) {
    guard isatty(2) == 1 else { return nil }
    self.verb = verb
    self.total = total
    next = start + 1_000
  }

  deinit { end() }

  /// - Parameter byteCount: Bytes so far.
  func advance(to byteCount: Int) {
    let now = Instant.now
    guard now >= next else { return }
    next = now + 200
    let milliseconds = max(1, now.milliseconds - start.milliseconds)
    let rate = Int64(byteCount) * 1_000 / milliseconds
    show(Self.line(verb, Int64(byteCount), total.map { Int64($0) }, rate: rate))
  }

  /// Removes what was shown.
  func end() {
    guard width > 0 else { return }
    show("")
    _ = Descriptor.write(2, [0x0D])
    width = 0
  }

  /// What is shown: a bar where the total is known, bytes and bytes a second.
  static func line(_ verb: String, _ count: Int64, _ total: Int64?, rate: Int64) -> String {
    guard let total, total > 0 else { return "\(verb) \(size(count)) (\(size(rate))/s)" }
    let part = min(count, total)
    let filled = Int(part * 20 / total)
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: 20 - filled)
    return "\(verb) [\(bar)] \(part * 100 / total) % of \(size(total)) (\(size(rate))/s)"
  }

  /// Spaces cover what the last line had more: not every terminal knows how to erase.
  private func show(_ line: String) {
    let padding = String(repeating: " ", count: max(0, width - line.count))
    width = line.count
    _ = Descriptor.write(2, Array(("\r" + line + padding).utf8))
  }

  private static func size(_ bytes: Int64) -> String {
    if bytes < 1_000_000 { return "\(bytes / 1_000) kB" }
    if bytes < 1_000_000_000 { return "\(bytes / 1_000_000) MB" }
    return "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
  }
}
