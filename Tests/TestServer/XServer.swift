import Foundation

/// A private Xvfb for one suite, killed by its process id when it is released.
public final class XServer: Sendable {
  public struct CannotStart: Error, CustomStringConvertible {
    public let description: String
  }

  /// As for DISPLAY.
  public let display: String
  private let process: ChildProcess

  /// Starts a server and waits until it accepts clients.
  ///
  /// - Parameters:
  ///   - arguments: Further arguments; `-noreset` is given unless they contain `-reset`.
  ///   - number: The display's number; `nil` takes a free one.
  public init(_ arguments: [String] = [], number wanted: Int? = nil) throws {
    let pipe = Pipe()
    var all = wanted.map { [":\($0)"] } ?? []
    all += ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    if !arguments.contains("-reset") { all.append("-noreset") }
    all += arguments.filter { $0 != "-reset" }
    process = try ChildProcess(
      "Xvfb", all, descriptors: [nil, pipe.fileHandleForWriting.fileDescriptor, nil])
    try pipe.fileHandleForWriting.close()
    // The number is written once the server listens. Reading ends when it is written or the server gave up.
    var number = ""
    while !number.hasSuffix("\n") {
      let bytes = pipe.fileHandleForReading.availableData
      guard !bytes.isEmpty else { throw CannotStart(description: "Xvfb ended before it listened") }
      number += String(decoding: bytes, as: UTF8.self)
    }
    display = ":" + number.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  deinit { kill() }

  public var processIdentifier: Int32 { process.processIdentifier }

  /// Ends the server at once, as a crash would.
  ///
  /// Who uses a connection on a thread of its own has to expect SIGPIPE then; the test runner ignores it from here on.
  public func kill() {
    signal(SIGPIPE, SIG_IGN)
    process.terminate()
    // What it leaves when it cannot clean up, unless another server has taken the number since.
    let number = display.dropFirst()
    let lock = "/tmp/.X\(number)-lock"
    guard let holder = try? String(contentsOfFile: lock, encoding: .utf8),
      Int32(holder.trimmingCharacters(in: .whitespacesAndNewlines)) == processIdentifier
    else { return }
    unlink("/tmp/.X11-unix/X\(number)")
    unlink(lock)
  }

  /// Lets the server grow by no more than this, in bytes, from what it has now.
  public func limitMemory(to growth: Int) throws {
    let statm = try String(contentsOfFile: "/proc/\(processIdentifier)/statm", encoding: .utf8)
    guard let pages = statm.split(separator: " ").first.flatMap({ Int($0) }) else {
      throw CannotStart(description: "the size of Xvfb is not known")
    }
    let size = pages * Int(sysconf(Int32(_SC_PAGESIZE))) + growth
    // Glibc's function for another process is out of Swift's sight.
    let result = try run("prlimit", ["--pid", "\(processIdentifier)", "--as=\(size):\(size)"])
    guard result.status == 0 else {
      throw CannotStart(description: "the memory of Xvfb cannot be limited: \(result.errorText)")
    }
  }

  /// Stops the server without ending it, or lets it go on.
  public func suspend(_ isSuspended: Bool = true) {
    process.signal(isSuspended ? SIGSTOP : SIGCONT)
  }
}
