import CoreTransferable
import Foundation
import Synchronization
import UniformTypeIdentifiers

/// What the design's main job is about: known programs get all of it, all others the name.
struct Person: Codable, Equatable, Sendable {
  var name: String
  var facts: [String]

  static let zoe = Person(name: "Zoë Ångström", facts: ["climbs", "paints"])
}

extension Person: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    CodableRepresentation(contentType: .person)
    ProxyRepresentation(exporting: \.name)
  }
}

extension UTType {
  static var person: UTType { UTType(exportedAs: "com.example.person") }
  static var secretNote: UTType { UTType(exportedAs: "com.example.secret-note") }
  static var blob: UTType { UTType(exportedAs: "com.example.blob") }
  static var otherBlob: UTType { UTType(exportedAs: "com.example.other-blob") }
}

/// Bytes in a file.
struct Film: Sendable {
  var file: URL
  var allowsOriginal = true
  var title = "A film"
  /// Where an imported one was put.
  var kept: ScratchFolder?
}

extension Film: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(contentType: .mpeg4Movie) { film in
      SentTransferredFile(film.file, allowAccessingOriginalFile: film.allowsOriginal)
    } importing: { received in
      let kept = try ScratchFolder()
      let file = kept.url.appending(path: received.file.lastPathComponent)
      try FileManager.default.copyItem(at: received.file, to: file)
      return Film(file: file, kept: kept)
    }
    ProxyRepresentation(exporting: \.title)
  }
}

/// A representation for each visibility.
struct Guarded: Sendable {
  var text = "for all"
}

extension Guarded: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .secretNote) {
      Data($0.text.utf8)
    } importing: {
      Guarded(text: String(decoding: $0, as: UTF8.self))
    }
    .visibility(.ownProcess)
    DataRepresentation(exportedContentType: .blob) { Data($0.text.utf8) }.visibility(.team)
    DataRepresentation(exportedContentType: .otherBlob) { Data($0.text.utf8) }.visibility(.group)
    ProxyRepresentation(exporting: \.text)
  }
}

/// Nothing that may leave the process.
struct Hidden: Equatable, Sendable {
  var number = 7
}

extension Hidden: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .secretNote) {
      Data([UInt8($0.number)])
    } importing: {
      Hidden(number: Int($0.first ?? 0))
    }
    .visibility(.ownProcess)
  }
}

/// What an exporter does is up to the test.
struct Scripted: Sendable {
  var blob: @Sendable () async throws -> Data = { Data("blob".utf8) }
  var name = "scripted"
}

extension Scripted: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(exportedContentType: .blob) { try await $0.blob() }
    ProxyRepresentation(exporting: \.name)
  }
}

/// Bytes of `com.example.blob`.
struct Blob: Equatable, Sendable {
  var bytes: Data
}

extension Blob: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .blob) {
      $0.bytes
    } importing: {
      Blob(bytes: $0)
    }
  }
}

/// A table, by its data.
struct Table: Equatable, Sendable {
  var text: String
}

extension Table: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    DataRepresentation(contentType: .commaSeparatedText) {
      Data($0.text.utf8)
    } importing: {
      Table(text: String(decoding: $0, as: UTF8.self))
    }
  }
}

/// Opens once, for as many as wait.
final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())

  func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }
}

/// Counts, from anywhere.
final class Counter: Sendable {
  private let value = Atomic(0)
  func increment() { value.add(1, ordering: .relaxed) }
  var count: Int { value.load(ordering: .relaxed) }
}
