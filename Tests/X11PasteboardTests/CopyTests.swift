import CoreTransferable
import Foundation
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

@Suite(.serialized, .timeLimit(.minutes(2))) struct CopyTests: TwoEndsSuite {
  let ends: TwoEnds

  init() async throws { ends = try await TwoEnds() }

  private func xclip(_ target: String? = nil) async throws -> CommandResult {
    try await command(
      "xclip", ["-o", "-selection", "clipboard"] + (target.map { ["-t", $0] } ?? []),
      display: server.display)
  }

  @Test func targetsAreListedInOrder() async throws {
    try await clipboard.copy(Person.zoe)
    let names = try await xclip("TARGETS").text.split(separator: "\n").map(String.init)
    #expect(
      names == [
        "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS",
        "application/x-uti.com.example.person", "com.example.person",
        "UTF8_STRING", "text/plain;charset=utf-8", "TEXT", "STRING", "text/plain",
        "COMPOUND_TEXT",
      ])
  }

  @Test func otherProgramsGetTheName() async throws {
    try await clipboard.copy(Person.zoe)
    #expect(try await xclip().text == "Zoë Ångström")
    #expect(
      try await command("xsel", ["-b", "-o"], display: server.display).text == "Zoë Ångström")
    let latin1 = "Zoë Ångström".unicodeScalars.map { UInt8($0.value) }
    #expect(Array(try await xclip("STRING").output) == latin1)
  }

  @Test func whoKnowsTheTypeGetsAllOfIt() async throws {
    try await clipboard.copy(Person.zoe)
    #expect(try await other.paste(Person.self) == [.zoe])
    #expect(try await other.paste(String.self) == ["Zoë Ångström"])
    #expect(
      try await other.contentTypes()
        == [.person, .utf8PlainText, .plainText])
  }

  @Test func theValueIsTakenAsItWasWhenCopied() async throws {
    var person = Person.zoe
    try await clipboard.copy(person)
    person.name = "Somebody else"
    person.facts = []
    #expect(try await other.paste(Person.self) == [.zoe])
    #expect(try await other.paste(String.self) == ["Zoë Ångström"])
  }

  @Test func primaryAndNamedSelectionsAreApart() async throws {
    let primary = try await Pasteboard.primary(display: server.display)
    let named = try await Pasteboard.named("MY_OWN", display: server.display)
    try await clipboard.copy("one")
    try await primary.copy("two")
    try await named.copy("three")
    #expect(try await xclip().text == "one")
    #expect(try await command("xclip", ["-o"], display: server.display).text == "two")
    let third = try await Pasteboard.named("MY_OWN", display: server.display + ".0")
    #expect(try await third.paste(String.self) == ["three"])
  }

  @Test func exportersRunAnewForEachRequestAndNotBefore() async throws {
    let count = Counter()
    let item = Scripted(blob: {
      count.increment()
      return Data("call \(count.count)".utf8)
    })
    try await clipboard.copy(item)
    #expect(count.count == 0)
    #expect(try await other.paste(Blob.self) == [Blob(bytes: Data("call 1".utf8))])
    #expect(try await other.paste(Blob.self) == [Blob(bytes: Data("call 2".utf8))])
  }

  @Test func aSlowExporterDelaysNobodyElse() async throws {
    let gate = Gate()
    let started = Gate()
    try await clipboard.copy(
      Scripted(blob: {
        started.open()
        await gate.wait()
        return Data("late".utf8)
      }))
    async let slow = other.paste(Blob.self)
    await started.wait()
    do {
      #expect(try await other.contentTypes().contains(.blob))
      #expect(try await other.paste(String.self) == ["scripted"])
      #expect(try await xclip().text == "scripted")
    }
    gate.open()
    #expect(try await slow == [Blob(bytes: Data("late".utf8))])
  }

  @Test func aBlockedExporterThreadDelaysNobodyElse() async throws {
    let gate = DispatchSemaphore(value: 0)
    let started = Gate()
    try await clipboard.copy(
      Scripted(blob: {
        started.open()
        Self.block(gate)
        return Data("late".utf8)
      }))
    async let first = other.paste(Blob.self)
    async let second = other.paste(Blob.self)
    await started.wait()
    #expect(try await other.paste(String.self) == ["scripted"])
    gate.signal()
    gate.signal()
    #expect(try await first == [Blob(bytes: Data("late".utf8))])
    #expect(try await second == [Blob(bytes: Data("late".utf8))])
  }

  private static func block(_ gate: DispatchSemaphore) { gate.wait() }

  @Test func anExporterThatThrowsIsARefusal() async throws {
    struct Broken: Error {}
    try await clipboard.copy(Scripted(blob: { throw Broken() }))
    let error = await failure { try await other.paste(Blob.self) }
    #expect(error?.code == .refused)
    #expect(error?.offered.contains(.blob) == true)
    #expect(try await other.paste(String.self) == ["scripted"])
  }

  @Test func anExporterThatNeverReturnsHangsNobodyElse() async throws {
    let gate = Gate()
    defer { gate.open() }
    try await clipboard.copy(
      Scripted(blob: {
        await gate.wait()
        return Data()
      }))
    var limits = Pasteboard.Limits()
    limits.idle = .milliseconds(300)
    let clock = ContinuousClock()
    var error: PasteboardError?
    let elapsed = await clock.measure {
      error = await failure { try await other.paste(Blob.self, limits: limits) }
    }
    #expect(error?.code == .timedOut)
    #expect(elapsed < .seconds(8), "not by the default limit")
    #expect(try await other.paste(String.self) == ["scripted"])
  }

  @Test(arguments: [0, 1, 258_047, 258_048, 258_049, 64 << 20])
  func dataOfAnySizeArrivesWhole(size: Int) async throws {
    let bytes = pattern(size)
    try await clipboard.copy(Blob(bytes: bytes))
    #expect(try await other.paste(Blob.self) == [Blob(bytes: bytes)])
    let result = try await xclip("com.example.blob")
    #expect(result.status == 0)
    #expect(result.output == bytes)
  }

  @Test func manyAtOnceGetTheirOwn() async throws {
    let bytes = pattern(2_000_000)
    try await clipboard.copy(Blob(bytes: bytes))
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask { try await other.paste(Blob.self) == [Blob(bytes: bytes)] }
      }
      for try await isRight in group { #expect(isRight) }
    }
  }

  @Test func aLongTextIsOfferedInFull() async throws {
    let text = String(repeating: "Zoë\r\n", count: 600_000)
    try await clipboard.copy(text)
    #expect(try await xclip().text == text)
    #expect(try await xclip("TARGETS").text.contains("STRING\n"))
  }

  @Test func limitedVisibilityNeverLeavesTheProcess() async throws {
    try await clipboard.copy(Guarded())
    let names = try await xclip("TARGETS").text
    #expect(!names.contains("com.example"))
    #expect(names.contains("UTF8_STRING"))
    #expect(await failure { try await other.paste(Guarded.self) }?.code == .notOnOffer)
    let here = try await clipboard.paste(Guarded.self)
    #expect(here.map(\.text) == ["for all"])
    #expect(
      try await clipboard.contentTypes() == [.secretNote, .blob, .otherBlob, .utf8PlainText])
    #expect(try await clipboard.data(of: .blob) == Data("for all".utf8))
  }

  @Test func whatNobodyElseMaySeeCanStillBePastedHere() async throws {
    try await clipboard.copy(Hidden(number: 9))
    #expect(try await clipboard.paste(Hidden.self) == [Hidden(number: 9)])
    let names = try await xclip("TARGETS").text.split(separator: "\n")
    #expect(names == ["TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS"])
    #expect(await failure { try await other.paste(Hidden.self) }?.code == .notOnOffer)
  }

  @Test func aSecretIsMarked() async throws {
    try await clipboard.copy("hunter2", options: .sensitive)
    #expect(try await xclip("x-kde-passwordManagerHint").text == "secret")
    #expect(!(try await xclip("TARGETS").text.contains("SAVE_TARGETS")))
  }

  @Test func whatCannotBeOfferedIsAnError() async throws {
    struct Importer: Transferable {
      static var transferRepresentation: some TransferRepresentation {
        DataRepresentation(importedContentType: .blob) { _ in Importer() }
      }
    }
    #expect(await failure { try await clipboard.copy(Importer()) }?.code == .nothingToOffer)
    #expect(await failure { try await clipboard.copy([String]()) }?.code == .nothingToOffer)
    let blobs = [Blob(bytes: Data([1])), Blob(bytes: Data([2]))]
    #expect(await failure { try await clipboard.copy(blobs) }?.code == .nothingToOffer)
    #expect(try await clipboard.owner() == nil)
  }

  @Test(arguments: ["", "a\u{0}b", "line\nbreak", String(repeating: "x", count: 300)])
  func aNameThatIsNoneIsAnError(name: String) async throws {
    let error = await failure { try await Pasteboard.named(name, display: server.display) }
    #expect(error?.code == .invalidName)
  }
}
