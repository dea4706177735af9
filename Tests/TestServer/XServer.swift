import Foundation

/// A private Xvfb for one suite, killed by its process id when it is released.
public final class XServer: Sendable {
  public struct CannotStart: Error, CustomStringConvertible {
    public let description: String
  }

  /// As for DISPLAY.
  public let display: String
  private let process: Process

  /// Starts a server and waits until it accepts clients.
  ///
  /// - Parameter arguments: Further arguments; `-noreset` is given unless they contain `-reset`.
  public init(_ arguments: [String] = []) throws {
    let pipe = Pipe()
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
    var all = ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    if !arguments.contains("-reset") { all.append("-noreset") }
    all += arguments.filter { $0 != "-reset" }
    process.arguments = all
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    // The number is written once the server listens. Reading ends when it is written or the server gave up.
    var number = ""
    while !number.hasSuffix("\n") {
      let bytes = pipe.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw CannotStart(description: "Xvfb ended before it listened") }
      number += String(decoding: bytes, as: UTF8.self)
    }
    self.process = process
    display = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  deinit { kill() }

  public var processIdentifier: Int32 { process.processIdentifier }

  /// Ends the server at once, as a crash would.
  public func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
