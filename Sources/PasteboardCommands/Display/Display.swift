internal import CLinux
internal import Glibc
internal import SelectionFormats
internal import XlibTransport

/// Connecting, with every failure said in one line.
enum Display {
  /// Milliseconds until a server that does not answer is given up.
  static let patience: Int64 = 15_000

  /// Connects to the display that DISPLAY or an option names.
  ///
  /// - Parameters:
  ///   - name: As in DISPLAY; nil takes DISPLAY itself.
  ///   - atoms: Names that will be needed.
  static func connect(
    _ name: String? = nil, atoms: [String] = []
  ) throws(CommandFailure) -> SelectionConnection {
    // A server that ends while it is written to must not end this process.
    signal(SIGPIPE, SIG_IGN)
    let capture = ErrorCapture()
    let result: Result<SelectionConnection, DisplayError>
    do throws(DisplayError) {
      result = .success(
        try SelectionConnection(
          display: name, names: atoms, ignoresKeyboard: true))
    } catch {
      result = .failure(error)
    }
    let said = capture.end()
    switch result {
    case .success(let connection): return connection
    case .failure(let error):
      throw CommandFailure(.noDisplay, message(error, said: said))
    }
  }

  private static func message(_ error: DisplayError, said: String) -> String {
    guard error.code == .cannotOpen else { return error.description }
    if let reason = error.reason { return "Can't open display: \(TargetName.escaped(reason))" }
    let display = TargetName.escaped(error.display)
    let words = said.split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
      .filter { !$0.isEmpty }.joined(separator: "; ")
    guard !words.isEmpty else {
      let number = error.display.split(separator: ":").last ?? ""
      let screen = number.split(separator: ".").dropFirst().first.flatMap { Int($0) } ?? 0
      return "Can't open display \"\(display)\": no X server answers there"
        + (screen == 0 ? "" : ", or it has no screen \(screen)")
    }
    return "Can't open display \"\(display)\": the server refused this user "
      + "(\(TargetName.escaped(words))); \(cookieFile)"
  }

  /// Which file of cookies Xlib tried.
  private static var cookieFile: String {
    let path: String
    if let set = getenv("XAUTHORITY"), set.pointee != 0 {
      path = String(cString: set)
    } else if let home = getenv("HOME"), home.pointee != 0 {
      path = String(cString: home) + "/.Xauthority"
    } else {
      return "neither XAUTHORITY nor HOME says where its cookie is"
    }
    let state = access(path, R_OK) == 0 ? "" : " (\(Descriptor.reason(errno)))"
    return "tried the cookie in \(TargetName.escaped(path))\(state)"
  }
}

/// Standard error, diverted for a while: libxcb and libX11 write there on their own.
private struct ErrorCapture {
  private let saved: CInt
  private let reading: CInt

  init() {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else {
      saved = -1
      reading = -1
      return
    }
    reading = ends[0]
    _ = fcntl(reading, F_SETFL, O_NONBLOCK)
    saved = fcntl(2, F_DUPFD_CLOEXEC, 3)
    if saved >= 0 { cl_die_on(saved) }
    dup2(ends[1], 2)
    close(ends[1])
  }

  /// Puts standard error back.
  ///
  /// - Returns: What was written meanwhile.
  func end() -> String {
    guard reading >= 0 else { return "" }
    if saved >= 0 {
      dup2(saved, 2)
      cl_die_on(2)
      close(saved)
    }
    var text = [UInt8](repeating: 0, count: 2_048)
    let count = read(reading, &text, text.count)
    close(reading)
    return count > 0 ? String(decoding: text[..<count], as: UTF8.self) : ""
  }
}
