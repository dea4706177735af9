import ContentTypes
import Foundation

@testable import SelectionFormats

private let offers: [[UInt8]] = [
  ["TARGETS", "UTF8_STRING", "text/plain;charset=utf-8", "STRING", "image/png"],
  [
    "text/uri-list", "text/x-moz-url", "x-special/gnome-copied-files",
    "application/x-kde-cutselection",
  ],
  [
    "application/x-uti.com.example.a", "dyn.age81e62", "Rich Text Format",
    "TEXT/HTML; charset=\"x\"",
  ],
].map { bytes($0.joined(separator: "\n")) }

private let words = [
  "text/", "plain", ";", "charset=", "\"", "'", "application/x-uti.", "dyn.a", ".", "\n", "/", "é",
  "\u{202E}", "\u{301}", "image/", "MULTIPLE", "_GTK_", "target:", "None",
]

let nameTargets: [FuzzTarget] = [
  FuzzTarget("targets", corpus: offers, words: words, weight: 0.5) { input throws(BrokenLaw) in
    let names = String(decoding: input, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    let offered = OfferedTargets(names)
    let kept = offered.targets.map(\.name)
    try hold(kept.allSatisfy(TargetName.isAcceptable), "an unacceptable name")
    try hold(Set(kept).count == kept.count, "a name stands twice")
    // What is left stands in the owner's order.
    var rest = names[...]
    for name in kept {
      guard let place = rest.firstIndex(of: name) else { throw BrokenLaw("the order is another") }
      rest = rest[(place + 1)...]
    }
    for wanted in [
      ContentType.utf8PlainText, .utf16PlainText, .url, .fileURL, .data, .image, .text, .html,
    ] {
      let candidates = offered.candidates(for: wanted).map(\.name)
      try hold(Set(candidates).count == candidates.count, "\(wanted): asked for twice")
      try hold(Set(candidates).isSubset(of: kept), "\(wanted): not on offer")
      try hold(
        !candidates.contains { TargetName.sideEffectTargets.contains($0) },
        "\(wanted): a side effect")
    }
    _ = (offered.contentTypes, offered.cutTargets, offered.hasPasswordHint)
  },
  FuzzTarget(
    "target-name",
    corpus: offers.flatMap { $0.split(separator: 0x0A).map { Array($0) } } + [
      bytes(".png"), bytes("public.png"),
    ],
    words: words
  ) { input throws(BrokenLaw) in
    let name = String(decoding: input, as: UTF8.self)
    let escaped = TargetName.escaped(name)
    try hold(
      !escaped.unicodeScalars.contains { $0.properties.generalCategory == .control },
      "a control character")
    let target = OfferedTarget(name: name)
    _ = (target.mimeType, target.isContent, target.charset)
    if let mime = MIMEName(name) {
      try hold(mime.essence.contains("/"), "a MIME type without a slash")
      _ = (mime.charset, mime.normalized)
    }
    guard let request = TypeRequest(name) else {
      return try hold(
        !TargetName.isAcceptable(name) || name.hasPrefix("target:"), "a name that means nothing")
    }
    try hold(request.spelling == name, "another spelling")
    try hold(request.contentType != nil || request.targetName != nil, "a request for nothing")
    _ = OfferedTargets([name, "text/plain"]).candidates(for: request)
    if let representation = try? request.representation() {
      let advertised = TargetTable.advertised(for: [representation]).map(\.name)
      try hold(!advertised.contains(where: TargetName.isProtocolTarget), "a target of the protocol")
      try hold(advertised.allSatisfy(TargetName.isAcceptable), "an unacceptable name is offered")
    }
  },
]
