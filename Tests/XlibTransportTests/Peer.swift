import Foundation
import SelectionProtocol
import Testing
import XlibTransport

/// A client written for a test, in Python: it gets orders and tells what it saw, a line each.
final class Peer {
  struct Silence: Error, CustomStringConvertible {
    let description: String
  }

  let process = Process()
  private let orders = Pipe()
  private let answers = Pipe()
  private let errors = Pipe()
  private var pending: [UInt8] = []

  /// - Parameter script: A file of the folder `Tests/Peers`.
  init(_ script: String = "peer.py", _ arguments: [String] = [], display: String) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = tests.appending(path: "Peers")
    process.arguments = ["-B", folder.appending(path: script).path] + arguments
    process.environment = ["DISPLAY": display, "PYTHONPATH": folder.path]
    process.standardInput = orders
    process.standardOutput = answers
    process.standardError = FileHandle.standardError
    try process.run()
    try? answers.fileHandleForWriting.close()
    try? orders.fileHandleForReading.close()
  }

  deinit { kill() }

  /// Ends it at once, as a crash would.
  func kill() {
    guard process.isRunning else { return }
    Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  func order(_ words: String) throws {
    try orders.fileHandleForWriting.write(contentsOf: Data((words + "\n").utf8))
  }

  /// The next line, for which connections of this thread are turned meanwhile.
  func line(
    turning connections: [SelectionConnection] = [], within milliseconds: Int64 = 60_000
  ) throws -> String {
    let end = Instant.now + milliseconds
    while true {
      if let newline = pending.firstIndex(of: 10) {
        defer { pending.removeFirst(newline + 1) }
        return String(decoding: pending[..<newline], as: UTF8.self)
      }
      guard Instant.now < end else {
        throw Silence(description: "\(process.arguments ?? []): no line in \(milliseconds) ms")
      }
      for connection in connections { try connection.turn(until: .now + 1) }
      var descriptor = pollfd(
        fd: answers.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, connections.isEmpty ? 100 : 0) > 0 else { continue }
      let data = answers.fileHandleForReading.availableData
      guard !data.isEmpty else {
        throw Silence(description: "\(process.arguments ?? []): ended without a line")
      }
      pending += data
    }
  }

  /// Orders, and returns the answer.
  @discardableResult
  func ask(_ words: String, turning connections: [SelectionConnection] = []) throws -> String {
    try order(words)
    return try line(turning: connections)
  }
}
