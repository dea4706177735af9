import Foundation
import TestServer
import Testing

@Suite struct ForeignOwnerTests {
  @Test func aSilentOwnerIsGivenUpAndNamed() throws {
    let session = try Session()
    let owner = try ForeignOwner(session, "pass")
    let start = Date.now
    let result = try session.pasteboard("paste")
    #expect(result.status == 4)
    #expect(Date.now.timeIntervalSince(start) < 4)
    #expect(
      result.errorText.hasSuffix(
        "(python3, process \(owner.processIdentifier)), did not answer for TARGETS within 2 s; "
          + "it may be busy or stopped\n"), "\(result.errorText)")
    let limited = Date.now
    let brief = try session.pasteboard("paste", "--timeout", "0.4")
    #expect(brief.status == 4)
    #expect(Date.now.timeIntervalSince(limited) < 1.5)
    #expect(brief.errorText == "pasteboard: not done within 0.4 s (--timeout)\n")
  }

  @Test func aStoppedServerIsGivenUp() throws {
    let session = try Session()
    kill(session.server.processIdentifier, SIGSTOP)
    defer { kill(session.server.processIdentifier, SIGCONT) }
    let result = try session.pasteboard("paste", "-o", "file", "--timeout", "0.5")
    #expect(result.status == 4)
    #expect(result.errorText == "pasteboard: not done within 0.5 s (--timeout)\n")
    #expect(try session.shell("ls -A").text == "")
  }

  @Test(arguments: [
    "UTF8_STRING", "STRING", "text/plain;charset=utf-8", "text/plain", "TEXT", "COMPOUND_TEXT",
  ])
  func oneTextTargetIsEnough(name: String) throws {
    let session = try Session()
    let owner = try ForeignOwner(
      session,
      """
      if target == 'TARGETS': targets(['TARGETS', '\(name)'])
      elif target == '\(name)': answer('\(name)' if target != 'TEXT' else 'STRING', b'plain')
      else: refuse()
      """)
    #expect(try session.paste() == Data("plain".utf8))
    withExtendedLifetime(owner) {}
  }

  @Test func refusedTargetsAreProbed() throws {
    let session = try Session()
    let owner = try ForeignOwner(
      session,
      """
      if target == 'STRING': answer('STRING', b'caf\\xe9')
      else: refuse()
      """)
    #expect(try session.paste() == Data("café".utf8))
    let none = try session.pasteboard("paste", "-t", "image/png")
    #expect(none.status == 1)
    withExtendedLifetime(owner) {}
  }

  @Test func aLieFallsThrough() throws {
    let session = try Session()
    let owner = try ForeignOwner(
      session,
      """
      if target == 'TARGETS': targets(['image/png', 'image/jpeg', 'UTF8_STRING', 'STRING'])
      elif target == 'image/png': answer('UTF8_STRING', b'not a picture')
      elif target == 'image/jpeg': answer('image/jpeg', b'jpeg')
      elif target == 'UTF8_STRING': refuse()
      else: answer('STRING', b'text')
      """)
    #expect(try session.paste() == Data("text".utf8))
    #expect(try session.paste("-t", "public.image") == Data("jpeg".utf8))
    let png = try session.pasteboard("paste", "-t", "public.png", "-o", "picture.png")
    #expect(png.status == 4)
    #expect(try session.shell("ls -A").text == "")
    withExtendedLifetime(owner) {}
  }

  @Test func anOwnerThatDiesInTheMiddleLeavesNothing() throws {
    let session = try Session()
    let owner = try ForeignOwner(
      session,
      """
      if target == 'TARGETS': targets(['UTF8_STRING'])
      else:
          event.requestor.change_attributes(event_mask=X.PropertyChangeMask)
          answer('INCR', [100000], 32)
          d.sync()
          while True:
              n = d.next_event()
              if n.type == X.PropertyNotify and n.state == X.PropertyDelete: break
          event.requestor.change_property(event.property, d.intern_atom('UTF8_STRING'), 8, b'x' * 5000)
          d.sync()
          sys.exit()
      """)
    let result = try session.pasteboard("paste", "-o", "file")
    #expect(result.status == 4)
    #expect(result.errorText.contains("went away while it sent UTF8_STRING"))
    #expect(try session.shell("ls -A").text == "")
    withExtendedLifetime(owner) {}
  }

  @Test func onlyAnImageEndsAtOnce() throws {
    let session = try Session()
    let owner = try ForeignOwner(
      session,
      """
      if target == 'TARGETS': targets(['TARGETS', 'image/png'])
      elif target == 'image/png': answer('image/png', b'picture')
      else: refuse()
      """)
    let result = try session.pasteboard("paste", "-t", "txt")
    #expect(result.status == 1)
    #expect(result.errorText == "pasteboard: no txt in CLIPBOARD; on offer: image/png\n")
    #expect(try session.paste() == Data("picture".utf8))
    withExtendedLifetime(owner) {}
  }

  @Test func oldTextEncodingsBecomeUTF8() throws {
    let session = try Session()
    let owner = try ForeignOwner(
      session,
      """
      if target == 'TARGETS': targets(['COMPOUND_TEXT', 'text/html'])
      elif target == 'COMPOUND_TEXT': answer('COMPOUND_TEXT', b'caf\\xe9 \\x1b-B\\xb1')
      else: answer('text/html', b'\\xff\\xfe<\\x00b\\x00>\\x00')
      """)
    #expect(try session.paste() == Data("café ą".utf8))
    #expect(try session.paste("-t", "public.html") == Data("<b>".utf8))
    #expect(
      try session.paste("-t", "text/html") == Data([0xFF, 0xFE, 0x3C, 0, 0x62, 0, 0x3E, 0]))
    withExtendedLifetime(owner) {}
  }

  @Test func aServerThatIsKilledEndsEverything() throws {
    let session = try Session()
    let owner = try ForeignOwner(
      session,
      """
      if target == 'TARGETS': targets(['UTF8_STRING'])
      else:
          import os, signal
          os.kill(\(session.server.processIdentifier), signal.SIGKILL)
      """)
    let result = try session.pasteboard("paste", "-o", "file")
    #expect(result.status == 3)
    #expect(
      result.errorText
        == "pasteboard: the connection to display \"\(session.server.display)\" was lost: the X "
        + "server ended or closed it\n")
    #expect(try session.shell("ls -A").text == "")
    withExtendedLifetime(owner) {}
  }
}
