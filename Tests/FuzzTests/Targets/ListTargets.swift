import ContentTypes
import Foundation

@testable import SelectionFormats

private let lists: [[UInt8]] = [
  bytes("file:///a%20b\r\nfile:///c\r\n"), bytes("# comment\r\nhttp://example.com/\r\n"),
  bytes("copy\nfile:///a\nfile:///b"), bytes("cut\nfile://localhost/a%00b"),
  bytes("x-special/nautilus-clipboard\ncopy\nfile:///x\n"), bytes("https://example.com/\nTitle\n"),
  bytes("/a/b\0/c d\0relative\0"), UTF16Text.encode(bytes("http://e.com/\nT\u{E9}"), mark: false),
  UTF16Text.encode(bytes("http://e.com/\nT\u{E9}"), mark: true), [1, 2, 3, 4, 5, 6, 7, 8],
]

private let names = [
  "text/uri-list", "x-special/gnome-copied-files", "x-special/mate-copied-files", "text/x-moz-url",
  "_NETSCAPE_URL", "FILE_NAME", "application/x-color", "UTF8_STRING",
]

private let words = [
  "file://", "file:", "%2F", "%", "%0", "\r\n", "\n", "#", "copy", "cut", "localhost", "?", "\0",
  "\t",
]

let listTargets: [FuzzTarget] = [
  FuzzTarget(
    "lists", corpus: names.indices.flatMap { name in lists.map { [UInt8(name)] + $0 } },
    words: words
  ) { input throws(BrokenLaw) in
    guard let first = input.first else { return }
    let name = names[Int(first) % names.count]
    let content = Array(input[1...])
    let target = OfferedTarget(name: name)
    let decoder = TargetDecoder()
    for format in [8, 16, 32] {
      let reply = TargetReply(bytes: content, type: name, format: format)
      if let list = try? decoder.fileList(reply, of: target) {
        try hold(!list.uris.isEmpty && list.uris.allSatisfy(FileURI.isFileURI), "\(name): no file")
        try hold(
          list.uris.reduce(0) { $0 + $1.utf8.count } <= content.count * 3 + 7 * list.uris.count,
          "\(name): more than was there")
        if let paths = try? list.paths() {
          try hold(paths.count == list.uris.count, "\(name): a path was lost")
          try hold(
            paths.allSatisfy { $0.first == 0x2F && !$0.contains(0) },
            "\(name): not an absolute path")
        }
      }
      if let link = try? decoder.link(reply, of: target) {
        try hold(!link.url.isEmpty, "\(name): an empty link")
        try hold(
          !link.url.unicodeScalars.contains { $0 == "\n" || $0 == "\0" },
          "\(name): a link of two lines")
      }
      _ = try? decoder.color(reply, of: target)
      for wanted in [ContentType.utf8PlainText, .utf16PlainText, .url, .fileURL, .data, .png] {
        _ = try? decoder.content(reply, of: target, as: wanted)
      }
    }
    _ = TargetName.saysSecret(content)
    _ = FileList.operation(kdeCut: content)
  },
  FuzzTarget("paths", corpus: ["/a/b", "/a b\u{E9}/%", "/\n", "rel"].map(bytes), words: words) {
    input throws(BrokenLaw) in
    guard let uri = try? FileURI.uri(path: input) else {
      return try hold(input.first != 0x2F || input.contains(0), "a path that has no URI")
    }
    try hold(uri.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a URI that is not ASCII")
    try hold((try? FileURI.path(of: uri)) == input, "the path is not the same")
    let list = FileList(uris: [uri, uri], operation: .cut)
    try hold(FileList(gnome: list.gnomeBytes) == list, "GNOME's list is read as something else")
    try hold(
      URIList.parse(URIList.serialize(list.uris)) == list.uris, "the URI list is read otherwise")
  },
  FuzzTarget("uris", corpus: lists, words: words) { input throws(BrokenLaw) in
    let uris = URIList.parse(input)
    // What is read once is read the same again.
    try hold(
      URIList.parse(URIList.serialize(uris)) == uris, "the list is read otherwise the second time")
    let title = String(decoding: input, as: UTF8.self)
    let link = WebLink(url: "http://example.com/", title: title)
    if let back = try? WebLink.parse(mozilla: link.mozillaBytes) {
      try hold(back.count == 1 && back[0].url == link.url, "the link is read as another")
    }
    for text in [TextSource.files, .link, .utf16] { _ = try? text.text(of: input) }
    for encoder in [
      TargetEncoder.uriList(from: .files), .uriList(from: .link), .gnomeFiles(.copy), .mozillaURL,
      .netscapeURL, .markedUTF16, .text(.chosen, from: .files), .text(.compoundText, from: .link),
    ] {
      if let encoded = try? encoder.encode(input) {
        try hold(
          encoded.bytes.count >= encoder.minimumByteCount(from: input.count),
          "\(encoder): below the least size")
      }
    }
  },
]
