import Foundation
import PasteButtonWindow
import SelectionProtocol
import TestServer
import Testing
import XlibTransport

/// A shown button is pressed as a person presses it: by xdotool, through the server.
@Suite struct PasteButtonWindowTests {
  private final class Count {
    var presses = 0
    var closes = 0
  }

  private struct Rig {
    let server: XServer
    let connection: SelectionConnection
    let window: PasteButtonWindow
    let count = Count()

    init(isEnabled: Bool) throws {
      server = try XServer()
      connection = try SelectionConnection(display: server.display)
      window = try PasteButtonWindow(on: connection, label: "Paste")
      window.onPress = { [count] in count.presses += 1 }
      window.onClose = { [count] in count.closes += 1 }
      window.update(isEnabled: isEnabled, detail: isEnabled ? "Text" : "Nothing to paste")
      // All that was asked for has happened on the server.
      _ = connection.serverTime()
    }

    /// Runs xdotool while the window answers, and deals with all that it caused.
    func act(_ words: String...) throws {
      let done = Done()
      let (mailbox, display) = (connection.mailbox, server.display)
      Thread.detachNewThread {
        done.set(Result { try run("xdotool", words, display: display) })
        mailbox.wake()
      }
      try connection.turn(until: .now + 20_000) { done.result == nil }
      let result = try #require(try done.result?.get())
      #expect(result.status == 0, "xdotool \(words): \(result.errorText)")
      // What xdotool caused was sent before the answer to this.
      _ = connection.serverTime()
      try connection.turn(until: .now)
    }

    func pixel(_ x: Int, _ y: Int) throws -> [UInt8] {
      let dump = try run(
        "sh", ["-c", "xwd -silent -id \(window.identifier) | xwdtopnm 2>/dev/null"],
        display: server.display)
      // P6, width, height, 255, then three bytes a pixel.
      try #require(dump.output.starts(with: Array("P6\n".utf8)))
      let header = dump.output.prefix(32).split(separator: UInt8(ascii: "\n"), maxSplits: 3)
      let size = String(decoding: header[1], as: UTF8.self).split(separator: " ").compactMap {
        Int($0)
      }
      let start = header[0].count + header[1].count + header[2].count + 3
      let offset = start + 3 * (y * size[0] + x)
      return Array(dump.output[offset..<(offset + 3)])
    }
  }

  private final class Done: @unchecked Sendable {
    // Every access takes the lock.
    private let lock = NSLock()
    private var stored: Result<CommandResult, any Error>?

    func set(_ value: Result<CommandResult, any Error>) { lock.withLock { stored = value } }
    var result: Result<CommandResult, any Error>? { lock.withLock { stored } }
  }

  @Test func aClickPressesItOnce() throws {
    let rig = try Rig(isEnabled: true)
    try rig.act("mousemove", "--window", "\(rig.window.identifier)", "60", "40", "click", "1")
    #expect(rig.count.presses == 1)
  }

  @Test func aClickThatEndsOutsideDoesNotPress() throws {
    let rig = try Rig(isEnabled: true)
    try rig.act(
      "mousemove", "--window", "\(rig.window.identifier)", "60", "40", "mousedown", "1",
      "mousemove", "700", "500", "mouseup", "1")
    #expect(rig.count.presses == 0)
  }

  @Test(arguments: ["space", "Return", "KP_Enter"])
  func aKeyPressesItOnce(key: String) throws {
    let rig = try Rig(isEnabled: true)
    try rig.act("windowfocus", "\(rig.window.identifier)", "key", key)
    #expect(rig.count.presses == 1)
  }

  @Test func disabledItIsNotPressed() throws {
    let rig = try Rig(isEnabled: false)
    try rig.act("mousemove", "--window", "\(rig.window.identifier)", "60", "40", "click", "1")
    try rig.act("windowfocus", "\(rig.window.identifier)", "key", "space")
    #expect(rig.count.presses == 0)
  }

  @Test func disabledItLooksDifferent() throws {
    let rig = try Rig(isEnabled: false)
    let disabled = try rig.pixel(20, 20)
    rig.window.update(isEnabled: true, detail: "Text")
    _ = rig.connection.serverTime()
    #expect(try rig.pixel(20, 20) != disabled)
  }

  @Test func escapeClosesIt() throws {
    let rig = try Rig(isEnabled: true)
    try rig.act("windowfocus", "\(rig.window.identifier)", "key", "Escape")
    #expect(rig.count.closes == 1)
    #expect(rig.count.presses == 0)
  }

  @Test func itGrowsWithTheDesktopsDotsPerInch() throws {
    let server = try XServer()
    func width() throws -> Int {
      let connection = try SelectionConnection(display: server.display)
      let window = try PasteButtonWindow(on: connection, label: "Paste")
      _ = connection.serverTime()
      let shown = try run(
        "xdotool", ["getwindowgeometry", "--shell", "\(window.identifier)"],
        display: server.display)
      let line = try #require(shown.text.split(separator: "\n").first { $0.hasPrefix("WIDTH=") })
      return try #require(Int(line.dropFirst(6)))
    }
    let usual = try width()
    let set = try run(
      "xprop",
      ["-root", "-f", "RESOURCE_MANAGER", "8s", "-set", "RESOURCE_MANAGER", "Xft.dpi:\t192\n"],
      display: server.display)
    #expect(set.status == 0)
    #expect(try width() == 2 * usual)
  }
}
