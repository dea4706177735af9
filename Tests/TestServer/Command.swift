import Foundation

/// What a finished program left behind.
public struct CommandResult: Sendable {
  public let status: Int32
  public let output: Data
  public let errorOutput: Data

  public var text: String { String(decoding: output, as: UTF8.self) }
  public var errorText: String { String(decoding: errorOutput, as: UTF8.self) }
}

public struct CommandTimeout: Error, CustomStringConvertible {
  public let description: String
}

/// Runs a program to its end, with all it reads and writes, within a deadline.
///
/// - Parameters:
///   - display: For DISPLAY; `nil` leaves it unset.
///   - seconds: After that the program is killed and `CommandTimeout` is thrown. It covers the closing of the
///     program's standard output and error too: a background process that keeps them open is a time-out.
public func run(
  _ program: String, _ arguments: [String] = [], display: String? = nil, input: Data? = nil,
  environment extra: [String: String?] = [:], directory: URL? = nil, seconds: Double = 20
) throws -> CommandResult {
  let process = Process()
  if program.contains("/") {
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
  } else {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
  }
  var environment = ProcessInfo.processInfo.environment
  environment["DISPLAY"] = display
  environment["WAYLAND_DISPLAY"] = nil
  for (name, value) in extra { environment[name] = value }
  process.environment = environment
  process.currentDirectoryURL = directory
  let output = Pipe()
  let errors = Pipe()
  let feed = Pipe()
  process.standardOutput = output
  process.standardError = errors
  process.standardInput = input == nil ? FileHandle.nullDevice : feed
  try process.run()
  let group = DispatchGroup()
  let collected = Collected()
  for (pipe, isError) in [(output, false), (errors, true)] {
    group.enter()
    DispatchQueue.global().async {
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      collected.set(data, isError: isError)
      group.leave()
    }
  }
  if let input {
    group.enter()
    DispatchQueue.global().async {
      signal(SIGPIPE, SIG_IGN)
      try? feed.fileHandleForWriting.write(contentsOf: input)
      try? feed.fileHandleForWriting.close()
      group.leave()
    }
  }
  guard group.wait(timeout: .now() + seconds) == .success else {
    kill(process.processIdentifier, SIGKILL)
    let words = ([program] + arguments).joined(separator: " ")
    throw CommandTimeout(
      description: "\(words): not over after \(seconds) s; output so far is lost")
  }
  process.waitUntilExit()
  let status =
    process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
  return CommandResult(
    status: status, output: collected.output, errorOutput: collected.errorOutput)
}

private final class Collected: @unchecked Sendable {
  // Every access takes the lock.
  private let lock = NSLock()
  private var first = Data()
  private var second = Data()

  func set(_ data: Data, isError: Bool) {
    lock.withLock { if isError { second = data } else { first = data } }
  }
  var output: Data { lock.withLock { first } }
  var errorOutput: Data { lock.withLock { second } }
}

/// The directory that holds the programs built with the tests.
public var builtProducts: URL {
  // The test bundle lies beside the executables.
  URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    .deletingLastPathComponent()
}
