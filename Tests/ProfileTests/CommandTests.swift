import Foundation
import TestServer
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct CommandTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  @Test func aProfileIsCopiedAndItsNamePasted() async throws {
    let copy = try await bench.profile("copy", "zoe.json")
    #expect(copy.status == 0)
    #expect(copy.output.isEmpty)
    #expect(copy.errorText == "")
    let targets = try await bench.tool(
      "xclip", "-o", "-selection", "clipboard", "-t", "TARGETS")
    #expect(
      targets.text.split(separator: "\n") == [
        "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS",
        "application/x-uti.com.example.profile", "com.example.profile", "UTF8_STRING",
        "text/plain;charset=utf-8", "TEXT", "STRING", "text/plain", "COMPOUND_TEXT",
      ])
    #expect(
      try await bench.tool("xclip", "-o", "-selection", "clipboard").text == "Zoë Ångström")
    #expect(try await bench.tool("xsel", "-b", "-o").text == "Zoë Ångström")
    let paste = try await bench.profile("paste")
    #expect(paste.status == 0)
    #expect(paste.errorText == "")
    #expect(
      paste.text == """
        {
          "bio" : "climbs",
          "funFacts" : [
            "one"
          ],
          "id" : "6F9619FF-8B86-D011-B42D-00C04FC964FF",
          "name" : "Zoë Ångström"
        }

        """)
  }

  @Test(arguments: [["-p"], ["-s", "MY_OWN"], ["--selection", "secondary"]])
  func otherSelectionsWorkToo(option: [String]) async throws {
    let bench = bench
    func profile(_ word: String, _ file: String? = nil) async throws -> CommandResult {
      try await bench.off {
        try run(
          Bench.program, option + [word] + (file.map { [$0] } ?? []), display: bench.server.display,
          directory: bench.folder)
      }
    }
    #expect(try await profile("copy", "zoe.json").status == 0)
    #expect(try await profile("paste").text.contains("Zoë Ångström"))
    #expect(try await bench.profile("paste").status == 1)
    #expect(try await profile("clear").status == 0)
    #expect(try await profile("paste").status == 1)
  }

  @Test func textFromAnotherProgramBecomesFunFacts() async throws {
    try await bench.xclip(Data("plays the tuba".utf8))
    let file = bench.folder.appending(path: "zoe.json")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o640], ofItemAtPath: file.path(percentEncoded: false))
    let result = try await bench.profile("add-facts", "zoe.json")
    #expect(result.status == 0)
    #expect(result.text == "plays the tuba\n")
    #expect(result.errorText == "")
    let json = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    #expect(json["funFacts"] as? [String] == ["one", "plays the tuba"])
    #expect(json["name"] as? String == "Zoë Ångström")
    let attributes = try FileManager.default.attributesOfItem(
      atPath: file.path(percentEncoded: false))
    #expect(attributes[.posixPermissions] as? Int == 0o640)
    #expect(
      try FileManager.default.contentsOfDirectory(
        atPath: bench.folder.path(percentEncoded: false)
      ).sorted() == ["copied", "tmp", "zoe.json"])
  }

  @Test func factsAreRefusedWithWhatIsOnOffer() async throws {
    try await bench.xclip(Data("png".utf8), target: "image/png")
    let result = try await bench.profile("add-facts", "zoe.json")
    #expect(result.status == 1)
    #expect(result.isOneLine)
    #expect(result.errorText.contains("on offer are public.png"))
    #expect(try bench.text(of: "zoe.json") == Bench.zoe)
  }

  @Test func factsGoThroughASymbolicLinkThatStays() async throws {
    try await bench.xclip(Data("new".utf8))
    let link = bench.folder.appending(path: "link.json").path(percentEncoded: false)
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "zoe.json")
    #expect(try await bench.profile("add-facts", "link.json").status == 0)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "zoe.json")
    #expect(try bench.text(of: "zoe.json").contains("\"new\""))
  }

  @Test func anArchiveTravelsAsATableWhereItFits() async throws {
    try bench.write(
      "bob.json",
      #"{"id":"16F9619F-8B86-D011-B42D-00C04FC964FF","name":"Bob, \"B\"","bio":"x\ny","funFacts":[]}"#
    )
    #expect(try await bench.profile("archive", "copy", "zoe.json", "bob.json").status == 0)
    let table = try await bench.tool(
      "xclip", "-o", "-selection", "clipboard", "-t", "text/csv")
    #expect(
      table.text
        == "6F9619FF-8B86-D011-B42D-00C04FC964FF,Zoë Ångström,climbs,one\r\n16F9619F-8B86-D011-B42D-00C04FC964FF,\"Bob, \"\"B\"\"\",\"x\ny\"\r\n"
    )
    let whole = try await bench.profile("archive", "paste")
    #expect(whole.text.contains("Bob, \\\"B\\\""))
    try await bench.xclip(table.output, target: "text/csv")
    #expect(try await bench.profile("archive", "paste").text == whole.text)
    try await bench.xclip(Data("no,\"table".utf8), target: "text/csv")
    let broken = try await bench.profile("archive", "paste")
    #expect(broken.status == 4)
    #expect(broken.isOneLine)
  }

  @Test func anArchiveWithAFilmIsNoTable() async throws {
    try bench.write(
      "film.json",
      #"{"id":"16F9619F-8B86-D011-B42D-00C04FC964FF","name":"B","bio":"","funFacts":[],"video":"file:///a.mp4"}"#
    )
    #expect(try await bench.profile("archive", "copy", "film.json").status == 0)
    let targets = try await bench.tool(
      "xclip", "-o", "-selection", "clipboard", "-t", "TARGETS")
    #expect(!targets.text.contains("csv"))
    #expect(targets.text.contains("com.example.profiles-archive"))
    #expect(try await bench.profile("archive", "paste").text.contains("file:///a.mp4"))
  }

  @Test func aNoteIsAnyText() async throws {
    #expect(try await bench.profile("note", "copy", "a\nb").status == 0)
    #expect(try await bench.tool("xclip", "-o", "-selection", "clipboard").text == "a\nb")
    try await bench.xclip(Data("from xclip".utf8))
    #expect(try await bench.profile("note", "paste").text == "from xclip\n")
    try await bench.xclip(Data([0x5A, 0xEB]), target: "STRING")
    #expect(try await bench.profile("note", "paste").text == "Zë\n")
  }

  @Test func aFilmGoesThroughDiskUnderItsName() async throws {
    let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
    try bytes.write(to: bench.folder.appending(path: "Mein Ürlaub.mp4"))
    let copy = try await bench.profile("video", "copy", "Mein Ürlaub.mp4")
    #expect(copy.status == 0)
    #expect(copy.errorText == "")
    let paste = try await bench.profile("video", "paste", "out")
    #expect(paste.status == 0)
    #expect(paste.text == "out/Mein Ürlaub.mp4\n" || paste.text.hasSuffix("/out/Mein Ürlaub.mp4\n"))
    let again = try await bench.profile("video", "paste", "out")
    #expect(again.text.hasSuffix("out/Mein Ürlaub 2.mp4\n"))
    for name in ["Mein Ürlaub.mp4", "Mein Ürlaub 2.mp4"] {
      #expect(try Data(contentsOf: bench.folder.appending(path: "out/\(name)")) == bytes)
    }
    let raw = try await bench.tool(
      "xclip", "-o", "-selection", "clipboard", "-t", "video/mp4")
    #expect(raw.output == bytes)
    try await bench.xclip(bytes, target: "video/mp4")
    #expect(try await bench.profile("video", "paste", "named").text.hasSuffix("named/Video.mp4\n"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.temporary.path) == [])
  }

  @Test func helpIsComplete() async throws {
    let help = try await bench.profile("--help")
    #expect(help.status == 0)
    #expect(help.errorText == "")
    for word in [
      "copy", "paste", "add-facts", "archive", "note", "video", "clear", "--primary", "--selection",
      "exit:",
    ] {
      #expect(help.text.contains(word))
    }
  }
}
