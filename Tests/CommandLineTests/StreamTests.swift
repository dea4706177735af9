import Foundation
import TestServer
import Testing

/// Standard streams whose other end is slow, full or limited, and what a person sees meanwhile.
@Suite struct StreamTests {
  /// An owner that sends `count` chunks of 100,000 bytes, gives up when one is not fetched within two seconds, and makes
  /// the file `sent` at the end.
  private func impatientOwner(
    _ session: Session, chunks count: Int, pause: Double = 0
  ) throws -> ForeignOwner {
    try ForeignOwner(
      session,
      """
      import select
      def deleted():
          while True:
              while d.pending_events():
                  n = d.next_event()
                  if n.type == X.PropertyNotify and n.state == X.PropertyDelete: return
              if not select.select([d.fileno()], [], [], 2)[0]: sys.exit('given up')
      if target == 'TARGETS': targets(['UTF8_STRING'])
      else:
          event.requestor.change_attributes(event_mask=X.PropertyChangeMask)
          answer('INCR', [0], 32)
          kind = d.intern_atom('UTF8_STRING')
          for i in range(\(count)):
              deleted()
              select.select([], [], [], \(pause))
              event.requestor.change_property(event.property, kind, 8, bytes([97 + i % 26]) * 100000)
              d.flush()
          deleted()
          event.requestor.change_property(event.property, kind, 8, b'')
          d.sync()
          open('\(session.directory.path)/sent', 'w').close()
      """)
  }

  private func content(_ count: Int) -> Data {
    (0..<count).reduce(into: Data()) { data, index in
      data.append(Data(repeating: UInt8(97 + index % 26), count: 100_000))
    }
  }

  @Test func aReaderThatPausesGetsAll() throws {
    let session = try Session()
    let owner = try impatientOwner(session, chunks: 12)
    _ = try session.write(content(12), to: "expected")
    // Nobody reads before the owner is done: the pipe alone holds less than a chunk.
    let result = try session.shell(
      """
      pasteboard paste | { until [ -e sent ]; do :; done; cmp - expected && echo same; }
      echo ${PIPESTATUS[*]}; ls -A
      """, seconds: 60)
    #expect(result.text == "same\n0 0\nexpected\nsent\n")
    #expect(result.errorText == "")
    withExtendedLifetime(owner) {}
  }

  @Test func aReaderThatPausesAndGoesEndsQuietly() throws {
    let session = try Session()
    let owner = try impatientOwner(session, chunks: 12)
    let result = try session.shell(
      """
      pasteboard paste | { until [ -e sent ]; do :; done; head -c 5; }
      echo " ${PIPESTATUS[*]}"
      """, seconds: 60)
    #expect(result.text == "aaaaa 141 0\n")
    #expect(result.errorText == "")
    withExtendedLifetime(owner) {}
  }

  @Test func withoutRoomForItTheReaderIsWaitedFor() throws {
    let session = try Session()
    try session.pasteboard("copy", input: Session.bytes(2_000_000))
    let result = try session.shell(
      """
      mkfifo go; (ulimit -f 64; exec pasteboard paste) | { read < go; cat; } > out & child=$!
      echo > go; wait $child
      """)
    #expect(result.errorText == "")
    #expect(try session.contents("out") == Session.bytes(2_000_000))
  }

  @Test func aLimitOnTheSizeOfFilesIsToldAndLeavesNothing() throws {
    let session = try Session()
    try session.copy("kept")
    let copy = try session.shell(
      "export TMPDIR=$PWD; head -c 20000000 /dev/zero | (ulimit -f 1024; pasteboard copy); echo $?")
    #expect(copy.text == "4\n")
    #expect(
      copy.errorText
        == "pasteboard: cannot keep the content in \(session.directory.path): File too large; "
        + "nothing was copied (TMPDIR chooses another directory)\n")
    #expect(try session.paste() == Data("kept".utf8))
    try session.pasteboard("copy", input: Session.bytes(2_000_000))
    let paste = try session.shell("ulimit -f 1024; pasteboard paste -o file; echo $?; ls -A")
    #expect(paste.text == "4\n")
    #expect(paste.errorText == "pasteboard: cannot write file: File too large\n")
    // The limit is the caller's, and a command gets the signal as it was.
    let child = try session.shell(
      "pasteboard watch --initial -- sh -c 'kill -XFSZ $$; echo alive > out' & w=$!; "
        + "echo x | pasteboard copy; paste-button --accept public.data --press -- "
        + "sh -c 'kill -XFSZ $$; echo alive'; echo $?; kill $w")
    #expect(child.text == "4\n")
  }

  @Test func progressIsShownOnATerminalOnly() throws {
    let session = try Session()
    let owner = try impatientOwner(session, chunks: 8, pause: 0.3)
    let shown = try session.shell(
      "script -qec '\(Session.program) paste -o file' /dev/null </dev/null; wc -c < file")
    #expect(shown.text.contains("\rpasting "))
    #expect(shown.text.contains(" kB ("))
    #expect(shown.text.contains("kB/s)"))
    #expect(!shown.text.contains("\u{1B}"))
    #expect(shown.text.hasSuffix("\r800000\n"))
    let quiet = try session.shell("pasteboard paste -o file")
    #expect(quiet.output.isEmpty && quiet.errorText == "")
    let content = try session.shell(
      "script -qec '\(Session.program) paste' /dev/null </dev/null | tr -d '\\r' | wc -c")
    #expect(content.text == "800000\n")
    withExtendedLifetime(owner) {}
  }

  @Test(arguments: [100, 300_000])
  func closedStandardOutputIsNoSuccess(size: Int) throws {
    let session = try Session()
    try session.pasteboard("copy", input: Session.bytes(size))
    let result = try session.shell("pasteboard paste >&-; echo $? >&2")
    #expect(
      result.errorText
        == "pasteboard: cannot write to standard output: Bad file descriptor\n4\n")
  }

  @Test(arguments: ["TERM", "USR1", "KILL"])
  func aSignalLeavesNoFile(signal: String) throws {
    let session = try Session()
    let owner = try ForeignOwner(
      session,
      """
      if target == 'TARGETS': targets(['UTF8_STRING'])
      else:
          event.requestor.change_attributes(event_mask=X.PropertyChangeMask)
          answer('INCR', [0], 32)
          while True:
              n = d.next_event()
              if n.type == X.PropertyNotify and n.state == X.PropertyDelete: break
          event.requestor.change_property(event.property, d.intern_atom('UTF8_STRING'), 8, b'part')
          d.sync()
          while True:
              n = d.next_event()
              if n.type == X.PropertyNotify and n.state == X.PropertyDelete: break
          open('\(session.directory.path)/begun', 'w').close()
      """)
    let result = try session.shell(
      """
      umask 022; pasteboard paste -o file & p=$!
      until [ -e begun ]; do :; done
      kill -\(signal) $p; wait $p 2> /dev/null; rm begun; ls -A
      """)
    #expect(result.text == "")
    withExtendedLifetime(owner) {}
  }

  @Test func aNewFileHasTheModeOfNewFilesAndAnOldOneKeepsIts() throws {
    let session = try Session()
    try session.copy("text")
    let result = try session.shell(
      """
      umask 027; pasteboard paste -o new; echo old > old; chmod 604 old; pasteboard paste -o old
      stat -c '%a %n' new old; ls -A; cat old
      """)
    #expect(result.text == "640 new\n604 old\nnew\nold\ntext")
    #expect(result.errorText == "")
  }

  @Test(arguments: [
    [], ["-t", "txt"], ["-t", "UTF8_STRING"], ["-t", "text/plain"],
    ["-t", "text/plain;charset=utf-8"], ["-t", "TEXT"],
  ])
  func lineEndsOfEveryTextAreTurned(type: [String]) throws {
    let session = try Session()
    try session.copy("a\r\n\r\nb\r\n")
    let result = try TestServer.run(
      Session.program, ["paste", "--lf"] + type, display: session.server.display)
    #expect(result.output == Data("a\n\nb\n".utf8))
    #expect(try session.paste("--lf", "-n") == Data("a\n\nb".utf8))
    #expect(try session.paste() == Data("a\r\n\r\nb\r\n".utf8))
  }

  @Test func onlyLineEndsAreTurned() throws {
    let session = try Session()
    // The CR and the LF come in different chunks, others stand alone.
    let start = String(repeating: "x", count: 99_999) + "\r"
    let owner = try ForeignOwner(
      session,
      """
      if target == 'TARGETS': targets(['UTF8_STRING'])
      else:
          event.requestor.change_attributes(event_mask=X.PropertyChangeMask)
          answer('INCR', [0], 32)
          for chunk in [b'x' * 99999 + b'\\r', b'\\n\\r', b'y\\r', b'']:
              while True:
                  n = d.next_event()
                  if n.type == X.PropertyNotify and n.state == X.PropertyDelete: break
              event.requestor.change_property(event.property, d.intern_atom('UTF8_STRING'), 8, chunk)
              d.flush()
      """)
    #expect(try session.paste("--lf") == Data((start.dropLast() + "\n\ry\r").utf8))
    withExtendedLifetime(owner) {}
    try session.pasteboard("copy", input: Data([0xFF, 0x0D, 0x0A]))
    #expect(try session.paste("--lf") == Data([0xFF, 0x0D, 0x0A]))
    try session.pasteboard("copy", "-t", "html", input: Data("<p>\r\n".utf8))
    #expect(try session.paste("--lf", "-t", "html") == Data("<p>\n".utf8))
  }
}
