import Testing

@testable import SessionHelper

/// What comes from a bus is not trusted either.
@Suite struct BusMessageTests {
  private let hello = BusMessage.call("AddMatch", "type='signal'", serial: 2)

  @Test func aCallIsReadBack() {
    guard case .message(let message, let byteCount) = BusMessage.parse(hello + [1, 2, 3]) else {
      Issue.record("not a message")
      return
    }
    #expect(byteCount == hello.count)
    #expect(message.type == 1)
    #expect(message.path == "/org/freedesktop/DBus")
    #expect(message.interface == "org.freedesktop.DBus")
    #expect(message.member == "AddMatch")
    #expect(message.body == [13, 0, 0, 0] + Array("type='signal'".utf8) + [0])
  }

  @Test func aPartIsWaitedFor() {
    for count in 0..<hello.count {
      #expect(BusMessage.parse(Array(hello[..<count])) == .incomplete)
    }
  }

  @Test func sizesAreBounded() {
    var huge = hello
    huge.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
    #expect(BusMessage.parse(huge) == .broken)
    var fields = hello
    fields.replaceSubrange(12..<16, with: [0xFF, 0xFF, 0xFF, 0x7F])
    #expect(BusMessage.parse(fields) == .broken)
    #expect(BusMessage.parse(Array("HTTP/1.1 400 Bad Request".utf8)) == .broken)
  }

  /// A generator of its own, so that every run tries the same.
  @Test func nonsenseIsNoHarm() {
    var seed: UInt64 = 42
    func random() -> UInt64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return seed >> 33
    }
    var parsed = 0
    for _ in 0..<20_000 {
      var bytes = hello
      for _ in 0..<(1 + random() % 6) {
        bytes[Int(random()) % bytes.count] = UInt8(truncatingIfNeeded: random())
      }
      if case .message(let message, _) = BusMessage.parse(bytes) {
        parsed += 1
        _ = message.flag
        _ = message.changedFlag("LockedHint")
      }
    }
    #expect(parsed > 0)
  }
}
