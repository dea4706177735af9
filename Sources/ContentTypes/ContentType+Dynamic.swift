extension ContentType {
  /// The parents of a dynamic type: those its identifier names, and those its tags imply.
  static func parents(of dynamic: DynamicIdentifier) -> [ContentType] {
    var result = dynamic.supertypes.map(ContentType.init(mentioned:))
    for mimeType in dynamic.values(of: .mimeType) {
      let parent = parent(ofMediaTypeIn: mimeType)
      if !result.contains(parent) { result.append(parent) }
    }
    return result
  }

  /// The type that stands for a whole media type.
  static func parent(ofMediaTypeIn mimeType: String) -> ContentType {
    switch mimeType.prefix(while: { $0 != "/" }).lowercased() {
    case "image": .image
    case "audio": .audio
    case "video": .movie
    case "text": .plainText
    case "font": .font
    case "model": .threeDContent
    default: .data
    }
  }
}
