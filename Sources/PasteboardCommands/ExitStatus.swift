/// How a command ended, as its status tells the caller.
public enum ExitStatus: Int32, Sendable {
  case done = 0
  /// Nobody owns the selection, or the owner does not offer what was asked for.
  case nothing = 1
  case usage = 2
  /// No display, or the connection to it was lost.
  case noDisplay = 3
  /// Refused, failed or timed out.
  case failed = 4
}

/// Why a command did not do what it was asked for, in one line.
struct CommandFailure: Error {
  var status: ExitStatus
  /// One line without the program's name; empty where nothing is to be said.
  var message: String

  init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }

  static func usage(_ message: String) -> CommandFailure { CommandFailure(.usage, message) }
  static func failed(_ message: String) -> CommandFailure { CommandFailure(.failed, message) }
}
