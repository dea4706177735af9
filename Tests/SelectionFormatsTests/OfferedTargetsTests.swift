import ContentTypes
import SelectionFormats
import Testing

@Suite("Offered targets")
struct OfferedTargetsTests {
  @Test(
    "A target's name means a content type",
    arguments: [
      ("UTF8_STRING", "public.utf8-plain-text"), ("STRING", "public.utf8-plain-text"),
      ("TEXT", "public.utf8-plain-text"), ("COMPOUND_TEXT", "public.utf8-plain-text"),
      ("UTF-8", "public.utf8-plain-text"), ("C_STRING", "public.utf8-plain-text"),
      ("text/plain", "public.plain-text"), ("TEXT/Plain", "public.plain-text"),
      ("text/plain;charset=utf-8", "public.utf8-plain-text"),
      ("text/plain;charset=UTF-8", "public.utf8-plain-text"),
      ("text/plain; charset=\"utf-8\"", "public.utf8-plain-text"),
      ("text/plain ; Charset = 'UTF8'", "public.utf8-plain-text"),
      ("text/plain;charset=iso-8859-1", "public.plain-text"),
      ("text/plain;charset=us-ascii", "public.plain-text"),
      ("text/plain;charset=utf-16", "public.utf16-plain-text"),
      ("text/plain;charset=utf-16le", "public.utf16-plain-text"),
      ("text/unicode", "public.utf16-plain-text"),
      ("text/html", "public.html"), ("text/html;charset=utf-8", "public.html"),
      ("application/x-moz-nativehtml", "public.html"),
      ("text/rtf", "public.rtf"), ("application/rtf", "public.rtf"),
      ("text/richtext", "public.rtf"), ("application/x-rtf", "public.rtf"),
      ("Rich Text Format", "public.rtf"),
      ("image/png", "public.png"), ("image/jpeg", "public.jpeg"), ("image/jpg", "public.jpeg"),
      ("image/pjpeg", "public.jpeg"), ("image/tiff", "public.tiff"),
      ("image/x-tiff", "public.tiff"), ("image/bmp", "com.microsoft.bmp"),
      ("image/x-bmp", "com.microsoft.bmp"), ("image/x-MS-bmp", "com.microsoft.bmp"),
      ("image/x-ms-bmp", "com.microsoft.bmp"), ("image/x-win-bitmap", "com.microsoft.bmp"),
      ("image/gif", "com.compuserve.gif"), ("image/webp", "org.webmproject.webp"),
      ("image/svg+xml", "public.svg-image"), ("image/svg", "public.svg-image"),
      ("image/x-inkscape-svg", "public.svg-image"), ("image/x-icon", "com.microsoft.ico"),
      ("image/vnd.microsoft.icon", "com.microsoft.ico"), ("image/ico", "com.microsoft.ico"),
      ("image/x-ico", "com.microsoft.ico"), ("application/pdf", "com.adobe.pdf"),
      ("application/x-pdf", "com.adobe.pdf"), ("image/heic", "public.heic"),
      ("image/heif", "public.heif"),
      ("text/x-moz-url", "public.url"), ("_NETSCAPE_URL", "public.url"),
      ("text/x-uri", "public.url"), ("text/uri-list", "public.file-url"),
      ("x-special/gnome-copied-files", "public.file-url"),
      ("x-special/mate-copied-files", "public.file-url"), ("FILE_NAME", "public.file-url"),
      ("application/json", "public.json"), ("text/json", "public.json"),
      ("application/xml", "public.xml"), ("text/xml", "public.xml"),
      ("text/csv", "public.comma-separated-values-text"),
      ("text/x-csv", "public.comma-separated-values-text"),
      ("application/csv", "public.comma-separated-values-text"),
      ("text/tab-separated-values", "public.tab-separated-values-text"),
      ("text/tsv", "public.tab-separated-values-text"),
      ("text/markdown", "net.daringfireball.markdown"),
      ("text/x-markdown", "net.daringfireball.markdown"),
      ("text/vcard", "public.vcard"), ("text/x-vcard", "public.vcard"),
      ("text/directory", "public.vcard"), ("text/calendar", "com.apple.ical.ics"),
      ("application/zip", "public.zip-archive"),
      ("application/x-zip-compressed", "public.zip-archive"),
      ("application/gzip", "org.gnu.gnu-zip-archive"),
      ("application/x-gzip", "org.gnu.gnu-zip-archive"),
      ("application/x-tar", "public.tar-archive"), ("audio/mpeg", "public.mp3"),
      ("audio/mp3", "public.mp3"), ("audio/wav", "com.microsoft.waveform-audio"),
      ("audio/x-wav", "com.microsoft.waveform-audio"),
      ("audio/vnd.wave", "com.microsoft.waveform-audio"), ("video/mp4", "public.mpeg-4"),
      ("video/quicktime", "com.apple.quicktime-movie"), ("text/x-swift", "public.swift-source"),
      ("application/octet-stream", "public.data"),
      ("application/x-uti.com.example.profile", "com.example.profile"),
      ("application/x-uti.public.png", "public.png"),
      ("com.example.profile", "com.example.profile"), ("public.png", "public.png"),
    ])
  func meaning(name: String, identifier: String) {
    let target = OfferedTarget(name: name)
    #expect(target.contentType?.identifier == identifier)
    #expect(target.isContent)
    #expect(target.name == name)
  }

  @Test(
    "Targets of the protocol and private notes are no content",
    arguments: [
      "TARGETS", "MULTIPLE", "TIMESTAMP", "SAVE_TARGETS", "DELETE", "INSERT_SELECTION",
      "INSERT_PROPERTY", "INCR", "LENGTH", "LIST_LENGTH", "HOST_NAME", "HOSTNAME", "USER", "CLASS",
      "NAME", "CLIENT_WINDOW", "PROCESS", "TASK", "OWNER_OS", "CHARACTER_POSITION", "LINE_NUMBER",
      "COLUMN_NUMBER", "MODULE", "PROCEDURE", "PIXMAP", "BITMAP", "DRAWABLE", "COLORMAP",
      "FOREGROUND", "BACKGROUND", "chromium/x-source-url", "chromium/x-renderer-taint",
      "chromium/from-privileged", "text/_moz_htmlcontext", "text/_moz_htmlinfo",
      "text/x-moz-text-internal", "text/x-moz-url-priv", "application/x-rootwindow-drop",
      "application/x-rootwin-drop", "application/x-kde-onlyReplaceEmpty",
      "application/x-kde-cutselection", "x-kde-passwordManagerHint", "SOMETHING_ELSE", "word",
    ])
  func noContent(name: String) {
    let target = OfferedTarget(name: name)
    #expect(!target.isContent)
    #expect(target.contentType == nil)
  }

  @Test("A MIME type nobody declares becomes a dynamic type that keeps the name")
  func dynamicType() throws {
    let target = OfferedTarget(name: "application/vnd.nobody")
    let type = try #require(target.contentType)
    #expect(type.isDynamic)
    #expect(TargetTable.ownNames(of: type) == ["application/vnd.nobody"])
  }

  @Test("A hostile list is cleaned")
  func hostileList() {
    let long = String(repeating: "a", count: 257)
    let names =
      ["None", "", "image/png", "image/png", "a\nb", "a\u{1B}[2J", "a\u{9B}b", long]
      + (0..<5_000).map { "application/x-\($0)" }
    let offered = OfferedTargets(names)
    #expect(offered.targets.count == 4_096 - 7)
    #expect(offered.targets.first?.name == "image/png")
    #expect(offered.candidates(for: .data).count == offered.targets.count)
  }

  @Test("Text is asked for in the order that keeps every character")
  func textOrder() {
    let offered = OfferedTargets([
      "TARGETS", "text/plain", "STRING", "text/plain;charset=iso-8859-1", "TEXT", "COMPOUND_TEXT",
      "text/plain;charset=utf-16", "text/plain;charset=no-such", "text/plain;charset=UTF-8",
      "UTF8_STRING",
    ])
    let expected = [
      "UTF8_STRING", "text/plain;charset=UTF-8", "text/plain;charset=utf-16", "COMPOUND_TEXT",
      "STRING", "TEXT", "text/plain", "text/plain;charset=iso-8859-1",
      "text/plain;charset=no-such",
    ]
    #expect(offered.candidates(for: .utf8PlainText).map(\.name) == expected)
    #expect(offered.candidates(for: .plainText).map(\.name) == expected)
    #expect(
      offered.candidates(for: .utf16PlainText).map(\.name)
        == ["text/plain;charset=utf-16"] + expected.filter { !$0.hasSuffix("utf-16") })
  }

  @Test("A supertype takes what conforms in the owner's order, text as one group")
  func supertypes() {
    let offered = OfferedTargets([
      "TARGETS", "image/jpeg", "text/html", "STRING", "image/png", "UTF8_STRING",
      "application/json",
    ])
    #expect(offered.candidates(for: .image).map(\.name) == ["image/jpeg", "image/png"])
    #expect(
      offered.candidates(for: .text).map(\.name)
        == ["text/html", "UTF8_STRING", "STRING", "application/json"])
    #expect(offered.candidates(for: .png).map(\.name) == ["image/png"])
    #expect(offered.candidates(for: .pdf).isEmpty)
    #expect(
      offered.candidates(for: .data).map(\.name)
        == ["image/jpeg", "text/html", "UTF8_STRING", "STRING", "image/png", "application/json"])
  }

  @Test("Equal types come before conforming ones")
  func equalFirst() {
    let offered = OfferedTargets(["text/csv", "image/svg+xml", "application/xml", "text/plain"])
    #expect(
      offered.candidates(for: .plainText).map(\.name) == ["text/plain", "text/csv"])
    #expect(
      offered.candidates(for: .xml).map(\.name) == ["application/xml", "image/svg+xml"])
  }

  @Test("Several names of one type are tried in the owner's order")
  func aliases() {
    let offered = OfferedTargets(["image/x-MS-bmp", "image/bmp", "IMAGE/X-BMP"])
    #expect(
      offered.candidates(for: .bmp).map(\.name) == ["image/x-MS-bmp", "image/bmp", "IMAGE/X-BMP"])
  }

  @Test("A type that shares its MIME type with another is still found")
  func sharedMIMEType() throws {
    let type = try #require(ContentType("com.apple.ical.vcs"))
    #expect(
      OfferedTargets(["text/calendar"]).candidates(for: type).map(\.name) == ["text/calendar"])
  }

  @Test("Own identifiers are found under both names")
  func identifiers() throws {
    let type = try #require(ContentType(validating: "com.example.profile"))
    let names = TargetTable.ownNames(of: type)
    #expect(OfferedTargets(names).candidates(for: type).map(\.name) == names)
    #expect(OfferedTargets([names[1]]).candidates(for: type).map(\.name) == [names[1]])
  }

  @Test("Files and links prefer the richest list")
  func uris() {
    let files = OfferedTargets([
      "text/plain", "x-special/gnome-copied-files", "text/uri-list", "text/x-moz-url",
    ])
    #expect(
      files.candidates(for: .fileURL).map(\.name)
        == ["text/uri-list", "x-special/gnome-copied-files", "text/x-moz-url"])
    #expect(files.contentTypes == [.plainText, .fileURL, .url])
    let link = OfferedTargets(["text/uri-list", "_NETSCAPE_URL", "text/x-moz-url"])
    #expect(
      link.candidates(for: .url).map(\.name)
        == ["text/x-moz-url", "_NETSCAPE_URL", "text/uri-list"])
    #expect(link.contentTypes == [.url])
    #expect(OfferedTargets(["text/uri-list"]).contentTypes == [.fileURL])
  }

  @Test("What is not on offer is probed for under its likely names")
  func probes() {
    #expect(OfferedTargets.probes().map(\.name).prefix(2) == ["UTF8_STRING", "STRING"])
    #expect(OfferedTargets.probes(for: .utf8PlainText) == OfferedTargets.probes())
    #expect(OfferedTargets.probes(for: .text) == OfferedTargets.probes())
    #expect(OfferedTargets.probes(for: .png).map(\.name) == ["image/png"])
  }

  @Test("Hints are found")
  func hints() {
    let offered = OfferedTargets(["UTF8_STRING", "x-kde-passwordManagerHint"])
    #expect(offered.hasPasswordHint)
    #expect(offered.contents.map(\.name) == ["UTF8_STRING"])
    #expect(TargetName.saysSecret(Array("secret\n".utf8)))
    #expect(!TargetName.saysSecret(Array("public".utf8)))
    #expect(!OfferedTargets(["UTF8_STRING"]).hasPasswordHint)
  }

  @Test(
    "A stranger's name prints on one line",
    arguments: [
      ("plain/name", "plain/name"), ("a\nb", "a\\u{A}b"), ("\u{1B}[31m", "\\u{1B}[31m"),
      ("back\\slash", "back\\\\slash"), ("\u{202E}evil", "\\u{202E}evil"), ("é", "é"),
      ("a\u{9B}b", "a\\u{9B}b"), ("\u{2028}", "\\u{2028}"), ("\u{7F}", "\\u{7F}"),
    ])
  func escaping(name: String, expected: String) {
    #expect(TargetName.escaped(name) == expected)
  }

  @Test("Fixed names are unique and none is predefined by the server")
  func fixedAtoms() {
    #expect(Set(TargetName.fixedAtoms).count == TargetName.fixedAtoms.count)
    for name in ["PRIMARY", "SECONDARY", "ATOM", "INTEGER", "PIXMAP", "STRING", "WINDOW"] {
      #expect(!TargetName.fixedAtoms.contains(name))
    }
  }
}
