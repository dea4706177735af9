import Foundation
import SelectionFormats
import SelectionProtocol
import XlibTransport

/// Who owns a selection, as far as the X server tells.
public struct PasteboardOwner: Hashable, Sendable {
  /// Number of the owner's window.
  public let window: UInt32
  /// Whether it is this process, through the same connection.
  public let isOwnProcess: Bool
  /// The owner's process; `nil` for a remote client, or where the server does not tell. Not to be trusted: use it
  /// to show, never to decide.
  public let processIdentifier: Int32?

  /// What the kernel calls the owner's process now, safe to print; `nil` where it is not known or gone.
  public var processName: String? {
    guard let processIdentifier,
      let name = try? String(contentsOfFile: "/proc/\(processIdentifier)/comm", encoding: .utf8)
    else { return nil }
    return TargetName.escaped(String(name.prefix { $0 != "\n" }))
  }

  /// Names it for people, as much of it as is known.
  var described: String {
    let window = "window 0x\(String(window, radix: 16))"
    guard let processIdentifier else { return window }
    return "\(processName.map { "\($0), " } ?? "")process \(processIdentifier), \(window)"
  }

  /// An owner of whom nothing is known but the window.
  init?(_ window: Window) {
    guard window != .none else { return nil }
    self.window = window.rawValue
    isOwnProcess = false
    processIdentifier = nil
  }

  init?(_ window: Window, _ connection: SelectionConnection) {
    guard window != .none else { return nil }
    self.window = window.rawValue
    isOwnProcess = connection.isOwn(window)
    processIdentifier = connection.process(of: window)
  }
}
