import Foundation
import TestServer
import Testing

/// An owner of CLIPBOARD that behaves as it is told, in python3-xlib.
final class ForeignOwner {
  private let process = Process()

  /// Starts it, and waits until it owns the selection.
  ///
  /// - Parameter behaviour: Lines of Python, run for each request with `target` (its name), `event`, `answer(type,
  ///   bytes, format=8)`, `refuse()` and `targets(names)` at hand.
  init(_ session: Session, _ behaviour: String) throws {
    let indented = behaviour.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "    " + $0 }.joined(separator: "\n")
    let script = """
      import sys, time, struct
      from Xlib import X, display, Xatom
      from Xlib.protocol import event as ev
      d = display.Display()
      w = d.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
      CLIP = d.intern_atom('CLIPBOARD')
      w.set_selection_owner(CLIP, X.CurrentTime)
      d.sync()
      print('ready', flush=True)
      def notify(event, prop):
          event.requestor.send_event(ev.SelectionNotify(time=event.time, requestor=event.requestor,
              selection=event.selection, target=event.target, property=prop), 0)
          d.flush()
      def request(event, target):
          def answer(kind, data, format=8):
              event.requestor.change_property(event.property, d.intern_atom(kind), format, data)
              notify(event, event.property)
          def refuse(): notify(event, X.NONE)
          def targets(names): answer('ATOM', [d.intern_atom(n) for n in names], 32)
      \(indented)
      while True:
          event = d.next_event()
          if event.type == X.SelectionRequest:
              request(event, d.get_atom_name(event.target))
          elif event.type == X.SelectionClear:
              break
      """
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = ["-c", script]
    process.environment = ["DISPLAY": session.server.display, "PATH": "/usr/bin:/bin"]
    process.standardOutput = pipe
    process.standardError = FileHandle.standardError
    try process.run()
    try #require(pipe.fileHandleForReading.availableData == Data("ready\n".utf8))
  }

  var processIdentifier: Int32 { process.processIdentifier }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
