import Foundation
import TestServer
import Testing

/// A program's recorded behaviour, played by `Tests/Peers/replay.py`.
final class Replayer {
  struct Silence: Error, CustomStringConvertible {
    let description: String
  }

  /// What was recorded of a program.
  struct Recorded: Decodable {
    struct Owner: Decodable {
      let kind: String
      let selection: String
      let content: Content?
      let targets: [String]?
    }
    let program: String
    let owner: [String: Owner]
    let requestor: [String: Int]
  }

  /// What was copied: bytes, or the paths of files.
  enum Content: Decodable, Equatable {
    case bytes(Data)
    case paths([String])

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      if let paths = try? container.decode([String].self) {
        self = .paths(paths)
      } else {
        self = .bytes(try container.decode(Data.self))
      }
    }
  }

  /// What a requestor got for one of its requests.
  struct Answer: Decodable {
    let target: String
    let recorded: Bool
    let granted: Bool
    let error: String?
    let type: String?
    let length: Int?
    let sum: UInt32?
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
  static let folder = root.appending(path: "scripts/interop.d/recordings")

  /// The programs that were recorded, by the names of their files.
  static var programs: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }.sorted()
  }

  let recorded: Recorded
  private let process: ChildProcess
  private let orders = Pipe()
  private let answers = Pipe()
  private var pending = Data()

  init(_ program: String, display: String) throws {
    let peers = Self.root.appending(path: "Tests/Peers")
    var environment = ProcessInfo.processInfo.environment
    environment["DISPLAY"] = display
    process = try ChildProcess(
      "/usr/bin/python3",
      [
        "-B", peers.appending(path: "replay.py").path,
        Self.folder.appending(path: "\(program).json").path,
      ],
      environment: environment,
      descriptors: [
        orders.fileHandleForReading.fileDescriptor, answers.fileHandleForWriting.fileDescriptor,
        FileHandle.standardError.fileDescriptor,
      ])
    try orders.fileHandleForReading.close()
    try answers.fileHandleForWriting.close()
    let words = try Self.line(answers.fileHandleForReading, &pending)
    recorded = try JSONDecoder().decode(
      Recorded.self, from: Data(words.dropFirst("recorded ".count).utf8))
  }

  deinit { process.terminate() }

  func order(_ words: String) throws {
    try orders.fileHandleForWriting.write(contentsOf: Data((words + "\n").utf8))
  }

  func line() throws -> String { try Self.line(answers.fileHandleForReading, &pending) }

  /// Owns its selection as the program did, while `body` runs; the targets that were asked for meanwhile.
  func owning(_ kind: String, _ body: () throws -> Void) throws -> [String] {
    try order("own \(kind)")
    try #require(try line() == "ready")
    try body()
    try order("idle \(kind)")
    return try line().split(separator: " ").dropFirst().map(String.init)
  }

  /// Asks as the program did, and returns what it got.
  func asking(_ kind: String) throws -> [Answer] {
    try order("ask \(kind)")
    var result: [Answer] = []
    while true {
      let line = try line()
      if line == "over" { return result }
      result.append(try JSONDecoder().decode(Answer.self, from: Data(line.utf8)))
    }
  }

  private static func line(_ handle: FileHandle, _ pending: inout Data) throws -> String {
    let end = Date.now.addingTimeInterval(30)
    while true {
      if let newline = pending.firstIndex(of: 10) {
        defer { pending = Data(pending[(newline + 1)...]) }
        return String(decoding: pending[..<newline], as: UTF8.self)
      }
      guard Date.now < end else { throw Silence(description: "the replay says nothing for 30 s") }
      var descriptor = pollfd(fd: handle.fileDescriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&descriptor, 1, 100) > 0 else { continue }
      let data = handle.availableData
      guard !data.isEmpty else { throw Silence(description: "the replay ended") }
      pending += data
    }
  }
}
