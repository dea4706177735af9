import Foundation
import TestServer
import Testing

/// The process that serves when the command has returned.
@Suite(.serialized, .timeLimit(.minutes(3))) struct ServingTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test func holdsNothingOfTheCaller() async throws {
    let bench = bench
    // A descriptor that a careless child would inherit, and pipes that `run` waits for the end of.
    let result = try await bench.tool(
      "sh", "-c", "exec 7<zoe.json; '\(Bench.program)' copy zoe.json")
    #expect(result.status == 0)
    let process = try #require(try bench.servingProcesses().first)
    let folder = "/proc/\(process)/fd"
    let links = try FileManager.default.contentsOfDirectory(atPath: folder)
      .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)") }
    #expect(links.filter { $0 == "/dev/null" }.count == 3)
    #expect(!links.contains { $0.hasPrefix("pipe:") || $0.hasSuffix("zoe.json") })
    #expect(links.filter { $0.hasPrefix("socket:") }.count == 1)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/cwd") == "/")
    let status = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = status.split(separator: " ")
    #expect(fields[5] != "\(getsid(0))")
    #expect(fields[6] == "0", "no terminal")
  }

  @Test func endsWhenAnotherProgramCopies() async throws {
    #expect(try await bench.profile("copy", "zoe.json").status == 0)
    #expect(try bench.servingProcesses().count == 1)
    try await bench.xclip(Data("other".utf8))
    try await eventually { try bench.servingProcesses().isEmpty }
  }

  @Test func endsWhenTheSelectionIsCleared() async throws {
    #expect(try await bench.profile("copy", "zoe.json").status == 0)
    #expect(try await bench.profile("clear").status == 0)
    try await eventually { try bench.servingProcesses().isEmpty }
  }

  @Test func endsWithTheServer() async throws {
    #expect(try await bench.profile("copy", "zoe.json").status == 0)
    #expect(try bench.servingProcesses().count == 1)
    bench.server.kill()
    try await eventually { try bench.servingProcesses().isEmpty }
  }

  @Test(arguments: 0..<10) func endsWhenTerminatedAndLeavesNothing(round: Int) async throws {
    #expect(try await bench.profile("copy", "zoe.json").status == 0)
    let process = try #require(try bench.servingProcesses().first)
    kill(process, SIGTERM)
    try await eventually { try bench.servingProcesses().isEmpty }
    #expect(try await bench.profile("paste").status == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.temporary.path) == [])
  }

  @Test func manyCopiesLeaveOne() async throws {
    for _ in 0..<10 { #expect(try await bench.profile("copy", "zoe.json").status == 0) }
    try await eventually { try bench.servingProcesses().count == 1 }
  }

  @Test func nothingStaysOfACopyThatFailed() async throws {
    let result = try await bench.profile("copy", "zoe.json", display: ":9998")
    #expect(result.status == 3)
    #expect(result.isOneLine)
    // The process that failed may take a moment to end.
    try await eventually { try bench.servingProcesses(on: ":9998").isEmpty }
  }

  @Test func aFilmOf300MegabytesCostsNoMemoryEitherWay() async throws {
    let bench = bench
    let file = bench.folder.appending(path: "big.mp4")
    try Data().write(to: file)
    let handle = try FileHandle(forWritingTo: file)
    let block = Data((0..<(1 << 20)).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    for _ in 0..<300 { try handle.write(contentsOf: block) }
    try handle.close()
    #expect(try await bench.profile("video", "copy", "big.mp4").status == 0)
    let owner = try #require(try bench.servingProcesses().first)
    let receiver = try ChildProcess(
      Bench.program, ["video", "paste", "out"],
      environment: ["DISPLAY": bench.server.display, "TMPDIR": bench.temporary.path],
      directory: bench.folder.path(percentEncoded: false))
    var most = 0
    while receiver.isRunning {
      most = max(most, memory(of: receiver.processIdentifier))
      await Task.yield()
    }
    #expect(try await bench.off { receiver.wait() } == 0)
    #expect(
      FileManager.default.contentsEqual(
        atPath: file.path, andPath: bench.folder.appending(path: "out/big.mp4").path))
    #expect(most > 0 && most < 64 << 20, "receiver: \(most) bytes")
    #expect(memory(of: owner) < 64 << 20, "owner: \(memory(of: owner)) bytes")
  }

  /// The most memory that a process had so far, in bytes.
  private func memory(of process: Int32) -> Int {
    let status = (try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM") } ?? ""
    return line.split { !$0.isNumber }.first.flatMap { Int($0) }.map { $0 << 10 } ?? 0
  }
}
