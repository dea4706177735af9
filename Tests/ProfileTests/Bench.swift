import Foundation
import TestServer
import Testing

/// The built `profile` on a server and in a folder of its own.
final class Bench: Sendable {
  let server: XServer
  let folder: URL
  static let program = builtProducts.appending(path: "profile").path(percentEncoded: false)
  /// Nothing but what the program writes.
  var temporary: URL { folder.appending(path: "tmp", directoryHint: .isDirectory) }

  static let zoe =
    #"{"id":"6F9619FF-8B86-D011-B42D-00C04FC964FF","name":"Zoë Ångström","bio":"climbs","funFacts":["one"]}"#

  init() throws {
    server = try XServer()
    folder = FileManager.default.temporaryDirectory
      .appending(path: "profile-\(UUID().uuidString)", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(
      at: folder.appending(path: "tmp"), withIntermediateDirectories: true)
    try write("zoe.json", Self.zoe)
  }

  deinit {
    server.kill()
    try? FileManager.default.removeItem(at: folder)
  }

  @discardableResult
  func write(_ name: String, _ text: String) throws -> URL {
    let file = folder.appending(path: name)
    try Data(text.utf8).write(to: file)
    return file
  }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: folder.appending(path: name)), as: UTF8.self)
  }

  func profile(
    _ arguments: String..., display: String?? = .none, seconds: Double = 20
  ) async throws -> CommandResult {
    let display: String? = display ?? server.display
    return try await off {
      try run(
        Self.program, arguments, display: display,
        environment: ["TMPDIR": self.temporary.path(percentEncoded: false)],
        directory: self.folder, seconds: seconds)
    }
  }

  func tool(_ program: String, _ arguments: String..., input: Data? = nil) async throws
    -> CommandResult
  {
    try await off {
      try run(
        program, arguments, display: self.server.display, input: input, directory: self.folder)
    }
  }

  /// On a thread of its own: the shared ones are few.
  func off<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  /// Another program copies, and owns the selection when this returns.
  func xclip(_ bytes: Data, target: String = "UTF8_STRING") async throws {
    try bytes.write(to: folder.appending(path: "copied"))
    // xclip puts itself in the background before the server has dealt with it; its own paste has not.
    let script = """
      xclip -i -selection clipboard -t '\(target)' copied >/dev/null 2>&1
      until xclip -o -selection clipboard -t '\(target)' 2>/dev/null | cmp -s - copied; do :; done
      """
    #expect(try await tool("sh", "-c", script).status == 0)
  }

  /// An owner that behaves as Python says; ready when this returns.
  func owner(_ body: String) async throws -> ChildProcess {
    var environment = ProcessInfo.processInfo.environment
    environment["DISPLAY"] = server.display
    let pipe = Pipe()
    let writing = pipe.fileHandleForWriting.fileDescriptor
    let process = try ChildProcess(
      "/usr/bin/python3", ["-c", Self.script(body)], environment: environment,
      descriptors: [nil, writing, writing])
    try pipe.fileHandleForWriting.close()
    let said = try await off {
      var text = ""
      while !text.hasSuffix("\n") {
        let more = pipe.fileHandleForReading.availableData
        guard !more.isEmpty else { break }
        text += String(decoding: more, as: UTF8.self)
      }
      return text
    }
    #expect(said == "ready\n")
    return process
  }

  private static func script(_ body: String) -> String {
    """
    import os
    from Xlib import X, display, Xatom
    from Xlib.protocol import event
    d = display.Display()
    w = d.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
    atom = d.intern_atom
    def put(e, kind, size, data):
        e.requestor.change_property(e.property, kind, size, data)
        e.requestor.send_event(event.SelectionNotify(time=e.time, requestor=e.requestor,
            selection=e.selection, target=e.target, property=e.property), event_mask=0)
        d.flush()
    def name(e): return d.get_atom_name(e.target)
    \(body)
    w.set_selection_owner(atom('CLIPBOARD'), X.CurrentTime)
    d.sync()
    print('ready', flush=True)
    while True:
        e = d.next_event()
        if e.type == X.SelectionRequest: request(e)
    """
  }

  /// The processes that serve on a display.
  func servingProcesses(on display: String? = nil) throws -> [Int32] {
    let mine = "DISPLAY=\(display ?? server.display)\0"
    return try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { entry in
      guard let number = Int32(entry),
        let name = try? String(contentsOfFile: "/proc/\(entry)/comm", encoding: .utf8),
        name == "profile\n",
        let environment = FileManager.default.contents(atPath: "/proc/\(entry)/environ"),
        environment.range(of: Data(mine.utf8)) != nil,
        // Without an init that reaps, ended ones stay as zombies.
        let status = try? String(contentsOfFile: "/proc/\(entry)/stat", encoding: .utf8),
        !status.contains(") Z ")
      else { return nil }
      return number
    }
  }
}

extension CommandResult {
  /// One line that begins with the program's name.
  var isOneLine: Bool {
    errorText.hasPrefix("profile: ") && errorText.hasSuffix("\n")
      && errorText.filter { $0 == "\n" }.count == 1
  }
}

func eventually(_ condition: () throws -> Bool) async throws {
  while try !condition() {
    try Task.checkCancellation()
    await Task.yield()
  }
}
