import Foundation
import TestServer
import Testing

/// A private display and directory, and the built programs.
final class Session: Sendable {
  let server: XServer
  let directory: URL

  init() throws {
    server = try XServer()
    directory = FileManager.default.temporaryDirectory.appending(
      path: "pasteboard-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  @discardableResult
  func pasteboard(
    _ arguments: String..., input: Data? = nil, environment: [String: String?] = [:]
  ) throws -> CommandResult {
    try TestServer.run(
      Self.program, arguments, display: server.display, input: input, environment: environment,
      directory: directory)
  }

  @discardableResult
  func copy(_ text: String, _ arguments: String...) throws -> CommandResult {
    try TestServer.run(
      Self.program, ["copy"] + arguments, display: server.display, input: Data(text.utf8),
      directory: directory)
  }

  /// What `paste` writes.
  func paste(_ arguments: String...) throws -> Data {
    let result = try TestServer.run(
      Self.program, ["paste"] + arguments, display: server.display, directory: directory)
    #expect(result.status == 0, "\(result.errorText)")
    #expect(result.errorText == "")
    return result.output
  }

  func run(
    _ program: String, _ arguments: String..., input: Data? = nil, seconds: Double = 20
  ) throws -> CommandResult {
    try TestServer.run(
      program, arguments, display: server.display, input: input, directory: directory,
      seconds: seconds)
  }

  /// Runs a line of shell with the built programs first in PATH.
  func shell(_ line: String, seconds: Double = 20) throws -> CommandResult {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return try TestServer.run(
      "/bin/bash", ["-c", line], display: server.display,
      environment: ["PATH": builtProducts.path + ":" + path], directory: directory,
      seconds: seconds)
  }

  /// Runs a line of shell where `xclip`, `xsel`, `pbcopy` and `pbpaste` are ours, and `real-xclip` is not.
  func compatibly(_ line: String, seconds: Double = 20) throws -> CommandResult {
    let names = directory.appending(path: ".names")
    if !FileManager.default.fileExists(atPath: names.path) {
      try FileManager.default.createDirectory(at: names, withIntermediateDirectories: true)
      for name in ["xclip", "xsel", "pbcopy", "pbpaste"] {
        try FileManager.default.createSymbolicLink(
          atPath: names.appending(path: name).path, withDestinationPath: Self.program)
      }
      try FileManager.default.createSymbolicLink(
        atPath: names.appending(path: "real-xclip").path, withDestinationPath: "/usr/bin/xclip")
    }
    return try shell("PATH=\(names.path):$PATH; \(line)", seconds: seconds)
  }

  func write(_ data: Data, to name: String) throws -> String {
    let url = directory.appending(path: name)
    try data.write(to: url)
    return url.path
  }

  func contents(_ name: String) throws -> Data {
    try Data(contentsOf: directory.appending(path: name))
  }

  static var program: String { builtProducts.appending(path: "pasteboard").path }

  /// Bytes that repeat late and hold every value.
  static func bytes(_ count: Int) -> Data {
    var state: UInt64 = 88_172_645_463_325_252
    var data = Data(count: count)
    data.withUnsafeMutableBytes { buffer in
      for index in buffer.indices {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        buffer[index] = UInt8(truncatingIfNeeded: state >> 32)
      }
    }
    return data
  }

  /// The smallest PNG: one red pixel.
  static let png: Data = {
    let text =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"
    return Data(base64Encoded: text) ?? Data()
  }()
}
