internal import SelectionFormats

extension TypeRequest {
  /// The targets that will do, best first: a raw target only itself, a MIME type in any spelling or encoding.
  func targets(in offered: OfferedTargets) -> [OfferedTarget] {
    if let targetName, !targetName.contains("/") {
      return offered.targets.filter { $0.name == targetName }
    }
    return offered.candidates(for: self)
  }

  /// How a target is read for it: unchanged where it was named itself.
  func wish(for target: OfferedTarget) -> PasteReceiver.Wish {
    guard let targetName else { return .readable(as: contentType) }
    let isNamed =
      target.name == targetName
      || targetName.contains("/") && target.name.contains("/")
        && target.mimeType == OfferedTarget(name: targetName).mimeType
    return isNamed ? .exact : .readable(as: contentType)
  }
}
