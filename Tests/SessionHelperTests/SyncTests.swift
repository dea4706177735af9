import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// PRIMARY and CLIPBOARD follow each other, where the user wants that.
@Suite(.serialized) struct SyncTests {
  private func own(_ owner: Owner, primary text: String, _ options: [String: Any] = [:]) throws {
    try owner.own(text: text, options.merging(["selection": "PRIMARY"]) { $1 })
  }

  /// Waits until a selection has this text, or nothing for `nil`.
  private func wait(_ session: Session, _ selection: Atom, for text: String?) throws {
    let limit = Instant.now + 10_000
    while try session.paste("UTF8_STRING", selection: selection).map({
      String(decoding: $0.bytes, as: UTF8.self)
    }) != text {
      try #require(Instant.now < limit, "\(text ?? "nothing") did not come")
      _ = try session.connection.turn(until: .now + 10)
    }
  }

  private func pointer(_ session: Session, _ words: String...) throws {
    #expect(try run("xdotool", words, display: session.server.display).status == 0)
  }

  @Test func turnedOffPrimaryIsLeftAlone() throws {
    let session = try Session()
    let owner = try Owner(session)
    try own(owner, primary: "selected")
    let other = try Owner(session)
    try other.own(text: "copied")
    #expect(try session.control("wait-kept").status == 0)
    #expect(try owner.log().isEmpty)
    #expect(try session.control("sync").text == "off\n")
  }

  @Test(arguments: [
    ("primary-to-clipboard", true), ("clipboard-to-primary", false), ("both", true),
    ("both", false),
  ])
  func aTextIsTakenOver(direction: String, isPrimary: Bool) throws {
    let session = try Session(["--sync", direction])
    let owner = try Owner(session)
    try owner.own(
      [["text/html", "text/html", 8, "<i>é</i>"], ["UTF8_STRING", "UTF8_STRING", 8, "é"]],
      ["selection": isPrimary ? "PRIMARY" : "CLIPBOARD"])
    let destination = isPrimary ? session.clipboard : Atom.primary
    try wait(session, destination, for: "é")
    #expect(
      session.connection.process(of: session.connection.currentOwner(of: destination))
        == session.helper?.processIdentifier)
    #expect(try session.paste("STRING", selection: destination)?.bytes == [0xE9])
    #expect(try session.paste("text/html", selection: destination) == nil)
    #expect(try session.paste("application/x-x11pasteboard-sync", selection: destination) != nil)
    // Its owner still has what it had.
    #expect(try owner.ask(["lost": true]) == "owner")
  }

  @Test func whatWasReadEarlyIsNotAskedForAgain() throws {
    let session = try Session(["--sync", "clipboard-to-primary"])
    let owner = try Owner(session)
    try owner.own(text: "once")
    try wait(session, .primary, for: "once")
    // An owner as quick as this one has been read by then; a slow one would be asked once more.
    #expect(try owner.log().count <= 4)
    let silent = try Session(["--sync", "clipboard-to-primary", "--early-copy", "off"])
    let other = try Owner(silent)
    try other.own(text: "asked")
    try wait(silent, .primary, for: "asked")
    #expect(try other.log() == ["TARGETS", "UTF8_STRING"])
  }

  @Test func whoHandsOverAtOnceIsFollowedToo() throws {
    let session = try Session(["--sync", "clipboard-to-primary"])
    let owner = try Owner(session)
    try owner.own([["a/b", "a/b", 8, "1"], ["UTF8_STRING", "UTF8_STRING", 8, "handed over"]])
    #expect(try owner.save(nil).isKept)
    owner.kill()
    try wait(session, .primary, for: "handed over")
    #expect(session.helperOwns)
    #expect(try session.paste("a/b")?.bytes == Array("1".utf8))
    // What came from the one selection is no source for it.
    #expect(try session.control("sync", "--once", "primary-to-clipboard").status == 0)
    #expect(try session.paste("a/b")?.bytes == Array("1".utf8))
  }

  @Test func onlyTextIsTakenOver() throws {
    let session = try Session(["--sync", "both"])
    let owner = try Owner(session)
    try owner.own([["image/png", "image/png", 8, 300]], ["selection": "PRIMARY"])
    #expect(try session.control("sync", "--once", "primary-to-clipboard").status == 1)
    #expect(session.owner == .none)
    #expect(try !owner.log().contains("image/png"))
  }

  @Test func whoSelectsIsNotDisturbed() throws {
    let session = try Session(["--sync", "primary-to-clipboard"])
    let owner = try Owner(session)
    try pointer(session, "mousedown", "1")
    for number in 0..<20 { try own(owner, primary: "growing \(number)") }
    // The helper has seen it all, and asked for nothing.
    let limit = Instant.now + 400
    _ = try session.connection.turn(until: limit) { Instant.now < limit }
    #expect(try session.control("status").status == 0)
    #expect(try owner.log().isEmpty)
    #expect(session.owner == .none)
    var released = Instant.now
    let notices = try session.ownerChange {
      try pointer(session, "mouseup", "1")
      released = .now
    }
    #expect(notices.first?.reason == .newOwner)
    let milliseconds = Instant.now.milliseconds - released.milliseconds
    print("taken over \(milliseconds) ms after the button")
    #expect(milliseconds < 2_000)
    try wait(session, session.clipboard, for: "growing 19")
    #expect(try owner.log() == ["TARGETS", "UTF8_STRING"])
  }

  @Test func whoGrowsASelectionByShiftIsNotDisturbed() throws {
    let session = try Session(["--sync", "primary-to-clipboard"])
    let owner = try Owner(session)
    try pointer(session, "keydown", "Shift_L")
    try own(owner, primary: "shifted")
    let limit = Instant.now + 300
    _ = try session.connection.turn(until: limit) { Instant.now < limit }
    #expect(session.owner == .none)
    _ = try session.ownerChange { try pointer(session, "keyup", "Shift_L") }
    try wait(session, session.clipboard, for: "shifted")
  }

  @Test func aStormOfSelectionsIsAskedOnce() throws {
    let session = try Session(["--sync", "primary-to-clipboard"])
    let owner = try Owner(session)
    let before = try processorTime(session)
    for number in 0..<200 {
      try own(owner, primary: "text \(number)")
      let limit = Instant.now + 10
      _ = try session.connection.turn(until: limit) { Instant.now < limit }
    }
    try wait(session, session.clipboard, for: "text 199")
    #expect(try owner.log().count <= 3)
    // In ticks of ten milliseconds; generous, since a debug build pays for each event.
    #expect(try processorTime(session) - before <= 30)
  }

  private func processorTime(_ session: Session) throws -> Int {
    let process = try #require(session.helper).processIdentifier
    let text = try String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    let fields = try #require(text.split(separator: ")").last).split(separator: " ")
    return try #require(Int(fields[11])) + #require(Int(fields[12]))
  }

  @Test func secretsAreNotTakenOver() throws {
    let session = try Session(["--sync", "both"])
    let owner = try Owner(session)
    let secret: [[Any]] = [
      ["UTF8_STRING", "UTF8_STRING", 8, "swordfish"],
      ["x-kde-passwordManagerHint", "STRING", 8, "secret"],
    ]
    try owner.own(secret)
    #expect(try session.control("sync", "--once", "clipboard-to-primary").status == 4)
    #expect(session.connection.currentOwner(of: .primary) == .none)
    #expect(try !owner.log().contains("UTF8_STRING"))
    try owner.own(secret, ["selection": "PRIMARY"])
    #expect(try session.control("sync", "--once", "primary-to-clipboard").status == 4)
    #expect(try !owner.log().contains("UTF8_STRING"))
  }

  @Test func emptyingTheSourceEmptiesTheOther() throws {
    let session = try Session(["--sync", "both"])
    let owner = try Owner(session)
    try owner.own(text: "soon gone")
    try wait(session, .primary, for: "soon gone")
    _ = try owner.ask(["clear": true])
    try wait(session, .primary, for: nil)
    #expect(session.connection.currentOwner(of: .primary) == .none)
    try own(owner, primary: "selected")
    try wait(session, session.clipboard, for: "selected")
    _ = try owner.ask(["clear": "PRIMARY"])
    try wait(session, session.clipboard, for: nil)
    #expect(session.owner == .none)
  }

  @Test func theEndOfTheSourceEmptiesNothing() throws {
    let session = try Session(["--sync", "primary-to-clipboard"])
    let owner = try Owner(session)
    try own(owner, primary: "selected")
    try wait(session, session.clipboard, for: "selected")
    owner.kill()
    let limit = Instant.now + 300
    _ = try session.connection.turn(until: limit) { Instant.now < limit }
    try wait(session, session.clipboard, for: "selected")
  }

  @Test func itIsTurnedOnAndOffWhileItRuns() throws {
    let session = try Session()
    let owner = try Owner(session)
    #expect(try session.control("sync", "clipboard-to-primary").text == "clipboard-to-primary\n")
    try owner.own(text: "one")
    try wait(session, .primary, for: "one")
    #expect(try session.control("sync", "off").status == 0)
    try owner.own(text: "two")
    #expect(try session.control("wait-kept").status == 0)
    try wait(session, .primary, for: "one")
    #expect(try session.control("sync", "--once", "clipboard-to-primary").status == 0)
    try wait(session, .primary, for: "two")
    #expect(try session.control("sync", "sideways").status == 2)
    #expect(try session.control("sync", "--once").status == 2)
    #expect(try session.control("sync", "--once", "both").status == 2)
  }

  /// Two helpers of different make that follow in both directions come to rest.
  @Test(arguments: ["PRIMARY", "CLIPBOARD"]) func anotherThatFollowsTooIsNoLoop(source: String)
    throws
  {
    let session = try Session(["--sync", "both"])
    let others = try ["PRIMARY", "CLIPBOARD"].map { selection in
      try ChildProcess(
        "/usr/bin/autocutsel", ["-selection", selection, "-pause", "50"],
        environment: ["DISPLAY": session.server.display])
    }
    defer { for other in others { other.terminate() } }
    let owner = try Owner(session)
    try owner.own(text: "one", ["selection": source])
    try wait(session, .primary, for: "one")
    try wait(session, session.clipboard, for: "one")
    // What it makes of a second text in between is its own affair; that all come to rest is what counts.
    try owner.own(text: "two", ["selection": source])
    let settling = Instant.now + 1_500
    _ = try session.connection.turn(until: settling) { Instant.now < settling }
    var changes = 0
    let tokens = [Atom.primary, session.clipboard].map {
      session.connection.watch($0) { _ in changes += 1 }
    }
    defer { for token in tokens { session.connection.unwatch(token) } }
    let limit = Instant.now + 1_500
    _ = try session.connection.turn(until: limit) { Instant.now < limit }
    #expect(changes <= 4)
    let texts = try [Atom.primary, session.clipboard].map {
      try session.paste("UTF8_STRING", selection: $0)?.bytes
    }
    #expect(texts[0] == texts[1])
  }

  @Test func aGrowingSelectionIsOneItemOfTheHistory() throws {
    let session = try Session(nil)
    try session.start(
      ["--sync", "primary-to-clipboard"],
      environment: ["XDG_DATA_HOME": session.directory.appending(path: "data").path])
    #expect(try session.control("history", "enable").status == 0)
    let owner = try Owner(session)
    for text in ["g", "gr", "grow", "growing"] {
      try own(owner, primary: text)
      try wait(session, session.clipboard, for: text)
    }
    let list = try session.control("history", "list").text
    #expect(list.hasSuffix("\tgrowing\n"))
    #expect(list.split(separator: "\n").count == 1)
  }
}
