import Foundation
import TestServer

/// A second door to an X server, through which some of its extensions cannot be found.
final class Door {
  struct EndedAtOnce: Error {}

  /// As for DISPLAY.
  let display: String
  private let process: ChildProcess

  init(to server: XServer, hiding extensions: [String]) throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let script = root.appending(path: "scripts/interop.d/peers/proxy.py")
    let pipe = Pipe()
    process = try ChildProcess(
      "/usr/bin/python3",
      ["-B", script.path, String(server.display.dropFirst())]
        + extensions.flatMap { ["--hide", $0] } + ["-displayfd", "1"],
      descriptors: [nil, pipe.fileHandleForWriting.fileDescriptor, nil])
    try pipe.fileHandleForWriting.close()
    let number = String(
      decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    guard !number.isEmpty else {
      throw EndedAtOnce()
    }
    display = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  deinit {
    // It takes its socket away when it is interrupted.
    process.signal(SIGINT)
    if process.wait(seconds: 10) == nil { process.terminate() }
  }
}
