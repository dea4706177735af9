import CoreTransferable
import Foundation
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

/// What only a process of its own shows.
@Suite(.serialized, .timeLimit(.minutes(3))) struct HygieneTests {
  let server: XServer

  init() throws { server = try XServer() }

  @Test func nothingIsLeftOfAHundredRounds() async throws {
    await #expect(processExitsWith: .success) { [display = server.display as String] in
      let other = try await Pasteboard.clipboard(display: display + ".0")
      func round() async throws {
        let clipboard = try await Pasteboard.clipboard(display: display)
        let ownership = try await clipboard.copy(Person.zoe)
        #expect(try await other.paste(Person.self) == [.zoe])
        var changes = clipboard.changes.makeAsyncIterator()
        let button = PasteButton(payloadType: String.self, pasteboard: clipboard) { _ in }
        await button.refresh()
        try await clipboard.copy("text")
        #expect(await changes.next()?.isOwnProcess == true)
        #expect(try await clipboard.paste(String.self) == ["text"])
        try await button.press()
        let cancelled = Task { try await ownership.untilReplaced() }
        cancelled.cancel()
        _ = await cancelled.result
        // What is on offer would keep the connection.
        try await clipboard.clear()
      }
      // The first rounds start threads that are kept.
      for _ in 0..<10 { try await round() }
      try await eventually { try await other.owner() == nil }
      let before = (descriptors(), threads())
      for _ in 0..<100 { try await round() }
      // The last connection goes when its thread notices.
      try await eventually { try await other.owner() == nil }
      try await eventually { descriptors() <= before.0 && threads() <= before.1 + 2 }
    }
  }

  @Test func thousandsOfPastesLeaveNothingBehind() async throws {
    await #expect(processExitsWith: .success) { [display = server.display as String] in
      let clipboard = try await Pasteboard.clipboard(display: display)
      let other = try await Pasteboard.clipboard(display: display + ".0")
      for number in 0..<100 {
        try await clipboard.copy("\(number)")
        _ = try await other.paste(String.self)
      }
      let before = (descriptors(), threads(), memory("VmRSS"))
      for number in 0..<2_000 {
        try await clipboard.copy("\(number)")
        #expect(try await other.paste(String.self) == ["\(number)"])
      }
      #expect(descriptors() <= before.0)
      #expect(threads() <= before.1 + 2)
      #expect(memory("VmRSS") - before.2 < 8 << 20)
    }
  }

  @Test func aProgramThatBlocksItsSharedThreadsStillServes() async throws {
    await #expect(processExitsWith: .success) { [display = server.display as String] in
      let clipboard = try await Pasteboard.clipboard(display: display)
      try await clipboard.copy(Blob(bytes: pattern(1_000_000)))
      // As many as there are shared threads, each waiting for what this process has to serve.
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<(2 * ProcessInfo.processInfo.activeProcessorCount) {
          group.addTask {
            try run(
              "xclip", ["-o", "-selection", "clipboard", "-t", "com.example.blob"],
              display: display
            ).output.count
          }
        }
        for try await count in group { #expect(count == 1_000_000) }
      }
    }
  }

  @Test(arguments: 0..<10) func aProcessEndsCleanlyWhileConnectionsAreBusy(round: Int) async throws
  {
    await #expect(processExitsWith: .exitCode(7)) { [display = server.display as String] in
      let other = try await Pasteboard.clipboard(display: display + ".0")
      for _ in 0..<4 {
        Task {
          while true {
            // Each time a connection of its own, which comes and goes.
            let clipboard = try await Pasteboard.primary(display: display)
            try await clipboard.copy("x")
          }
        }
        Task { while true { _ = try? await other.paste(String.self) } }
      }
      for number in 0..<20 { try await other.copy("\(number)") }
      exit(7)
    }
  }

  @Test func aLostConnectionLeavesNothingBehind() async throws {
    await #expect(processExitsWith: .success) {
      let before = descriptors()
      for _ in 0..<3 {
        let server = try XServer()
        let clipboard = try await Pasteboard.clipboard(display: server.display)
        let ownership = try await clipboard.copy("x")
        server.kill()
        #expect(try await ownership.untilReplaced() == .connectionLost)
      }
      try await eventually { descriptors() <= before + 1 && threads() < 16 }
    }
  }

  @Test func aFileOf300MegabytesCostsNoMemoryEitherWay() async throws {
    await #expect(processExitsWith: .success) { [display = server.display as String] in
      let folder = try ScratchFolder()
      let file = try folder.file("big.mp4", Data())
      let handle = try FileHandle(forWritingTo: file)
      let block = pattern(1 << 20)
      for _ in 0..<300 { try handle.write(contentsOf: block) }
      try handle.close()
      let clipboard = try await Pasteboard.clipboard(display: display)
      let other = try await Pasteboard.clipboard(display: display + ".0")
      try await clipboard.copy(Film(file: file))
      let pasted = try #require(try await other.paste(Film.self).first)
      #expect(memory("VmHWM") < 64 << 20, "\(memory("VmHWM")) bytes")
      #expect(
        FileManager.default.contentsEqual(
          atPath: file.path(percentEncoded: false),
          andPath: pasted.file.path(percentEncoded: false)))
      try FileManager.default.removeItem(at: pasted.file)
    }
  }
}

private func descriptors() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
}

private func threads() -> Int {
  (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
}

/// Bytes of a field of `/proc/self/status`.
private func memory(_ field: String) -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = status.split(separator: "\n").first { $0.hasPrefix(field) } ?? ""
  return line.split(separator: " ").dropFirst().first.flatMap { Int($0) }.map { $0 << 10 }
    ?? line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) }.map { $0 << 10 } ?? 0
}
