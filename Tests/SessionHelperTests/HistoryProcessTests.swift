import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

@testable import SessionHelper

/// The history of a running helper.
@Suite(.serialized) struct HistoryProcessTests {
  private func file(_ session: Session) -> String {
    session.directory.appending(path: "data/pasteboard/history.sqlite").path
  }

  private func started() throws -> Session {
    let session = try Session(nil)
    try start(session)
    return session
  }

  private func start(_ session: Session, _ arguments: [String] = []) throws {
    try session.start(
      arguments,
      environment: ["XDG_DATA_HOME": session.directory.appending(path: "data").path])
  }

  private func copy(_ session: Session, _ owner: Owner, _ text: String) throws {
    try owner.own(text: text)
    #expect(try session.control("wait-kept").status == 0)
  }

  @Test func itIsOffUntilItIsTurnedOn() throws {
    let session = try started()
    let owner = try Owner(session)
    try copy(session, owner, "before")
    #expect(try session.control("history", "list").status == 4)
    #expect(!FileManager.default.fileExists(atPath: session.directory.path + "/data"))
    let enabled = try session.control("history", "enable")
    #expect(enabled.status == 0)
    #expect(enabled.text.contains(file(session)))
    try copy(session, owner, "one")
    try copy(session, owner, "two\nlines")
    #expect(try session.control("history", "list").text == "2\ttwo\u{240A}lines\n1\tone\n")
    // It stays on.
    let helper = try #require(session.helper)
    session.end(helper)
    try start(session)
    #expect(try session.control("history", "list", "1").text == "2\ttwo\u{240A}lines\n")
    #expect(try session.control("history", "disable").status == 0)
    #expect(!FileManager.default.fileExists(atPath: file(session)))
    try copy(session, owner, "after")
    #expect(try session.control("history", "list").status == 4)
  }

  @Test func aChoiceIsOfferedWithAllItsTypes() throws {
    let session = try started()
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    try owner.own([
      ["text/html", "text/html", 8, "<i>first</i>"], ["UTF8_STRING", "UTF8_STRING", 8, "first"],
      ["image/png", "image/png", 8, 3_000],
    ])
    #expect(try session.control("wait-kept").status == 6)
    #expect(try owner.save(nil).isKept)
    try copy(session, owner, "second")
    let list = try session.control("history", "list").text
    #expect(list == "2\tsecond\n1\tfirst\n")
    let line = try #require(list.split(separator: "\n").last.map(String.init))
    #expect(try session.control("history", "select", line).status == 0)
    #expect(session.helperOwns)
    #expect(try session.targets().dropFirst(3) == ["text/html", "UTF8_STRING", "image/png"])
    #expect(try session.paste("image/png")?.bytes == Owner.pattern(3_000, seed: 2))
    #expect(
      Array(try session.control("history", "show", "1", "image/png").output)
        == Owner.pattern(3_000, seed: 2))
    #expect(try session.control("history", "list").text == "1\tfirst\n2\tsecond\n")
    #expect(try session.control("history", "search", "sec").text == "2\tsecond\n")
    #expect(try session.control("history", "search", "third").status == 1)
    let json = try session.control("history", "list", "1", "--json").output
    let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: Any])
    #expect(object["types"] as? [String] == ["text/html", "UTF8_STRING", "image/png"])
    // A menu that was left without a choice changes nothing.
    let none = try run(
      session.program, ["--control", "history", "select", "-"], display: session.server.display,
      input: Data(), environment: ["XDG_RUNTIME_DIR": session.directory.path])
    #expect(none.status == 1)
    #expect(session.helperOwns)
  }

  @Test func secretsAndRegrettedCopiesAreNotRemembered() throws {
    let session = try started()
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    try owner.own([
      ["UTF8_STRING", "UTF8_STRING", 8, "marked-secret"],
      ["x-kde-passwordManagerHint", "STRING", 8, "secret"],
    ])
    #expect(try session.control("wait-kept").status == 4)
    try copy(session, owner, "regretted")
    #expect(try session.control("history", "list").text == "1\tregretted\n")
    _ = try session.ownerChange { try owner.ask(["clear": true]) }
    #expect(try session.control("history", "list").text.isEmpty)
    for name in try FileManager.default.subpathsOfDirectory(
      atPath: session.directory.path + "/data")
    {
      let data = FileManager.default.contents(atPath: session.directory.path + "/data/" + name)
      #expect(data?.range(of: Data("regretted".utf8)) == nil)
      #expect(data?.range(of: Data("marked-secret".utf8)) == nil)
    }
  }

  @Test func whatWasConfirmedSurvivesAKillAtAnyMoment() throws {
    let session = try started()
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    for round in 0..<15 {
      try copy(session, owner, "confirmed \(round)")
      let helper = try #require(session.helper)
      // The next copy is being dealt with while the helper dies.
      try owner.own(text: "unconfirmed \(round)")
      session.end(helper)
      try start(session)
      let list = try session.control("history", "list", "100")
      #expect(list.status == 0)
      for earlier in 0...round { #expect(list.text.contains("\tconfirmed \(earlier)\n")) }
    }
    #expect(try !session.control("doctor").text.contains("damaged"))
  }

  @Test(arguments: [
    ["show"], ["show", "x"], ["select"], ["select", "99999999999999999999"], ["delete"],
    ["delete", "1", "x"], ["pin"], ["purge", "0"], ["purge", "1", "2"], ["list", "0"],
    ["list", "x"], ["dance"], ["enable", "now"], [],
  ])
  func misuseIsTold(words: [String]) throws {
    let session = try started()
    _ = try session.control("history", "enable")
    let result = try run(
      session.program, ["--control", "history"] + words, display: session.server.display,
      environment: ["XDG_RUNTIME_DIR": session.directory.path])
    #expect(result.status == 2)
    #expect(!result.errorText.isEmpty)
  }

  // MARK: Bad days

  @Test func aFullDiskLosesWhatDoesNotFitAndSaysSo() throws {
    let session = try Session(nil)
    // In blocks of 512 bytes: room for the empty history, and for no more than a few copies.
    try session.start(
      [], environment: ["XDG_DATA_HOME": session.directory.appending(path: "data").path],
      sizeOfFiles: 1_000)
    #expect(try session.control("history", "enable").status == 0)
    let owner = try Owner(session)
    for number in 0..<8 {
      try copy(session, owner, "\(number) " + String(repeating: "x", count: 200_000))
    }
    #expect(try session.control("doctor").text.contains("could not be recorded"))
    #expect(try session.control("history", "list").status == 0)
    // The copy itself is as safe as ever.
    try session.restoration { owner.kill() }
    #expect(try session.paste("UTF8_STRING")?.bytes.first == UInt8(ascii: "7"))
    // Whoever makes room can go on.
    _ = try session.control("history", "purge")
    let next = try Owner(session)
    try copy(session, next, "small")
    #expect(try session.control("history", "list").text.contains("small"))
  }

  @Test func aLockedFileHoldsNothingUp() throws {
    let session = try started()
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    try copy(session, owner, "before")
    do {
      let other = try Database(path: file(session))
      try other.execute("BEGIN EXCLUSIVE")
      try copy(session, owner, "meanwhile")
      #expect(try session.control("doctor").text.contains("could not be recorded"))
      #expect(try session.control("history", "purge").status == 4)
    }
    try copy(session, owner, "after")
    let list = try session.control("history", "list").text
    #expect(list.contains("after") && list.contains("before"))
  }

  @Test func aFileThatIsDamagedMeanwhileIsMovedAside() throws {
    let session = try started()
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    // More than the helper holds in memory of it.
    for number in 0..<20 {
      try copy(session, owner, "\(number) " + String(repeating: "x", count: 100_000))
    }
    do {
      let other = try Database(path: file(session))
      try other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    }
    try #require(truncate(file(session), 3 * 4_096) == 0)
    for number in 0..<3 { try copy(session, owner, "after \(number)") }
    _ = try session.control("history", "show", "1")
    _ = try session.control("history", "list")
    #expect(try session.control("status").status == 0)
    session.end(try #require(session.helper))
    try start(session)
    let folder = URL(fileURLWithPath: file(session)).deletingLastPathComponent()
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.contains { $0.contains(".damaged-") })
    try copy(session, owner, "new")
    #expect(try session.control("history", "list").text.contains("\tnew\n"))
  }

  @Test func whoRemovesTheFileTurnsItOff() throws {
    let session = try started()
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    try copy(session, owner, "one")
    for end in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: file(session) + end)
    }
    try copy(session, owner, "two")
    #expect(try session.control("history", "list").status == 4)
    #expect(!FileManager.default.fileExists(atPath: file(session)))
    #expect(try session.control("history", "enable").status == 0)
    try copy(session, owner, "three")
    #expect(try session.control("history", "list").text == "1\tthree\n")
  }

  @Test func largeContentCostsNoMoreThanItself() throws {
    let session = try started()
    _ = try session.control("history", "enable")
    let owner = try Owner(session)
    let before = try session.memory("VmRSS")
    try owner.own([["image/png", "image/png", 8, 30 << 20]])
    #expect(try owner.save(nil).isKept)
    #expect(try session.control("wait-kept").status == 0)
    #expect(try session.control("history", "list").text.contains("\t[image/png, 31457280 bytes]"))
    let peak = try session.memory("VmHWM") - before
    #expect(peak < 30 * 1_024 * 12 / 10 + 4_000, "\(peak) KiB more")
  }
}
