import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// The history carried elsewhere and back, kept elsewhere than on disk, and wiped by itself.
@Suite(.serialized) struct ArchiveTests {
  private func session(_ settings: String = "", _ name: String = "data") throws -> Session {
    let session = try Session(nil)
    try start(session, settings, name)
    return session
  }

  private func start(
    _ session: Session, _ settings: String, _ name: String = "data",
    _ more: [String: String] = [:]
  ) throws {
    let file = session.directory.appending(path: "settings")
    try settings.write(to: file, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
    try session.start(
      ["--settings", file.path],
      environment: ["XDG_DATA_HOME": session.directory.appending(path: name).path].merging(more) {
        $1
      })
  }

  private func copy(_ session: Session, _ owner: Owner, _ text: String) throws {
    try owner.own(text: text)
    #expect(try session.control("wait-kept").status == 0)
  }

  private func restart(_ session: Session, _ settings: String, _ name: String) throws {
    session.end(try #require(session.helper))
    try start(session, settings, name)
  }

  @Test func whatIsExportedCanBeImportedElsewhere() throws {
    let session = try session()
    #expect(try session.control("history", "enable").status == 0)
    let owner = try Owner(session)
    try copy(session, owner, "one")
    try owner.own([
      ["text/html", "text/html", 8, "<i>t\u{E9}xt</i>"],
      ["UTF8_STRING", "UTF8_STRING", 8, "t\u{E9}xt"],
      ["image/png", "image/png", 8, 700_001], ["a/b", "ATOM", 32, 8],
    ])
    #expect(try owner.save(nil).isKept)
    #expect(try session.control("history", "pin", "1").status == 0)
    let list = try session.control("history", "list", "--json").text
    let path = session.directory.appending(path: "archive").path
    #expect(try session.control("history", "export", path).status == 0)
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
    // Never over a file that is there.
    #expect(try session.control("history", "export", path).status == 4)
    let archive = try String(contentsOfFile: path, encoding: .utf8)
    #expect(try session.control("history", "export").text == archive)
    for line in archive.split(separator: "\n") {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      #expect(object?["representations"] is [[String: Any]])
    }
    let picture = try session.control("history", "show", "2", "image/png").output
    try restart(session, "", "elsewhere")
    #expect(try session.control("history", "import", path).status == 4)
    #expect(try session.control("history", "enable").status == 0)
    let added = try session.control("history", "import", path)
    #expect(added.text == "2 added\n")
    #expect(try session.control("history", "list", "--json").text == list)
    #expect(try session.control("history", "show", "2", "image/png").output == picture)
    #expect(Array(picture) == Owner.pattern(700_001, seed: 2))
    // The same again changes nothing.
    #expect(try session.control("history", "import", path).status == 0)
    #expect(try session.control("history", "list", "--json").text == list)
  }

  @Test func largeItemsCostLittleMoreThanThemselves() throws {
    let session = try session()
    #expect(try session.control("history", "enable").status == 0)
    let owner = try Owner(session)
    try owner.own([
      ["image/png", "image/png", 8, 5 << 20], ["image/tiff", "image/tiff", 8, 5 << 20],
    ])
    #expect(try owner.save(nil).isKept)
    let path = session.directory.appending(path: "archive").path
    #expect(try session.control("history", "export", path, seconds: 60).status == 0)
    try restart(session, "", "elsewhere")
    #expect(try session.control("history", "enable").status == 0)
    let before = try session.memory("VmRSS")
    #expect(try session.control("history", "import", path, seconds: 60).text == "1 added\n")
    let other = session.directory.appending(path: "again").path
    #expect(try session.control("history", "export", other, seconds: 60).status == 0)
    #expect(FileManager.default.contentsEqual(atPath: path, andPath: other))
    let peak = try session.memory("VmHWM") - before
    // Twice: once as it came, and once as it is kept.
    #expect(peak < 2 * 10 * 1_024 + 6_000, "\(peak) KiB more")
  }

  @Test func whatCannotBeImportedIsNamed() throws {
    let session = try session()
    #expect(try session.control("history", "enable").status == 0)
    let file = session.directory.appending(path: "archive")
    func bringIn(_ text: String) throws -> CommandResult {
      try text.write(to: file, atomically: false, encoding: .utf8)
      return try session.control("history", "import", file.path)
    }
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    func line(_ target: String, used: Int64) -> String {
      "{\"used\":\(used),\"representations\":[{\"target\":\"\(target)\",\"type\":\"STRING\",\"format\":8,\"base64\":\"c3dvcmRmaXNo\"}]}\n"
    }
    #expect(try bringIn("{}").status == 2)
    let impossible = try bringIn(line("a/b", used: -1))
    #expect(impossible.status == 2)
    #expect(impossible.errorText.contains("line 1: "))
    let second = try bringIn(line("a/b", used: now) + "\nnonsense\n")
    #expect(second.status == 2)
    #expect(second.errorText.contains("line 3"))
    for bad in [
      line("x-kde-passwordManagerHint", used: now), line("SAVE_TARGETS", used: now),
      line("UTF8_STRING", used: 5),
      line("a/c", used: now).replacing("\"STRING\"", with: "\"PIXMAP\""),
    ] { #expect(try bringIn(bad).status == 6, "\(bad)") }
    #expect(try session.control("history", "list").text == "1\t[a/b, 9 bytes]\n")
    #expect(try session.control("history", "import", "/nonexistent").status == 4)
    #expect(try session.control("history", "export", "/nonexistent/x").status == 4)
  }

  @Test func anItemWithAPublicHintComesBack() throws {
    let session = try session()
    #expect(try session.control("history", "enable").status == 0)
    let owner = try Owner(session)
    try owner.own([
      ["UTF8_STRING", "UTF8_STRING", 8, "open"],
      ["x-kde-passwordManagerHint", "STRING", 8, "public"],
    ])
    #expect(try owner.save(nil).isKept)
    let file = session.directory.appending(path: "archive").path
    #expect(try session.control("history", "export", file).status == 0)
    #expect(try session.control("history", "purge").status == 0)
    #expect(try session.control("history", "import", file).text == "1 added\n")
    #expect(try session.control("history", "list").text.hasSuffix("\topen\n"))
  }

  @Test func whatIsTooLargeIsLeftOutAndCostsNothing() throws {
    let session = try session("history-size = 1M\n")
    #expect(try session.control("history", "enable").status == 0)
    let file = session.directory.appending(path: "archive")
    let now = Int64(Date().timeIntervalSince1970 * 1_000)
    let lines = [String(repeating: "AAAA", count: 12 << 20), "c3dvcmRmaXNo"].map { base64 in
      "{\"used\":\(now),\"representations\":[{\"target\":\"a/b\",\"type\":\"a/b\",\"format\":8,\"base64\":\"\(base64)\"}]}\n"
    }
    try lines.joined().write(to: file, atomically: false, encoding: .utf8)
    let before = try session.memory("VmRSS")
    let result = try session.control("history", "import", file.path, seconds: 60)
    #expect(result.status == 6)
    #expect(result.text == "1 added, 1 left out\n")
    #expect(try session.memory("VmHWM") - before < 16 << 10)
  }

  @Test func listsCanEndItemsWithZeros() throws {
    let session = try session()
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    for text in ["one", "two", "three"] { try copy(session, owner, text) }
    #expect(
      try session.control("history", "list", "--limit", "2", "--print0").text
        == "3\tthree\u{0}2\ttwo\u{0}")
    #expect(try session.control("history", "delete", "--last").status == 0)
    #expect(try session.control("history", "list").text == "2\ttwo\n1\tone\n")
    #expect(try session.control("history", "purge", "--last", "1").status == 0)
    #expect(try session.control("history", "list").text == "1\tone\n")
    #expect(try session.control("history", "purge", "--last").status == 2)
    #expect(try session.control("history", "list", "--limit").status == 2)
  }

  @Test func anItemMayHaveALifeOfItsOwn() throws {
    let session = try session("history-age.text/html = 1s\n")
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    try copy(session, owner, "stays")
    try copy(session, owner, "goes")
    try owner.own([["text/html", "text/html", 8, "<b>goes too</b>"]])
    #expect(try session.control("wait-kept").status == 0)
    #expect(try session.control("history", "expire", "2", "1s").status == 0)
    #expect(try session.control("history", "expire", "9", "1s").status == 1)
    #expect(try session.control("history", "expire", "2", "soon").status == 2)
    let limit = Instant.now + 10_000
    while try session.control("history", "list").text != "1\tstays\n" {
      try #require(Instant.now < limit)
    }
    let data = try Data(
      contentsOf: session.directory.appending(path: "data/pasteboard/history.sqlite"))
    #expect(data.range(of: Data("goes".utf8)) == nil)
  }

  @Test func keptInMemoryNothingIsWritten() throws {
    let session = try session("history-storage = memory\n")
    #expect(try session.control("history", "enable").status == 0)
    let owner = try Owner(session)
    try copy(session, owner, "swordfish")
    #expect(try session.control("history", "list").text == "1\tswordfish\n")
    #expect(!FileManager.default.fileExists(atPath: session.directory.appending(path: "data").path))
    try restart(session, "history-storage = memory\n", "data")
    #expect(try session.control("history", "list").status == 4)
  }

  @Test func keptInTheRuntimeDirectoryItOutlivesTheHelper() throws {
    let session = try session("history-storage = runtime\n")
    #expect(try session.control("history", "enable").text.contains(session.directory.path))
    let owner = try Owner(session)
    try copy(session, owner, "x")
    try restart(session, "history-storage = runtime\n", "data")
    #expect(try session.control("history", "list").text == "1\tx\n")
    #expect(!FileManager.default.fileExists(atPath: session.directory.appending(path: "data").path))
  }

  @Test func theEndOfTheSessionWipesItOnDemand() throws {
    let session = try session("history-wipe = logout\n")
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    try copy(session, owner, "pinned")
    try copy(session, owner, "swordfish")
    _ = try session.control("history", "pin", "1")
    let helper = try #require(session.helper)
    kill(helper.processIdentifier, SIGTERM)
    helper.waitUntilExit()
    let folder = session.directory.appending(path: "data/pasteboard")
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let data = try Data(contentsOf: folder.appending(path: name))
      #expect(data.range(of: Data("swordfish".utf8)) == nil, "\(name)")
    }
    try start(session, "")
    #expect(try session.control("history", "list").text == "1\tpinned\n")
  }

  @Test func aSuccessorFindsItAll() throws {
    let session = try session("history-wipe = logout\n")
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    try copy(session, owner, "stays")
    let first = try #require(session.helper)
    try session.start(
      ["--replace"],
      environment: ["XDG_DATA_HOME": session.directory.appending(path: "data").path])
    first.waitUntilExit()
    #expect(try session.control("history", "list").text == "1\tstays\n")
  }

  /// A bus that says what the login manager would.
  @Test(arguments: [
    ("lock", "PrepareForSleep", false), ("lock", "Lock", true), ("lock", "PropertiesChanged", true),
    ("suspend", "PrepareForSleep", true), ("suspend", "Lock", false),
  ])
  func lockAndSleepWipeItOnDemand(wipe: String, member: String, isWiped: Bool) throws {
    let session = try Session(nil)
    let path = session.directory.appending(path: "bus").path
    let bus = try ChildProcess(
      "/usr/bin/python3",
      [
        "-B",
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Peers/bus.py")
          .path,
        path, member,
      ])
    defer { bus.terminate() }
    let limit = Instant.now + 10_000
    while !FileManager.default.fileExists(atPath: path) { try #require(Instant.now < limit) }
    try start(
      session, "history-wipe = \(wipe)\n", "data", ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + path])
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    try copy(session, owner, "one")
    bus.signal(SIGUSR1)
    if isWiped {
      while try session.control("history", "list").text != "" { try #require(Instant.now < limit) }
    } else {
      while !FileManager.default.fileExists(atPath: path + ".said") {
        try #require(Instant.now < limit)
      }
      // What was said before a question has been dealt with when the answer to the next one comes.
      #expect(try session.control("status").status == 0)
      #expect(try session.control("status").status == 0)
      #expect(try session.control("history", "list").text == "1\tone\n")
    }
  }

  /// The end of a bus, and one that takes a connection and never answers.
  @Test func aBusThatIsNoneIsNoHarm() throws {
    let session = try Session(nil)
    let path = session.directory.appending(path: "mute").path
    let mute = try ChildProcess(
      "/usr/bin/python3",
      [
        "-B", "-c",
        """
        import os, socket, sys
        listener = socket.socket(socket.AF_UNIX); listener.bind(sys.argv[1] + ".new"); listener.listen(4)
        os.rename(sys.argv[1] + ".new", sys.argv[1]); clients = []
        while True: clients.append(listener.accept())
        """, path,
      ])
    defer { mute.terminate() }
    let limit = Instant.now + 10_000
    while !FileManager.default.fileExists(atPath: path) { try #require(Instant.now < limit) }
    try start(
      session, "history-wipe = lock suspend\n", "data",
      ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=" + path])
    #expect(try session.control("history", "enable").status == 0)
    let owner = try Owner(session)
    try copy(session, owner, "one")
    mute.terminate()
    #expect(try session.control("history", "list").text == "1\tone\n")
  }

  @Test func withoutABusThereIsNoHarm() throws {
    let session = try Session(nil)
    try start(
      session, "history-wipe = lock suspend\n", "data",
      ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nonexistent"])
    #expect(try session.control("history", "enable").status == 0)
  }
}
