import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

@Suite(.serialized) struct PeerTests {
  @Test(arguments: [0, 1, 3, 4, 4_000, 258_047, 258_048, 258_049, 3_000_000])
  func xclipPastesWhatWeOwn(size: Int) throws {
    let server = try XServer()
    let connection = try SelectionConnection(display: server.display)
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    try connection.acquire(
      connection.atoms.clipboard,
      Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload(bytes))]))
    let mailbox = connection.mailbox
    let display = server.display
    let result = LockedResult()
    Thread.detachNewThread {
      result.set(
        Result { try run("xclip", ["-o", "-selection", "clipboard"], display: display) })
      mailbox.wake()
    }
    #expect(try connection.turn(until: .now + 20_000) { result.value == nil })
    let answer = try #require(try result.value?.get())
    #expect(answer.status == 0)
    #expect(Array(answer.output) == bytes)
  }

  @Test(arguments: [1, 4_000, 1_048_575, 1_048_576, 5_000_000])
  func wePasteWhatXclipOwns(size: Int) throws {
    let server = try XServer()
    let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 17 >> 2) })
    let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try bytes.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    let owner = Process()
    owner.executableURL = URL(fileURLWithPath: "/usr/bin/xclip")
    owner.arguments = ["-quiet", "-i", "-selection", "clipboard", file.path]
    owner.environment = ["DISPLAY": server.display]
    owner.standardError = FileHandle.nullDevice
    owner.standardOutput = FileHandle.nullDevice
    try owner.run()
    defer {
      kill(owner.processIdentifier, SIGKILL)
      owner.waitUntilExit()
    }
    let connection = try SelectionConnection(display: server.display)
    let owned = Box(false)
    let watch = connection.watch(connection.atoms.clipboard) { _ in owned.value = true }
    if connection.currentOwner(of: connection.atoms.clipboard) != .none { owned.value = true }
    #expect(try connection.turn(until: .now + 10_000) { !owned.value })
    connection.unwatch(watch)
    let received = Box<[UInt8]>([])
    let outcome = Box<ConversionOutcome?>(nil)
    connection.convert(
      Conversion(selection: connection.atoms.clipboard, target: connection.atom("UTF8_STRING")),
      receive: { bytes, _, _ in received.value.append(contentsOf: bytes) },
      completion: { outcome.value = $0 })
    #expect(try connection.turn(until: .now + 20_000) { outcome.value == nil })
    let reply = try #require(try outcome.value?.get())
    #expect(reply.byteCount == size)
    #expect(received.value == Array(bytes))
  }
}

private final class LockedResult: @unchecked Sendable {
  // Every access takes the lock.
  private let lock = NSLock()
  private var stored: Result<CommandResult, any Error>?

  func set(_ value: Result<CommandResult, any Error>) { lock.withLock { stored = value } }
  var value: Result<CommandResult, any Error>? { lock.withLock { stored } }
}
