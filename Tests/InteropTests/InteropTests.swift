import Foundation
import TestServer
import Testing

/// The part of `scripts/interop` that is quick enough for every test run: the same drivers, on the programs just built.
@Suite(.serialized)
struct InteropTests {
  /// A program, and the cells in which it has no such thing or a known fault of its own.
  struct Row: CustomTestStringConvertible {
    let program: String
    var without: Set<String> = []
    var testDescription: String { program }
  }

  private struct Outcome: Decodable {
    struct Cell: Decodable {
      let state: String
      let note: String
    }
    let name: String
    let version: String
    let cells: [String: Cell]
  }

  private static let textOnly: Set = [
    "theirs html", "ours html", "theirs png", "ours png", "theirs files", "ours files",
  ]
  static let rows = [
    Row(program: "xclip"),
    Row(program: "xsel", without: textOnly),
    Row(program: "xterm", without: textOnly),
    // Tk breaks characters where it cuts a large text.
    Row(program: "tk", without: textOnly.union(["theirs 5MB"])),
    Row(program: "gtk3"),
    Row(program: "qt5"),
  ]

  @Test("copies what we paste, and pastes what we copy", arguments: rows)
  func bothWays(_ row: Row) throws {
    let outcome = try matrix(row.program, ["--quick"])
    #expect(outcome.cells.count == 16)
    for (place, cell) in outcome.cells {
      if row.without.contains(place) {
        #expect(["cannot", "fault"].contains(cell.state), "\(row.program), \(place): \(cell.note)")
      } else {
        #expect(cell.state == "pass", "\(row.program), \(place): \(cell.note)")
      }
    }
  }

  @Test("a program of ours that gives something else is noticed")
  func noticesWrongBytes() throws {
    let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let liar = directory.appending(path: "pasteboard")
    try Data("#!/bin/sh\necho something else\n".utf8).write(to: liar)
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: liar.path(percentEncoded: false))
    let outcome = try matrix("xsel", ["--columns", "ascii"], binaries: directory)
    #expect(outcome.cells["theirs ascii"]?.state == "FAIL")
    #expect(outcome.cells["ours ascii"]?.state == "FAIL")
  }

  private func matrix(
    _ program: String, _ options: [String], binaries: URL = builtProducts
  ) throws -> Outcome {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let results = FileManager.default.temporaryDirectory.appending(
      path: "\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: results) }
    let matrix = root.appending(path: "scripts/interop.d/matrix.py")
    let result = try run(
      "/usr/bin/python3",
      ["-B", matrix.path, "--binaries", binaries.path, "--json", results.path] + options
        + [program],
      seconds: 60)
    let outcomes = try JSONDecoder().decode([Outcome].self, from: Data(contentsOf: results))
    let outcome = try #require(outcomes.first, "\(result.errorText)")
    let isWrong = outcome.cells.values.contains { $0.state == "FAIL" }
    #expect(result.status == (isWrong ? 1 : 0), "\(result.errorText)")
    return outcome
  }
}
