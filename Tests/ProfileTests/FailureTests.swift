import Foundation
import TestServer
import Testing

@Suite(.serialized, .timeLimit(.minutes(2))) struct FailureTests {
  let bench: Bench

  init() throws { bench = try Bench() }

  /// Commands that need a display, each with its arguments.
  static let all = [
    ["copy", "zoe.json"], ["paste"], ["add-facts", "zoe.json"], ["archive", "copy", "zoe.json"],
    ["archive", "paste"], ["note", "copy", "x"], ["note", "paste"], ["video", "copy", "zoe.json"],
    ["video", "paste", "out"], ["clear"],
  ]

  private func profile(_ words: [String], display: String?) async throws -> CommandResult {
    let folder = bench.folder
    return try await bench.off {
      try run(Bench.program, words, display: display, directory: folder)
    }
  }

  @Test(arguments: all) func withoutADisplay(words: [String]) async throws {
    let result = try await profile(words, display: nil)
    #expect(result.status == 3)
    #expect(result.isOneLine)
    #expect(result.errorText.contains("DISPLAY is not set"))
    #expect(try bench.text(of: "zoe.json") == Bench.zoe)
  }

  @Test(arguments: all) func onAWrongDisplay(words: [String]) async throws {
    let result = try await profile(words, display: ":9999")
    #expect(result.status == 3)
    #expect(result.isOneLine)
    #expect(result.errorText.contains(":9999"))
  }

  @Test func refusedByTheServer() async throws {
    let cookies = bench.folder.appending(path: "cookies").path(percentEncoded: false)
    let made = try await bench.tool(
      "xauth", "-f", cookies, "add", ":0", ".", "0123456789abcdef0123456789abcdef")
    #expect(made.status == 0)
    let guarded = try XServer(["-auth", cookies])
    let result = try await profile(["copy", "zoe.json"], display: guarded.display)
    #expect(result.status == 3)
    #expect(result.errorText.split(separator: "\n").last?.hasPrefix("profile: ") == true)
    #expect(result.errorText.contains("refused"))
  }

  @Test(arguments: [
    [], ["nonsense"], ["-x"], ["paste", "--unknown"], ["copy"], ["copy", "a", "b"], ["paste", "x"],
    ["video"], ["video", "copy"], ["archive", "copy"], ["note", "copy"], ["-s"], ["-s", ""],
    ["paste", "-s", "a\nb"], ["clear", "x"],
  ])
  func usage(words: [String]) async throws {
    let result = try await profile(words, display: bench.server.display)
    #expect(result.status == 2)
    #expect(result.isOneLine)
    #expect(result.output.isEmpty)
  }

  @Test(arguments: [
    ("missing.json", "there is no such file"), ("tmp", "cannot be read"),
    ("bad.json", "no profile"),
    ("empty.json", "no profile"), ("other.json", "no profile"), ("/dev/zero", "larger than"),
  ])
  func aFileThatIsNoProfile(name: String, reason: String) async throws {
    try bench.write("bad.json", "{\"id\":")
    try bench.write("empty.json", "")
    try bench.write("other.json", #"{"id":7,"name":[]}"#)
    for words in [["copy", name], ["add-facts", name], ["archive", "copy", "zoe.json", name]] {
      let result = try await profile(words, display: bench.server.display)
      #expect(result.status == 4)
      #expect(result.isOneLine)
      #expect(result.errorText.contains(reason))
    }
    #expect(try bench.text(of: "bad.json") == "{\"id\":")
    #expect(try bench.servingProcesses() == [])
  }

  @Test(arguments: ["missing.mp4", "tmp"]) func aFilmThatIsNone(name: String) async throws {
    let result = try await bench.profile("video", "copy", name)
    #expect(result.status == 4)
    #expect(result.isOneLine)
    #expect(try bench.servingProcesses() == [])
  }

  @Test func nothingIsThere() async throws {
    for words in [
      ["paste"], ["add-facts", "zoe.json"], ["note", "paste"], ["video", "paste", "out"],
    ] {
      let result = try await profile(words, display: bench.server.display)
      #expect(result.status == 1)
      #expect(result.isOneLine)
      #expect(result.errorText.contains("nothing is on CLIPBOARD"))
    }
    #expect(!FileManager.default.fileExists(atPath: bench.folder.appending(path: "out").path))
  }

  @Test func whatIsOnOfferIsNamed() async throws {
    try await bench.xclip(Data("text".utf8))
    let result = try await bench.profile("paste")
    #expect(result.status == 1)
    #expect(result.isOneLine)
    #expect(result.errorText.contains("it takes com.example.profile"))
    #expect(result.errorText.contains("on offer are public.utf8-plain-text"))
    try await bench.xclip(Data("{}".utf8), target: "com.example.profile")
    let broken = try await bench.profile("paste")
    #expect(broken.status == 4)
    #expect(broken.isOneLine)
  }

  @Test func aSilentOwner() async throws {
    let owner = try await bench.owner("def request(e): pass")
    let result = try await bench.profile("add-facts", "zoe.json")
    #expect(result.status == 4)
    #expect(result.isOneLine)
    #expect(result.errorText.contains("did not answer"))
    #expect(try bench.text(of: "zoe.json") == Bench.zoe)
    owner.terminate()
  }

  @Test func anOwnerThatDiesInTheMiddle() async throws {
    let owner = try await bench.owner(
      """
      def request(e):
          if name(e) == 'TARGETS': put(e, Xatom.ATOM, 32, [atom('video/mp4')])
          else:
              put(e, atom('INCR'), 32, [1000000])
              os._exit(0)
      """)
    let result = try await bench.profile("video", "paste", "out")
    #expect(result.status == 4)
    #expect(result.isOneLine)
    #expect(result.errorText.contains("went away"))
    #expect(!FileManager.default.fileExists(atPath: bench.folder.appending(path: "out").path))
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.temporary.path) == [])
    owner.terminate()
  }

  @Test func aServerThatEndsInTheMiddle() async throws {
    let server = bench.server
    let owner = try await bench.owner(
      """
      def request(e):
          os.kill(\(server.processIdentifier), 9)
      """)
    let result = try await bench.profile("video", "paste", "out")
    #expect(result.status == 3)
    #expect(result.isOneLine)
    #expect(result.errorText.contains("lost"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: bench.temporary.path) == [])
    owner.terminate()
  }

  @Test func aServerThatDoesNotAnswer() async throws {
    let server = bench.server
    server.suspend()
    defer { server.suspend(false) }
    async let copy = bench.profile("copy", "zoe.json", seconds: 40)
    async let paste = bench.profile("paste", seconds: 40)
    for result in [try await copy, try await paste] {
      #expect(result.status == 3)
      #expect(result.isOneLine)
      #expect(result.errorText.contains("did not answer"))
    }
    try await eventually { try bench.servingProcesses().isEmpty }
  }

  @Test func aCopyThatIsInterruptedServesNothing() async throws {
    let server = bench.server
    server.suspend()
    let command = try ChildProcess(
      Bench.program, ["copy", "zoe.json"], environment: ["DISPLAY": server.display],
      directory: bench.folder.path(percentEncoded: false))
    try await eventually { try bench.servingProcesses().count == 2 }
    command.signal(SIGINT)
    #expect(try await bench.off { command.wait() } == 128 + SIGINT)
    server.suspend(false)
    try await eventually { try bench.servingProcesses().isEmpty }
    #expect(try await bench.profile("paste").status == 1)
  }

  @Test func aFullDiskOnStandardOutput() async throws {
    try await bench.xclip(Data("text".utf8))
    let result = try await bench.tool(
      "sh", "-c", "'\(Bench.program)' note paste > /dev/full")
    #expect(result.status == 4)
    #expect(result.isOneLine)
  }
}
