import Foundation
import TestServer
import Testing
import UniformTypeIdentifiers
import X11Pasteboard

/// Another program that owns a selection, killed at the end.
final class Peer: Sendable {
  let process: ChildProcess

  init(
    _ program: String, _ arguments: [String], display: String, input: Data? = nil
  ) throws {
    var environment = ProcessInfo.processInfo.environment
    environment["DISPLAY"] = display
    // A file, since a pipe would have to be fed.
    let folder = try ScratchFolder()
    let file = try folder.file("input", input ?? Data())
    let handle = try FileHandle(forReadingFrom: file)
    process = try ChildProcess(
      program, arguments, environment: environment, descriptors: [handle.fileDescriptor, nil, nil])
    try handle.close()
  }

  deinit { kill() }

  func kill() { process.terminate() }
}

extension Pasteboard {
  /// Starts another program, and waits until it owns the selection.
  func owned(by start: () throws -> Peer) async throws -> Peer {
    let changes = changes
    // The watch is in place once something posted after it was answered.
    _ = try await owner()
    let peer = try start()
    for await change in changes where change.reason == .newOwner && !change.isOwnProcess {
      return peer
    }
    throw PeerFailed()
  }

  struct PeerFailed: Error {}

  func ownedByXclip(
    _ input: String, target: String? = nil, bytes: Data? = nil, display: String
  ) async throws -> Peer {
    try await owned {
      try Peer(
        "xclip",
        ["-quiet", "-i", "-selection", "clipboard"] + (target.map { ["-t", $0] } ?? []),
        display: display, input: bytes ?? Data(input.utf8))
    }
  }

  /// An owner in Python that behaves as `body` says; see `Scripts.owner`.
  func ownedByScript(_ body: String, display: String) async throws -> Peer {
    try await owned {
      try Peer("/usr/bin/python3", ["-c", Scripts.owner(body)], display: display)
    }
  }
}

enum Scripts {
  /// Owns CLIPBOARD and calls `request(event)` for each request. In it: `refuse(e)`, `put(e, type, format, data)`,
  /// `begin_incr(e, type)`, and `atom(name)`.
  static func owner(_ body: String) -> String {
    """
    import os, sys, time
    from Xlib import X, display, Xatom
    from Xlib.protocol import event
    d = display.Display()
    w = d.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
    atom = d.intern_atom
    def notify(e, prop):
        n = event.SelectionNotify(time=e.time, requestor=e.requestor, selection=e.selection,
                                  target=e.target, property=prop)
        e.requestor.send_event(n, event_mask=0)
        d.flush()
    def refuse(e): notify(e, X.NONE)
    def put(e, kind, size, data):
        e.requestor.change_property(e.property, kind, size, data)
        notify(e, e.property)
    def targets(e, names): put(e, Xatom.ATOM, 32, [atom(n) for n in names])
    def begin_incr(e, kind):
        e.requestor.change_attributes(event_mask=X.PropertyChangeMask)
        put(e, atom('INCR'), 32, [1])
    def name(e): return d.get_atom_name(e.target)
    \(body)
    w.set_selection_owner(atom('CLIPBOARD'), X.CurrentTime)
    d.flush()
    while True:
        e = d.next_event()
        if e.type == X.SelectionRequest: request(e)
        elif e.type == X.PropertyNotify and 'changed' in globals(): changed(e)
    """
  }
}

/// Runs a program to its end, on a thread of its own: the shared ones are few, and others wait for them.
func command(
  _ program: String, _ arguments: [String] = [], display: String, input: Data? = nil
) async throws -> CommandResult {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread {
      continuation.resume(
        with: Result { try run(program, arguments, display: display, input: input) })
    }
  }
}

extension Pasteboard.Limits {
  /// So much time that whatever ends earlier did not end by it, on however busy a machine.
  static let patient = Pasteboard.Limits(
    targets: .seconds(60), response: .seconds(60), idle: .seconds(60))
}

/// What a call fails with, if it does.
func failure<Value>(
  of body: () async throws -> Value
) async -> PasteboardError? {
  do {
    _ = try await body()
    return nil
  } catch {
    return error as? PasteboardError
  }
}

/// Waits until a condition holds; the test's time limit is the deadline.
func eventually(_ condition: () async throws -> Bool) async throws {
  while try await !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}

/// A file that is removed with this.
final class ScratchFolder: Sendable {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory
      .appending(path: "scratch-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String, _ bytes: Data) throws -> URL {
    let file = url.appending(path: name)
    try bytes.write(to: file)
    return file
  }
}

/// Bytes that are nowhere the same.
func pattern(_ count: Int) -> Data {
  var data = Data(count: count)
  data.withUnsafeMutableBytes { raw in
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    for index in raw.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      raw[index] = UInt8(truncatingIfNeeded: state >> 33)
    }
  }
  return data
}

/// The number in `:7`.
func number(of display: String) -> Int? { Int(display.dropFirst()) }

/// The number of a display that no other test's server takes when this one's ends.
func lonelyNumber() -> Int {
  lonelyNumbers.increment()
  return 20_000 + Int(getpid()) % 3_000 * 10 + lonelyNumbers.count % 10
}

private let lonelyNumbers = Counter()
