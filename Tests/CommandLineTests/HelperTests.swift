import Foundation
import TestServer
import Testing

/// `pasteboard helper` and `pasteboard history` against the real helper.
@Suite struct HelperTests {
  private let server: XServer
  private let runtime: URL
  private let helper: ChildProcess

  init() throws {
    server = try XServer()
    runtime = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(
      at: runtime, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    helper = try ChildProcess(
      builtProducts.appending(path: "pasteboardd").path, ["--display", server.display],
      environment: [
        "XDG_RUNTIME_DIR": runtime.path, "XDG_DATA_HOME": runtime.path,
        "XDG_STATE_HOME": runtime.path, "XDG_CONFIG_HOME": runtime.path, "HOME": runtime.path,
      ])
    // The helper manages the clipboard once its selection has an owner; a listing that works shows it.
    let ready = try run(
      "timeout",
      [
        "15", "sh", "-c",
        "until \"$0\" helper status >/dev/null 2>&1; do :; done", Session.program,
      ],
      display: server.display, environment: ["XDG_RUNTIME_DIR": runtime.path])
    try #require(ready.status == 0)
  }

  private func pasteboard(_ words: String..., input: String? = nil) throws -> CommandResult {
    try run(
      Session.program, words, display: server.display, input: input.map { Data($0.utf8) },
      environment: ["XDG_RUNTIME_DIR": runtime.path])
  }

  private func end() {
    helper.terminate()
    try? FileManager.default.removeItem(at: runtime)
  }

  @Test func statusAndPause() throws {
    defer { end() }
    #expect(try pasteboard("helper", "status").status == 0)
    #expect(try pasteboard("helper", "pause").status == 0)
    #expect(try pasteboard("helper", "status").status == 1)
    #expect(try pasteboard("helper", "resume").status == 0)
    #expect(try pasteboard("helper", "status").status == 0)
  }

  @Test func copyWaitsUntilItIsKept() throws {
    defer { end() }
    let large = Data(repeating: 0x7A, count: 20 << 20)
    let kept = try run(
      Session.program, ["copy", "--wait-kept"], display: server.display, input: large,
      environment: ["XDG_RUNTIME_DIR": runtime.path])
    #expect(kept.status == 0)
    #expect(kept.errorText == "")
    // It is the helper's at that moment.
    let owner = try pasteboard("inspect", "--json").text
    #expect(owner.contains("pasteboardd"), "\(owner)")
    #expect(
      try run(Session.program, ["paste"], display: server.display).output == large)
  }

  @Test func copyAwaitsKeepingOnlyOfWhatCanBeKept() throws {
    let session = try Session()
    let nobody = try session.copy("alone", "--wait-kept")
    #expect(nobody.status == 4)
    #expect(
      nobody.errorText
        == "pasteboard: copied, but no clipboard manager runs that could keep it (pasteboardd is one)\n"
    )
    #expect(try session.paste() == Data("alone".utf8))
    for option in ["--sensitive", "--once", "-p", "-f", "--token", "--wait-paste"] {
      #expect(try session.copy("x", "--wait-kept", option).status == 2, "\(option)")
    }
    end()
  }

  @Test func aCopyIsKeptAndRemembered() throws {
    defer { end() }
    #expect(try pasteboard("history", "enable").status == 0)
    #expect(try pasteboard("copy", input: "remember me").status == 0)
    #expect(try pasteboard("helper", "wait-kept", "10").status == 0)
    let list = try pasteboard("history", "list")
    #expect(list.status == 0)
    #expect(list.text.contains("\tremember me"))
    #expect(try pasteboard("copy", input: "something else").status == 0)
    #expect(try pasteboard("helper", "wait-kept", "10").status == 0)
    // A menu hands the whole line back.
    let line = try #require(
      try pasteboard("history", "list").text.split(separator: "\n")
        .first { $0.hasSuffix("remember me") })
    #expect(try pasteboard("history", "select", "-", input: line + "\n").status == 0)
    #expect(try pasteboard("paste").text == "remember me")
  }

  @Test func aCopyLeavesNoProcessWhereTheHelperRuns() throws {
    defer { end() }
    #expect(try pasteboard("copy", "-t", "html", input: "<b>kept</b>").status == 0)
    let taken = try run(
      "timeout",
      [
        "15", "sh", "-c",
        "until \"$0\" inspect --json | grep -q '\"process\":\(helper.processIdentifier),'; do :; done",
        Session.program,
      ],
      display: server.display)
    #expect(taken.status == 0)
    #expect(try pasteboard("paste", "-t", "text/html").text == "<b>kept</b>")
    #expect(try pasteboard("paste", "-t", "UTF8_STRING").text == "kept")
  }

  @Test func aCopyThatIsToldToEndHandsOver() throws {
    defer { end() }
    let bytes = Data([0x89, 0x50, 0x4E, 0x47]) + Data(repeating: 7, count: 6_000_000)
    let file = runtime.appending(path: "large.png")
    try bytes.write(to: file)
    let owner = try ChildProcess(
      Session.program, ["copy", "-f", "--no-file", "-t", "png", file.path],
      environment: ["DISPLAY": server.display])
    let owned = try run(
      "timeout",
      ["15", "sh", "-c", "until \"$0\" types >/dev/null 2>&1; do :; done", Session.program],
      display: server.display)
    #expect(owned.status == 0)
    owner.signal(SIGTERM)
    #expect(owner.wait() == 128 + SIGTERM)
    #expect(try pasteboard("paste", "-t", "png").output == bytes)
  }

  @Test func theHelperDoesNotUseUpACountedPaste() throws {
    defer { end() }
    #expect(try pasteboard("copy", "--once", input: "once").status == 0)
    // The helper has looked at it and says that it is not for keeping.
    #expect(try pasteboard("helper", "wait-kept", "10").status == 4)
    #expect(try pasteboard("paste").text == "once")
    let gone = try run(
      "timeout",
      ["15", "sh", "-c", "while \"$0\" paste >/dev/null 2>&1; do :; done", Session.program],
      display: server.display)
    #expect(gone.status == 0)
  }

  @Test func theHistoryGoesOutAndComesBack() throws {
    defer { end() }
    #expect(try pasteboard("history", "enable").status == 0)
    #expect(try pasteboard("copy", input: "remember me").status == 0)
    #expect(try pasteboard("helper", "wait-kept", "10").status == 0)
    let archive = try pasteboard("history", "export").text
    #expect(archive.contains("\"target\":\"UTF8_STRING\""))
    #expect(try pasteboard("history", "purge").status == 0)
    #expect(try pasteboard("history", "list").text.isEmpty)
    #expect(try pasteboard("history", "import", "-", input: archive).text == "1 added\n")
    #expect(try pasteboard("history", "list").text.hasSuffix("\tremember me\n"))
    // A menu that was left without a choice changes nothing.
    #expect(try pasteboard("history", "select", "-", input: "").status == 1)
    #expect(try pasteboard("paste").text == "remember me")
    #expect(try pasteboard("history", "disable").status == 0)
  }

  @Test func oneSelectionFollowsTheOther() throws {
    defer { end() }
    #expect(try pasteboard("helper", "sync").text == "off\n")
    #expect(try pasteboard("copy", "-p", input: "selected").status == 0)
    #expect(try pasteboard("helper", "sync", "--once", "primary-to-clipboard").status == 0)
    #expect(try pasteboard("paste").text == "selected")
    #expect(try pasteboard("helper", "sync", "nowhere").status == 2)
    #expect(try pasteboard("helper", "reload").status == 0)
  }

  @Test func badVerbsAreNamed() throws {
    defer { end() }
    let unknown = try pasteboard("helper", "dance")
    #expect(unknown.status == 2)
    #expect(
      unknown.errorText == "pasteboard: unknown verb \"dance\" (see pasteboard helper --help)\n")
    #expect(try pasteboard("helper").status == 2)
    #expect(try pasteboard("history").status == 2)
    #expect(try pasteboard("helper", "--help").text.hasPrefix("Usage: pasteboard helper"))
    #expect(try pasteboard("history", "--help").text.hasPrefix("Usage: pasteboard history"))
  }

  @Test func withoutAHelperItSaysSo() throws {
    defer { end() }
    let other = try XServer()
    let result = try run(
      Session.program, ["helper", "status"], display: other.display,
      environment: ["XDG_RUNTIME_DIR": runtime.path])
    #expect(result.status == 76)
    #expect(result.errorText.hasPrefix("pasteboard: no helper runs for this display"))
    withExtendedLifetime(other) {}
  }
}
