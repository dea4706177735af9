import Foundation
import TestServer
import Testing

@Suite struct RoundTripTests {
  @Test(arguments: [
    0, 1, 2, 255, 256, 4_000, 65_536, 258_047, 258_048, 258_049, 4_194_304, 9_000_001,
  ])
  func everyByteSurvives(size: Int) throws {
    let session = try Session()
    let bytes = Session.bytes(size)
    let copied = try session.pasteboard("copy", input: bytes)
    #expect(copied.status == 0)
    #expect(copied.output.isEmpty && copied.errorText == "")
    #expect(try session.paste() == bytes)
  }

  @Test(arguments: [
    "hello", "hello\n", "\n", "", "a\r\nb\r\n", "tab\tand\0nul\0", "e\u{301} \u{E9}",
    "żółć 漢字 \\x41",
    "👩‍👩‍👧 \u{2028} \u{FEFF}x", "שלום",
  ])
  func textSurvivesUnchanged(text: String) throws {
    let session = try Session()
    #expect(try session.copy(text).status == 0)
    #expect(try session.paste() == Data(text.utf8))
    #expect(try session.paste("-t", "UTF8_STRING") == Data(text.utf8))
    #expect(try session.run("xclip", "-o", "-selection", "clipboard").output == Data(text.utf8))
  }

  @Test(arguments: [0, 5, 4_000, 300_000, 5_000_000])
  func xclipReadsWhatWeCopy(size: Int) throws {
    let session = try Session()
    let text = Data(String(repeating: "Grüße, 漢字. ", count: size / 20 + 1).utf8)
    try session.pasteboard("copy", input: text)
    #expect(try session.run("xclip", "-o", "-selection", "clipboard").output == text)
  }

  @Test(arguments: [1, 4_000, 1_048_575, 1_048_576, 5_000_000])
  func weReadWhatXclipCopies(size: Int) throws {
    let session = try Session()
    let bytes = Session.bytes(size)
    let file = try session.write(bytes, to: "in")
    // xclip keeps its caller's descriptors open, Foundation's own socket among them.
    _ = try session.shell(
      """
      for f in /proc/$$/fd/*; do n=${f##*/}; [ $n -gt 2 ] && eval "exec $n>&-"; done
      xclip -selection clipboard -i \(file) >/dev/null 2>&1
      """)
    #expect(try session.paste() == bytes)
  }

  @Test func xselReadsAndWrites() throws {
    let session = try Session()
    try session.copy("from us")
    #expect(try session.run("xsel", "-o", "-b").text == "from us")
    let owner = Process()
    owner.executableURL = URL(fileURLWithPath: "/usr/bin/xsel")
    owner.arguments = ["-n", "-i", "-b"]
    owner.environment = ["DISPLAY": session.server.display, "HOME": session.directory.path]
    let pipe = Pipe()
    owner.standardInput = pipe
    // The watcher says when xsel, which returns no sooner than it ends, owns the selection.
    let before = try session.pasteboard("paste", "-t", "TIMESTAMP").text
    try owner.run()
    defer {
      kill(owner.processIdentifier, SIGKILL)
      owner.waitUntilExit()
    }
    try pipe.fileHandleForWriting.write(contentsOf: Data("from xsel".utf8))
    try pipe.fileHandleForWriting.close()
    let deadline = Date.now + 10
    while try session.pasteboard("paste", "-t", "TIMESTAMP").text == before {
      #expect(Date.now < deadline)
      if Date.now >= deadline { break }
    }
    #expect(try session.paste() == Data("from xsel".utf8))
  }

  @Test func latin1IsOfferedOnlyWhereItFits() throws {
    let session = try Session()
    try session.copy("café")
    #expect(try session.paste("-t", "STRING") == Data([0x63, 0x61, 0x66, 0xE9]))
    try session.copy("☃")
    let refused = try session.pasteboard("paste", "-t", "STRING")
    #expect(refused.status == 1)
    #expect(
      refused.errorText.hasPrefix("pasteboard: no STRING in CLIPBOARD; on offer: UTF8_STRING"))
  }

  @Test func aLargeLatin1TextIsEncodedInEveryTarget() throws {
    let session = try Session()
    let text = String(repeating: "Grüße aus Köln\n", count: 500_000)
    try session.copy(text)
    let wide = Data(text.utf8)
    #expect(try session.paste() == wide)
    let narrow = try session.paste("-t", "STRING")
    #expect(narrow.count == text.unicodeScalars.count)
    #expect(String(data: narrow, encoding: .isoLatin1) == text)
  }

  @Test func selectionsAreSeparate() throws {
    let session = try Session()
    try session.copy("board")
    try session.copy("prime", "-p")
    try session.copy("mine", "-s", "MY_SELECTION")
    #expect(try session.paste() == Data("board".utf8))
    #expect(try session.paste("-p") == Data("prime".utf8))
    #expect(try session.paste("-s", "Primary") == Data("prime".utf8))
    #expect(try session.paste("-s", "MY_SELECTION") == Data("mine".utf8))
    #expect(try session.pasteboard("clear", "-p").status == 0)
    #expect(try session.pasteboard("paste", "-p").status == 1)
    #expect(try session.paste() == Data("board".utf8))
  }

  @Test func oneProcessServesSeveralSelections() throws {
    let session = try Session()
    try session.copy("both", "-s", "clipboard,primary")
    #expect(try session.paste() == Data("both".utf8))
    #expect(try session.paste("-p") == Data("both".utf8))
    try session.pasteboard("clear")
    #expect(try session.paste("-p") == Data("both".utf8))
  }

  @Test(arguments: [
    ("x\n", "x"), ("x\n\n", "x\n"), ("\n", ""), ("", ""), ("x", "x"), ("x\r\n", "x\r"),
  ])
  func oneNewlineIsTrimmed(whole: String, trimmed: String) throws {
    let session = try Session()
    try session.copy(whole, "-n")
    #expect(try session.paste() == Data(trimmed.utf8))
    try session.copy(whole)
    #expect(try session.paste("-n") == Data(trimmed.utf8))
    #expect(try session.paste() == Data(whole.utf8))
  }
}
