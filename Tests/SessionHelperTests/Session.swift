import Foundation
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// A private X session: its server, its runtime directory, the helper, and a connection that looks on.
final class Session {
  let server: XServer
  let directory: URL
  private(set) var helper: Process?
  let connection: SelectionConnection

  var clipboard: Atom { connection.atoms.clipboard }
  var program: String { builtProducts.appending(path: "pasteboardd").path }

  /// - Parameter arguments: For the helper; `nil` starts none.
  init(_ arguments: [String]? = []) throws {
    server = try XServer()
    // A socket's path is short.
    directory = URL(fileURLWithPath: "/tmp/pb-" + UUID().uuidString.prefix(8))
    try FileManager.default.createDirectory(
      at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    connection = try SelectionConnection(display: server.display)
    if let arguments { try start(arguments) }
  }

  deinit {
    if let helper { end(helper) }
    server.kill()
    try? FileManager.default.removeItem(at: directory)
  }

  var environment: [String: String] {
    ["DISPLAY": server.display, "XDG_RUNTIME_DIR": directory.path, "PATH": "/usr/bin:/bin"]
  }

  /// Starts a helper and waits until it says that it is ready.
  @discardableResult
  func start(
    _ arguments: [String] = [], environment extra: [String: String] = [:], log: URL? = nil,
    tracedTo trace: URL? = nil, calls: String = "", sizeOfFiles: Int? = nil
  ) throws -> Process {
    let notices = try NoticeSocket(
      directory.appending(path: "notify-\(UUID().uuidString.prefix(8))").path)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    if let trace {
      process.executableURL = URL(fileURLWithPath: "/usr/bin/strace")
      process.arguments = ["-f", "-o", trace.path, "-e", "trace=" + calls, program] + arguments
    }
    if let sizeOfFiles {
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments =
        ["-c", "ulimit -f \(sizeOfFiles); exec \"$0\" \"$@\"", program] + arguments
    }
    process.environment = environment.merging(["NOTIFY_SOCKET": notices.path]) { $1 }
      .merging(extra) { $1 }
    process.standardInput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    if let log {
      try Data().write(to: log)
      process.standardError = try FileHandle(forWritingTo: log)
    }
    try process.run()
    helper = process
    isTraced = trace != nil
    try #require(try notices.next(within: 10_000).contains("READY=1"))
    return process
  }

  private var isTraced = false

  /// The helper itself, where `helper` is the one that traces it.
  var tracedProcess: pid_t? {
    guard isTraced, let helper else { return nil }
    let path = "/proc/\(helper.processIdentifier)/task/\(helper.processIdentifier)/children"
    return (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: " ").first
      .flatMap { pid_t($0) }
  }

  func end(_ process: Process) {
    guard process.isRunning else { return }
    if let tracedProcess { kill(tracedProcess, SIGKILL) }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Asks the helper by its own command.
  func control(_ words: String..., seconds: Double = 20) throws -> CommandResult {
    try run(
      program, ["--control"] + words,
      display: server.display, environment: ["XDG_RUNTIME_DIR": directory.path], seconds: seconds)
  }

  /// Turns until `condition` fails; fails the test where that takes too long.
  func turn(
    within milliseconds: Int64 = 10_000, _ location: SourceLocation = #_sourceLocation,
    while condition: () -> Bool
  ) throws {
    let isOver = try connection.turn(until: .now + milliseconds, while: condition)
    try #require(isOver, sourceLocation: location)
  }

  /// Runs `body`, and waits until CLIPBOARD has another owner, or none.
  func ownerChange(
    within milliseconds: Int64 = 10_000, after body: () throws -> Void
  ) throws -> [SelectionNotice] {
    var notices: [SelectionNotice] = []
    let token = connection.watch(clipboard) { notices.append($0) }
    defer { connection.unwatch(token) }
    try body()
    try turn(within: milliseconds) { notices.isEmpty }
    return notices
  }

  /// Runs `body`, which ends the owner, and waits until somebody offers its content again.
  ///
  /// - Returns: Milliseconds from the end of `body`.
  @discardableResult
  func restoration(after body: () throws -> Void) throws -> Int64 {
    var isBack = false
    var isGone = false
    let token = connection.watch(clipboard) { notice in
      if notice.reason == .newOwner { isBack = true } else { isGone = true }
    }
    defer { connection.unwatch(token) }
    try body()
    let start = Instant.now
    try turn { !isBack }
    _ = isGone
    return Instant.now.milliseconds - start.milliseconds
  }

  /// What a paste brings.
  struct Pasted {
    var bytes: [UInt8]
    var type: String
    var format: Int
  }

  func paste(_ target: String, selection: Atom? = nil) throws -> Pasted? {
    var bytes: [UInt8] = []
    var outcome: ConversionOutcome?
    connection.convert(
      Conversion(selection: selection ?? clipboard, target: connection.atom(target)),
      receive: { chunk, _, _ in bytes.append(contentsOf: chunk) },
      completion: { outcome = $0 })
    try turn(within: 30_000) { outcome == nil }
    guard case .success(let reply) = outcome else { return nil }
    let type = connection.names(of: [reply.type]).first.flatMap(\.self)
    return Pasted(bytes: bytes, type: type ?? "", format: reply.format)
  }

  /// The names that CLIPBOARD's owner lists.
  func targets() throws -> [String] {
    let list = try #require(try paste("TARGETS"))
    let atoms = list.bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map { Atom(raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)) }
    }
    return connection.names(of: atoms).compactMap(\.self)
  }

  var owner: Window { connection.currentOwner(of: clipboard) }
  var helperOwns: Bool {
    helper.map { connection.process(of: owner) == $0.processIdentifier } ?? false
  }
}

/// What a service manager would hear.
final class NoticeSocket {
  struct Silence: Error {}
  let path: String
  private let descriptor: Int32

  init(_ path: String) throws {
    self.path = path
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let status = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { [descriptor] in
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0)
  }

  deinit {
    close(descriptor)
    unlink(path)
  }

  func next(within milliseconds: Int32) throws -> String {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, milliseconds) == 1 else { throw Silence() }
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(descriptor, &buffer, buffer.count)
    return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
  }
}
