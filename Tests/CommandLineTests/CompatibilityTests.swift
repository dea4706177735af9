import Foundation
import TestServer
import Testing

@Suite struct CompatibilityTests {
  @Test(arguments: ["primary", "secondary", "clipboard", "buffer", "CLIP", "s"])
  func xclipWritesAndReadsEverySelection(name: String) throws {
    let session = try Session()
    let bytes = Session.bytes(300_000)
    _ = try session.write(bytes, to: "in")
    let result = try session.compatibly(
      """
      xclip -sel \(name) -i < in && xclip -o -selection \(name) | cmp - in && echo stdin
      xclip -sel \(name) in && xclip -o -selection \(name) | cmp - in && echo file
      cat in | xclip -sel \(name) - && xclip -o -selection \(name) | cmp - in && echo dash
      xclip -sel \(name) -f < in | cmp - in && echo filter
      xclip -selection \(name) -t image/jpeg in
      xclip -o -selection \(name) -t image/jpeg | cmp - in && echo type
      """)
    #expect(result.text == "stdin\nfile\ndash\nfilter\ntype\n")
    #expect(result.errorText == "")
  }

  @Test func theCutBufferTakesMoreThanOneRequest() throws {
    let session = try Session()
    let result = try session.compatibly(
      """
      head -c 16777216 /dev/zero > in
      xclip -sel buffer -t image/jpeg -i < in; xclip -sel buffer -o | cmp - in && echo same
      """)
    #expect(result.text == "same\n")
  }

  @Test func xclipsStatusAndWords() throws {
    let session = try Session()
    let result = try session.compatibly(
      """
      xclip -o; echo $?
      echo text | xclip -selection clipboard
      xclip -selection clipboard -t image/png -o; echo $?
      xclip -selection clipboard -t TARGETS -o
      xclip nosuch; echo $?
      xclip -v; echo $?
      xclip -version; echo $?
      DISPLAY=:7777 xclip -o; echo $?
      """)
    #expect(
      result.text == """
        1
        1
        TARGETS
        MULTIPLE
        TIMESTAMP
        SAVE_TARGETS
        UTF8_STRING
        text/plain;charset=utf-8
        TEXT
        STRING
        text/plain
        COMPOUND_TEXT
        1
        1
        0
        1

        """)
    #expect(
      result.errorText == """
        Error: target STRING not available
        Error: target image/png not available
        xclip: nosuch: No such file or directory
        xclip: -v: No such file or directory
        xclip version 0.13 (pasteboard 0.9.0)
        Error: Can't open display ":7777": no X server answers there

        """)
  }

  @Test func xclipLoopsCountPastes() throws {
    let session = try Session()
    let result = try session.compatibly(
      """
      echo secret | xclip -loops 1
      real-xclip -o -t TARGETS >/dev/null; xclip -o; xclip -o 2>/dev/null; echo $?
      printf 'a\\n\\n' | xclip -r; xclip -o -r | od -An -c
      """)
    #expect(result.text.hasPrefix("secret\n1\n"))
    #expect(result.text.split(separator: "\n").last?.split(separator: " ") == ["a"])
  }

  @Test func xclipQuietStaysUntilReplaced() throws {
    let session = try Session()
    let result = try session.compatibly(
      """
      echo x | xclip -quiet -i 2>/dev/null & child=$!
      until xclip -o >/dev/null 2>&1; do :; done
      echo y | xclip -i; wait $child; echo $?
      """)
    #expect(result.text == "0\n")
  }

  @Test func xselsCalls() throws {
    let session = try Session()
    let result = try session.compatibly(
      """
      xsel -o -b; echo "empty $?"
      printf one | xsel --nodetach -i -b & child=$!
      until [ "$(xsel -o -b)" = one ]; do :; done
      printf two | xsel -i --clipboard; wait $child; echo "nodetach $?"
      xsel --output --clipboard; echo
      printf ' three' | xsel -ab; xsel -bo; echo
      printf 'nul\\0nul' | xsel -ib; xsel -ob | od -An -c
      xsel -bc; xsel -bo; echo "cleared $?"
      printf p | xsel -ip; printf s | xsel -is; xsel -x; xsel -op; xsel -os; echo
      printf 'x\\n' | xsel --trim -i; xsel -o; echo
      xsel --bogus | head -1; echo "${PIPESTATUS[0]}"
      DISPLAY=:7777 xsel -o; echo $?
      """)
    #expect(
      result.text == """
        empty 0
        nodetach 0
        two
        two three
           n   u   l  \\0   n   u   l
        cleared 0
        sp
        x
        Usage: xsel [options]
        0
        1

        """)
    #expect(result.errorText == "xsel: Can't open display \":7777\": no X server answers there\n")
  }

  @Test func pbcopyAndPbpaste() throws {
    let session = try Session()
    let result = try session.compatibly(
      """
      pbpaste; echo $?
      printf 'text' | pbcopy; pbpaste; echo
      printf 'found' | pbcopy -pboard find; pbpaste -pboard find; pbpaste -pboard general; echo
      printf '{\\\\rtf1 x}' | pbcopy; pbpaste -Prefer rtf; pbpaste -Prefer txt; echo
      pbpaste; echo
      printf '%s' sub | pasteboard xclip -sel c; pasteboard pbpaste; echo
      """)
    #expect(result.text == "0\ntext\nfoundtext\n{\\rtf1 x}\n{\\rtf1 x}\nsub\n")
    #expect(result.errorText == "")
  }

  @Test func nothingOfTheCallersStaysOpen() throws {
    let session = try Session()
    let result = try session.compatibly(
      "x=$(echo hi | xclip 2>&1); y=$(echo ho | xsel -b 2>&1 >/dev/null); echo \"<$x$y>\"")
    #expect(result.text == "<>\n")
  }

  @Test func aTimeLimitIsStatusOne() throws {
    let session = try Session()
    let owner = try ForeignOwner(session, "pass")
    let xsel = try session.compatibly("xsel -b -o -t 200")
    #expect(xsel.status == 1)
    #expect(xsel.errorText == "xsel: not done within 0.2 s (-t)\n")
    // A list of targets is small: its owner gets no longer than when it is asked for by the way.
    let list = try session.compatibly("xclip -o -selection clipboard -t TARGETS")
    #expect(list.status == 1)
    #expect(list.errorText.hasPrefix("Error: the owner of CLIPBOARD"))
    #expect(list.errorText.contains("did not answer for TARGETS within 2 s"))
    let own = try session.pasteboard("paste", "--timeout", "0.2")
    #expect(own.status == 4)
    #expect(own.errorText == "pasteboard: not done within 0.2 s (--timeout)\n")
    withExtendedLifetime(owner) {}
  }
}
