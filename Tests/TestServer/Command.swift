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
  var environment = ProcessInfo.processInfo.environment
  environment["DISPLAY"] = display
  environment["WAYLAND_DISPLAY"] = nil
  for (name, value) in extra { environment[name] = value }
  let output = Pipe()
  let errors = Pipe()
  let feed = Pipe()
  let process = try ChildProcess(
    program, arguments, environment: environment,
    directory: directory?.path(percentEncoded: false),
    descriptors: [
      input == nil ? nil : feed.fileHandleForReading.fileDescriptor,
      output.fileHandleForWriting.fileDescriptor, errors.fileHandleForWriting.fileDescriptor,
    ])
  for end in [feed.fileHandleForReading, output.fileHandleForWriting, errors.fileHandleForWriting] {
    try end.close()
  }
  let group = DispatchGroup()
  let collected = Collected()
  for (pipe, isError) in [(output, false), (errors, true)] {
    group.enter()
    Thread.detachNewThread {
      let data = pipe.fileHandleForReading.readDataToEndOfFile()
      collected.set(data, isError: isError)
      group.leave()
    }
  }
  if let input {
    group.enter()
    Thread.detachNewThread {
      signal(SIGPIPE, SIG_IGN)
      try? feed.fileHandleForWriting.write(contentsOf: input)
      try? feed.fileHandleForWriting.close()
      group.leave()
    }
  }
  let deadline = Date(timeIntervalSinceNow: seconds)
  let words = ([program] + arguments).joined(separator: " ")
  guard group.wait(timeout: .now() + seconds) == .success,
    let status = process.wait(seconds: max(0.1, deadline.timeIntervalSinceNow))
  else {
    let isOver = !process.isRunning
    process.terminate()
    throw CommandTimeout(
      description: isOver
        ? "\(words): over, but something it left behind holds its output open after \(seconds) s"
        : "\(words): not over after \(seconds) s")
  }
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
