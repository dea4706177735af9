import Foundation
import Testing

/// What the module may not do, read from its sources.
struct DesignRuleTests {
  private var sources: [(name: String, lines: [Substring])] {
    get throws {
      let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
      let folder = root.appending(path: "Sources/SelectionProtocol")
      let files = try FileManager.default.contentsOfDirectory(
        at: folder, includingPropertiesForKeys: nil)
      return try files.map { file in
        let text = try String(contentsOf: file, encoding: .utf8)
        return (file.lastPathComponent, text.split(separator: "\n"))
      }
    }
  }

  @Test("the protocol imports nothing: no input, no output, no clock, no X")
  func importsNothing() throws {
    let sources = try sources
    #expect(sources.count >= 10)
    for (name, lines) in sources {
      #expect(name.hasSuffix(".swift"))
      for line in lines {
        let words = line.split(separator: " ")
        let imports = words.prefix(3).contains("import") && !line.hasPrefix("///")
        #expect(!imports, "\(name): \(line)")
      }
    }
  }

  @Test("a state machine says its invariants, and switches over every state")
  func statesAreComplete() throws {
    for (name, lines) in try sources {
      for line in lines where line.drop(while: { $0 == " " }) == "default:" {
        // Only atoms, which are numbers, may have a default.
        #expect(name == "OwnerState+Requests.swift", "\(name): \(line)")
      }
      if name.hasSuffix("Transfer.swift") || name.hasSuffix("State.swift") {
        #expect(lines.contains("/// Invariants"), "\(name)")
      }
    }
  }
}
