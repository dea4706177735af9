public import ContentTypes

/// What a person means by a type on a command line.
///
/// The rule where a word could be several things, first match wins:
/// 1. A name with a slash is a MIME type: `image/png`, and a target of exactly that name is
///    preferred to the same type in another spelling.
/// 2. A fixed target name in its own spelling: `UTF8_STRING`, `TARGETS`. Case counts, so that `text`
///    is the filename extension and `TEXT` the target.
/// 3. A word that begins with a dot is a filename extension: `.png`.
/// 4. A declared or dynamic content type: `public.png`.
/// 5. A filename extension somebody declares: `png`.
/// 6. The last word of a public content type: `image` for `public.image`, `movie`, `audio`.
/// 7. Any other word with a dot that can be an identifier is a content type nobody declared:
///    `com.example.profile`.
/// 8. All else is a raw target name.
///
/// `target:` before a name makes it a raw target name whatever it looks like.
public struct TypeRequest: Sendable, Hashable {
  /// The word as it was given.
  public let spelling: String
  /// The content type it means, nil for a raw target name.
  public let contentType: ContentType?
  /// The exact target it names, nil for content types and filename extensions.
  public let targetName: String?

  /// Finds out what a word means.
  ///
  /// - Parameter spelling: The word.
  /// - Returns: nil when it can be neither a type nor a target's name.
  public init?(_ spelling: String) {
    guard TargetName.isAcceptable(spelling) else { return nil }
    self.spelling = spelling
    if spelling.hasPrefix("target:") {
      let name = String(spelling.dropFirst("target:".count))
      guard TargetName.isAcceptable(name) else { return nil }
      targetName = name
      contentType = OfferedTarget(name: name).contentType
      return
    }
    let known = OfferedTarget(name: spelling)
    if spelling.contains("/") {
      targetName = spelling
      contentType = known.contentType
    } else if Self.isFixed(spelling) {
      targetName = spelling
      contentType = known.contentType
    } else if spelling.hasPrefix("."), spelling.utf8.count > 1,
      let type = ContentType(filenameExtension: String(spelling.dropFirst()))
    {
      targetName = nil
      contentType = type
    } else if let type = ContentType(spelling) {
      targetName = nil
      contentType = type
    } else if let type = ContentType(filenameExtension: spelling), !type.isDynamic {
      targetName = nil
      contentType = type
    } else if !spelling.contains("."), let type = ContentType("public." + spelling.lowercased()),
      type.isDeclared
    {
      targetName = nil
      contentType = type
    } else if spelling.contains("."), let type = ContentType(validating: spelling) {
      targetName = nil
      contentType = type
    } else {
      targetName = spelling
      contentType = nil
    }
  }

  /// Whether this is a raw target name only for want of anything better: a word in small letters, which hardly any
  /// target bears, and which may be a content type misspelt.
  public var isUnknownWord: Bool {
    targetName == spelling && contentType == nil && !spelling.contains("/")
      && spelling.contains(where: \.isLowercase)
  }

  /// Whether converting the target would change something at the owner.
  public var hasSideEffect: Bool {
    targetName.map { TargetName.sideEffectTargets.contains($0) } ?? false
  }

  /// Whether the target belongs to the protocol, so that it can be asked for but never offered.
  public var isProtocolTarget: Bool {
    targetName.map { TargetName.isProtocolTarget($0) } ?? false
  }

  /// The representation this type makes of bytes that are offered under it.
  ///
  /// - Parameters:
  ///   - repertoire: What the bytes hold as text, nil when not known.
  ///   - standsForPlainText: Whether the bytes also stand for plain text.
  /// - Throws: `SelectionFormatError` with `.protocolTarget` for a name of the protocol.
  public func representation(
    repertoire: TextRepertoire? = nil, standsForPlainText: Bool = false
  ) throws(SelectionFormatError) -> Representation {
    guard !isProtocolTarget else {
      throw SelectionFormatError(
        .protocolTarget, target: spelling,
        message: "the name belongs to the selection protocol and cannot be offered as content")
    }
    return Representation(
      contentType, targetName: targetName, repertoire: repertoire,
      standsForPlainText: standsForPlainText)
  }

  private static func isFixed(_ name: String) -> Bool {
    TargetName.isProtocolTarget(name) || TargetTable.textGroup.contains(name)
      || ["C_STRING", "FILE_NAME", "_NETSCAPE_URL", TargetName.passwordManagerHint].contains(name)
  }
}
