import Foundation
import TestServer
import Testing

/// A private X server and a directory, and two instruments that other programs on the machine cannot disturb:
/// callgrind counts instructions, xtrace counts what goes over the connection.
final class Instruments {
  let server: XServer
  let directory: URL

  init() throws {
    server = try XServer()
    directory = FileManager.default.temporaryDirectory
      .appending(path: "costs-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  /// What the release build of `pasteboard` is called here: `scripts/test` makes it and says where.
  static var releaseBuild: String? {
    ProcessInfo.processInfo.environment["PASTEBOARD_RELEASE_BUILD"]
  }

  static var debugBuild: String {
    builtProducts.appending(path: "pasteboard").path(percentEncoded: false)
  }

  /// The same for every user and machine: what the environment holds costs instructions too.
  private var environment: [String: String] {
    [
      "PATH": "/usr/bin:/bin", "HOME": directory.path(percentEncoded: false), "LC_ALL": "C.UTF-8",
      "DISPLAY": server.display,
    ]
  }

  /// Starts a program whose instructions are counted until it ends.
  func startCounted(_ program: String, _ arguments: [String], input: Data = Data()) throws
    -> CountedProgram
  {
    let log = directory.appending(path: "callgrind-\(UUID().uuidString)")
    let source = directory.appending(path: "input-\(UUID().uuidString)")
    try input.write(to: source)
    let reading = try FileHandle(forReadingFrom: source)
    let child = try ChildProcess(
      "/usr/bin/valgrind",
      [
        "--tool=callgrind", "--callgrind-out-file=/dev/null",
        "--log-file=\(log.path(percentEncoded: false))", program,
      ] + arguments, environment: environment,
      descriptors: [reading.fileDescriptor, nil, nil])
    return CountedProgram(child: child, log: log)
  }

  /// The instructions of a whole process.
  func instructions(_ program: String, _ arguments: [String]) throws -> Int {
    try startCounted(program, arguments).instructions()
  }

  /// Runs a program, and counts what it asks of the server.
  ///
  /// - Parameter meanwhile: What happens until the program has ended.
  func traffic(
    _ program: String, _ arguments: [String], input: Data = Data(),
    meanwhile: (ChildProcess) throws -> Void = { _ in }
  ) throws -> Traffic {
    let trace = directory.appending(path: "trace-\(UUID().uuidString)")
    let source = directory.appending(path: "input-\(UUID().uuidString)")
    try input.write(to: source)
    let reading = try FileHandle(forReadingFrom: source)
    // A display of xtrace's own, above all that servers number.
    let number = try #require(Int(server.display.dropFirst())) + 4000
    let child = try ChildProcess(
      "/usr/bin/xtrace",
      [
        "-n", "-d", server.display, "-D", ":\(number)", "-o", trace.path(percentEncoded: false),
        "--", program,
      ] + arguments, environment: environment, descriptors: [reading.fileDescriptor, nil, nil])
    try meanwhile(child)
    try #require(child.wait(seconds: 60) == 0)
    return try Traffic(trace: String(decoding: Data(contentsOf: trace), as: UTF8.self))
  }

  /// Pastes with xclip, again and again, until a program that serves one paste has ended.
  func paste(until owner: ChildProcess) {
    let deadline = Date(timeIntervalSinceNow: 60)
    while owner.isRunning, Date() < deadline {
      // It waits for ever for an owner that ends while it asks.
      _ = try? run(
        "/usr/bin/xclip", ["-o", "-selection", "clipboard"], display: server.display, seconds: 5)
    }
  }

  /// Makes somebody else own the clipboard.
  ///
  /// - Parameter target: What xclip offers it as.
  func copyWithXclip(_ data: Data, target: String = "UTF8_STRING") throws {
    let source = directory.appending(path: "content")
    try data.write(to: source)
    let copying = try ChildProcess(
      "/usr/bin/xclip",
      ["-selection", "clipboard", "-t", target, source.path(percentEncoded: false)],
      environment: environment)
    try #require(copying.wait() == 0)
    // xclip may return before it owns the selection.
    let deadline = Date(timeIntervalSinceNow: 20)
    while try run(
      "/usr/bin/xclip", ["-selection", "clipboard", "-o", "-t", target], display: server.display
    ).output != data {
      try #require(Date() < deadline, "xclip does not own the clipboard")
    }
  }
}

struct CountedProgram {
  let child: ChildProcess
  let log: URL

  func instructions() throws -> Int {
    let status = child.wait(seconds: 120)
    let text = String(decoding: try Data(contentsOf: log), as: UTF8.self)
    try #require(status == 0, "\(text)")
    let line = try #require(text.split(separator: "\n").first { $0.contains("Collected : ") })
    return try #require(Int(line.split(separator: " ").last.map(String.init) ?? ""))
  }
}

/// What one client sent and made the server answer.
struct Traffic: CustomStringConvertible {
  /// How often each request was sent, by its name.
  private(set) var requests: [String: Int] = [:]
  private(set) var replies = 0
  private(set) var errors = 0

  var total: Int { requests.values.reduce(0, +) }

  init(trace: String) throws {
    for line in trace.split(separator: "\n") {
      if let request = line.firstMatch(of: /^\d+:<:[0-9a-f]{4}: *\d+: [^:]*: ([A-Za-z]+)/) {
        requests[String(request.1), default: 0] += 1
      } else if line.contains(#/^\d+:>:[0-9a-f]+:\d+: Reply to/#) {
        replies += 1
      } else if line.contains(/^\d+:>:[0-9a-f]+:Error/) {
        errors += 1
      }
    }
    try #require(total > 0, "xtrace saw nothing: \(trace.prefix(500))")
  }

  var description: String {
    let list = requests.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    return
      "\(total) requests, \(replies) replies, \(errors) errors: \(list.joined(separator: ", "))"
  }
}
