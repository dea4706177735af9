import Foundation
import TestServer
import Testing

/// What large programs were seen to do with selections, done again without them: `scripts/interop.d/record.py` wrote it
/// down while they ran.
@Suite(.serialized)
final class ReplayTests {
  private let server: XServer
  private let directory: URL

  init() throws {
    server = try XServer()
    directory = FileManager.default.temporaryDirectory.appending(
      path: "replay-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: directory) }

  @Test("nothing that was recorded is missing")
  func programs() {
    #expect(Replayer.programs.count == 9, "\(Replayer.programs)")
  }

  @Test("what they copied is pasted as they offered and sent it", arguments: Replayer.programs)
  func owners(_ program: String) throws {
    let replayer = try Replayer(program, display: server.display)
    #expect(!replayer.recorded.owner.isEmpty)
    for (kind, owner) in replayer.recorded.owner.sorted(by: { $0.key < $1.key }) {
      let targets = try #require(owner.targets)
      var result: CommandResult?
      let asked = try replayer.owning(kind) {
        result = try pasteboard(
          ["paste", "-s", owner.selection.lowercased()] + options(owner.kind))
      }
      let pasted = try #require(result)
      #expect(pasted.status == 0, "\(program), \(kind): \(pasted.errorText)")
      #expect(asked.first == "TARGETS")
      let picked = try #require(asked.last)
      #expect(targets.contains(picked), "\(program), \(kind): asked for \(picked)")
      // The best of its kind at once, with nothing asked in vain.
      #expect(asked.count == 2, "\(program), \(kind): \(asked)")
      #expect(Self.best(of: targets, owner.kind) == picked, "\(program), \(kind): \(targets)")
      switch owner.content {
      case .paths(let paths):
        let found = pasted.output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
        #expect(found.sorted() == paths.sorted(), "\(program), \(kind)")
      case .bytes(let bytes) where owner.kind != "png":
        #expect(pasted.output == bytes, "\(program), \(kind): \(pasted.output.count) bytes")
      case .bytes, nil:
        // The bytes were not recorded, but their number, and how they came.
        #expect(pasted.output.prefix(16) == Data("0000000\n0000001\n".utf8), "\(program), \(kind)")
        #expect(pasted.output.count > 1_000)
      }
    }
  }

  private struct Inspected: Decodable {
    let selection: String
    let targets: [String]?
  }

  @Test("every target that they list is told", arguments: Replayer.programs)
  func lists(_ program: String) throws {
    let replayer = try Replayer(program, display: server.display)
    for (kind, owner) in replayer.recorded.owner.sorted(by: { $0.key < $1.key }) {
      var result: CommandResult?
      _ = try replayer.owning(kind) { result = try pasteboard(["inspect", "--json"]) }
      let told = try JSONDecoder().decode([Inspected].self, from: try #require(result).output)
        .first { $0.selection == owner.selection }?.targets
      #expect(told == owner.targets, "\(program), \(kind)")
    }
  }

  @Test("as they ask, so they get what we copied", arguments: Replayer.programs)
  func requestors(_ program: String) throws {
    let replayer = try Replayer(program, display: server.display)
    #expect(!replayer.recorded.requestor.isEmpty)
    for (kind, count) in replayer.recorded.requestor.sorted(by: { $0.key < $1.key }) {
      let sums = try copy(kind)
      let answers = try replayer.asking(kind)
      #expect(answers.count == count && count > 0, "\(program), \(kind)")
      var arrived = false
      for answer in answers {
        #expect(answer.error == nil, "\(program), \(kind), \(answer.target)")
        #expect(answer.granted == answer.recorded, "\(program), \(kind), \(answer.target)")
        guard answer.granted, let sum = answer.sum else { continue }
        if answer.target == "TARGETS" {
          #expect(answer.type == "ATOM" && (answer.length ?? 0) > 16, "\(program), \(kind)")
        } else if let wanted = sums[answer.target] {
          #expect(sum == wanted, "\(program), \(kind), \(answer.target): \(answer.length ?? -1)")
          arrived = true
        }
      }
      #expect(arrived, "\(program), \(kind): \(answers.map(\.target))")
    }
  }

  // MARK: What is copied

  /// Copies what the kind says; the checksum of the bytes by target.
  private func copy(_ kind: String) throws -> [String: UInt32] {
    let text = ["UTF8_STRING", "text/plain;charset=utf-8", "TEXT", "text/plain", "STRING"]
    func sums(_ data: Data, _ targets: [String]) -> [String: UInt32] {
      Dictionary(uniqueKeysWithValues: targets.map { ($0, Self.adler32(data)) })
    }
    switch kind {
    case "html":
      let html = Data("<p>bold <b>Gr\u{F6}\u{DF}e</b> \u{1F600}</p>".utf8)
      let plain = Data("bold".utf8)
      try copied([
        "--as", "text/html=\(write(html, "a.html"))", "--as", "text/plain=\(write(plain, "a"))",
      ])
      return sums(html, ["text/html"])
    case "png":
      // What is no picture travels as well as one.
      let picture =
        Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(repeating: 7, count: 9_000)
      try copied(["--no-file", write(picture, "a.png")])
      return sums(picture, ["image/png"])
    case "files":
      let names = ["plain.txt", "with space.txt", "Gr\u{F6}\u{DF}e.txt"]
      let paths = try names.map { try write(Data($0.utf8), $0) }
      try copied(paths)
      let lines = try paths.map { path in
        "file://" + (try #require(path.addingPercentEncoding(withAllowedCharacters: Self.plain)))
      }
      return sums(Data(lines.map { $0 + "\r\n" }.joined().utf8), ["text/uri-list"])
        .merging(
          sums(
            Data((["copy"] + lines).joined(separator: "\n").utf8), ["x-special/gnome-copied-files"])
        ) { first, _ in first }
    case "5MB":
      let line = "Gr\u{F6}\u{DF}e \u{4F60}\u{597D} \u{1F600} abcdefghijklmnopqrstuvwxyz\n"
      let data = Data(String(repeating: line, count: 5_000_000 / line.utf8.count).utf8)
      let picture = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + data
      try copied([
        "--as", "image/png=\(write(picture, "b.png"))", "--as",
        "public.utf8-plain-text=\(write(data, "b"))",
      ])
      return sums(data, text).merging(sums(picture, ["image/png"])) { first, _ in first }
    default:
      let data = Data(
        (kind == "ascii" ? "plain text" : "Gr\u{F6}\u{DF}e \u{4F60}\u{597D} \u{1F600}").utf8)
      try copied(["-s", kind == "primary" ? "primary" : "clipboard"], input: data)
      return sums(data, text)
    }
  }

  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

  private func copied(_ words: [String], input: Data? = nil) throws {
    let result = try pasteboard(["copy"] + words, input: input)
    try #require(result.status == 0, "\(result.errorText)")
  }

  private func write(_ data: Data, _ name: String) throws -> String {
    let url = directory.appending(path: name)
    try data.write(to: url)
    return url.path(percentEncoded: false)
  }

  private func pasteboard(_ words: [String], input: Data? = nil) throws -> CommandResult {
    try run(
      builtProducts.appending(path: "pasteboard").path(percentEncoded: false), words,
      display: server.display, input: input, directory: directory)
  }

  /// How to paste a kind of content.
  private func options(_ kind: String) -> [String] {
    switch kind {
    case "html": ["-t", "text/html"]
    case "png": ["-t", "png"]
    case "files": ["--files", "-0"]
    default: []
    }
  }

  /// The target that a person would choose: the exact one, or for text the one that says that it is UTF-8.
  private static func best(of targets: [String], _ kind: String) -> String? {
    let wanted =
      switch kind {
      case "html": ["text/html"]
      case "png": ["image/png"]
      case "files": ["text/uri-list"]
      default:
        [
          "UTF8_STRING", "text/plain;charset=utf-8", "text/plain;charset=UTF-8", "text/plain",
          "STRING",
        ]
      }
    return wanted.first { targets.contains($0) }
  }

  private static func adler32(_ data: Data) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }
}
