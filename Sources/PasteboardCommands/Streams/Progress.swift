internal import Glibc
internal import SelectionProtocol
internal import XlibTransport

/// Says how far long work has come: on a terminal only, and only after a second.
final class Progress {
  private let verb: String
  private let start = Instant.now
  private var next: Instant
  private var isShown = false

  /// - Returns: nil where standard error is no terminal.
  init?(_ verb: String) {
    guard isatty(2) == 1 else { return nil }
    self.verb = verb
    next = start + 1_000
  }

  /// - Parameter byteCount: Bytes so far.
  func advance(to byteCount: Int) {
    let now = Instant.now
    guard now >= next else { return }
    next = now + 200
    isShown = true
    let milliseconds = max(1, now.milliseconds - start.milliseconds)
    let rate = Int64(byteCount) * 1_000 / milliseconds
    let line = "\r\(verb) \(Self.size(Int64(byteCount))) (\(Self.size(rate))/s)\u{1B}[K"
    _ = Descriptor.write(2, Array(line.utf8))
  }

  /// Removes what was shown.
  func end() {
    if isShown { _ = Descriptor.write(2, Array("\r\u{1B}[K".utf8)) }
    isShown = false
  }

  private static func size(_ bytes: Int64) -> String {
    if bytes < 1_000_000 { return "\(bytes / 1_000) kB" }
    if bytes < 1_000_000_000 { return "\(bytes / 1_000_000) MB" }
    return "\(bytes / 1_000_000_000).\(bytes / 100_000_000 % 10) GB"
  }
}
