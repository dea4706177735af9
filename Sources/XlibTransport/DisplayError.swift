/// Why there is no connection to an X server.
public struct DisplayError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Code: Hashable, Sendable {
    /// Neither an argument nor DISPLAY names a display.
    case noDisplayNamed
    /// The server does not exist, or refused the connection.
    case cannotOpen
    /// The connection was there and broke.
    case connectionLost
  }

  public var code: Code
  /// The name that was tried.
  public var display: String
  /// What the server said, where it said anything.
  public var reason: String?

  public init(_ code: Code, display: String, reason: String? = nil) {
    self.code = code
    self.display = display
    self.reason = reason
  }

  public var description: String {
    switch code {
    case .noDisplayNamed:
      "Can't open display: DISPLAY is not set, so there is no X server to talk to"
    case .cannotOpen:
      "Can't open display \(String(reflecting: display)): "
        + (reason ?? "no X server answers there, or it refused this user (see XAUTHORITY)")
    case .connectionLost:
      "the connection to display \(String(reflecting: display)) was lost: the X server ended or closed it"
    }
  }
}
