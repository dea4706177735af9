import Foundation
import TestServer
import Testing

@Suite struct TypeTests {
  private func targets(_ session: Session) throws -> [String] {
    try session.pasteboard("types").text.split(separator: "\n").map {
      String($0.split(separator: "\t")[2])
    }
  }

  private static let text = [
    "UTF8_STRING", "text/plain;charset=utf-8", "TEXT", "STRING", "text/plain", "COMPOUND_TEXT",
  ]
  private static let files = [
    "text/uri-list", "x-special/gnome-copied-files", "x-special/mate-copied-files",
  ]

  @Test func textIsOfferedInEveryTextTarget() throws {
    let session = try Session()
    try session.copy("hello")
    #expect(try targets(session) == Self.text)
  }

  @Test func aPictureIsNeverText() throws {
    let session = try Session()
    let png = Session.png
    try session.pasteboard("copy", input: png)
    #expect(
      try session.pasteboard("types").text == "public.png\timage/png\timage/png\n")
    #expect(
      try session.pasteboard("types", "--json").text
        == #"[{"type":"public.png","mime":"image/png","target":"image/png"}]"# + "\n")
    #expect(try session.paste() == png)
    #expect(try session.run("xclip", "-o", "-selection", "clipboard").status == 1)
  }

  @Test func theNamedTypeOfALargeFileCountsAndNotItsName() throws {
    let session = try Session()
    let text = Data(String(repeating: "Gr\u{F6}\u{DF}e\n", count: 700_000).utf8)
    let name = try session.write(text, to: "large.png")
    for words in [["--as", "public.utf8-plain-text=\(name)"], ["--no-file", "-t", "txt", name]] {
      let result = try TestServer.run(
        Session.program, ["copy"] + words, display: session.server.display)
      #expect(result.status == 0, "\(result.errorText)")
      #expect(try session.paste() == text)
    }
  }

  @Test func bytesThatAreNotUTF8AreNeverText() throws {
    let session = try Session()
    try session.pasteboard("copy", input: Data([0x63, 0x61, 0x66, 0xE9]))
    #expect(try targets(session) == ["application/octet-stream"])
    let refused = try session.pasteboard(
      "copy", "-t", "UTF8_STRING", input: Data([0x63, 0x61, 0x66, 0xE9]))
    #expect(refused.status == 4)
    #expect(
      refused.errorText
        == "pasteboard: the content is not UTF-8 (byte 3), as UTF8_STRING demands; convert it with "
        + "iconv\n")
    #expect(try targets(session) == ["application/octet-stream"])
  }

  @Test(arguments: [
    ("a.json", "{\"a\": 1}\n", "application/json"), ("a.sh", "#!/bin/sh\necho\n", ""),
    ("a.c", "int main(void) { return 0; }\n", ""), ("a.csv", "a,b\n1,2\n", "text/csv"),
    (
      "a.svg", "<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>", "image/svg+xml"
    ),
  ])
  func sourceIsAlsoText(name: String, text: String, target: String) throws {
    let session = try Session()
    let path = try session.write(Data(text.utf8), to: name)
    #expect(try session.pasteboard("copy", path).status == 0)
    let offered = try targets(session)
    #expect(offered.contains("UTF8_STRING") && offered.contains("text/uri-list"))
    if !target.isEmpty { #expect(offered.first == target) }
    #expect(try session.paste() == Data(text.utf8))
  }

  @Test func aFileIsOfferedAsContentAndAsFile() throws {
    let session = try Session()
    let png = Session.png
    let path = try session.write(png, to: "a b#é%.png")
    try session.pasteboard("copy", path)
    #expect(try targets(session) == ["image/png"] + Self.files + Self.text)
    #expect(try session.paste("-t", "public.image") == png)
    let uri = "file://" + session.directory.path + "/a%20b%23%C3%A9%25.png"
    #expect(try session.paste("-t", "text/uri-list") == Data((uri + "\r\n").utf8))
    #expect(
      try session.paste("-t", "x-special/gnome-copied-files") == Data(("copy\n" + uri).utf8))
    #expect(try session.paste("-t", "application/x-kde-cutselection") == Data("0".utf8))
    #expect(try session.paste("--files") == Data((path + "\n").utf8))
    #expect(try session.paste("--files", "-0") == Data((path + "\0").utf8))
  }

  @Test func severalFilesAreFiles() throws {
    let session = try Session()
    let first = try session.write(Data("1".utf8), to: "one")
    let second = try session.write(Data("2".utf8), to: "two")
    try session.pasteboard("copy", "--cut", "one", "./two")
    #expect(try targets(session) == Self.files + Self.text)
    #expect(try session.paste() == Data("\(first)\n\(second)".utf8))
    #expect(
      try session.paste("-t", "x-special/gnome-copied-files")
        == Data("cut\nfile://\(first)\nfile://\(second)".utf8))
    #expect(try session.paste("-t", "application/x-kde-cutselection") == Data("1".utf8))
  }

  @Test func representationsKeepTheirOrder() throws {
    let session = try Session()
    _ = try session.write(Data("<b>x</b>".utf8), to: "h")
    _ = try session.write(Session.png, to: "p")
    let copied = try session.pasteboard(
      "copy", "--as", "image/png=p", "--as", "text/html=h",
      "--as", "text/plain;charset=utf-8=-", "--as", "com.example.profile=h",
      input: Data("x".utf8))
    #expect(copied.status == 0, "\(copied.errorText)")
    #expect(
      try targets(session).filter { !Self.text.contains($0) } == [
        "image/png", "text/html", "application/x-uti.com.example.profile", "com.example.profile",
      ])
    #expect(try session.paste("-t", "html") == Data("<b>x</b>".utf8))
    #expect(try session.paste("-t", "com.example.profile") == Data("<b>x</b>".utf8))
  }

  @Test func theFirstTypeOnOfferWins() throws {
    let session = try Session()
    try session.copy("text")
    #expect(try session.paste("-t", "image/png", "-t", "txt") == Data("text".utf8))
  }

  @Test func everyTargetListedIsServed() throws {
    let session = try Session()
    let path = try session.write(Data("{\"é\": 1}".utf8), to: "a.json")
    try session.pasteboard("copy", path, "--sensitive")
    let all = try session.pasteboard("paste", "-t", "TARGETS").text.split(separator: "\n")
    #expect(all.contains("x-kde-passwordManagerHint"))
    #expect(Set(all).count == all.count)
    for target in all where !["MULTIPLE", "SAVE_TARGETS"].contains(target) {
      let result = try session.pasteboard("paste", "-t", String(target))
      #expect(result.status == 0, "\(target): \(result.errorText)")
    }
    #expect(try session.paste("-t", "x-kde-passwordManagerHint") == Data("secret".utf8))
  }

  @Test func smallFilesAreServedAsTheyWere() throws {
    let session = try Session()
    let path = try session.write(Data("before".utf8), to: "a.txt")
    try session.pasteboard("copy", path)
    try Data("after".utf8).write(to: URL(fileURLWithPath: path))
    #expect(try session.paste() == Data("before".utf8))
  }

  @Test func aLargeFileThatIsNoLongerTextIsNotServedAsText() throws {
    let session = try Session()
    let path = try session.write(Data(repeating: 0x41, count: 5_000_000), to: "a.txt")
    try session.pasteboard("copy", path, "--no-file")
    #expect(try session.paste().count == 5_000_000)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    try handle.write(contentsOf: Data([0xFF, 0xFE, 0xFF]))
    try handle.close()
    let refused = try session.pasteboard("paste")
    #expect(refused.status == 4)
    #expect(refused.output.isEmpty)
  }

  @Test func aNameWithoutAMeaningIsOnOffer() throws {
    let session = try Session()
    try session.copy("raw", "-t", "target:OWN_FORMAT")
    #expect(try session.pasteboard("types").text == "-\t-\tOWN_FORMAT\n")
    #expect(
      try session.pasteboard("types", "--json").text
        == #"[{"type":null,"mime":null,"target":"OWN_FORMAT"}]"# + "\n")
    #expect(try session.paste() == Data("raw".utf8))
    let other = try session.pasteboard("paste", "-t", "png")
    #expect(other.status == 1)
    #expect(other.errorText == "pasteboard: no png in CLIPBOARD; on offer: OWN_FORMAT\n")
    try session.pasteboard("exchange")
    #expect(try session.paste("-p", "-t", "OWN_FORMAT") == Data("raw".utf8))
    try session.pasteboard("exchange")
    try session.copy("text", "--add")
    #expect(try session.paste("-t", "OWN_FORMAT") == Data("raw".utf8))
    #expect(try session.paste() == Data("text".utf8))
  }
}
