import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// Clients that break rules, die at bad moments, or want too much.
@Suite(.serialized) struct HostilityTests {
  @Test func tenThousandTypesAreNoHarm() throws {
    let session = try Session()
    let owner = try Owner(session)
    var items: [[Any]] = (0..<10_000).map { ["type/\($0)", "type/\($0)", 8, "\($0)"] }
    items[5_000] = ["UTF8_STRING", "UTF8_STRING", 8, "text"]
    try owner.own(items)
    _ = try session.control("wait-kept")
    #expect(try owner.log() == ["TARGETS", "UTF8_STRING"])
    let (isKept, milliseconds) = try owner.save(nil)
    // How many of them come within the time depends on the owner.
    #expect(isKept)
    #expect(milliseconds < 8_000)
    let targets = try session.targets()
    #expect(targets.contains("UTF8_STRING"))
    #expect(targets.count <= 3 + KeepingRulesLimit.targets)
    #expect(try session.paste("type/0")?.bytes == Array("0".utf8))
  }

  @Test func aMarkerBehindManyTypesIsFound() throws {
    let session = try Session()
    let owner = try Owner(session)
    var items: [[Any]] = (0..<9_000).map { ["type/\($0)", "type/\($0)", 8, "\($0)"] }
    items.append(["UTF8_STRING", "UTF8_STRING", 8, "text"])
    items.append(["org.nspasteboard.ConcealedType", "STRING", 8, ""])
    try owner.own(items)
    #expect(try session.control("wait-kept").status == 4)
    #expect(try !owner.save(nil).isKept)
    #expect(try owner.log() == ["TARGETS"])
  }

  @Test func whoDiesWhileItIsSavedLeavesWhatWasThere() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own(
      [["a/b", "a/b", 8, "1"], ["c/d", "c/d", 8, 400_000]], ["stall": ["c/d"]])
    try owner.tell(["save": NSNull()])
    // The stalled transfer keeps the save open until the owner is gone.
    var log: [String] = []
    while !log.contains("c/d") { log = try owner.log() }
    try session.restoration { owner.kill() }
    #expect(session.helperOwns)
    #expect(try session.targets().dropFirst(3) == ["a/b"])
  }

  @Test func manySavesAtOnceAreAllAnswered() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own([["a/b", "a/b", 8, "1"]], ["delay": 200])
    let manager = session.connection.atom("CLIPBOARD_MANAGER")
    var answers = 0
    var kept = 0
    for _ in 0..<40 {
      session.connection.convert(
        Conversion(selection: manager, target: session.connection.atoms.saveTargets),
        receive: { _, _, _ in },
        completion: { result in
          answers += 1
          if case .success = result { kept += 1 }
        })
    }
    try session.turn { answers < 40 }
    #expect(kept == 8)
    #expect(session.helperOwns)
  }

  @Test func aSaveInAMultipleIsAnswered() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own([["a/b", "a/b", 8, "1"]])
    let connection = session.connection
    let property = connection.atom("X")
    var pairs: [UInt32] = []
    var outcome: ConversionOutcome?
    connection.convert(
      Conversion(
        selection: connection.atom("CLIPBOARD_MANAGER"), target: connection.atoms.multiple,
        parameter: [connection.atoms.saveTargets, property]),
      receive: { bytes, _, _ in
        pairs += (0..<(bytes.count / 4)).map {
          bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
        }
      }, completion: { outcome = $0 })
    try session.turn { outcome == nil }
    _ = try #require(try outcome?.get())
    #expect(pairs == [connection.atoms.saveTargets.rawValue, property.rawValue])
    #expect(session.helperOwns)
  }

  @Test func savingElevenMegabytesIsQuick() throws {
    let session = try Session()
    let payloads = [8 << 20, 3 << 20].map { MemoryPayload([UInt8](repeating: 7, count: $0)) }
    try session.connection.acquire(
      session.clipboard,
      Offer(targets: [
        .init(name: "image/png", payload: payloads[0]),
        .init(name: "image/tiff", payload: payloads[1]),
      ]))
    // The early look comes first, so that the save alone is measured.
    let helper = Process()
    helper.executableURL = URL(fileURLWithPath: session.program)
    helper.arguments = ["--control", "wait-kept"]
    helper.environment = session.environment
    helper.standardError = FileHandle.nullDevice
    try helper.run()
    while helper.isRunning { try session.connection.turn(until: .now + 5) }
    var outcome: HandOverOutcome?
    let start = Instant.now
    session.connection.handOver { outcome = $0 }
    try session.turn { outcome == nil }
    let milliseconds = Instant.now.milliseconds - start.milliseconds
    #expect(outcome == .saved)
    print("saving 8 MB and 3 MB took \(milliseconds) ms")
    #expect(milliseconds < 1_000)
    #expect(session.helperOwns)
  }

  @Test(arguments: [
    "", "\n", "GET / HTTP/1.1\r\n\r\n", "pasteboard-helper/1\n", "pasteboard-helper/2\tstatus\n",
    "pasteboard-helper/1\thistory\tunpack\t999999999999\n",
    "pasteboard-helper/1\thistory\tunpack\t10\nabc", "pasteboard-helper/1\tstatus\u{0}\n",
    "pasteboard-helper/1\t\u{FFFD}\n",
    String(repeating: "x", count: 100_000),
  ])
  func nonsenseOnTheSocketIsRefused(request: String) throws {
    let session = try Session()
    let answer = try talk(to: session, Array(request.utf8))
    #expect(answer.isEmpty || answer.hasPrefix("pasteboard-helper/1\t2\n"))
    #expect(try session.control("status").status == 0)
  }

  @Test func clientsThatSayNothingDoNotKeepOthersOut() throws {
    let session = try Session()
    var silent: [Int32] = []
    for _ in 0..<40 { silent.append(try connected(to: session)) }
    defer { for descriptor in silent { close(descriptor) } }
    #expect(try session.control("status").status == 0)
  }

  @Test func windowsThatVanishAtAnyMomentAreNoHarm() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own([
      ["UTF8_STRING", "UTF8_STRING", 8, "still here"], ["image/png", "image/png", 8, 3_000_000],
    ])
    #expect(try session.control("wait-kept").status == 6)
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "Peers/vanish.py")
    let gone = try run(
      "/usr/bin/python3", ["-B", script.path], display: session.server.display, seconds: 60)
    #expect(gone.status == 0, "\(gone.errorText)")
    // All of them have come and gone; the next is served as ever.
    #expect(try session.control("status").status == 0)
    let next = try Owner(session)
    try next.own([
      ["UTF8_STRING", "UTF8_STRING", 8, "after"], ["image/png", "image/png", 8, 3_000_000],
    ])
    #expect(try next.save(nil).isKept)
    #expect(try session.paste("image/png")?.bytes == Owner.pattern(3_000_000, seed: 1))
    next.kill()
    #expect(session.helperOwns)
    // The same while the helper itself is the owner.
    let again = try run(
      "/usr/bin/python3", ["-B", script.path, "pastes"], display: session.server.display,
      seconds: 60)
    #expect(again.status == 0, "\(again.errorText)")
    #expect(try session.paste("image/png")?.bytes == Owner.pattern(3_000_000, seed: 1))
  }

  private func connected(to session: Session) throws -> Int32 {
    let path = session.directory.appending(path: "pasteboard/helper-" + session.server.display).path
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    // A full queue makes connect wait or fail; either is fine for a client that says nothing.
    if status != 0 { try #require(errno == EAGAIN) }
    return descriptor
  }

  private func talk(to session: Session, _ bytes: [UInt8]) throws -> String {
    let descriptor = try connected(to: session)
    defer { close(descriptor) }
    var timeout = timeval(tv_sec: 10, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
    _ = bytes.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    shutdown(descriptor, Int32(SHUT_WR))
    var answer: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      answer += buffer[..<count]
    }
    return String(decoding: answer, as: UTF8.self)
  }
}

/// The number that the manual names.
enum KeepingRulesLimit { static let targets = 256 }
