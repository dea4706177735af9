import Foundation
import TestServer
import Testing

/// What standard input is, by its content.
@Suite struct RecognitionTests {
  private func first(_ session: Session) throws -> (String, isText: Bool) {
    let targets = try session.pasteboard("types").text.split(separator: "\n").map {
      String($0.split(separator: "\t")[2])
    }
    return (targets.first ?? "", targets.contains("UTF8_STRING"))
  }

  @Test(arguments: [
    "GIF89a is a format", "BM stands for bitmap", "MZ begins programs", "ID3 tags",
    "P6 is a processor",
    "From: me\nTo: you\n", "%!", "PK", "Rar! I shout", "II*", "OggS", "fLaC", "wOFF",
  ])
  func wordsAreText(text: String) throws {
    let session = try Session()
    try session.copy(text)
    #expect(try first(session).isText, "\(text)")
    #expect(try session.paste() == Data(text.utf8))
  }

  @Test(arguments: [
    ("/* XPM */\nstatic char *a[] = {\n\"1 1 1 1\"};", "image/x-xpixmap"),
    ("%PDF-1.4\n", "application/pdf"), ("%!PS-Adobe-3.0\n", "application/postscript"),
    ("{\\rtf1 hi}", "text/rtf"), ("P3\n1 1\n255\n0 0 0\n", "image/x-portable-pixmap"),
  ])
  func picturesAndPagesInLettersAreNoText(content: String, target: String) throws {
    let session = try Session()
    try session.copy(content)
    let (name, isText) = try first(session)
    #expect(name == target)
    #expect(!isText)
    #expect(try session.paste() == Data(content.utf8))
  }

  @Test func aNameThatIsWrongIsNotBelieved() throws {
    let session = try Session()
    let path = try session.write(Session.png, to: "picture.txt")
    try session.pasteboard("copy", "--no-file", path)
    #expect(try session.pasteboard("types").text == "public.png\timage/png\timage/png\n")
  }

  @Test func filesThatHaveNoSizeAndPipesAreRead() throws {
    let session = try Session()
    try session.pasteboard("copy", "--no-file", "/proc/version")
    #expect(try session.paste() == Data(contentsOf: URL(fileURLWithPath: "/proc/version")))
    let result = try session.shell(
      "mkfifo p; printf piped > p & pasteboard copy p; pasteboard paste; pasteboard types -t files; echo $?"
    )
    #expect(result.text == "piped1\n")
  }
}
