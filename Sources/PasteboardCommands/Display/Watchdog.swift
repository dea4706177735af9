internal import CLinux
internal import SelectionProtocol
internal import XlibTransport

/// Ends the process when the server does not answer, or when the time that the caller gave is over.
///
/// Calls of Xlib that wait for an answer cannot be broken off; a signal can end the process all the same.
struct Watchdog {
  private let program: String
  /// When `--timeout` ends, or nil.
  let limit: Instant?
  private let limitMessage: String
  private var guardsLimit: Bool?

  /// - Parameters:
  ///   - milliseconds: What `--timeout` gives, or nil.
  init(program: String, milliseconds: Int64?) {
    self.program = program
    limit = milliseconds.map { Instant.now + $0 }
    limitMessage =
      "\(program): not done within \(milliseconds.map { Self.seconds($0) } ?? "") s (--timeout)\n"
  }

  /// Allows the usual patience from now on, or what is left of the limit.
  mutating func rearm() {
    let left = limit.map { max(1, $0.milliseconds - Instant.now.milliseconds) }
    let isLimit = left.map { $0 <= Display.patience } ?? false
    if guardsLimit != isLimit {
      guardsLimit = isLimit
      if isLimit {
        cl_die_with(ExitStatus.failed.rawValue, limitMessage)
      } else {
        cl_die_with(
          ExitStatus.noDisplay.rawValue,
          "\(program): the X server does not answer (is it stopped?)\n")
      }
    }
    cl_die_after(Int(min(left ?? Display.patience, Display.patience)))
  }

  /// Allows everything but the limit: what follows waits for somebody else than the server.
  mutating func relax() {
    guard let limit else {
      cl_die_after(0)
      return
    }
    if guardsLimit != true {
      guardsLimit = true
      cl_die_with(ExitStatus.failed.rawValue, limitMessage)
    }
    cl_die_after(Int(max(1, limit.milliseconds - Instant.now.milliseconds)))
  }

  /// Milliseconds as seconds: `5`, `0.5`.
  static func seconds(_ milliseconds: Int64) -> String {
    let whole = "\(milliseconds / 1_000)"
    guard milliseconds % 1_000 != 0 else { return whole }
    var fraction = "\(1_000 + milliseconds % 1_000)".dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return whole + "." + fraction
  }
}
