private import ContentTypes

extension TargetTable {
  /// The data targets to advertise for a value.
  ///
  /// Each representation's group follows the one before; a name already taken by an earlier one is
  /// skipped, and plain text is made of the first that is or has any; protocol targets, which others add, never appear.
  /// STRING and COMPOUND_TEXT are listed only for text that fits them: a text that is not known yet is offered as UTF-8,
  /// as TEXT, which may become either, and as COMPOUND_TEXT, which takes any text.
  ///
  /// - Parameters:
  ///   - representations: The value's representations, best first.
  ///   - isSensitive: Whether the value carries the password hint, which managers obey.
  /// - Returns: At most `TargetName.maximumAdvertised` targets without duplicates, in order.
  public static func advertised(
    for representations: [Representation], isSensitive: Bool = false
  ) -> [AdvertisedTarget] {
    var list = AdvertisedList(
      limit: TargetName.maximumAdvertised - (isSensitive ? 1 : 0),
      taken: NameSet(isSensitive ? [TargetName.passwordManagerHint] : []))
    // A representation that is plain text knows better than one that can be read as such.
    let hasPlainText = representations.contains { representation in
      representation.contentType.map(TargetTable.isPlainText) ?? false
        && representation.repertoire?.isText != false
    }
    for (index, representation) in representations.enumerated() {
      list.index = index
      var representation = representation
      if hasPlainText { representation.standsForPlainText = false }
      list.append(representation)
    }
    var targets = list.targets
    if isSensitive {
      targets.append(
        AdvertisedTarget(
          name: TargetName.passwordManagerHint, representation: nil,
          propertyType: TargetName.passwordManagerHint, format: 8,
          encoder: .constant(Array("secret".utf8))))
    }
    return targets
  }
}

/// A list of targets under construction.
private struct AdvertisedList {
  var targets: [AdvertisedTarget] = []
  var index = 0
  /// The representation that plain text is made of. Others do not fill the gaps of its group: whatever text target
  /// a program asks for, it gets the same text.
  private var textIndex: Int?
  private let limit: Int
  private var taken: NameSet

  init(limit: Int, taken: NameSet) {
    self.limit = limit
    self.taken = taken
  }

  mutating func append(_ representation: Representation) {
    if let name = representation.targetName, !appendNamed(name, representation) { return }
    guard let contentType = representation.contentType else {
      if representation.standsForPlainText { appendText(representation) }
      return
    }
    switch representation.textSource {
    case .files:
      append("text/uri-list", .uriList(from: .files))
      append(TargetName.gnomeCopiedFiles, .gnomeFiles(representation.operation))
      append(TargetName.mateCopiedFiles, .gnomeFiles(representation.operation))
      let flag = FileList(uris: [], operation: representation.operation).kdeCutBytes
      append(TargetName.kdeCutSelection, .constant(flag))
      appendText(representation)
    case .link:
      append("text/x-moz-url", .mozillaURL)
      append("_NETSCAPE_URL", .netscapeURL)
      append("text/uri-list", .uriList(from: .link))
      appendText(representation)
    case .utf16:
      for name in TargetTable.ownNames(of: contentType) { append(name, .markedUTF16) }
      appendText(representation)
    case .utf8: appendContent(contentType, representation)
    }
  }

  private mutating func appendContent(
    _ contentType: ContentType, _ representation: Representation
  ) {
    let isText = representation.repertoire?.isText
    if TargetTable.isPlainText(contentType) {
      if isText != false {
        appendText(representation)
      } else if contentType == .utf8PlainText {
        // Bytes that are not UTF-8 are never called that.
        append("application/octet-stream", .identity)
      } else {
        append("text/plain", .identity)
      }
      return
    }
    for name in TargetTable.ownNames(of: contentType) {
      let claimsUTF8 = MIMEName(name)?.charset == "utf-8"
      if claimsUTF8, isText == false { continue }
      append(name, .identity)
    }
    if representation.standsForPlainText, isText != false { appendText(representation) }
  }

  private mutating func appendText(_ representation: Representation) {
    let source = representation.textSource
    let repertoire = representation.repertoire
    guard repertoire?.isText != false, textIndex == nil || textIndex == index else { return }
    textIndex = index
    let utf8: TargetEncoder = source == .utf8 ? .identity : .text(.utf8, from: source)
    // ASCII without CR is the same in every one of the encodings.
    let isSame = repertoire?.characters == .ascii && repertoire?.hasCarriageReturns == false
    let latin1: TargetEncoder = isSame ? utf8 : .text(.latin1, from: source)
    for name in TargetTable.textGroup {
      switch name {
      case "TEXT":
        if let repertoire {
          let fits = repertoire.fitsString
          append(name, fits ? latin1 : utf8, type: fits ? "STRING" : "UTF8_STRING")
        } else {
          append(name, .text(.chosen, from: source), type: nil)
        }
      case "STRING": if repertoire?.fitsString == true { append(name, latin1) }
      case "COMPOUND_TEXT":
        if repertoire?.fitsCompoundText != false {
          append(name, isSame ? utf8 : .text(.compoundText, from: source))
        }
      default: append(name, utf8)
      }
    }
  }

  /// Lists the exact name asked for.
  ///
  /// - Returns: Whether the representation's own group may follow.
  private mutating func appendNamed(
    _ name: String, _ representation: Representation
  ) -> Bool {
    let isText = representation.repertoire?.isText != false
    switch OfferedTarget(name: name).codec {
    // These names promise an encoding, so their group writes them.
    case .utf8, .string, .text, .compoundText, .uriList, .gnomeFiles, .mozillaURL, .netscapeURL:
      if representation.contentType == nil { append(name, .identity) }
    case .plainText(.utf8): if isText { append(name, .identity) }
    case .plainText(.latin1OrUTF8): if representation.contentType == nil { append(name, .identity) }
    case .plainText(.latin1), .plainText(.named(_)):
      // The bytes are in that character set; only ASCII is the same in UTF-8.
      append(name, .identity)
      return representation.repertoire?.characters == .ascii
    case .plainText: if representation.contentType == nil { append(name, .identity) }
    default: append(name, .identity)
    }
    return true
  }

  private mutating func append(_ name: String, _ encoder: TargetEncoder) {
    append(name, encoder, type: name)
  }

  private mutating func append(_ name: String, _ encoder: TargetEncoder, type: String?) {
    guard targets.count < limit, TargetName.isAcceptable(name),
      !TargetName.isProtocolTarget(name), taken.insert(name)
    else { return }
    targets.append(
      AdvertisedTarget(
        name: name, representation: index, propertyType: type,
        format: name == "application/x-color" ? 16 : 8, encoder: encoder))
  }
}
