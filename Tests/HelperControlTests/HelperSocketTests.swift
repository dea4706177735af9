import Testing

@testable import HelperControl

/// Where the helper of a display is looked for.
@Suite struct HelperSocketTests {
  @Test(arguments: [
    (":5", ":5"), (":5.1", ":5"), ("unix:5", ":5"), ("unix:5.0", ":5"), ("host:5.0", "host:5"),
    ("host.example:5", "host.example:5"), ("unix/host:5", "unix_host:5"), ("", ""),
  ])
  func aDisplayHasOneName(display: String, name: String) {
    #expect(HelperSocket.fileName(of: display) == name)
  }
}
