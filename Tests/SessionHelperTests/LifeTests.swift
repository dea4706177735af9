import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// How the helper begins, makes room, and ends.
@Suite(.serialized) struct LifeTests {
  private func exit(of process: Process, within seconds: Double = 10) throws -> Int32 {
    let limit = Date().addingTimeInterval(seconds)
    let over = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in over.signal() }
    if process.isRunning { _ = over.wait(timeout: .now() + limit.timeIntervalSinceNow) }
    try #require(!process.isRunning)
    return process.terminationStatus
  }

  @Test func theManagerIsAnnouncedAndLivesInAWindowOfItsOwn() throws {
    let session = try Session()
    let manager = session.connection.atom("CLIPBOARD_MANAGER")
    let window = session.connection.currentOwner(of: manager)
    #expect(window != .none)
    let targets = try #require(try session.paste("TARGETS", selection: manager))
    let atoms = targets.bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map { Atom(raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
    let names = Set(session.connection.names(of: atoms).compactMap(\.self))
    #expect(names.isSuperset(of: ["TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS"]))
    let owner = try Owner(session)
    try owner.own(text: "x")
    #expect(try owner.save(nil).isKept)
    #expect(session.helperOwns)
    #expect(session.owner != window)
  }

  @Test func aSecondHelperRefuses() throws {
    let session = try Session()
    let second = try run(
      session.program, [], display: session.server.display,
      environment: ["XDG_RUNTIME_DIR": session.directory.path])
    #expect(second.status == 3)
    #expect(second.errorText.contains("--replace"))
    #expect(second.errorText.contains("pasteboardd"))
    // The first one still listens.
    #expect(try session.control("status").status == 0)
  }

  @Test func aSuccessorGetsWhatIsKept() throws {
    let session = try Session()
    let first = try #require(session.helper)
    let owner = try Owner(session)
    try owner.own([["image/png", "image/png", 8, 1 << 20], ["a/b", "a/b", 8, "1"]])
    #expect(try owner.save(nil).isKept)
    owner.kill()
    try session.start(["--replace"])
    #expect(try exit(of: first) == 0)
    #expect(session.helperOwns)
    #expect(try session.paste("image/png")?.bytes == Owner.pattern(1 << 20, seed: 0))
    #expect(try session.paste("a/b")?.bytes == [0x31])
    #expect(try session.control("status").status == 0)
  }

  @Test func askedToEndItEnds() throws {
    let session = try Session()
    let helper = try #require(session.helper)
    kill(helper.processIdentifier, SIGTERM)
    #expect(try exit(of: helper) == 0)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: session.directory.appending(path: "pasteboard").path)
    #expect(left.isEmpty)
    #expect(try session.control("status").status == 76)
    try session.start()
  }

  @Test func whoWaitsForASaveHearsOfTheEnd() throws {
    let session = try Session()
    let helper = try #require(session.helper)
    let owner = try Owner(session)
    try owner.own([["a/b", "a/b", 8, "1"]], ["silent": ["a/b"]])
    try owner.tell(["save": NSNull()])
    while try !owner.log().contains("a/b") {}
    kill(helper.processIdentifier, SIGTERM)
    #expect(try owner.line(milliseconds: 3_000).hasPrefix("no"))
    #expect(try exit(of: helper) == 0)
  }

  @Test func aSuccessorGetsWhatWasStillBeingSaved() throws {
    let session = try Session()
    let first = try #require(session.helper)
    let owner = try Owner(session)
    try owner.own(
      [["a/b", "a/b", 8, "1"], ["c/d", "c/d", 8, "2"], ["e/f", "e/f", 8, "3"]], ["delay": 300])
    try owner.tell(["save": NSNull()])
    while try !owner.log().contains("a/b") {}
    try session.start(["--replace"])
    #expect(try owner.line().hasPrefix("yes"))
    owner.kill()
    #expect(try exit(of: first) == 0)
    #expect(try session.paste("e/f")?.bytes == [0x33])
  }

  @Test func aTransferUnderWayOutlivesTheOrderToEnd() throws {
    let session = try Session()
    let helper = try #require(session.helper)
    let owner = try Owner(session)
    try owner.own([["image/png", "image/png", 8, 8 << 20]])
    #expect(try owner.save(nil).isKept)
    var bytes: [UInt8] = []
    var result: ConversionOutcome?
    session.connection.convert(
      Conversion(selection: session.clipboard, target: session.connection.atom("image/png")),
      receive: { raw, _, _ in
        if bytes.isEmpty { kill(helper.processIdentifier, SIGTERM) }
        bytes.append(contentsOf: raw)
      }, completion: { result = $0 })
    try session.turn { result == nil }
    #expect(bytes == Owner.pattern(8 << 20, seed: 0))
    #expect(try exit(of: helper) == 0)
  }

  @Test func itEndsWithItsServer() throws {
    let session = try Session()
    let helper = try #require(session.helper)
    session.server.kill()
    #expect(try exit(of: helper, within: 2) == 75)
    let left = try FileManager.default.contentsOfDirectory(
      atPath: session.directory.appending(path: "pasteboard").path)
    #expect(left.isEmpty)
  }

  @Test func withoutADisplayItSaysSo() throws {
    let nameless = try run(
      builtProducts.appending(path: "pasteboardd").path, [], seconds: 5)
    #expect(nameless.status == 75)
    #expect(nameless.errorText.contains("DISPLAY"))
    let missing = try run(
      builtProducts.appending(path: "pasteboardd").path, ["--wait", "0"], display: ":987",
      seconds: 5)
    #expect(missing.status == 75)
  }

  @Test func aLateDisplayIsWaitedFor() throws {
    // A number that was free a moment ago.
    let probe = try XServer()
    let display = probe.display
    probe.kill()
    let directory = URL(fileURLWithPath: "/tmp/pb-" + UUID().uuidString.prefix(8))
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: directory) }
    let notices = try NoticeSocket(directory.appending(path: "notify").path)
    let helper = Process()
    helper.executableURL = builtProducts.appending(path: "pasteboardd")
    helper.environment = [
      "DISPLAY": display, "XDG_RUNTIME_DIR": directory.path, "NOTIFY_SOCKET": notices.path,
    ]
    helper.standardError = FileHandle.nullDevice
    try helper.run()
    defer {
      kill(helper.processIdentifier, SIGKILL)
      helper.waitUntilExit()
    }
    #expect(try notices.next(within: 10_000).contains("waiting for display"))
    let server = Process()
    server.executableURL = URL(fileURLWithPath: "/usr/bin/Xvfb")
    server.arguments = [display, "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset"]
    server.standardError = FileHandle.nullDevice
    try server.run()
    defer {
      kill(server.processIdentifier, SIGKILL)
      server.waitUntilExit()
    }
    #expect(try notices.next(within: 10_000).contains("READY=1"))
  }

  @Test func aWatchdogHearsFromIt() throws {
    let session = try Session(nil)
    let notices = try NoticeSocket(session.directory.appending(path: "n").path)
    let helper = Process()
    helper.executableURL = URL(fileURLWithPath: session.program)
    helper.environment = session.environment.merging([
      "NOTIFY_SOCKET": notices.path, "WATCHDOG_USEC": "200000",
    ]) { $1 }
    try helper.run()
    defer {
      kill(helper.processIdentifier, SIGKILL)
      helper.waitUntilExit()
    }
    #expect(try notices.next(within: 10_000).contains("READY=1"))
    #expect(try notices.next(within: 10_000) == "WATCHDOG=1")
    #expect(try notices.next(within: 10_000) == "WATCHDOG=1")
    kill(helper.processIdentifier, SIGTERM)
    var last = ""
    repeat { last = try notices.next(within: 10_000) } while last == "WATCHDOG=1"
    #expect(last == "STOPPING=1")
  }

  @Test func withoutARuntimeDirectoryItKeepsAllTheSame() throws {
    let session = try Session(nil)
    try session.start([], environment: ["XDG_RUNTIME_DIR": ""])
    let owner = try Owner(session)
    try owner.own(text: "x")
    #expect(try owner.save(nil).isKept)
    #expect(try session.control("status").status == 76)
  }

  @Test func aRuntimeDirectoryThatOthersCanEnterIsRefused() throws {
    let session = try Session(nil)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: session.directory.path)
    try session.start()
    #expect(
      !FileManager.default.fileExists(
        atPath: session.directory.appending(path: "pasteboard").path))
  }

  @Test func theSocketIsPrivate() throws {
    let session = try Session()
    let folder = session.directory.appending(path: "pasteboard")
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
    #expect(attributes[.posixPermissions] as? Int == 0o700)
    let socket = folder.appending(path: "helper-" + session.server.display)
    let mode = try FileManager.default.attributesOfItem(atPath: socket.path)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test(arguments: ["10.5", "-1", "abc", "99999999999999999999"])
  func badArgumentsAreToldFromBadVerbs(argument: String) throws {
    let session = try Session()
    #expect(try session.control("pause", argument).status == 2)
    #expect(try session.control("wait-kept", argument).status == 2)
    #expect(try session.control("status", argument).status == 2)
    #expect(try session.control("resume", argument).status == 2)
    #expect(try session.control("dance").status == 2)
  }

  @Test(arguments: ["5", "10m", "2h", "1d"]) func aPauseMayEndByItself(time: String) throws {
    let session = try Session()
    #expect(try session.control("pause", time).status == 0)
    #expect(try session.control("status").status == 1)
  }

  @Test func waitingForACopyEndsInTime() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own(text: "x", ["deaf": true])
    #expect(try session.control("wait-kept", "0").status == 5)
    // The deaf owner is given up after its time.
    #expect(try session.control("wait-kept").status == 4)
  }

  @Test(.timeLimit(.minutes(2))) func tenThousandChangesLeaveTheLastOne() throws {
    let session = try Session()
    var owner: SelectionConnection? = try SelectionConnection(display: session.server.display)
    let clipboard = session.clipboard
    var before: (memory: Int, descriptors: Int)?
    for number in 0..<10_000 {
      if number == 1_000 { before = (try session.memory("VmRSS"), try session.descriptors()) }
      try owner?.acquire(
        clipboard,
        Offer(targets: [.init(name: "UTF8_STRING", payload: MemoryPayload("copy \(number)"))]))
    }
    let waiting = Process()
    waiting.executableURL = URL(fileURLWithPath: session.program)
    waiting.arguments = ["--control", "wait-kept"]
    waiting.environment = session.environment
    waiting.standardOutput = FileHandle.nullDevice
    try waiting.run()
    let limit = Instant.now + 30_000
    while waiting.isRunning, Instant.now < limit { try owner?.turn(until: .now + 10) }
    try #require(!waiting.isRunning)
    #expect(waiting.terminationStatus == 0)
    // Of all these copies nothing is left but the last.
    let first = try #require(before)
    #expect(try session.memory("VmRSS") - first.memory < 2_048)
    #expect(try session.descriptors() <= first.descriptors + 1)
    try session.restoration { owner = nil }
    #expect(try session.paste("UTF8_STRING")?.bytes == Array("copy 9999".utf8))
  }
}
