import Foundation
import TestServer
import Testing

@Suite struct ProcessTests {
  /// Process ids of the servers on a display.
  private func servers(_ session: Session) throws -> [Int32] {
    let all = try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
    return all.filter { process in
      guard let comm = try? String(contentsOfFile: "/proc/\(process)/comm", encoding: .utf8),
        comm == "pasteboard\n",
        let environment = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/environ"))
      else { return false }
      return environment.split(separator: 0).contains(
        Data("DISPLAY=\(session.server.display)".utf8))
    }
  }

  /// Waits for what the processes of a display come to.
  private func expectServers(_ count: Int, _ session: Session) throws {
    let deadline = Date.now + 5
    while Date.now < deadline {
      if try servers(session).count == count { return }
      // Another round trip to the server is the shortest thing worth waiting for.
      _ = try session.pasteboard("types", "-s", "NOTHING")
    }
    #expect(try servers(session).count == count)
  }

  @Test func theServerHoldsNothingOfTheCallers() throws {
    let session = try Session()
    let result = try session.shell(
      "exec 7</etc/passwd 9>scratch; x=$(printf hi | pasteboard copy 2>&1); echo done $x")
    #expect(result.text == "done\n")
    let server = try #require(try servers(session).first)
    let descriptors = "/proc/\(server)/fd"
    for name in try FileManager.default.contentsOfDirectory(atPath: descriptors) {
      let target = try FileManager.default.destinationOfSymbolicLink(
        atPath: "\(descriptors)/\(name)")
      if let number = Int(name), number < 3 {
        #expect(target == "/dev/null")
      } else {
        #expect(
          target.hasPrefix("socket:") || target.contains("eventfd") || target.contains("eventpoll"),
          "\(name) is \(target)")
      }
    }
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(server)/cwd") == "/")
    let stat = try String(contentsOfFile: "/proc/\(server)/stat", encoding: .utf8)
    let fields = try #require(stat.split(separator: ")").last).split(separator: " ")
    #expect(Int32(fields[3]) != getsid(0), "its session is its own")
    #expect(fields[4] == "0", "it has no terminal")
  }

  @Test func oneProcessHoweverManyCopies() throws {
    let session = try Session()
    for number in 1...20 { try session.copy("copy \(number)") }
    try expectServers(1, session)
    #expect(try session.paste() == Data("copy 20".utf8))
    try session.pasteboard("clear")
    try expectServers(0, session)
  }

  @Test func theSelectionIsOwnedWhenCopyReturns() throws {
    let session = try Session()
    let result = try session.shell(
      "for i in $(seq 100); do echo $i | pasteboard copy; "
        + "[ \"$(pasteboard paste)\" = $i ] || echo wrong $i; done", seconds: 60)
    #expect(result.text == "")
    #expect(result.errorText == "")
  }

  @Test func aCopyOutlivesItsTerminal() throws {
    let session = try Session()
    _ = try session.shell("script -qec 'printf hup | \(Session.program) copy' /dev/null </dev/null")
    #expect(try session.paste() == Data("hup".utf8))
  }

  @Test func noHomeIsNeeded() throws {
    let session = try Session()
    let result = try session.shell("printf x | env -i DISPLAY=$DISPLAY \(Session.program) copy")
    #expect(result.status == 0)
    #expect(try session.paste() == Data("x".utf8))
  }

  @Test(arguments: [("TERM", "143"), ("INT", "130"), ("HUP", "129")])
  func foregroundEndsOnSignals(name: String, status: String) throws {
    let session = try Session()
    let result = try session.shell(
      """
      pasteboard copy -f <<< x & child=$!
      while ! pasteboard paste >/dev/null 2>&1; do :; done
      kill -\(name) $child; wait $child; echo $?
      """)
    #expect(result.text == status + "\n")
    #expect(try session.pasteboard("paste").status == 1)
  }

  @Test func foregroundEndsWhenReplaced() throws {
    let session = try Session()
    let result = try session.shell(
      """
      pasteboard copy -f <<< x & child=$!
      while ! pasteboard paste >/dev/null 2>&1; do :; done
      echo y | pasteboard copy; wait $child; echo $?
      """)
    #expect(result.text == "0\n")
  }

  @Test func pastesAreCounted() throws {
    let session = try Session()
    try session.copy("secret", "--once")
    #expect(try session.pasteboard("types").status == 0)
    #expect(try session.pasteboard("paste", "-t", "TIMESTAMP").status == 0)
    #expect(try session.paste() == Data("secret".utf8))
    #expect(try session.pasteboard("paste").status == 1)
    try expectServers(0, session)
    try session.copy("twice", "--count", "2")
    #expect(try session.paste() == Data("twice".utf8))
    #expect(try session.run("xclip", "-o", "-selection", "clipboard").text == "twice")
    #expect(try session.pasteboard("paste").status == 1)
  }

  @Test func theLastPasteIsNeverLate() throws {
    let session = try Session()
    let result = try session.shell(
      "for i in $(seq 60); do echo $i | pasteboard copy --once; "
        + "[ \"$(pasteboard paste --timeout 3)\" = $i ] || echo wrong $i; done", seconds: 60)
    #expect(result.text == "")
    #expect(result.errorText == "")
  }

  @Test func whatExpiresIsOnlyOurs() throws {
    let session = try Session()
    try session.copy("old", "--expires", "0.3")
    #expect(try session.paste() == Data("old".utf8))
    try session.copy("new")
    try expectServers(1, session)
    try session.copy("brief", "--expires", "0.2")
    try expectServers(0, session)
    #expect(try session.pasteboard("paste").status == 1)
  }

  @Test func standardInputIsNotTouchedByPaste() throws {
    let session = try Session()
    try session.copy("content")
    #expect(try session.shell("echo other | pasteboard paste").text == "content")
    #expect(try session.shell("pasteboard paste <&-").text == "content")
  }
}
