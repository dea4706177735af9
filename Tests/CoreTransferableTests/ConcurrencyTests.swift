import CoreTransferable
import Foundation
import Synchronization
import Testing
import UniformTypeIdentifiers

@Suite("Cancellation, deadlines and many receivers")
struct ConcurrencyTests {
  @Test func `one value is exported to a hundred receivers at once`() async throws {
    let counter = Counter()
    let item = Counted(counter: counter, bytes: Data(repeating: 7, count: 1 << 20))
    let representation = try #require(item.exportableRepresentations().first)
    #expect(counter.runs == 0)
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<100 {
        group.addTask {
          if number.isMultiple(of: 2) { return try await representation.loadData() == item.bytes }
          let file = try await representation.loadFile()
          return try Data(contentsOf: file.url) == item.bytes
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(counter.runs == 100)
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func `a deadline holds for closures that never return`(blocksThread: Bool) async throws {
    let item = Stuck(blocksThread: blocksThread)
    let representation = try #require(item.exportableRepresentations().first)
    let importer = try #require(Stuck.importCandidates(offered: [.png]).first).representation
    try await withThrowingTaskGroup(of: TransferError.Code?.self) { group in
      for number in 0..<120 {
        group.addTask {
          let deadline = ContinuousClock.now + .milliseconds(100)
          do {
            switch number % 3 {
            case 0: _ = try await representation.loadData(until: deadline)
            case 1: _ = try await representation.loadFile(until: deadline)
            default:
              let flag = Data([blocksThread ? 1 : 0])
              _ = try await importer.importing(data: flag, until: deadline)
            }
            return nil
          } catch let error as TransferError {
            return error.code
          }
        }
      }
      for try await code in group { #expect(code == .timedOut) }
    }
    // Those that hang take nothing from others.
    #expect(try await Profile(name: "x").exported(as: .text) == Data("x".utf8))
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func `cancellation takes effect though a closure goes on`(blocksThread: Bool) async throws {
    let task = Task { try await Stuck(blocksThread: blocksThread).exported(as: .png) }
    task.cancel()
    let error = try await #require(throws: TransferError.self) { try await task.value }
    #expect(error.code == .cancelled)
    #expect(error.itemType == "Stuck")
    #expect(error.contentType == .png)
  }

  @Test func `an exporting closure is told of cancellation`() async throws {
    let started = Gate()
    let told = Gate()
    let item = Listening(started: started, told: told)
    let task = Task { try await item.exported(as: nil) }
    await started.passage()
    task.cancel()
    await told.passage()
    await #expect(throws: TransferError.self) { try await task.value }
  }

  @Test func `an exporting closure is told of the deadline`() async throws {
    let told = Gate()
    let item = Listening(started: Gate(), told: told)
    let representation = try #require(item.exportableRepresentations().first)
    let error = try await #require(throws: TransferError.self) {
      try await representation.loadData(until: .now + .milliseconds(20))
    }
    #expect(error.code == .timedOut)
    await told.passage()
  }

  @Test func `a deadline that is far away or past is handled`() async throws {
    let representation = try #require("x".exportableRepresentations().first)
    #expect(
      try await representation.loadData(until: .now + .seconds(Int64.max / 4)) == Data("x".utf8))
    let stuck = try #require(Stuck(blocksThread: false).exportableRepresentations().first)
    let error = try await #require(throws: TransferError.self) {
      try await stuck.loadData(until: .now - .seconds(10))
    }
    #expect(error.code == .timedOut)
  }

  @Test func `closures on the main actor work`() async throws {
    #expect(try await OnMain().exported(as: .png) == Data([1]))
    #expect(try await OnMain(importing: Data(), contentType: .png).isDone)
  }

  @Test func `a copy made after its receiver left is removed`() async throws {
    let directory = try TemporaryDirectory()
    let release = Gate()
    let item = LateFile(file: try directory.file("a.png"), release: release)
    let before = try privateDirectories()
    let task = Task {
      try await item.exportableRepresentations().first?.loadFile()
    }
    task.cancel()
    await #expect(throws: TransferError.self) { try await task.value }
    release.open()
    try await until { (try? privateDirectories().subtracting(before).isEmpty) ?? false }
  }
}

private func privateDirectories() throws -> Set<String> {
  Set(
    try FileManager.default.contentsOfDirectory(
      atPath: FileManager.default.temporaryDirectory.path
    ).filter { $0.hasPrefix("coretransferable-") })
}

private final class Counter: Sendable {
  private let count = Mutex(0)
  var runs: Int { count.withLock { $0 } }
  func run() { count.withLock { $0 += 1 } }
}

private struct Counted: Transferable {
  let counter: Counter
  let bytes: Data

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .png) { item in
      item.counter.run()
      await Task.yield()
      return item.bytes
    }
  }
}

private struct Stuck: Transferable {
  var blocksThread: Bool

  func hang() async {
    if blocksThread {
      let never = DispatchSemaphore(value: 0)
      func wait() { never.wait() }
      wait()
    } else {
      await Gate.never.passage()
    }
  }

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .png) { item in
      await item.hang()
      return Data()
    } importing: { data in
      let item = Stuck(blocksThread: data.first == 1)
      await item.hang()
      return item
    }
  }
}

extension Gate {
  // Kept, so that what waits at it is not let go.
  fileprivate static let never = Gate()
}

private struct Listening: Transferable {
  let started: Gate
  let told: Gate

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .png) { item in
      await withTaskCancellationHandler {
        item.started.open()
        await item.told.passage()
      } onCancel: {
        item.told.open()
      }
      return Data()
    }
  }
}

private struct OnMain: Transferable {
  var isDone = false

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .png) { @MainActor _ in
      MainActor.assertIsolated()
      return Data([1])
    } importing: { @MainActor _ in
      OnMain(isDone: true)
    }
  }
}

private struct LateFile: Transferable {
  let file: URL
  let release: Gate

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(exportedContentType: .png) { item in
      await item.release.passage()
      return SentTransferredFile(item.file)
    }
  }
}
