import Foundation
import TestServer
import Testing

@Suite struct ReadmeTests {
  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test func theProgramInTheReadmeIsTheOneThatIsCompiled() throws {
    let readme = try String(contentsOf: Self.root.appending(path: "README.md"), encoding: .utf8)
    let program = try String(
      contentsOf: Self.root.appending(path: "Tests/ReadmeProgram/main.swift"), encoding: .utf8)
    #expect(readme.contains("```swift\n\(program)```"))
  }

  @Test func theProgramInTheReadmeOffersAProfileAndItsName() throws {
    let server = try XServer()
    let program = try ChildProcess(
      builtProducts.appending(path: "readme-program").path(percentEncoded: false),
      environment: ["DISPLAY": server.display])
    defer { program.terminate() }
    // xclip fails at once as long as nobody owns the clipboard.
    let owned = try run(
      "timeout",
      ["15", "sh", "-c", "until xclip -o -selection clipboard 2>/dev/null; do :; done"],
      display: server.display)
    #expect(owned.text == "Juliane")
    let targets = try run(
      "xclip", ["-o", "-selection", "clipboard", "-t", "TARGETS"], display: server.display)
    let names = targets.text.split(separator: "\n").map(String.init)
    let own = try #require(names.firstIndex(of: "application/x-uti.com.example.profile"))
    let text = try #require(names.firstIndex(of: "UTF8_STRING"))
    #expect(own < text)
    let whole = try run(
      "xclip", ["-o", "-selection", "clipboard", "-t", "com.example.profile"],
      display: server.display)
    #expect(whole.text == #"{"name":"Juliane"}"#)
    // Something else is copied: the program ends.
    let other = try run(
      "sh", ["-c", "printf other | xclip -i -selection clipboard >/dev/null 2>&1"],
      display: server.display)
    #expect(other.status == 0)
    #expect(program.wait() == 0)
  }
}
