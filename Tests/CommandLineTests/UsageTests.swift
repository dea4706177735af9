import Foundation
import TestServer
import Testing

@Suite struct UsageTests {
  struct Wrong: Sendable {
    var words: [String]
    var message: String
  }

  @Test(arguments: [
    Wrong(words: [], message: "what to do? copy, paste, types… (see pasteboard --help)"),
    Wrong(words: ["jump"], message: "unknown command \"jump\" (see pasteboard --help)"),
    Wrong(
      words: ["paste", "--bogus"], message: "unknown option --bogus (see pasteboard paste --help)"),
    Wrong(words: ["paste", "-x"], message: "unknown option -x (see pasteboard paste --help)"),
    Wrong(
      words: ["copy", "--type"], message: "--type needs an argument (see pasteboard copy --help)"),
    Wrong(words: ["copy", "-t"], message: "-t needs an argument (see pasteboard copy --help)"),
    Wrong(
      words: ["copy", "--once=3"], message: "--once takes no argument (see pasteboard copy --help)"),
    Wrong(
      words: ["copy", "--count", "0"],
      message: "--count wants a whole number above zero, not \"0\""),
    Wrong(
      words: ["paste", "--timeout", "soon"],
      message: "--timeout wants seconds above zero, such as 5 or 0.5, not \"soon\""),
    Wrong(
      words: ["paste", "file"],
      message: "paste takes no file name (\"file\"); write to a file with -o FILE"),
    Wrong(
      words: ["paste", "-t", "DELETE"],
      message: "asking for DELETE changes something at the owner; use --force to do it"),
    Wrong(words: ["copy", "--as", "png"], message: "--as wants TYPE=FILE, not \"png\""),
    Wrong(words: ["copy", "--cut"], message: "--cut needs FILEs to be moved"),
    Wrong(
      words: ["copy", "-t", "TARGETS"],
      message:
        "-t TARGETS: the name belongs to the selection protocol and cannot be offered as content"),
    Wrong(words: ["types", "x"], message: "types takes no operand (see pasteboard types --help)"),
    Wrong(words: ["paste", "-0"], message: "-0 goes with --files"),
    Wrong(
      words: ["paste", "-s", "clipboard,primary"],
      message: "\"clipboard,primary\": only one selection can be named here"),
  ])
  func wrongUseIsStatusTwo(wrong: Wrong) throws {
    let result = try run(Session.program, wrong.words, display: ":1")
    #expect(result.status == 2)
    #expect(result.output.isEmpty)
    #expect(result.errorText == "pasteboard: " + wrong.message + "\n")
  }

  @Test(arguments: ["copy", "paste", "types", "inspect", "watch", "exchange", "clear"])
  func helpFitsAScreen(verb: String) throws {
    let result = try run(Session.program, [verb, "--help"])
    #expect(result.status == 0)
    #expect(result.errorText == "")
    #expect(result.text.hasPrefix("Usage: pasteboard \(verb) [OPTION]…"))
    let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count <= 45)
    #expect(lines.allSatisfy { $0.count <= 80 })
  }

  @Test func helpOfTheProgram() throws {
    let result = try run(Session.program, ["--help"])
    #expect(result.status == 0)
    #expect(
      result.text == """
        Usage: pasteboard COMMAND [OPTION]…

        Copy and paste between the command line and X programs.

          copy [FILE]…    make standard input, or files, the clipboard
          paste           write the clipboard to standard output or a file
          types           list what is on offer
          inspect         tell who owns the selections, and every target
          watch           tell of every change, or run a command for it
          exchange        swap the primary selection and the clipboard
          clear           empty the clipboard
          helper VERB     talk to pasteboardd, which keeps copies when programs end
          history VERB    what pasteboardd remembers, once that is turned on

        pasteboard COMMAND --help tells more. pasteboard --version tells the version.

          echo hello | pasteboard copy
          pasteboard paste > note.txt
          pasteboard copy picture.png           as a picture, and as a file
          pasteboard paste -t png -o shot.png

        Status: 0 done, 1 nothing there or not on offer, 2 usage, 3 no display or
        connection lost, 4 refused, failed or timed out.

        """)
  }

  @Test func helpOfPasteIsPinned() throws {
    let result = try run(Session.program, ["paste", "-h"])
    #expect(result.text.contains("-o, --output FILE      into FILE, whole or not at all"))
    #expect(result.text.contains("Without --timeout an owner may take 2 s to say what it offers"))
  }
}
