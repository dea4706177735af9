import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// The helper as a process among real programs.
@Suite(.serialized) struct KeepAliveTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: Programs that are killed

  @Test func textOfAKilledProgramComesBack() throws {
    let session = try Session()
    let owner = try Owner(session)
    let text = "Grüße 中🙂\n"
    try owner.own([
      ["TEXT", "UTF8_STRING", 8, text], ["UTF8_STRING", "UTF8_STRING", 8, text],
      ["text/plain;charset=utf-8", "text/plain;charset=utf-8", 8, text],
      ["STRING", "STRING", 8, "?"],
    ])
    #expect(try session.control("wait-kept").text.hasPrefix("kept"))
    #expect(try owner.log() == ["TARGETS", "UTF8_STRING"])
    #expect(!session.helperOwns)
    let milliseconds = try session.restoration { owner.kill() }
    #expect(milliseconds < 1_000)
    #expect(session.helperOwns)
    #expect(
      try session.targets().dropFirst(3) == ["TEXT", "UTF8_STRING", "text/plain;charset=utf-8"])
    #expect(try session.paste("UTF8_STRING")?.bytes == bytes(text))
    #expect(try session.paste("text/plain;charset=utf-8")?.bytes == bytes(text))
    #expect(try session.paste("TEXT")?.type == "UTF8_STRING")
    #expect(try session.paste("application/none") == nil)
    let xsel = try run("xsel", ["-b", "-o"], display: session.server.display)
    #expect(xsel.text == text)
  }

  @Test func textOfXclipComesBack() throws {
    let session = try Session()
    let file = session.directory.appending(path: "text")
    // Larger than one property: it comes by INCR, and leaves by INCR.
    let text = String(repeating: "0123456789abcdef", count: 131_072)
    try Data(text.utf8).write(to: file)
    let xclip = Process()
    xclip.executableURL = URL(fileURLWithPath: "/usr/bin/xclip")
    xclip.arguments = ["-quiet", "-i", "-selection", "clipboard", file.path]
    xclip.environment = session.environment
    xclip.standardError = FileHandle.nullDevice
    xclip.standardOutput = FileHandle.nullDevice
    _ = try session.ownerChange { try xclip.run() }
    #expect(try session.control("wait-kept").status == 0)
    try session.restoration {
      kill(xclip.processIdentifier, SIGKILL)
      xclip.waitUntilExit()
    }
    #expect(
      try run("xclip", ["-o", "-selection", "clipboard"], display: session.server.display).text
        == text)
  }

  @Test func filesOfAKilledFileManagerComeBack() throws {
    let session = try Session()
    let owner = try Owner(session)
    let items: [[Any]] = [
      ["x-special/gnome-copied-files", "x-special/gnome-copied-files", 8, "cut\nfile:///a"],
      ["text/uri-list", "text/uri-list", 8, "file:///a\r\n"],
      ["application/x-kde-cutselection", "application/x-kde-cutselection", 8, "1"],
      ["UTF8_STRING", "UTF8_STRING", 8, "/a"], ["text/html", "text/html", 8, "<a>"],
      ["image/png", "image/png", 8, 100],
    ]
    try owner.own(items)
    let kept = try session.control("wait-kept")
    #expect(kept.status == 6)
    #expect(kept.errorText.contains("partly kept: 5 of 6"))
    #expect(try !owner.log().contains("image/png"))
    try session.restoration { owner.kill() }
    let names = items.dropLast().compactMap { $0[0] as? String }
    #expect(try session.targets().dropFirst(3) == names[...])
    for item in items.dropLast() {
      let pasted = try session.paste(try #require(item[0] as? String))
      #expect(pasted?.bytes == bytes(try #require(item[3] as? String)))
    }
  }

  @Test func contentThatWasNotReadIsLeftAlone() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own([["image/png", "image/png", 8, 50], ["application/x-cad", "X", 8, 50]])
    #expect(try session.control("wait-kept").status == 4)
    #expect(try owner.log() == ["TARGETS"])
    #expect(try owner.ask(["lost": true]) == "owner")
    let notices = try session.ownerChange { owner.kill() }
    #expect(notices.map(\.reason) == [.ownerGone])
    #expect(try session.control("status").text.contains("1 lost"))
    #expect(session.owner == .none)
  }

  // MARK: Programs that ask to be saved

  @Test(arguments: [true, false])
  func everythingIsSavedByteForByteInOrder(withList: Bool) throws {
    let session = try Session()
    let owner = try Owner(session)
    let items: [[Any]] = [
      ["image/png", "image/png", 8, 8 << 20], ["text/html", "text/html", 8, "<b>ü</b>"],
      ["application/x-other", "OTHER_TYPE", 8, "typed"],
      ["application/x-empty", "application/x-empty", 8, ""],
      ["UTF8_STRING", "UTF8_STRING", 8, "ü"],
      ["image/tiff", "image/tiff", 8, 3 << 20],
    ]
    try owner.own(items)
    let names = items.compactMap { $0[0] as? String }
    let (isKept, milliseconds) = try owner.save(withList ? names + ["TARGETS", "DELETE"] : nil)
    #expect(isKept)
    #expect(milliseconds < 1_000)
    #expect(session.helperOwns)
    #expect(try owner.ask(["lost": true]) == "lost")
    owner.kill()
    #expect(try session.targets() == ["TARGETS", "MULTIPLE", "TIMESTAMP"] + names)
    for (number, item) in items.enumerated() {
      let pasted = try #require(try session.paste(names[number]))
      #expect(pasted.type == item[1] as? String)
      let expected =
        try (item[3] as? String).map { bytes($0) }
        ?? Owner.pattern(try #require(item[3] as? Int), seed: number)
      #expect(pasted.bytes == expected)
    }
    #expect(try session.control("wait-kept").status == 0)
  }

  @Test func aListIsKeptAsItStands() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own([["a/b", "a/b", 8, "1"], ["c/d", "c/d", 8, "2"], ["e/f", "e/f", 8, "3"]])
    #expect(try owner.save(["e/f", "a/b"]).isKept)
    #expect(try session.targets().dropFirst(3) == ["e/f", "a/b"])
  }

  @Test func formsOfALargeTextTakeTheMemoryOfOne() throws {
    let session = try Session(nil)
    let settings = session.directory.appending(path: "settings")
    try "limit-copy = 1M\n".write(to: settings, atomically: false, encoding: .utf8)
    try session.start(["--settings", settings.path])
    let owner = try Owner(session)
    let text = String(repeating: "0123456789abcde\n", count: 20_000)
    let forms = [
      "UTF8_STRING", "text/plain;charset=utf-8", "TEXT", "STRING", "text/plain", "COMPOUND_TEXT",
    ]
    // Together with what differs, all that may be kept of one copy.
    try owner.own(
      forms.map { [$0, $0, 8, text] }
        + [["a/longer", "a/longer", 8, text + "0"], ["image/png", "image/png", 8, 400_000]])
    #expect(try owner.save(nil).isKept)
    #expect(try session.targets().dropFirst(3) == forms + ["a/longer", "image/png"])
    for form in forms { #expect(try session.paste(form)?.bytes == bytes(text)) }
    #expect(try session.paste("a/longer")?.bytes == bytes(text + "0"))
    #expect(
      try session.paste("image/png")?.bytes == Owner.pattern(400_000, seed: forms.count + 1))
  }

  @Test func aLargeContentThatBeginsLikeAnotherIsKeptAsItIs() throws {
    let session = try Session()
    let owner = try Owner(session)
    let text = String(repeating: "x", count: 300_000)
    let items = [
      ("a/a", text), ("a/b", text + "b"), ("a/c", "xxx"), ("a/d", text + "c"), ("a/e", ""),
    ]
    try owner.own(items.map { [$0.0, $0.0, 8, $0.1] })
    #expect(try owner.save(nil).isKept)
    for (name, content) in items { #expect(try session.paste(name)?.bytes == bytes(content)) }
  }

  @Test func targetsThatFailOrLieAreLeftOut() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own(
      [
        ["a/b", "a/b", 8, "1"], ["c/d", "c/d", 8, "2"], ["e/f", "PIXMAP", 8, "3333"],
        ["g/h", "g/h", 8, 500_000],
      ], ["refuse": ["c/d"], "silent": ["g/h"]])
    let (isKept, milliseconds) = try owner.save(nil)
    #expect(isKept)
    #expect(milliseconds < 5_500)
    #expect(try session.targets().dropFirst(3) == ["a/b"])
  }

  @Test(arguments: ["stall", "endless"])
  func aTransferThatNeverEndsCostsOnlyItself(how: String) throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own(
      [["a/b", "a/b", 8, 400_000], ["c/d", "c/d", 8, "2"]], [how: ["a/b"]])
    let (isKept, milliseconds) = try owner.save(nil)
    #expect(isKept)
    #expect(milliseconds < 5_500)
    #expect(try session.targets().dropFirst(3) == ["c/d"])
    #expect(try session.memory("VmHWM") < 120 << 10)
  }

  @Test func aSlowOwnerIsWaitedFor() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own(
      [["a/b", "a/b", 8, "1"], ["c/d", "c/d", 8, "2"], ["e/f", "e/f", 8, "3"]], ["delay": 300])
    let (isKept, milliseconds) = try owner.save(nil)
    #expect(isKept)
    #expect(milliseconds >= 900)
    #expect(try session.targets().dropFirst(3) == ["a/b", "c/d", "e/f"])
  }

  @Test func aDeafOwnerGetsItsNoAndTheNextIsServed() throws {
    let session = try Session()
    let deaf = try Owner(session)
    try deaf.own(text: "x", ["deaf": true])
    let (isKept, milliseconds) = try deaf.save(["UTF8_STRING"])
    #expect(!isKept)
    #expect(milliseconds < 5_500)
    let owner = try Owner(session)
    try owner.own(text: "next")
    #expect(try session.control("wait-kept").status == 0)
    #expect(try owner.log() == ["TARGETS", "UTF8_STRING"])
  }

  @Test func aNewCopyDuringASaveWins() throws {
    let session = try Session()
    let first = try Owner(session)
    try first.own([["a/b", "a/b", 8, "1"], ["c/d", "c/d", 8, "2"]], ["silent": ["c/d"]])
    try first.tell(["save": NSNull()])
    let second = try Owner(session)
    try second.own(text: "newer")
    #expect(try first.line().hasPrefix("no"))
    #expect(try second.save(nil).isKept)
    first.kill()
    #expect(try session.paste("UTF8_STRING")?.bytes == bytes("newer"))
  }

  // MARK: Toolkits

  private static func has(_ module: String) -> Bool {
    (try? run("/usr/bin/python3", ["-c", "import \(module)"]).status) == 0
  }

  private func quit(_ script: String, in session: Session) throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let program = try run(
      "/usr/bin/python3", ["-B", folder.appending(path: "Peers/" + script).path],
      display: session.server.display, environment: ["HOME": session.directory.path])
    #expect(program.status == 0)
  }

  @Test(.enabled(if: has("gi"), "needs python3-gi and GTK 3"))
  func aGTKProgramThatCopiesAndQuits() throws {
    let session = try Session()
    try quit("gtk_quit.py", in: session)
    #expect(session.helperOwns)
    #expect(try session.targets().contains("image/png"))
    let png = try #require(try session.paste("image/png"))
    #expect(png.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    #expect(png.type == "image/png")
  }

  @Test(.enabled(if: has("PyQt5"), "needs python3-pyqt5"))
  func aQtProgramThatCopiesAndQuits() throws {
    let session = try Session()
    try quit("qt_quit.py", in: session)
    #expect(session.helperOwns)
    #expect(try session.paste("UTF8_STRING")?.bytes == bytes("Qt grüßt"))
    #expect(try session.paste("text/html")?.bytes == bytes("<b>Qt</b>"))
    #expect(try session.paste("application/x-example")?.bytes.count == 1_024_000)
  }

  // MARK: Clearing, losing

  @Test func aClearIsNeverUndone() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own(text: "correct-horse-battery")
    #expect(try session.control("wait-kept").status == 0)
    // That it is found at all shows what the search is worth.
    #expect(try session.memoryOfHelperContains("correct-horse-battery"))
    let notices = try session.ownerChange { try owner.ask(["clear": true]) }
    #expect(notices.last?.reason == .cleared)
    owner.kill()
    #expect(try session.control("status", "--json").text.contains("\"clipboard\":\"empty\""))
    #expect(try session.control("takeover").status == 1)
    #expect(session.owner == .none)
    #expect(try !session.memoryOfHelperContains("correct-horse-battery"))
  }

  @Test func everyCopyIsWaitedForAnew() throws {
    let session = try Session()
    let owner = try Owner(session)
    for number in 0..<40 {
      try owner.own(text: "copy \(number)")
      #expect(try session.control("wait-kept").status == 0)
      #expect(try owner.log() == ["TARGETS", "UTF8_STRING"])
    }
  }

  @Test func whatIsHeldIsDroppedWhenSomebodyElseCopiesOrClears() throws {
    let session = try Session()
    for byClearing in [true, false] {
      let owner = try Owner(session)
      try owner.own(text: "held-content")
      #expect(try owner.save(nil).isKept)
      owner.kill()
      #expect(session.helperOwns)
      if byClearing {
        _ = try session.ownerChange {
          _ = try run("xsel", ["-bc"], display: session.server.display)
        }
        #expect(session.owner == .none)
      } else {
        let next = try Owner(session)
        try next.own([["image/png", "image/png", 8, 10]])
      }
      let status = try session.control("status", "--json").text
      #expect(status.contains("\"memory\":0"))
    }
  }

  @Test func primaryIsNeverTouched() throws {
    let session = try Session()
    var requests = 0
    try session.connection.acquire(
      .primary,
      Offer(targets: [
        .init(name: "UTF8_STRING") { _ in
          requests += 1
          return .failed
        }
      ]))
    let before = session.connection.currentOwner(of: .primary)
    let owner = try Owner(session)
    try owner.own(text: "x")
    #expect(try session.control("wait-kept").status == 0)
    try session.restoration { owner.kill() }
    #expect(session.connection.currentOwner(of: .primary) == before)
    #expect(requests == 0)
  }

  // MARK: Secrets

  @Test(arguments: ["secret", "1", "", "public"])
  func theHintDecides(value: String) throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own([
      ["UTF8_STRING", "UTF8_STRING", 8, "hunter2-content"],
      ["x-kde-passwordManagerHint", "x-kde-passwordManagerHint", 8, value],
    ])
    let isPublic = value == "public"
    #expect(try session.control("wait-kept").status == (isPublic ? 0 : 4))
    #expect(
      try owner.log() == ["TARGETS", "x-kde-passwordManagerHint"]
        + (isPublic ? ["UTF8_STRING"] : []))
    #expect(try owner.save(nil).isKept == isPublic)
    #expect(try session.control("takeover").status == (isPublic ? 0 : 4))
    owner.kill()
    let pasted = try session.paste("UTF8_STRING")
    #expect((pasted != nil) == isPublic)
    if !isPublic { #expect(try !session.memoryOfHelperContains("hunter2-content")) }
  }

  // MARK: Control of the copy

  @Test func aHungOwnerIsReplacedOnDemand() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own(text: "hung")
    #expect(try session.control("wait-kept").status == 0)
    kill(owner.process.processIdentifier, SIGSTOP)
    #expect(try session.control("takeover").status == 0)
    #expect(session.helperOwns)
    #expect(try session.paste("UTF8_STRING")?.bytes == bytes("hung"))
    kill(owner.process.processIdentifier, SIGCONT)
    #expect(try owner.ask(["lost": true]) == "lost")
  }

  @Test func pausedItKeepsNothing() throws {
    let session = try Session()
    #expect(try session.control("pause").status == 0)
    #expect(try session.control("status").status == 1)
    let owner = try Owner(session)
    try owner.own(text: "private")
    #expect(try session.control("wait-kept").status == 4)
    #expect(try !owner.save(nil).isKept)
    #expect(try owner.log().isEmpty)
    #expect(try session.control("resume").status == 0)
    try owner.own(text: "public")
    #expect(try session.control("wait-kept").status == 0)
  }

  @Test func theNextCopyIsIgnoredOnDemand() throws {
    let session = try Session()
    #expect(try session.control("ignore-next").status == 0)
    let owner = try Owner(session)
    try owner.own(text: "ignored")
    #expect(try session.control("wait-kept").status == 4)
    try owner.own(text: "kept")
    #expect(try session.control("wait-kept").status == 0)
    #expect(try owner.log() == ["TARGETS", "UTF8_STRING"])
  }

  @Test func whatCameBeforeASecretDoesNotComeBack() throws {
    let session = try Session()
    let owner = try Owner(session)
    try owner.own(text: "before")
    #expect(try session.control("wait-kept").status == 0)
    let other = try Owner(session)
    try other.own([
      ["UTF8_STRING", "UTF8_STRING", 8, "secret"],
      ["x-kde-passwordManagerHint", "STRING", 8, "secret"],
    ])
    #expect(try session.control("wait-kept").status == 4)
    _ = try session.ownerChange { try other.ask(["clear": true]) }
    other.kill()
    owner.kill()
    let limit = Instant.now + 300
    _ = try session.connection.turn(until: limit) { Instant.now < limit }
    #expect(session.owner == .none)
  }

  @Test func aCopyIsOneChangeAndNoMore() throws {
    let session = try Session(nil)
    try session.start(
      environment: ["XDG_DATA_HOME": session.directory.appending(path: "data").path])
    #expect(try session.control("history", "enable").status == 0)
    let owner = try Owner(session)
    var changes = 0
    let token = session.connection.watch(session.clipboard) { _ in changes += 1 }
    defer { session.connection.unwatch(token) }
    try owner.own([
      ["UTF8_STRING", "UTF8_STRING", 8, "x"], ["application/x-formula", "a", 8, "=1+1"],
    ])
    #expect(try session.control("wait-kept").status == 6)
    let limit = Instant.now + 1_000
    _ = try session.connection.turn(until: limit) { Instant.now < limit }
    #expect(changes == 1)
    #expect(try owner.ask(["lost": true]) == "owner")
    // Whatever is chosen of the history is a change each time, for programs with a history of their own.
    #expect(try session.control("history", "select", "1").status == 0)
    #expect(try session.control("history", "select", "1").status == 0)
    try session.turn { changes < 3 }
    #expect(changes == 3)
  }

  /// Another program that restores texts may be faster; what counts is that the text is there, and that it stays.
  @Test func besideAHistoryTextsComeBackOnce() throws {
    let session = try Session()
    let home = session.directory.path
    let parcellite = try ChildProcess(
      "/usr/bin/parcellite", ["-n"],
      environment: [
        "DISPLAY": session.server.display, "HOME": home, "XDG_CONFIG_HOME": home,
        "XDG_DATA_HOME": home,
      ])
    defer { parcellite.terminate() }
    let owner = try Owner(session)
    try owner.own(text: "beside")
    #expect(try session.control("wait-kept").status == 0)
    try session.restoration { owner.kill() }
    var changes = 0
    let token = session.connection.watch(session.clipboard) { _ in changes += 1 }
    defer { session.connection.unwatch(token) }
    let limit = Instant.now + 2_500
    _ = try session.connection.turn(until: limit) { Instant.now < limit }
    #expect(changes <= 2)
    #expect(try session.paste("UTF8_STRING")?.bytes == Array("beside".utf8))
  }
}
