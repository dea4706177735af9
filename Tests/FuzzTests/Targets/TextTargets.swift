import ContentTypes
import Foundation

@testable import SelectionFormats

private let texts: [[UInt8]] = [
  bytes("plain text\n"), bytes("caf\u{E9} \u{4E2D}\u{6587} \u{1F642}\r\nb\r\n\0"),
  bytes("one\rtwo\r\nthree\n"), [0x63, 0x61, 0x66, 0xE9],
  [0xFF, 0xFE, 0x61, 0, 0x3D, 0xD8, 0x42, 0xDE],
  [0xFE, 0xFF, 0, 0x61, 0x4E, 0x2D], bytes("a\u{1B}%G\u{E9}\u{4E2D}\u{1B}%@b"),
  [0x61, 0x1B, 0x2D, 0x41, 0xE9, 0x1B, 0x24, 0x28, 0x42, 0x30, 0x21, 0x1B, 0x28, 0x42],
  [0x1B, 0x24, 0x29, 0x41, 0xB0, 0xA1, 0x1B, 0x25, 0x2F, 0x31, 0x80, 0x8A]
    + bytes("iso8859-1\u{2}a") + [0x9B, 0x31, 0x5D, 0x61, 0x9B, 0x5D],
  bytes("<html><head><meta charset=\"utf-8\"></head><body>\u{E9}</body></html>"),
  bytes("<meta http-equiv='Content-Type' content='text/html; charset=iso-8859-1'>") + [0xE9],
  [0xEF, 0xBB, 0xBF] + bytes("<p>x"),
  bytes("=?+AGEAYg-"), [0x1B, 0x24, 0x42, 0x30, 0x21, 0x1B, 0x28, 0x42],
]

/// Names of targets whose answers are read as text.
private let names = [
  "UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT", "C_STRING", "text/plain",
  "text/plain;charset=utf-8", "text/plain;charset=utf-16", "text/plain;charset=utf-16be",
  "text/plain;charset=utf-16le", "text/plain;charset=us-ascii", "text/plain;charset=iso-8859-7",
  "text/plain;charset=windows-1252", "text/plain;charset=koi8-r", "text/plain;charset=euc-jp",
  "text/plain;charset=shift_jis", "text/plain;charset=gb18030", "text/plain;charset=iso-2022-jp",
  "text/plain;charset=utf-7", "text/csv", "text/html",
]

let textTargets: [FuzzTarget] = [
  FuzzTarget(
    "text", corpus: names.indices.flatMap { name in texts.map { [UInt8(name), 1] + $0 } },
    words: ["\u{1B}%G", "\u{1B}%@", "\u{1B}%/1", "\u{1B}-A", "\u{1B}$(B", "\r\n", "\0", "\u{FEFF}"]
  ) { input throws(BrokenLaw) in
    guard input.count >= 2 else { return }
    let name = names[Int(input[0]) % names.count]
    let cut = max(1, Int(input[1]))
    let content = Array(input[2...])
    let target = OfferedTarget(name: name)
    let reply = TargetReply(bytes: content, type: name)
    let whole = try? TargetDecoder().text(reply, of: target)
    if let whole {
      try hold(TextRepertoire.scan(whole).isText, "\(name): text that is not UTF-8")
      // A character of one byte, at worst a shift state or a composed one, becomes at most six.
      try hold(
        whole.count <= content.count * 6, "\(name): \(content.count) bytes became \(whole.count)")
    }
    var piecemeal: [UInt8]? = []
    do {
      var stream = try TargetDecoder().textStream(of: target, type: name, format: 8)
      var text: [UInt8] = []
      for start in stride(from: 0, to: content.count, by: cut) {
        try stream.decode(Array(content[start..<min(content.count, start + cut)]), into: &text)
      }
      try stream.finish(into: &text)
      piecemeal = text
    } catch {
      piecemeal = nil
    }
    // Only a long text whose bytes alone tell UTF-8 from Latin-1, or the order of UTF-16, may be read otherwise.
    if content.count < 1_000 {
      try hold(piecemeal == whole, "\(name): in pieces of \(cut) another text")
    }
  },
  FuzzTarget(
    "text-round-trip", corpus: texts.map { [3] + $0 },
    words: ["\u{1B}%@", "\u{E9}", "\u{4E2D}", "\r"]
  ) { input throws(BrokenLaw) in
    guard let first = input.first else { return }
    let text = Array(input[1...])
    let repertoire = TextRepertoire.scan(text)
    for (name, encoding) in [
      ("UTF8_STRING", TargetEncoder.TextEncoding.utf8), ("STRING", .latin1),
      ("COMPOUND_TEXT", .compoundText),
    ] {
      let encoder = TargetEncoder.text(encoding, from: .utf8)
      guard let encoded = try? encoder.encode(text).bytes else { continue }
      try hold(repertoire.isText, "\(name): made of what is not UTF-8")
      try hold(
        encoded.count >= encoder.minimumByteCount(from: text.count), "\(name): below the least size"
      )
      try hold(
        try inPieces(encoder, text, max(1, Int(first))) == encoded, "\(name): in pieces other bytes"
      )
      var decoder = TargetDecoder()
      decoder.options.dropsTrailingNUL = false
      decoder.options.readsUTF8InStrings = false
      let back = try? decoder.text(
        TargetReply(bytes: encoded, type: name), of: OfferedTarget(name: name))
      let expected = encoding == .utf8 ? text : lineFeeds(text)
      try hold(back == expected, "\(name): what was written is read as something else")
    }
    guard repertoire.isText else { return }
    let wide = UTF16Text.encode(text, mark: true)
    let back = try? UTF16Text.decode(wide)
    try hold(back == text, "UTF-16: what was written is read as something else")
  },
  FuzzTarget(
    "html", corpus: texts,
    words: ["<meta ", "charset=", "content=", "\"", "'", "utf-16", "-->", "<!--"]
  ) { input throws(BrokenLaw) in
    let reply = TargetReply(bytes: input, type: "text/html")
    guard let text = try? TargetDecoder().html(reply, of: OfferedTarget(name: "text/html")) else {
      return
    }
    try hold(TextRepertoire.scan(text).isText, "text that is not UTF-8")
    try hold(text.count <= input.count * 6, "\(input.count) bytes became \(text.count)")
  },
  FuzzTarget(
    "charset",
    corpus: ["utf-8", "iso-8859-15", "cp1252", "windows-1251", "UTF16//IGNORE", "koi8-r"].map(
      bytes),
    words: ["iso", "-", "_", "8859", "cp125", "//TRANSLIT", ",", "utf", "\0"]
  ) { input throws(BrokenLaw) in
    let charset = Charset(name: String(decoding: input, as: UTF8.self))
    if case .named(let name) = charset, charset.isSupported {
      try hold(!name.contains("/") && !name.contains(","), "\(name): options for the converter")
    }
    guard charset.isSupported else { return }
    for text in texts {
      if let decoded = try? CharsetDecoder.decode(text, charset) {
        try hold(TextRepertoire.scan(decoded).isText, "\(charset): text that is not UTF-8")
      }
    }
  },
]

private func inPieces(
  _ encoder: TargetEncoder, _ text: [UInt8], _ cut: Int
) throws(BrokenLaw) -> [UInt8]? {
  guard var stream = TargetEncoder.Stream(encoder) else { throw BrokenLaw("not streamable") }
  var output: [UInt8] = []
  do {
    for start in stride(from: 0, to: text.count, by: cut) {
      try text[start..<min(text.count, start + cut)].withUnsafeBytes {
        try stream.encode($0, into: &output)
      }
    }
    try stream.finish(into: &output)
  } catch {
    return nil
  }
  return output
}

/// CRLF and CR as LF.
private func lineFeeds(_ text: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  var wasReturn = false
  for byte in text {
    if byte == 0x0A, wasReturn {
      wasReturn = false
      continue
    }
    wasReturn = byte == 0x0D
    result.append(wasReturn ? 0x0A : byte)
  }
  return result
}
