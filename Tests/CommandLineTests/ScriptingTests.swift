import Foundation
import TestServer
import Testing

@Suite struct ScriptingTests {
  @Test func watchTellsEveryChange() throws {
    let session = try Session()
    let result = try session.shell(
      """
      echo first | pasteboard copy
      pasteboard watch --initial > log & watcher=$!
      lines() { until [ $(wc -l < log) -ge $1 ]; do :; done; }
      lines 1; echo second | pasteboard copy
      lines 2; pasteboard copy --no-file picture.png 2>/dev/null || pasteboard clear
      lines 3; kill $watcher; wait $watcher; cat log
      """)
    #expect(
      result.text == """
        CLIPBOARD\tinitial\tpublic.utf8-plain-text public.plain-text
        CLIPBOARD\tnew\tpublic.utf8-plain-text public.plain-text
        CLIPBOARD\tcleared\t

        """)
  }

  @Test func everyChangeOfABurstIsTold() throws {
    let session = try Session()
    let result = try session.shell(
      """
      pasteboard watch --initial --json > log & watcher=$!
      until [ $(wc -l < log) -ge 1 ]; do :; done
      for i in $(seq 40); do echo $i | pasteboard copy; done
      until [ $(wc -l < log) -ge 41 ]; do :; done
      kill $watcher; grep -c '"reason":"new"' log
      """, seconds: 40)
    #expect(result.text == "40\n")
  }

  @Test func watchRunsACommandWithTheContent() throws {
    let session = try Session()
    let result = try session.shell(
      """
      printf 'a b' | pasteboard copy --sensitive
      pasteboard watch --initial -t txt -- sh -c 'echo "$CLIPBOARD_STATE $PASTE_SELECTION $PASTE_TYPE $(cat)" > out; kill -TERM $PPID'
      cat out
      """)
    #expect(result.text == "sensitive CLIPBOARD public.utf8-plain-text a b\n")
  }

  @Test func watchingUsesUpNoPaste() throws {
    let session = try Session()
    let result = try session.shell(
      """
      pasteboard watch --initial > log & watcher=$!
      until [ $(wc -l < log) -ge 1 ]; do :; done
      echo once | pasteboard copy --once
      until [ $(wc -l < log) -ge 2 ]; do :; done
      pasteboard paste; kill $watcher
      """)
    #expect(result.text == "once\n")
  }

  @Test func onlyTheCopyNamedIsReplaced() throws {
    let session = try Session()
    let token = try session.copy("mine", "--token").text.trimmingCharacters(in: .newlines)
    #expect(try session.copy("restored", "--if-owner", token).status == 0)
    #expect(try session.paste() == Data("restored".utf8))
    try session.copy("newer")
    let stale = try session.copy("clobbers", "--if-owner", token)
    #expect(stale.status == 1)
    #expect(
      stale.errorText
        == "pasteboard: CLIPBOARD has another owner by now; it stays as it is (--if-owner)\n")
    #expect(try session.paste() == Data("newer".utf8))
  }

  @Test func copyCanWaitForThePaste() throws {
    let session = try Session()
    let result = try session.shell(
      """
      (printf waited | pasteboard copy --wait-paste; echo " status $?") > log &
      until pasteboard types >/dev/null 2>&1; do :; done
      [ -s log ] && echo early
      pasteboard paste; wait; cat log
      """)
    #expect(result.text == "waited status 0\n")
    let nobody = try session.copy("x", "--wait-paste", "--timeout", "0.2")
    #expect(nobody.status == 4)
    #expect(nobody.errorText == "pasteboard: nobody pasted within 0.2 s (--timeout)\n")
  }

  @Test func appendingKeepsWhatIsThere() throws {
    let session = try Session()
    try session.copy("a\n", "--append")
    try session.copy("é\n", "--append")
    #expect(try session.paste() == Data("a\né\n".utf8))
    try session.pasteboard("copy", input: Session.png)
    let refused = try session.copy("text", "--append")
    #expect(refused.status == 4)
    #expect(try session.paste() == Session.png)
  }

  @Test func exchangeKeepsEveryType() throws {
    let session = try Session()
    try session.copy("prime", "-p")
    let path = try session.write(Session.png, to: "p.png")
    try session.pasteboard("copy", path)
    #expect(try session.pasteboard("exchange").status == 0)
    #expect(try session.paste() == Data("prime".utf8))
    #expect(try session.paste("-p", "-t", "png") == Session.png)
    #expect(try session.paste("-p", "--files") == Data((path + "\n").utf8))
  }

  @Test func inspectNamesTheOwner() throws {
    let session = try Session()
    try session.copy("x", "--sensitive")
    let result = try session.pasteboard("inspect", "--json")
    let list = try #require(
      JSONSerialization.jsonObject(with: result.output) as? [[String: Any]])
    #expect(list.count == 1)
    let report = try #require(list.first)
    #expect(report["selection"] as? String == "CLIPBOARD")
    #expect(report["program"] as? String == "pasteboard")
    #expect(report["sensitive"] as? Bool == true)
    #expect(try #require(report["age"] as? Int) < 60_000)
    #expect((report["targets"] as? [String])?.first == "TARGETS")
    #expect(try session.pasteboard("inspect", "-p").status == 1)
  }
}

@Suite struct AdditionTests {
  @Test func whatAnotherProgramCopiedStays() throws {
    let session = try Session()
    let owner = try ForeignOwner(
      session,
      """
      if target == 'TARGETS': targets(['TARGETS', 'text/html', 'UTF8_STRING'])
      elif target == 'text/html': answer('text/html', b'<b>theirs</b>')
      elif target == 'UTF8_STRING': answer('UTF8_STRING', b'their text')
      else: refuse()
      """)
    _ = try session.write(Session.png, to: "p.png")
    #expect(try session.pasteboard("copy", "--add", "--as", "image/png=p.png").status == 0)
    #expect(try session.paste("-t", "text/html") == Data("<b>theirs</b>".utf8))
    #expect(try session.paste() == Data("their text".utf8))
    #expect(try session.paste("-t", "image/png") == Session.png)
    // What both have is the new.
    #expect(try session.copy("ours", "--add", "-t", "UTF8_STRING").status == 0)
    #expect(try session.paste() == Data("ours".utf8))
    #expect(try session.paste("-t", "text/html") == Data("<b>theirs</b>".utf8))
    #expect(try session.paste("-t", "image/png") == Session.png)
    withExtendedLifetime(owner) {}
  }

  @Test func aSecretStaysOne() throws {
    let session = try Session()
    try session.copy("secret", "--sensitive")
    try session.copy("<i>secret</i>", "--add", "-t", "html")
    let targets = try session.pasteboard("paste", "-t", "TARGETS").text.split(separator: "\n")
    #expect(targets.contains("x-kde-passwordManagerHint"))
    #expect(Set(targets).count == targets.count)
    #expect(try session.paste() == Data("secret".utf8))
  }

  @Test func toNothingItIsACopy() throws {
    let session = try Session()
    #expect(try session.copy("alone", "--add").status == 0)
    #expect(try session.paste() == Data("alone".utf8))
    let both = try session.copy("x", "--add", "--append")
    #expect(both.status == 2)
    #expect(both.errorText == "pasteboard: --add and --append exclude each other\n")
  }

  @Test func sizesAreToldWhereAskedFor() throws {
    let session = try Session()
    try session.pasteboard("copy", input: Session.png)
    let result = try session.pasteboard("inspect", "--sizes", "--json")
    #expect(
      result.text.contains(
        #""types":[{"type":"public.png","mime":"image/png","target":"image/png","size":\#(Session.png.count)}]"#
      ))
    #expect(
      try session.pasteboard("inspect", "--sizes").text.contains(
        "image/png (public.png), \(Session.png.count) bytes\n"))
    #expect(try !session.pasteboard("inspect", "--json").text.contains("size"))
    try session.copy("counted", "--once")
    #expect(try session.pasteboard("inspect").status == 0)
    #expect(try session.paste() == Data("counted".utf8))
  }

  @Test func aBurstSettlesIntoOneChange() throws {
    let session = try Session()
    let result = try session.shell(
      """
      pasteboard watch --initial --settle 1.5 > log & watcher=$!
      until [ $(wc -l < log) -ge 1 ]; do :; done
      for i in $(seq 20); do echo $i | pasteboard copy; done
      until [ $(wc -l < log) -ge 2 ]; do :; done
      pasteboard clear
      until [ $(wc -l < log) -ge 3 ]; do :; done
      kill $watcher; cut -f1,2 log
      """, seconds: 25)
    #expect(result.text == "CLIPBOARD\tinitial\nCLIPBOARD\tnew\nCLIPBOARD\tcleared\n")
  }

  @Test func whatTellsOfASecretIsNoPaste() throws {
    let session = try Session()
    try session.copy("secret", "--sensitive", "--once")
    #expect(try session.pasteboard("inspect", "--json").text.contains("\"sensitive\":true"))
    for target in ["x-kde-passwordManagerHint", "org.nspasteboard.TransientType"] {
      let hint = try session.run(
        "/usr/bin/xclip", "-o", "-selection", "clipboard", "-t", target)
      #expect(hint.status == 0)
    }
    #expect(try session.paste() == Data("secret".utf8))
    let late = try session.shell(
      "while pasteboard paste > /dev/null 2>&1; do :; done; pasteboard paste")
    #expect(late.status == 1)
  }

  @Test func waitingForAPasteEndsWithTheServer() throws {
    let session = try Session()
    let result = try session.shell(
      """
      pasteboard copy --wait-paste < /dev/null & p=$!
      until pasteboard types > /dev/null 2>&1; do :; done
      kill -9 \(session.server.processIdentifier); wait $p
      """)
    #expect(result.status == 3)
    #expect(result.errorText == "pasteboard: the connection was lost before anybody pasted\n")
  }

  @Test func aWatchedCommandThatCopiesIsSlowedDown() throws {
    let session = try Session()
    let result = try session.shell(
      """
      pasteboard watch -t txt -- sh -c 'echo run >> runs; tr a-z A-Z | pasteboard copy' 2> told & w=$!
      until [ -s told ]; do echo text | pasteboard copy; done
      kill $w; wait $w 2> /dev/null; wc -l < runs; cat told
      """, seconds: 60)
    let lines = result.text.split(separator: "\n")
    #expect(lines.first == "30")
    #expect(
      lines.dropFirst() == [
        "pasteboard: the command is run again and again; does it copy by itself?"
      ])
  }

  @Test func commandsGetTheirEnvironmentByteForByte() throws {
    let session = try Session()
    _ = try session.copy("x")
    let result = try session.shell(
      """
      export WORD=$(printf 'a\\351b') PASTE_TARGET=outer PASTE_TARGETS=kept
      pasteboard watch --initial -t txt -- sh -c 'env > seen; kill -TERM $PPID' 2> /dev/null
      grep -c ^PASTE_TARGET= seen; grep ^PASTE_TARGET seen | sort; grep -a ^WORD= seen | od -An -tx1
      """)
    #expect(
      result.text
        == "1\nPASTE_TARGET=UTF8_STRING\nPASTE_TARGETS=kept\n 57 4f 52 44 3d 61 e9 62 0a\n")
  }
}
