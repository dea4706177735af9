internal import CLinux
internal import SelectionProtocol
internal import XlibTransport

/// Ends the process when the server does not answer, or when the time that the caller gave is over.
///
/// Calls of Xlib that wait for an answer cannot be broken off; a signal can end the process all the same.
struct Watchdog {
  /// What a message begins with.
  private let prefix: String
  /// Whether the program is one of others, which know no status but 1.
  private let isCompatible: Bool
  /// When `--timeout` ends, or nil.
  let limit: Instant?
  private let limitMessage: String
  private var guardsLimit: Bool?

  /// - Parameters:
  ///   - milliseconds: What `--timeout` gives, or nil.
  init(program: String, milliseconds: Int64?) {
    let compatible = CompatibleCommand(rawValue: program)
    isCompatible = compatible != nil
    prefix = compatible == .xclip ? "Error: " : "\(program): "
    limit = milliseconds.map { Instant.now + $0 }
    limitMessage =
      "\(prefix)not done within \(milliseconds.map { Self.seconds($0) } ?? "") s "
      + (compatible == .xsel ? "(-t)\n" : "(--timeout)\n")
  }

  /// Allows the usual patience from now on, or what is left of the limit.
  mutating func rearm() {
    let left = limit.map { max(1, $0.milliseconds - Instant.now.milliseconds) }
    let isLimit = left.map { $0 <= Display.patience } ?? false
    if guardsLimit != isLimit {
      guardsLimit = isLimit
      if isLimit {
        cl_die_with(status(.failed), limitMessage)
      } else {
        cl_die_with(
          status(.noDisplay),
          "\(prefix)the X server does not answer (is it stopped?)\n")
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
      cl_die_with(status(.failed), limitMessage)
    }
    cl_die_after(Int(max(1, limit.milliseconds - Instant.now.milliseconds)))
  }

  private func status(_ status: ExitStatus) -> Int32 { isCompatible ? 1 : status.rawValue }

  /// Milliseconds as seconds: `5`, `0.5`.
  static func seconds(_ milliseconds: Int64) -> String {
    let whole = "\(milliseconds / 1_000)"
    guard milliseconds % 1_000 != 0 else { return whole }
    var fraction = "\(1_000 + milliseconds % 1_000)".dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return whole + "." + fraction
  }
}
