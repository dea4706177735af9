import Foundation
import TestServer
import Testing

/// The manual pages and completions know the same options as the programs.
@Suite struct CommandDocumentationTests {
  private static let share = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "scripts/share")

  private func text(_ name: String) throws -> String {
    try String(contentsOf: Self.share.appending(path: name), encoding: .utf8)
  }

  /// The long options that a help text begins lines with.
  private func options(_ help: String) -> Set<String> {
    var found: Set<String> = []
    for line in help.split(separator: "\n") where line.hasPrefix("  ") {
      for word in line.prefix(30).split(whereSeparator: { " ,".contains($0) })
      where word.hasPrefix("--") && word.count > 3 {
        found.insert(String(word.dropFirst(2).prefix { $0 != "=" }))
      }
    }
    return found
  }

  @Test(arguments: ["copy", "paste", "types", "inspect", "watch", "exchange", "clear"])
  func everyOptionOfAVerbIsDocumented(verb: String) throws {
    let options = options(try run(Session.program, [verb, "--help"]).text)
    #expect(options.contains("selection") && options.contains("help"))
    let page = try text("man1/pasteboard.1").replacing("\\-", with: "-")
    let bash = try text("bash/pasteboard")
    let zsh = try text("zsh/_pasteboard")
    let fish = try text("fish/pasteboard.fish")
    for option in options {
      #expect(page.contains("--" + option) || page.contains("." + "BR --" + option), "\(option)")
      #expect(bash.contains("--" + option), "\(option)")
      #expect(zsh.contains("--" + option), "\(option)")
      #expect(fish.contains("-l " + option), "\(option)")
    }
  }

  @Test func everyOptionOfTheButtonIsDocumented() throws {
    let program = builtProducts.appending(path: "paste-button").path
    let options = options(try run(program, ["--help"]).text)
    #expect(options.contains("accept"))
    let page = try text("man1/paste-button.1").replacing("\\-", with: "-")
    for option in options {
      #expect(page.contains("--" + option), "\(option)")
      #expect(try text("bash/pasteboard").contains("--" + option), "\(option)")
      #expect(try text("zsh/_pasteboard").contains("--" + option), "\(option)")
      #expect(try text("fish/paste-button.fish").contains("-l " + option), "\(option)")
    }
  }
}
