import Foundation
import TestServer
import Testing

/// A program that owns CLIPBOARD and does what it is told; see `Peers/owner.py`.
final class Owner {
  struct Silence: Error, CustomStringConvertible {
    let description: String
  }

  let process = Process()
  private let orders = Pipe()
  private let answers = Pipe()
  private var pending: [UInt8] = []

  init(_ session: Session) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    process.arguments = ["-B", folder.appending(path: "Peers/owner.py").path]
    process.environment = ["DISPLAY": session.server.display]
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

  func tell(_ order: [String: Any]) throws {
    let data = try JSONSerialization.data(withJSONObject: order)
    try orders.fileHandleForWriting.write(contentsOf: data + Data("\n".utf8))
  }

  /// Gives an order, and returns the answer.
  @discardableResult
  func ask(_ order: [String: Any], milliseconds: Int32 = 20_000) throws -> String {
    try tell(order)
    return try line(milliseconds: milliseconds)
  }

  func line(milliseconds: Int32 = 20_000) throws -> String {
    while true {
      if let newline = pending.firstIndex(of: 10) {
        defer { pending.removeFirst(newline + 1) }
        return String(decoding: pending[..<newline], as: UTF8.self)
      }
      var descriptor = pollfd(
        fd: answers.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, milliseconds) > 0 else {
        throw Silence(description: "no answer in \(milliseconds) ms")
      }
      let data = answers.fileHandleForReading.availableData
      guard !data.isEmpty else { throw Silence(description: "ended without an answer") }
      pending += data
    }
  }

  /// Copies: each item is a target, its type, its format, and a text or a number of bytes.
  func own(_ items: [[Any]], _ options: [String: Any] = [:]) throws {
    let answer = try ask(options.merging(["own": items]) { $1 })
    try #require(answer == "owned")
  }

  func own(text: String, _ options: [String: Any] = [:]) throws {
    try own([["UTF8_STRING", "UTF8_STRING", 8, text]], options)
  }

  /// What it was asked for since the last copy.
  func log() throws -> [String] {
    try ask(["log": true]).split(separator: " ").dropFirst().map(String.init)
  }

  /// Asks the manager to save.
  ///
  /// - Returns: Whether it was, and after how many milliseconds.
  func save(_ targets: [String]?) throws -> (isKept: Bool, milliseconds: Int) {
    let words = try ask(["save": targets.map { $0 as Any } ?? NSNull()]).split(separator: " ")
    try #require(words.count == 2)
    return (words[0] == "yes", try #require(Int(words[1])))
  }

  /// The bytes that the peer makes of a number.
  static func pattern(_ count: Int, seed: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: ($0 % 65_521) &* 31 &+ seed) }
  }
}
