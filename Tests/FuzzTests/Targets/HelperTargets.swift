import Foundation
import Glibc

@testable import HelperControl
@testable import SessionHelper

private let requests: [[UInt8]] = [
  HelperMessage.request("status", ["--json"]), HelperMessage.request("history", ["list", "5"]),
  HelperMessage.request("pause", ["60"]),
  HelperMessage.request("history", ["search", "a \"b\" c*"]),
].compactMap(\.self)

let helperTargets: [FuzzTarget] = [
  FuzzTarget(
    "helper-request", corpus: requests,
    words: ["\t", "\n", "pasteboard-helper/1\t", "é", "\u{301}"]
  ) {
    input throws(BrokenLaw) in
    let line = Array(input.prefix { $0 != 0x0A })
    if let (verb, arguments) = HelperMessage.parseRequest(line) {
      try hold(
        !verb.contains("\t") && !arguments.contains { $0.contains("\t") }, "a word with a tab in it"
      )
      if let again = HelperMessage.request(verb, arguments) {
        try hold(again == line + [0x0A], "the request is not the same when it is said again")
      }
      if let seconds = HelperCommand.seconds(arguments.first) {
        try hold((0...31_536_000).contains(seconds), "\(seconds) seconds")
      }
    }
    let words = input.split(separator: 0x09).map { String(decoding: $0, as: UTF8.self) }
    if let verb = words.first, let request = HelperMessage.request(verb, Array(words.dropFirst())) {
      try hold(request.count <= HelperMessage.longestRequest, "a request that is too long")
      try hold(request.firstIndex(of: 0x0A) == request.count - 1, "a request of several lines")
      let parsed = HelperMessage.parseRequest(Array(request.dropLast()))
      try hold(
        parsed?.verb == verb && parsed?.arguments == Array(words.dropFirst()),
        "read as another request")
    }
    let text = String(decoding: input, as: UTF8.self)
    let name = HelperSocket.fileName(of: text)
    try hold(
      !name.utf8.contains(0x2F) && !name.utf8.contains(0), "a display's name that leads elsewhere")
  },
  FuzzTarget(
    "helper-reply",
    corpus: [
      HelperMessage.replyHead(.done) + bytes("body\n"),
      HelperMessage.replyHead(.refused) + [0xFF, 0x0A],
    ],
    words: ["\t", "\n", "-1", "99999999999", "pasteboard-helper/1"]
  ) { input throws(BrokenLaw) in
    if let reply = HelperMessage.parseReply(input) {
      let again = HelperMessage.parseReply(HelperMessage.replyHead(reply.code) + reply.bytes)
      try hold(again == reply, "the reply is not the same when it is said again")
      try hold(reply.bytes.count < input.count, "more than was there")
    }
    let quoted = RunningHelper.quoted(String(decoding: input, as: UTF8.self))
    let value = try? JSONDecoder().decode(String.self, from: Data(quoted.utf8))
    try hold(value == String(decoding: input, as: UTF8.self), "JSON that says something else")
  },
  FuzzTarget(
    "preview", corpus: ["plain", "two\nlines\tand\u{7F}", "\u{202E}x\u{E9}\u{1F642}"].map(bytes),
    words: ["\u{2028}", "\u{9B}", "\u{1B}", "\u{1F642}"]
  ) { input throws(BrokenLaw) in
    for target in ["UTF8_STRING", "STRING", "image/png"] {
      let kept = KeptBytes(limit: 1 << 20)
      guard (try? kept.append(input)) != nil else { continue }
      let line = HistoryPreview.line([(target, KeptValue(bytes: kept, typeName: target))])
      try hold(line.utf8.count <= 1_024 * 4, "\(line.utf8.count) bytes of preview")
      try hold(
        !line.unicodeScalars.contains { $0.properties.generalCategory == .control },
        "a control character")
    }
    var values: [String: KeptValue] = [:]
    let source = KeptBytes(limit: 1 << 20)
    guard (try? source.append(input)) != nil else { return }
    values["UTF8_STRING"] = KeptValue(bytes: source, typeName: "UTF8_STRING")
    TextForms.complete(
      &values,
      offered: ["UTF8_STRING", "text/plain;charset=utf-8", "STRING", "TEXT", "text/plain"],
      limit: 1 << 20)
    if let latin = values["STRING"] {
      let text = String(validating: input, as: UTF8.self)
      try hold(
        text.map { $0.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }
          == latin.bytes.array,
        "STRING is not the text")
    }
  },
  FuzzTarget(
    "history-search", corpus: ["a b", "\"x\"", "NEAR(", "preview:*"].map(bytes),
    words: ["\"", "*", "(", " ", "\0", "AND", "-"], weight: 0.2
  ) {
    input throws(BrokenLaw) in
    guard let history = SharedHistory.shared else { throw BrokenLaw("no history") }
    try history.search(String(decoding: input, as: UTF8.self))
  },
  FuzzTarget(
    "packed-item",
    corpus: [
      PackedItem(
        isPinned: true, used: 5,
        parts: [
          .init(target: "STRING", typeName: "STRING", format: 8, bytes: [1, 2, 3]),
          .init(target: "a", typeName: "b", format: 32, bytes: [0, 10, 0, 9]),
        ]
      ).encoded ?? []
    ], words: ["\t", "\n", "-1", "9223372036854775807", "32"]
  ) { input throws(BrokenLaw) in
    guard let item = PackedItem(encoded: input) else { return }
    try hold(
      item.parts.allSatisfy { $0.bytes.count % max(1, $0.format / 8) == 0 }, "a part of an item")
    guard let again = item.encoded else { throw BrokenLaw("it cannot be said again") }
    try hold(PackedItem(encoded: again) == item, "another item when it is said again")
  },
  FuzzTarget(
    "json",
    corpus: [
      "{\"pinned\":false,\"used\":17,\"representations\":[{\"target\":\"a\",\"type\":\"b\",\"format\":8,\"base64\":\"AAE=\"}]}",
      "[null,true,\"\\uD83D\\uDE42\\n\",-5,{}]",
    ].map(bytes),
    words: ["[", "{", "\"", "\\u", "\\", ",", ":", "null", "-", "9223372036854775808"]
  ) { input throws(BrokenLaw) in
    _ = HistoryArchive.item(input)
    if let value = JSONValue(input), case .text(let text) = value {
      let string = String(decoding: text, as: UTF8.self)
      try hold(
        JSONValue(JSONValue.quoted(string)) == .text(Array(string.utf8)),
        "a text that is another one")
    }
    let text = String(decoding: input, as: UTF8.self)
    try hold(JSONValue(JSONValue.quoted(text)) == .text(Array(text.utf8)), "quoted, another text")
    var encoded: [UInt8] = []
    Base64.encode(input[...], onto: &encoded)
    try hold(Base64.decode(encoded) == input, "base64 that says something else")
    if let decoded = Base64.decode(input) {
      try hold(decoded.count <= input.count, "more than was there")
    }
  },
  FuzzTarget(
    "settings",
    corpus: [
      "early-images = pure\nhistory-age = 12h\nlimit.image/* = 8M\n# x\nignore program=a title=\"(P|S)\\\"\"\n",
      "sync = primary-to-clipboard\nhistory-wipe = lock suspend\nlimit-memory = 1G",
    ].map(bytes),
    words: ["=", "\"", "\\", "ignore ", "title=", "(", "*", "\n", "9223372036854775807", "K", "-"]
  ) { input throws(BrokenLaw) in
    var settings = HelperSettings()
    let text = String(decoding: input, as: UTF8.self)
    guard (try? SettingsFile.parse(text, path: "x", into: &settings)) != nil else { return }
    try hold(
      settings.limits.memory >= 0 && settings.history.limits.age > 0, "a limit below nothing")
  },
  FuzzTarget("history-rows", corpus: [bytes([0, 0, 1, 0, 2, 0, 3, 0])], weight: 0.02) {
    input throws(BrokenLaw) in
    try DamagedHistory.check(rows: input)
  },
  FuzzTarget(
    "history-file", corpus: [DamagedHistory.file], words: ["item", "representation"], weight: 0.02
  ) {
    input throws(BrokenLaw) in
    try DamagedHistory.check(file: input)
  },
]
