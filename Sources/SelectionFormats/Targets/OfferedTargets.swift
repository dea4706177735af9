public import ContentTypes

/// What a peer offers: the answer to TARGETS, cleaned of what no honest owner would say.
public struct OfferedTargets: Sendable, Hashable {
  /// Every acceptable target in the owner's order, once, protocol targets among them.
  public let targets: [OfferedTarget]

  /// Reads the answer to TARGETS.
  ///
  /// Dropped are duplicates, `None`, names longer than 256 bytes or with control characters, and
  /// whatever follows the first 4,096 names.
  ///
  /// - Parameter names: The names in the owner's order.
  public init(_ names: [String]) {
    var seen = NameSet()
    var targets: [OfferedTarget] = []
    for name in names.prefix(TargetName.maximumOffered) {
      guard TargetName.isAcceptable(name), seen.insert(name) else { continue }
      targets.append(OfferedTarget(name: name))
    }
    // A list of URIs beside a link and without a file manager's own targets leads to the Web.
    let isLink = targets.contains { $0.codec == .mozillaURL || $0.codec == .netscapeURL }
    let isFiles =
      targets.contains { $0.codec == .gnomeFiles }
      || seen.contains(TargetName.kdeCutSelection)
    if isLink, !isFiles {
      targets = targets.map { target in
        guard target.codec == .uriList else { return target }
        return OfferedTarget(target.name, .url, target.codec, target.charset)
      }
    }
    self.targets = targets
  }

  /// The targets that are content, in the owner's order.
  public var contents: [OfferedTarget] { targets.filter(\.isContent) }

  /// The targets that are content or may be, in the owner's order: names without a meaning here are among them.
  public var data: [OfferedTarget] { targets.filter(\.mayBeData) }

  /// The types of the content in the owner's order, each once.
  public var contentTypes: [ContentType] {
    var seen: Set<ContentType> = []
    return targets.compactMap(\.contentType).filter { seen.insert($0).inserted }
  }

  /// Whether a target is offered by exactly this name.
  ///
  /// - Parameter name: The name.
  public func contains(_ name: String) -> Bool { targets.contains { $0.name == name } }

  /// Whether the owner may call its content a secret; only the value "secret" says that it does.
  public var hasPasswordHint: Bool { contains(TargetName.passwordManagerHint) }

  /// The targets that tell whether files were cut, best first.
  public var cutTargets: [OfferedTarget] {
    targets.filter { $0.codec == .gnomeFiles || $0.name == TargetName.kdeCutSelection }
  }

  /// The targets to try for a content type, one after the other until one converts.
  ///
  /// Targets of just that type come first, then those of conforming types, each in the owner's
  /// order. Wherever plain text stands in that order, all text targets follow, best encoding first.
  ///
  /// - Parameter wanted: The type, which may be one that others conform to, such as `public.image`.
  /// - Returns: The targets; empty when nothing offered will do.
  public func candidates(for wanted: ContentType) -> [OfferedTarget] {
    let contents = contents
    let text = contents.enumerated().filter(\.element.isPlainText)
      .sorted { ($0.element.textRank, $0.offset) < ($1.element.textRank, $1.offset) }
      .map(\.element)
    var result: [OfferedTarget] = []
    var taken = NameSet()
    func append(_ target: OfferedTarget) {
      if target.isPlainText, taken.contains(target.name) { return }
      for target in target.isPlainText ? text : [target]
      where taken.insert(target.name) {
        result.append(target)
      }
    }
    if wanted == .fileURL || wanted == .url {
      return Self.uriCandidates(contents, files: wanted == .fileURL)
    }
    if wanted == .utf8PlainText || wanted == .plainText {
      text.forEach(append)
    } else if wanted == .utf16PlainText || wanted == .utf16ExternalPlainText {
      result = text.filter { $0.contentType == .utf16PlainText }
      taken = NameSet(result.map(\.name))
      result += text.filter { taken.insert($0.name) }
    }
    let names = Set(TargetTable.ownNames(of: wanted).map { $0.lowercased() })
    for target in contents where !target.isPlainText {
      let isNamed = MIMEName(target.name).map { names.contains($0.normalized) } ?? false
      if target.contentType == wanted || isNamed { append(target) }
    }
    for target in contents where target.contentType?.conforms(to: wanted) == true { append(target) }
    return result
  }

  /// The targets to try for what a person asked for.
  ///
  /// A target of exactly the name comes first, then one of the same MIME type in another spelling,
  /// then those of the content type.
  ///
  /// - Parameter request: What the person asked for.
  /// - Returns: The targets; empty when nothing offered will do.
  public func candidates(for request: TypeRequest) -> [OfferedTarget] {
    var result = targets.filter { $0.name == request.targetName }
    var taken = NameSet(result.map(\.name))
    func append(_ target: OfferedTarget) {
      if taken.insert(target.name) { result.append(target) }
    }
    if let mime = request.targetName.flatMap(MIMEName.init) {
      for target in targets where MIMEName(target.name) == mime { append(target) }
    }
    if let contentType = request.contentType { candidates(for: contentType).forEach(append) }
    return result
  }

  /// The targets to try blindly when the owner refuses TARGETS.
  ///
  /// - Parameter wanted: The type; nil for text.
  /// - Returns: The targets, most likely first.
  public static func probes(for wanted: ContentType? = nil) -> [OfferedTarget] {
    let text = ["UTF8_STRING", "STRING", "text/plain;charset=utf-8", "COMPOUND_TEXT", "TEXT"]
    guard let wanted else { return (text + ["text/plain"]).map(OfferedTarget.init(name:)) }
    switch wanted {
    case .fileURL: return [OfferedTarget(name: "text/uri-list")]
    case .url: return ["text/x-moz-url", "text/uri-list"].map(OfferedTarget.init(name:))
    case _ where wanted.conforms(to: .plainText) && TargetTable.isPlainText(wanted),
      _ where ContentType.plainText.conforms(to: wanted):
      return probes()
    default: return TargetTable.ownNames(of: wanted).map(OfferedTarget.init(name:))
    }
  }

  private static func uriCandidates(_ contents: [OfferedTarget], files: Bool) -> [OfferedTarget] {
    let order: [OfferedTarget.Codec] =
      files
      ? [.uriList, .gnomeFiles, .mozillaURL, .fileNames]
      : [.mozillaURL, .netscapeURL, .uriList, .urlText, .gnomeFiles]
    let type: ContentType = files ? .fileURL : .url
    return order.flatMap { codec in contents.filter { $0.codec == codec } }
      + contents.filter { $0.codec == .bytes && $0.contentType?.conforms(to: type) == true }
  }
}
