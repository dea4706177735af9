import CoreTransferable
import Foundation
import TestServer
import Testing
import X11Pasteboard

/// A requestor that is none of ours, against what the API offers.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ForeignRequestorTests {
  private let server: XServer
  private let clipboard: Pasteboard

  init() async throws {
    server = try XServer()
    clipboard = try await Pasteboard.clipboard(display: server.display)
  }

  /// Asks for the slow target and then for text, each on a window of its own; says when which was answered, owns
  /// PRIMARY as a sign that both were, and takes what comes by INCR. Prints four words.
  private static let requestor = """
    import time
    from Xlib import X, display
    d = display.Display()
    atom = d.intern_atom
    clipboard, incr = atom('CLIPBOARD'), atom('INCR')
    names = ['com.example.blob', 'UTF8_STRING']
    atoms = [atom(n) for n in names] + [atom('P')]
    make = lambda: d.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent, event_mask=X.PropertyChangeMask)
    windows = [make(), make()]
    d.sync()
    start = time.monotonic()
    for w, t in zip(windows, atoms): w.convert_selection(clipboard, t, atoms[2], X.CurrentTime)
    d.flush()
    answered = {}
    while len(answered) < 2:
        e = d.next_event()
        if e.type == X.SelectionNotify:
            assert e.property == atoms[2], 'refused'
            answered[e.requestor.id] = int((time.monotonic() - start) * 1000)
    w = windows[0]
    header = w.get_property(atoms[2], X.AnyPropertyType, 0, 1 << 20)
    w.set_selection_owner(atom('PRIMARY'), X.CurrentTime)
    w.delete_property(atoms[2])
    d.flush()
    data, done = b'', False
    while not done:
        e = d.next_event()
        if e.type != X.PropertyNotify or e.window.id != w.id or e.state != X.PropertyNewValue: continue
        reply = w.get_property(atoms[2], X.AnyPropertyType, 0, 1 << 20)
        if reply is None or reply.property_type == incr: continue
        w.delete_property(atoms[2])
        d.flush()
        done = not reply.value
        data += bytes(reply.value)
    print(answered[windows[0].id], answered[windows[1].id], header.property_type == incr, len(data))
    """

  @Test func theFirstAnswerComesInTimeThoughTheExporterIsSlow() async throws {
    let primary = try await Pasteboard.primary(display: server.display)
    let content = pattern(600_000)
    // The best of some: the machine may be busy with other things.
    var best = Int.max
    for attempt in 0..<5 where attempt == 0 || best >= 450 {
      let gate = Gate()
      try await clipboard.copy(
        Scripted(blob: {
          await gate.wait()
          return content
        }))
      let changes = primary.changes
      _ = try await primary.owner()
      async let result = command(
        "/usr/bin/python3", ["-c", Self.requestor], display: server.display)
      for await change in changes where change.reason == .newOwner { break }
      gate.open()
      let answer = try await result
      let words = answer.text.split(separator: " ").map(String.init)
      try #require(words.count == 4, "\(answer.errorText)")
      let (slow, quick) = (try #require(Int(words[0])), try #require(Int(words[1])))
      #expect(quick <= slow, "text does not wait for what is slow")
      #expect(words[2] == "True")
      #expect(words[3].trimmingCharacters(in: .whitespacesAndNewlines) == "600000")
      best = min(best, slow)
    }
    #expect(best < 450)
  }
}
