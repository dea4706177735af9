import Foundation
import TestServer
import Testing

@Suite struct FailureTests {
  @Test func nothingThere() throws {
    let session = try Session()
    for verb in ["paste", "types"] {
      let result = try session.pasteboard(verb)
      #expect(result.status == 1)
      #expect(result.output.isEmpty)
      #expect(result.errorText == "pasteboard: nothing there: no program owns CLIPBOARD\n")
    }
    for verb in ["types", "inspect"] {
      let result = try session.pasteboard(verb, "--json")
      #expect(result.status == 1)
      #expect(result.text == "[]\n")
    }
    #expect(try session.pasteboard("clear").status == 0)
  }

  @Test func emptyContentIsContent() throws {
    let session = try Session()
    try session.copy("")
    #expect(try session.paste() == Data())
    try session.copy("kept")
    let refused = try session.copy("", "--no-empty")
    #expect(refused.status == 1)
    #expect(try session.paste() == Data("kept".utf8))
  }

  @Test(arguments: ["paste", "copy", "types", "clear"])
  func noDisplay(verb: String) throws {
    let unset = try run(Session.program, [verb], input: Data("x".utf8))
    #expect(unset.status == 3)
    #expect(
      unset.errorText
        == "pasteboard: Can't open display: DISPLAY is not set, so there is no X server to talk to\n"
    )
    let wrong = try run(Session.program, [verb], display: ":7777", input: Data("x".utf8))
    #expect(wrong.status == 3)
    #expect(
      wrong.errorText
        == "pasteboard: Can't open display \":7777\": no X server answers there\n")
  }

  @Test func aRefusedConnectionNamesTheCookie() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let cookie = directory.appending(path: "server").path
    _ = try run(
      "xauth", ["-f", cookie, "add", ":0", ".", "0123456789abcdef0123456789abcdef"])
    let server = try XServer(["-auth", cookie])
    let missing = directory.appending(path: "none").path
    let result = try run(
      Session.program, ["paste"], display: server.display, environment: ["XAUTHORITY": missing])
    #expect(result.status == 3)
    let lines = result.errorText.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(result.errorText.contains("the server refused this user"))
    #expect(result.errorText.contains("tried the cookie in \(missing) (No such file or directory)"))
    // Standard error is itself again afterwards, and standard output was never touched.
    #expect(result.output.isEmpty)
  }

  @Test func tooFewDescriptorsAreNoMissingServer() throws {
    let session = try Session()
    try session.copy("kept")
    let result = try session.shell("ulimit -n 4; exec -a pasteboard \(Session.program) paste")
    #expect(result.status == 3)
    #expect(result.errorText.contains("Too many open files"))
  }

  @Test func unreadableInputChangesNothing() throws {
    let session = try Session()
    try session.copy("kept")
    let missing = try session.pasteboard("copy", "missing")
    #expect(missing.status == 4)
    #expect(
      missing.errorText
        == "pasteboard: cannot read missing: No such file or directory; nothing was copied\n")
    let closed = try session.shell("pasteboard copy <&-")
    #expect(closed.status == 4)
    #expect(
      closed.errorText == "pasteboard: cannot read standard input: Bad file descriptor\n")
    let directory = try session.shell("pasteboard copy < .")
    #expect(directory.status == 4)
    #expect(
      directory.errorText == "pasteboard: cannot read standard input: Is a directory\n")
    #expect(try session.paste() == Data("kept".utf8))
  }

  @Test func anOutputThatCannotBeWritten() throws {
    let session = try Session()
    try session.copy("text")
    let closed = try session.shell("pasteboard paste >&-")
    #expect(closed.status == 4)
    #expect(
      closed.errorText == "pasteboard: cannot write to standard output: Bad file descriptor\n")
    let full = try session.shell("pasteboard paste > /dev/full")
    #expect(full.status == 4)
    #expect(
      full.errorText == "pasteboard: cannot write to standard output: No space left on device\n")
    let nowhere = try session.pasteboard("paste", "-o", "none/file")
    #expect(nowhere.status == 4)
    #expect(
      nowhere.errorText == "pasteboard: cannot write none/file: No such file or directory\n")
  }

  @Test func aClosedPipeEndsQuietly() throws {
    let session = try Session()
    try session.pasteboard("copy", input: Session.bytes(3_000_000))
    let result = try session.shell("pasteboard paste | head -c 10; echo ${PIPESTATUS[0]} >&2")
    #expect(result.output == Session.bytes(10))
    #expect(result.errorText == "141\n")
  }

  @Test func outputIsWholeOrNotThere() throws {
    let session = try Session()
    let bytes = Session.bytes(1_000_000)
    try session.pasteboard("copy", input: bytes)
    #expect(try session.paste("-o", "new") == Data())
    #expect(try session.contents("new") == bytes)
    // An existing file keeps its mode, a link stays a link.
    _ = try session.shell("echo old > target; chmod 640 target; ln -s target link")
    #expect(try session.paste("-o", "link") == Data())
    #expect(try session.contents("target") == bytes)
    #expect(try session.shell("stat -c %a target; readlink link").text == "640\ntarget\n")
    try session.pasteboard("clear")
    #expect(try session.pasteboard("paste", "-o", "target").status == 1)
    #expect(try session.contents("target") == bytes)
    #expect(try session.pasteboard("paste", "-o", "other").status == 1)
    #expect(try session.shell("ls -A").text == "link\nnew\ntarget\n")
  }

  @Test func aDirectoryGetsANewFile() throws {
    let session = try Session()
    try session.pasteboard("copy", input: Session.png)
    _ = try session.shell("mkdir d")
    #expect(try session.paste("-o", "d") == Data("d/Clipboard.png\n".utf8))
    #expect(try session.paste("-o", "d/") == Data("d/Clipboard 2.png\n".utf8))
    #expect(try session.contents("d/Clipboard 2.png") == Session.png)
  }

  @Test func aTerminalGetsNoBinary() throws {
    let session = try Session()
    try session.pasteboard("copy", input: Session.png)
    let program = Session.program
    let refused = try session.shell(
      "script -qec '\(program) paste; echo status $?' /dev/null </dev/null")
    #expect(refused.text.contains("image/png is not text, and standard output is a terminal"))
    #expect(refused.text.contains("status 4"))
    let forced = try session.shell(
      "script -qec '\(program) paste --force >/dev/tty; echo status $?' /dev/null </dev/null")
    #expect(forced.text.contains("status 0"))
  }

  @Test func aTerminalGetsNoCommandsOfOthers() throws {
    let session = try Session()
    let program = Session.program
    func shown(_ words: String) throws -> String {
      try session.shell("script -qec '\(program) \(words)' /dev/null </dev/null").text
    }
    for text in ["a\u{1B}[31m", "a\u{9B}31m", "a\0b"] {
      try session.copy(text)
      let refused = try shown("paste; echo status $?")
      #expect(refused.hasPrefix("pasteboard: UTF8_STRING has control characters, and standard"))
      #expect(refused.hasSuffix("status 4\r\n"))
      #expect(try shown("paste --force") == text)
      #expect(try shown("paste -t txt") == text)
      #expect(try session.paste() == Data(text.utf8))
    }
    for text in ["é\tb\u{8}c", "\u{A0}☃", "line\nline"] {
      try session.copy(text)
      #expect(try shown("paste") == text.replacing("\n", with: "\r\n"))
    }
    _ = try session.write(Data(), to: "a\u{1B}b")
    _ = try session.write(Data(), to: "a\\b")
    _ = try session.shell("pasteboard copy a*")
    let directory = session.directory.path
    #expect(
      try shown("paste --files")
        == "\(directory)/a\\u{1B}b\r\n\(directory)/a\\b\r\n")
    #expect(
      try session.paste("--files")
        == Data("\(directory)/a\u{1B}b\n\(directory)/a\\b\n".utf8))
  }

  @Test func aFileListMayBeAText() throws {
    let session = try Session()
    try session.copy("x-special/nautilus-clipboard\ncut\nfile:///tmp/a%20b\nfile:///tmp/c\n")
    #expect(try session.paste("--files") == Data("/tmp/a b\n/tmp/c\n".utf8))
    try session.copy("file:///tmp/c is a word in a text\n")
    #expect(try session.pasteboard("paste", "--files").status == 1)
  }

  @Test func namesWithNULAreAllOrNone() throws {
    let session = try Session()
    let owner = try ForeignOwner(
      session,
      """
      if target == 'TARGETS': targets(['text/uri-list'])
      else: answer('text/uri-list', b'file:///tmp/a\\r\\nfile://elsewhere/b\\r\\n')
      """)
    let result = try session.pasteboard("paste", "--files", "-0")
    #expect(result.status == 4)
    #expect(result.output.isEmpty)
    withExtendedLifetime(owner) {}
  }

  @Test func whatIsNotOnOfferIsNamed() throws {
    let session = try Session()
    try session.copy("☃")
    let result = try session.pasteboard("paste", "-t", "image/png")
    #expect(result.status == 1)
    #expect(
      result.errorText
        == "pasteboard: no image/png in CLIPBOARD; on offer: UTF8_STRING, "
        + "text/plain;charset=utf-8, TEXT, text/plain, COMPOUND_TEXT\n")
  }
}
