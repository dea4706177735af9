extension ContentType {
  /// The parents of a dynamic type: those its identifier names, and those its tags imply.
  static func parents(of dynamic: DynamicIdentifier, database: SharedMIMEDatabase) -> [ContentType]
  {
    var result = dynamic.supertypes.map(ContentType.init(mentioned:))
    for tag in dynamic.tags {
      for parent in parents(of: tag, database: database) where !result.contains(parent) {
        result.append(parent)
      }
    }
    return result
  }

  private static func parents(
    of tag: DynamicIdentifier.Tag, database: SharedMIMEDatabase
  ) -> [ContentType] {
    switch tag.tagClass {
    case .mimeType:
      return parents(ofMIMEType: tag.value, database: database)
    case .filenameExtension:
      if let declared = declaredTypes(filenameExtension: tag.value).first { return [declared] }
      guard let mimeType = database.type(forFilenameExtension: tag.value) else { return [] }
      return [ofDatabase(mimeType: mimeType, database: database)]
    default:
      return []
    }
  }

  /// Names of containers: what is inside decides what a type is good for, so nothing inherits from them.
  private static let containers = [
    "application/zip", "application/xml", "application/x-ole-storage",
  ]

  private static func parents(
    ofMIMEType name: String, database: SharedMIMEDatabase
  ) -> [ContentType] {
    let contents = database.contents
    return contents.dynamicParents.answer(
      for: name, generation: TypeRegistry.shared.generation
    ) {
      let canonical = contents.canonicalName(name)
      let owner = ofDatabase(mimeType: canonical, database: database)
      if !owner.isDynamic { return [owner] }
      var result: [ContentType] = []
      for parent in contents.parents(of: canonical) where !containers.contains(parent) {
        let type = ofDatabase(mimeType: parent, database: database)
        if !result.contains(type) { result.append(type) }
      }
      // Where the declared type and the database agree on the extension alone.
      for tag in database.filenameExtensions(of: canonical) {
        guard case .system(let row)? = declaredTypes(filenameExtension: tag).first?.storage,
          SystemTypes.freedesktopMIMETypes(row).contains(canonical)
        else { continue }
        let type = ContentType(systemRow: row)
        if !result.contains(type) { result.append(type) }
      }
      // No question of conformance here: that would follow parents that may run in circles.
      let medium = mediumType(of: canonical)
      if !result.contains(medium) { result.append(medium) }
      return result
    }
  }

  /// The type that stands for a whole media type.
  private static func mediumType(of mimeType: String) -> ContentType {
    switch mimeType.prefix(while: { $0 != "/" }).lowercased() {
    case "image": .image
    case "audio": .audio
    case "video": .movie
    case "text": .plainText
    case "font": .font
    case "model": .threeDContent
    case "inode": .item
    default: .data
    }
  }
}

extension DynamicIdentifier {
  func values(of tagClass: TagClass) -> [String] {
    tags.filter { $0.tagClass == tagClass }.map(\.value)
  }

  func filenameExtensions(database: SharedMIMEDatabase) -> [String] {
    let own = values(of: .filenameExtension)
    return own.isEmpty ? values(of: .mimeType).flatMap(database.filenameExtensions(of:)) : own
  }

  func mimeTypes(database: SharedMIMEDatabase) -> [String] {
    let own = values(of: .mimeType)
    if own.isEmpty {
      return values(of: .filenameExtension).compactMap(database.type(forFilenameExtension:))
    }
    return own.map { name in
      // The identifier is lower-cased; the database may spell the name with capitals.
      let canonical = database.canonicalName(name)
      return canonical.asciiLowercased == name ? canonical : name
    }
  }
}

extension SharedMIMEDatabase {
  /// The type all names with an extension have, when there is only one.
  func type(forFilenameExtension tag: String) -> String? {
    let types = types(forFileName: "name." + tag)
    return types.count == 1 ? types.first : nil
  }
}
