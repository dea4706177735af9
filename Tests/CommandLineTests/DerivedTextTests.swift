import Foundation
import TestServer
import Testing

/// HTML that comes without a plain text gets one.
@Suite struct DerivedTextTests {
  private static let text = [
    "UTF8_STRING", "text/plain;charset=utf-8", "TEXT", "STRING", "text/plain", "COMPOUND_TEXT",
  ]

  private func targets(_ session: Session) throws -> [String] {
    try session.pasteboard("types").text.split(separator: "\n").map {
      String($0.split(separator: "\t")[2])
    }
  }

  @Test(arguments: [
    ("<p>Hello <b>w&ouml;rld</b></p>", "Hello wörld"),
    (
      "a &lt; b &amp;&amp; c &#62; d &#x2603; &copy 1 &nosuch; &", "a < b && c > d ☃ © 1 &nosuch; &"
    ),
    ("one<br>two<br/>three", "one\ntwo\nthree"),
    ("<h1>T</h1><p>a\n b</p><p>c</p>", "T\n\na b\n\nc"),
    ("<ul><li>a<li>b</ul>c", "a\nb\nc"), ("<div>a</div><div>b</div>", "a\nb"),
    ("<table><tr><td>1<td>2<tr><td>3</td><td>4</td></table>", "1\t2\n3\t4"),
    ("<script>if (a<b) '<p>'</script><style>p {}</style><title>t</title>x", "x"),
    ("<!-- <b> -->a<!--b-->c<!DOCTYPE html><?php ?>", "ac"), ("<!-->x", "x"),
    ("<a href=\"x>y\" title='<'>link</a>", "link"), ("1 < 2 <3", "1 < 2 <3"),
    ("<pre>a\n  b</pre>", "a\n  b"), ("<pre>\na\tb</pre>c", "a\tb\nc"),
    ("no&nbsp;break&#128;", "no break€"), ("", ""), ("<", "<"), ("<b", ""), ("&", "&"),
    ("<p", ""), ("<!--", ""), ("&#;&#x;", "&#;&#x;"), ("&#1114112;&#0;&#xD800;", "���"),
    ("<SCRIPT>a</script >b", "b"), ("it's <i>1\"</i> wide", "it's 1\" wide"),
  ])
  func theTextIsWhatAPersonReads(html: String, text: String) throws {
    let session = try Session()
    #expect(try session.copy(html, "-t", "text/html").status == 0)
    let read = try session.paste("-t", "UTF8_STRING")
    // A line end that opens a block is of no account.
    #expect(
      String(decoding: read, as: UTF8.self).trimmingCharacters(in: .newlines)
        == text.trimmingCharacters(in: .whitespaces))
    #expect(try session.paste("-t", "text/html") == Data(html.utf8))
  }

  @Test func everyTextTargetHasIt() throws {
    let session = try Session()
    let path = try session.write(Data("<p>caf\u{E9}</p>".utf8), to: "page.html")
    try session.pasteboard("copy", "-t", "html", "--no-file", path)
    #expect(try targets(session) == ["text/html"] + Self.text)
    #expect(try session.paste() == Data("café".utf8))
    #expect(try session.paste("-t", "STRING") == Data([0x63, 0x61, 0x66, 0xE9]))
    try session.pasteboard("copy", "--as", "text/html=\(path)")
    #expect(try session.paste() == Data("café".utf8))
    let compatible = try session.compatibly(
      "printf '<b>bold</b>' | xclip -sel c -t text/html; xclip -sel c -o; xclip -sel c -o -t text/html"
    )
    #expect(compatible.text == "bold<b>bold</b>")
  }

  @Test func aTextOfTheCallersComesFirst() throws {
    let session = try Session()
    _ = try session.write(Data("<b>x</b>".utf8), to: "h")
    try session.pasteboard(
      "copy", "--as", "html=h", "--as", "txt=-", input: Data("the caller's".utf8))
    #expect(try session.paste() == Data("the caller's".utf8))
  }

  /// Who works on a page wants its source.
  @Test func sourceThatNobodyCalledHTMLStaysAsItIs() throws {
    let session = try Session()
    let source = "<!DOCTYPE html><p>source</p>\n"
    try session.copy(source)
    #expect(try targets(session).first == "text/html")
    #expect(try session.paste() == Data(source.utf8))
    let path = try session.write(Data(source.utf8), to: "page.html")
    try session.pasteboard("copy", path)
    #expect(try session.paste() == Data(source.utf8))
  }

  @Test func otherEncodingsAreRead() throws {
    let session = try Session()
    let wide =
      Data([0xFF, 0xFE])
      + "<p>wäde".utf16.reduce(into: Data()) { data, unit in
        data.append(contentsOf: [UInt8(unit & 0xFF), UInt8(unit >> 8)])
      }
    try session.pasteboard("copy", "-t", "text/html", input: wide)
    #expect(try session.paste() == Data("wäde".utf8))
    #expect(try session.paste("-t", "text/html") == wide)
  }
}
