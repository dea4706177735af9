import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// Rules and other settings of a running helper.
@Suite(.serialized) struct RuleTests {
  /// A helper with these settings.
  private func session(_ settings: String) throws -> Session {
    let session = try Session(nil)
    try write(settings, session)
    try session.start(environment: environment(session))
    return session
  }

  private func environment(_ session: Session) -> [String: String] {
    [
      "XDG_CONFIG_HOME": session.directory.path,
      "XDG_DATA_HOME": session.directory.appending(path: "data").path,
    ]
  }

  private func write(_ settings: String, _ session: Session) throws {
    let folder = session.directory.appending(path: "pasteboard")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let file = folder.appending(path: "helper.conf")
    try settings.write(to: file, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file.path)
  }

  @Test(arguments: [
    "ignore class=Bitwarden", "ignore title=\"^My Vault\"", "ignore class=bitwarden type=text/html",
    "ignore program=python3", "ignore type=text/html",
  ])
  func aProgramsCopiesAreIgnored(rule: String) throws {
    let session = try session(rule)
    let owner = try Owner(session)
    _ = try owner.ask(["show": ["Bitwarden", "My Vault - Bitwarden"]])
    try owner.own([
      ["UTF8_STRING", "UTF8_STRING", 8, "swordfish"], ["text/html", "text/html", 8, "<b>"],
    ])
    #expect(try session.control("wait-kept").status == 4)
    #expect(try !owner.save(nil).isKept)
    #expect(try !owner.log().contains("UTF8_STRING"))
    #expect(try session.control("status").text.contains("1 ignored by rules"))
    owner.kill()
    let limit = Instant.now + 200
    _ = try session.connection.turn(until: limit) { Instant.now < limit }
    #expect(session.owner == .none)
  }

  @Test(arguments: [
    "ignore class=Other", "ignore title=\"^Vault\"", "ignore class=Bitwarden type=a/b",
  ])
  func othersAreKept(rule: String) throws {
    let session = try session(rule)
    let owner = try Owner(session)
    _ = try owner.ask(["show": ["Bitwarden", "My Vault - Bitwarden"]])
    try owner.own(text: "x")
    #expect(try session.control("wait-kept").status == 0)
  }

  @Test func aRuleAboutATypeHoldsForAListToo() throws {
    let session = try session("early-copy = off\nignore type=a/hidden")
    let owner = try Owner(session)
    try owner.own(
      [["UTF8_STRING", "UTF8_STRING", 8, "x"], ["a/hidden", "a", 8, "y"]], ["hide": ["a/hidden"]])
    #expect(try !owner.save(["UTF8_STRING", "a/hidden"]).isKept)
    #expect(try owner.log().isEmpty)
  }

  @Test func aTitleIsThatOfTheMoment() throws {
    let session = try session("ignore title=\"^Secret\" type=UTF8_STRING")
    let owner = try Owner(session)
    _ = try owner.ask(["show": ["program", "Harmless"]])
    try owner.own(text: "x")
    #expect(try session.control("wait-kept").status == 0)
    _ = try owner.ask(["show": ["program", "Secret things"]])
    try owner.own(text: "y")
    #expect(try session.control("wait-kept").status == 4)
  }

  @Test func aRuleKeepsWhatIsMarked() throws {
    let session = try session("keep-marked class=firefox")
    let owner = try Owner(session)
    let marked: [[Any]] = [
      ["UTF8_STRING", "UTF8_STRING", 8, "private"],
      ["x-kde-passwordManagerHint", "STRING", 8, "secret"],
    ]
    try owner.own(marked)
    #expect(try session.control("wait-kept").status == 4)
    _ = try owner.ask(["show": ["firefox", "Private Browsing"]])
    try owner.own(marked)
    #expect(try session.control("wait-kept").status == 0)
    try session.restoration { owner.kill() }
    #expect(try session.paste("UTF8_STRING")?.bytes == Array("private".utf8))
  }

  @Test func settingsAreReadAnew() throws {
    let session = try session("early-copy = off")
    let owner = try Owner(session)
    try owner.own(text: "x")
    #expect(try session.control("wait-kept").status == 4)
    try write("early-copy = on\nsync = clipboard-to-primary\n", session)
    #expect(try session.control("doctor").text.contains("settings: the file was changed"))
    #expect(try session.control("reload").status == 0)
    try owner.own(text: "y")
    #expect(try session.control("wait-kept").status == 0)
    #expect(try session.control("sync").text == "clipboard-to-primary\n")
    try write("early-copy = on\nignore clas=Bitwarden\n", session)
    let bad = try session.control("reload")
    #expect(bad.status == 2)
    #expect(bad.errorText.contains("helper.conf, line 2: clas"))
    #expect(try session.control("sync").text == "clipboard-to-primary\n")
  }

  @Test func settingsThatAreNotUnderstoodEndIt() throws {
    let session = try Session(nil)
    try write("ignore class\n", session)
    let ended = try run(
      session.program, [], display: session.server.display,
      environment: environment(session).merging(["XDG_RUNTIME_DIR": session.directory.path]) { $1 })
    #expect(ended.status == 2)
    #expect(ended.errorText.contains("line 1: class: a value is missing"))
    let checked = try run(
      session.program, ["--check-settings"], environment: environment(session))
    #expect(checked.status == 2)
    try write("sync = both\n", session)
    #expect(
      try run(session.program, ["--check-settings"], environment: environment(session)).status == 0)
  }

  @Test func picturesAreReadEarlyOnDemand() throws {
    let session = try session("early-images = pure")
    let owner = try Owner(session)
    try owner.own([["image/bmp", "image/bmp", 8, 10], ["image/png", "image/png", 8, 900_000]])
    #expect(try session.control("wait-kept").status == 6)
    #expect(try owner.log() == ["TARGETS", "image/png"])
    try session.restoration { owner.kill() }
    #expect(try session.paste("image/png")?.bytes == Owner.pattern(900_000, seed: 1))
  }

  @Test func sizesAreAskedForWhereTheyAreOffered() throws {
    let session = try session("limit-type = 1M")
    let owner = try Owner(session)
    try owner.own(
      [
        ["UTF8_STRING", "UTF8_STRING", 8, 5_000_000], ["text/html", "text/html", 8, "<b>"],
        ["image/png", "image/png", 8, 2_000_000], ["a/b", "a/b", 8, 10],
      ],
      ["sizes": ["UTF8_STRING": 5_000_000, "text/html": -1, "image/png": 4_294_967_294, "a/b": 10]])
    #expect(try session.control("wait-kept").status == 6)
    #expect(try owner.log() == ["TARGETS", "TARGET_SIZES", "text/html"])
    #expect(try owner.save(nil).isKept)
    #expect(try owner.log() == ["TARGETS", "TARGET_SIZES", "text/html", "a/b"])
    #expect(try session.targets().dropFirst(3) == ["text/html", "a/b"])
    #expect(try session.control("status").text.contains("2 types too large"))
  }

  @Test func aWaylandSessionIsLeftToItsCompositor() throws {
    let session = try Session(nil)
    let environment = ["XDG_RUNTIME_DIR": session.directory.path, "WAYLAND_DISPLAY": "wayland-0"]
    let refused = try run(
      session.program, [], display: session.server.display, environment: environment)
    #expect(refused.status == 4)
    #expect(refused.errorText.contains("--xwayland"))
    try session.start(["--xwayland"], environment: environment)
    #expect(try session.control("status").status == 0)
  }
}
