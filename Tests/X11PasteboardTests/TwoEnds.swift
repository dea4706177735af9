import TestServer
import X11Pasteboard

/// A clipboard on a server of its own, by two connections: the one that copies, and the same as another process has it.
struct TwoEnds {
  let server: XServer
  let clipboard: Pasteboard
  let other: Pasteboard

  init() async throws {
    server = try XServer()
    clipboard = try await Pasteboard.clipboard(display: server.display)
    other = try await Pasteboard.clipboard(display: server.display + ".0")
  }
}

/// A suite of tests between the two.
protocol TwoEndsSuite {
  var ends: TwoEnds { get }
}

extension TwoEndsSuite {
  var server: XServer { ends.server }
  var clipboard: Pasteboard { ends.clipboard }
  var other: Pasteboard { ends.other }
}
