import ContentTypes
import SelectionFormats
import Testing

@Suite("Hostile input and general laws")
struct HostileInputTests {
  static let names = [
    "UTF8_STRING", "STRING", "TEXT", "COMPOUND_TEXT", "C_STRING", "text/plain",
    "text/plain;charset=utf-8", "text/plain;charset=utf-16", "text/plain;charset=utf-16be",
    "text/plain;charset=iso-8859-7", "text/plain;charset=euc-jp", "text/plain;charset=iso-2022-jp",
    "text/plain;charset=utf-7", "text/html", "text/uri-list", "x-special/gnome-copied-files",
    "text/x-moz-url", "_NETSCAPE_URL", "FILE_NAME", "application/x-color", "image/png",
    "application/x-uti.com.example.a", "text/csv",
  ]

  @Test("No bytes crash a reader", arguments: names)
  func decoders(name: String) throws {
    var random = SeededGenerator(seed: 7)
    let decoder = TargetDecoder()
    let target = OfferedTarget(name: name)
    for round in 0..<400 {
      let bytes = random.bytes(upTo: 64, biased: round % 4 != 0)
      let type = round % 3 == 0 ? try #require(Self.names.randomElement(using: &random)) : name
      let format = [8, 8, 8, 16, 32][round % 5]
      let reply = TargetReply(bytes: bytes, type: type, format: format)
      if let text = try? decoder.text(reply, of: target) {
        #expect(TextRepertoire.scan(text).isText)
      }
      if let text = try? decoder.html(reply, of: target) {
        #expect(TextRepertoire.scan(text).isText)
      }
      _ = try? decoder.fileList(reply, of: target).paths()
      _ = try? decoder.link(reply, of: target)
      _ = try? decoder.color(reply, of: target)
      for wanted in [ContentType.utf8PlainText, .utf16PlainText, .url, .fileURL, .data] {
        _ = try? decoder.content(reply, of: target, as: wanted)
      }
    }
  }

  @Test("No name crashes the table")
  func hostileNames() {
    var random = SeededGenerator(seed: 5)
    let parts = [
      "text/plain", ";", "charset", "=", "\"", "'", " ", "/", "application/x-uti.", ".", "dyn.",
      "UTF8_STRING", "é", "\u{202E}", "\\", "x", "public.png", ";;", "utf-8", "\t",
    ]
    for _ in 0..<5_000 {
      let name = (0..<Int.random(in: 0...8, using: &random))
        .map { _ in parts.randomElement(using: &random) ?? "" }.joined()
      let offered = OfferedTargets([name])
      for target in offered.targets {
        #expect(target.name == name)
        _ = target.mimeType
        _ = offered.candidates(for: .data)
      }
      _ = TypeRequest(name).map { offered.candidates(for: $0) }
      #expect(TargetName.escaped(name).unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
  }

  static let types: [ContentType] = [
    .utf8PlainText, .plainText, .html, .rtf, .png, .jpeg, .json, .url, .fileURL, .utf16PlainText,
    .shellScript, .pdf, .bmp, .commaSeparatedText, .data, .folder, .swiftSource,
  ]

  func randomRepresentations(_ random: inout SeededGenerator) -> [Representation] {
    let repertoires: [TextRepertoire?] = [
      nil, .init(.ascii), .init(.latin1), .init(.unicode), .init(.invalid),
      .init(.ascii, hasControlCharacters: true), .init(.ascii, hasCarriageReturns: false),
    ]
    let names: [String?] = [nil, nil, "image/jpg", "TARGETS", "MY_TARGET", "DELETE", "text/plain"]
    return (0..<Int.random(in: 0...60, using: &random)).map { index in
      let isCustom = Int.random(in: 0...3, using: &random) == 0
      let type =
        isCustom
        ? ContentType(validating: "com.example.t\(index % 50)")
        : Self.types.randomElement(using: &random)
      return Representation(
        type, targetName: names.randomElement(using: &random) ?? nil,
        repertoire: repertoires.randomElement(using: &random) ?? nil,
        standsForPlainText: Bool.random(using: &random))
    }
  }

  @Test("Any advertised list is ordered, without duplicates, within the limit, and all content")
  func advertisedLaws() {
    var random = SeededGenerator(seed: 3)
    for round in 0..<500 {
      let representations = randomRepresentations(&random)
      let isSensitive = round % 2 == 0
      let targets = TargetTable.advertised(for: representations, isSensitive: isSensitive)
      let names = targets.map(\.name)
      #expect(names.count <= TargetName.maximumAdvertised)
      #expect(Set(names).count == names.count)
      #expect(!names.contains(where: TargetName.isProtocolTarget))
      let indices = targets.compactMap(\.representation)
      #expect(indices == indices.sorted())
      #expect(indices.allSatisfy { representations.indices.contains($0) })
      #expect(names.contains(TargetName.passwordManagerHint) == isSensitive)
      for target in targets {
        if target.propertyType == nil { #expect(target.name == "TEXT") }
        #expect(target.propertyType != "TEXT")
        guard let index = target.representation else { continue }
        let repertoire = representations[index].repertoire
        if target.name == "UTF8_STRING" { #expect(repertoire?.isText != false) }
        if target.name == "STRING" { #expect(repertoire?.fitsString == true) }
      }
    }
  }

  @Test("The first representation wins each name")
  func firstWins() {
    var random = SeededGenerator(seed: 9)
    for _ in 0..<200 {
      let representations = randomRepresentations(&random)
      for target in TargetTable.advertised(for: representations) {
        // Plain text is one representation's altogether; see below.
        guard let index = target.representation, !OfferedTarget(name: target.name).isPlainText
        else { continue }
        let earlier = TargetTable.advertised(for: Array(representations[..<index]))
        #expect(!earlier.contains { $0.name == target.name })
      }
    }
  }

  @Test("All text targets carry one representation's text, but those asked for by name")
  func oneText() {
    var random = SeededGenerator(seed: 10)
    let group: Set = ["UTF8_STRING", "TEXT", "STRING", "COMPOUND_TEXT"]
    for _ in 0..<200 {
      let representations = randomRepresentations(&random)
      let sources = TargetTable.advertised(for: representations).compactMap { target -> Int? in
        guard let index = target.representation, group.contains(target.name),
          representations[index].targetName != target.name
        else { return nil }
        return index
      }
      #expect(Set(sources).count <= 1)
    }
  }

  @Test("Everything advertised converts, and text comes back as it was")
  func everythingConverts() throws {
    var random = SeededGenerator(seed: 13)
    let alphabet = Array("ab é\t\n€漢😀ÿ\u{301}")
    for _ in 0..<300 {
      let text = String(
        (0..<Int.random(in: 0...12, using: &random)).map { _ in
          alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        })
      let bytes = Array(text.utf8)
      let known = Representation(.utf8PlainText, bytes: bytes)
      for representation in [known, Representation(.utf8PlainText)] {
        let targets = TargetTable.advertised(for: [representation])
        for target in targets {
          let sent = try target.reply(encoding: bytes)
          let reply = TargetReply(
            bytes: sent.bytes, type: sent.propertyType, format: sent.format)
          // Latin-1 bytes that happen to be UTF-8 are read as that; see `readsUTF8InStrings`.
          var options = TargetDecoder.Options()
          options.readsUTF8InStrings = !["STRING", "TEXT"].contains(target.name)
          let read = try TargetDecoder(options: options)
            .text(reply, of: OfferedTarget(name: target.name))
          #expect(read == bytes, "\(target.name)")
        }
      }
    }
  }

  @Test("A type is offered under names that lead back to it", arguments: types)
  func namesLeadBack(type: ContentType) {
    let targets = TargetTable.advertised(for: [Representation(type)])
    let offered = OfferedTargets(targets.map(\.name))
    if type == .folder {
      #expect(targets.isEmpty)
    } else {
      #expect(offered.candidates(for: type).first?.name == targets.first?.name)
    }
  }
}
