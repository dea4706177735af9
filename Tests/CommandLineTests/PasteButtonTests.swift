import Foundation
import TestServer
import Testing

@Suite struct PasteButtonTests {
  @Test func pressGivesTheContentToTheCommand() throws {
    let session = try Session()
    let disabled = try session.shell("paste-button --accept txt --press -- touch ran; echo $?; ls")
    #expect(disabled.text == "1\n")
    #expect(disabled.errorText == "paste-button: disabled: no txt in CLIPBOARD\n")
    try session.copy("a 'b' $(c)")
    let result = try session.shell(
      "paste-button --accept png txt --press -- sh -c 'echo \"$PASTE_TYPE $PASTE_TARGET\"; cat'")
    #expect(result.status == 0)
    #expect(result.text == "public.utf8-plain-text UTF8_STRING\na 'b' $(c)")
    let large = Session.bytes(3_000_000)
    try session.pasteboard("copy", input: large)
    #expect(
      try session.shell("paste-button --accept public.data --press -- cat").output == large)
  }

  @Test(arguments: [
    ("--accept txt --press -- false", 4, "false ended with status 1"),
    ("--accept txt --press -- ./none", 4, "cannot run ./none: No such file or directory"),
    (
      "--accept txt --press", 2,
      "no COMMAND to give the content to: write it behind -- (see paste-button --help)"
    ),
    ("--press -- cat", 2, "--accept TYPE says what can be pasted (see paste-button --help)"),
    (
      "--accept txt --press --once -- cat", 2,
      "--press, --watch and --once exclude each other (see paste-button --help)"
    ),
    ("--accept TARGETS --press -- cat", 2, "TARGETS is part of the protocol, and no content"),
  ])
  func whatGoesWrongIsSaid(words: String, status: Int32, message: String) throws {
    let session = try Session()
    try session.copy("x")
    let result = try session.shell("paste-button \(words)")
    #expect(result.status == status)
    #expect(result.errorText == "paste-button: \(message)\n")
  }

  @Test func watchFollowsTheSelection() throws {
    let session = try Session()
    let png = try session.write(Session.png, to: "p.png")
    let result = try session.shell(
      """
      paste-button --accept public.image,txt --watch > log & watcher=$!
      lines() { until [ $(wc -l < log) -ge $1 ]; do :; done; }
      lines 1; echo x | pasteboard copy
      lines 2; pasteboard copy --no-file \(png)
      lines 3; pasteboard clear
      lines 4; kill $watcher; cat log
      """)
    #expect(
      result.text == """
        disabled
        enabled public.utf8-plain-text
        enabled public.png
        disabled

        """)
  }

  @Test func theWindowIsPressed() throws {
    let session = try Session()
    try session.copy("pressed")
    let result = try session.shell(
      """
      paste-button --accept txt --label 'A button' --once -- sh -c 'cat > out' & button=$!
      until window=$(xdotool search --name 'A button'); do :; done
      until [ -s out ] || ! kill -0 $button 2>/dev/null; do
        xdotool mousemove --window $window 15 15 click 1
      done
      wait $button; echo $?; cat out
      """)
    #expect(result.text == "0\npressed")
  }

  @Test func eachPressOfTheWindowRunsTheCommand() throws {
    let session = try Session()
    try session.copy("one")
    let result = try session.shell(
      """
      paste-button --accept txt --label Again -- sh -c 'cat >> out; echo >> out; exit 3' \
        2> complaints & button=$!
      until window=$(xdotool search --name Again); do :; done
      lines() {
        until [ $(cat out 2>/dev/null | wc -l) -ge $1 ]; do
          xdotool windowfocus $window key space
        done
      }
      lines 1; echo -n two | pasteboard copy; lines 2
      until grep -q two out; do xdotool windowfocus $window key Return; done
      xdotool windowfocus $window key Escape
      wait $button; echo $?; sort -u out; sort -u complaints
      """, seconds: 40)
    #expect(result.text == "0\none\ntwo\npaste-button: sh ended with status 3\n")
  }
}
