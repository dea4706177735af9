import CoreTransferable
import Dispatch
import Foundation
import UniformTypeIdentifiers
import X11Pasteboard

struct Picture: Transferable {
  var bytes: Data

  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .png) {
      $0.bytes
    } importing: {
      Picture(bytes: $0)
    }
  }
}

/// A program that uses the library as any other does, for CostTests to count its instructions.
///
///     library-costs copy picture|text SIZE     offers so many bytes until somebody else copies
///     library-costs paste picture|text SIZE    pastes, and fails unless so many bytes come
@main struct LibraryCosts {
  /// The main thread waits here: the way that Swift's asynchronous `main` ends it brings valgrind down.
  static func main() {
    let isDone = DispatchSemaphore(value: 0)
    Task.detached {
      do { try await run(CommandLine.arguments) } catch { fatalError("\(error)") }
      isDone.signal()
    }
    isDone.wait()
  }

  nonisolated static func run(_ arguments: [String]) async throws {
    guard arguments.count == 4, let size = Int(arguments[3]) else { fatalError("wrong arguments") }
    let clipboard = try await Pasteboard.clipboard()
    // Everything takes fifty times as long while instructions are counted.
    let patience = Pasteboard.Limits(
      targets: .seconds(60), response: .seconds(60), idle: .seconds(60))
    switch (arguments[1], arguments[2]) {
    case ("copy", "picture"):
      let picture = Picture(bytes: Data(repeating: 0x61, count: size))
      try await clipboard.copy(picture).untilReplaced()
    case ("copy", "text"):
      try await clipboard.copy(String(decoding: Data(repeating: 0x61, count: size), as: UTF8.self))
        .untilReplaced()
    case ("paste", "picture"):
      let pictures = try await clipboard.paste(Picture.self, limits: patience)
      precondition(pictures.map(\.bytes.count) == [size])
    case ("paste", "text"):
      let texts = try await clipboard.paste(String.self, limits: patience)
      precondition(texts.map(\.utf8.count) == [size])
    default:
      fatalError("wrong arguments")
    }
  }
}
