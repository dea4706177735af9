extension ContentType {
  // MARK: From a tag

  /// Finds the preferred type with a MIME type.
  ///
  /// Parameters are dropped, but the `charset` of `text/plain` picks the Unicode types. Spellings of the system, of the
  /// shared MIME database and its aliases are all accepted, in any case.
  /// - Parameters:
  ///   - mimeType: For example `text/plain;charset=utf-8`.
  ///   - supertype: What the type must conform to; nil for anything.
  /// - Returns: nil when the text is not a MIME type. A MIME type no declared type has gives a dynamic type.
  public init?(mimeType: String, conformingTo supertype: ContentType? = .data) {
    self.init(tag: mimeType, tagClass: .mimeType, conformingTo: supertype)
  }

  /// Finds the preferred type with a filename extension.
  /// - Parameters:
  ///   - filenameExtension: Without period, in any case.
  ///   - supertype: What the type must conform to; nil for anything.
  /// - Returns: nil when the text cannot be an extension. One that no declared type has gives a dynamic type.
  public init?(filenameExtension: String, conformingTo supertype: ContentType? = .data) {
    self.init(tag: filenameExtension, tagClass: .filenameExtension, conformingTo: supertype)
  }

  /// Finds the preferred type with a tag.
  /// - Parameters:
  ///   - tag: The tag.
  ///   - tagClass: Its class.
  ///   - supertype: What the type must conform to; nil for anything.
  /// - Returns: nil when the tag is not valid in its class. A tag no declared type has gives a dynamic type.
  public init?(tag: String, tagClass: TagClass, conformingTo supertype: ContentType?) {
    guard let first = Self.types(tag: tag, tagClass: tagClass, conformingTo: supertype).first else {
      return nil
    }
    self = first
  }

  /// Finds all types with a tag, preferred ones first.
  /// - Parameters:
  ///   - tag: The tag.
  ///   - tagClass: Its class.
  ///   - supertype: What the types must conform to; nil for anything.
  /// - Returns: Empty when the tag is not valid in its class; a dynamic type alone when no declared type has the tag.
  public static func types(
    tag: String, tagClass: TagClass, conformingTo supertype: ContentType?
  ) -> [ContentType] {
    types(tag: tag, tagClass: tagClass, conformingTo: supertype, database: .shared)
  }

  static func types(
    tag: String, tagClass: TagClass, conformingTo supertype: ContentType?,
    database: SharedMIMEDatabase
  ) -> [ContentType] {
    switch tagClass {
    case .filenameExtension:
      guard isWellFormed(filenameExtension: tag) else { return [] }
      let candidates = declaredTypes(filenameExtension: tag)
      return chosen(candidates, conformingTo: supertype, else: tag, tagClass)
    case .mimeType:
      guard let mimeType = MIMEType(tag) else { return [] }
      let candidates = candidates(mimeType, spelled: tag)
      if let found = matching(candidates, supertype), !found.isEmpty { return found }
      // The database may know the name as an alias of a name we know, or the other way round.
      let relation = relation(ofMIMEType: mimeType.name, database: database)
      let relatives = candidates + relation.types
      if let found = matching(relatives, supertype), !found.isEmpty { return found }
      if relatives.isEmpty, supertype == .data { return [relation.dynamicData] }
      let name = candidates.isEmpty ? relation.canonicalName : mimeType.name
      return [dynamic(tag: name, tagClass, conformingTo: supertype)]
    default:
      if tag.isEmpty || tagClass.rawValue.isEmpty { return [] }
      let candidates = TypeRegistry.shared.types(tag: tag, tagClass: tagClass)
      return chosen(candidates, conformingTo: supertype, else: tag, tagClass)
    }
  }

  private static func candidates(_ mimeType: MIMEType, spelled tag: String) -> [ContentType] {
    guard mimeType.charset != nil else { return declaredTypes(mimeType: mimeType.name) }
    // A program may declare a type for one charset: `text/plain;charset=koi8-r`.
    return TypeRegistry.shared.types(tag: tag, tagClass: .mimeType) + textTypes(mimeType)
      + declaredTypes(mimeType: mimeType.name)
  }

  /// What a MIME type that nobody declares is in the database.
  struct Relation: Sendable {
    var canonicalName: String
    /// The declared types the database relates it to.
    var types: [ContentType]
    /// What it is if there are none: a dynamic type that conforms to data.
    var dynamicData: ContentType
  }

  private static func relation(ofMIMEType name: String, database: SharedMIMEDatabase) -> Relation {
    let contents = database.contents
    return contents.relations.answer(for: name, generation: TypeRegistry.shared.generation) {
      let canonical = contents.canonicalName(name)
      var types = declaredTypes(mimeType: canonical)
      if types.isEmpty { types = contents.aliases(of: canonical).flatMap(declaredTypes(mimeType:)) }
      return Relation(
        canonicalName: canonical, types: types,
        dynamicData: dynamic(tag: canonical, .mimeType, conformingTo: .data))
    }
  }

  /// The types of the registry and the system with a filename extension, preferred ones first.
  static func declaredTypes(filenameExtension tag: String) -> [ContentType] {
    TypeRegistry.shared.types(tag: tag, tagClass: .filenameExtension)
      + SystemTypes.rows(filenameExtension: tag).map(ContentType.init(systemRow:))
  }

  /// The types of the registry and the system with a MIME type, preferred ones first.
  static func declaredTypes(mimeType name: String) -> [ContentType] {
    let types =
      TypeRegistry.shared.types(tag: name, tagClass: .mimeType)
      + SystemTypes.rows(mimeType: name).map(ContentType.init(systemRow:))
    if types.isEmpty, name.utf8.count > identifierPrefix.utf8.count,
      name.asciiLowercased.hasPrefix(identifierPrefix),
      let named = ContentType(String(name.dropFirst(identifierPrefix.count))), !named.isDynamic
    {
      return [named]
    }
    return types
  }

  /// How a type without a MIME type of its own is called where only MIME types are understood; the identifier follows.
  static let identifierPrefix = "application/x-uti."

  /// The type a MIME type of the database means.
  static func ofDatabase(mimeType name: String, database: SharedMIMEDatabase) -> ContentType {
    types(tag: name, tagClass: .mimeType, conformingTo: nil, database: database).first {
      !$0.isDynamic
    }
      ?? dynamic(tag: database.canonicalName(name), .mimeType, conformingTo: .data)
  }

  private static func matching(
    _ candidates: [ContentType], _ supertype: ContentType?
  ) -> [ContentType]? {
    if let only = candidates.first, candidates.count == 1 {
      return supertype.map(only.conforms(to:)) ?? true ? candidates : nil
    }
    var result: [ContentType] = []
    for type in candidates where !result.contains(type) {
      if let supertype, !type.conforms(to: supertype) { continue }
      result.append(type)
    }
    return result
  }

  private static func chosen(
    _ candidates: [ContentType], conformingTo supertype: ContentType?, else tag: String,
    _ tagClass: TagClass
  ) -> [ContentType] {
    if let found = matching(candidates, supertype), !found.isEmpty { return found }
    return [dynamic(tag: tag, tagClass, conformingTo: supertype)]
  }

  private static func dynamic(
    tag: String, _ tagClass: TagClass, conformingTo supertype: ContentType?
  ) -> ContentType {
    let identifier = DynamicIdentifier(
      tag: tag, tagClass: tagClass, supertype: supertype?.identifier)
    return ContentType(named: NamedType(identifier))
  }

  private static func textTypes(_ mimeType: MIMEType) -> [ContentType] {
    guard let charset = mimeType.charset, mimeType.name.asciiLowercased == "text/plain" else {
      return []
    }
    switch charset {
    case "utf-8", "utf8": return [.utf8PlainText]
    case "utf-16", "utf16": return [.utf16PlainText]
    case "utf-16be", "utf-16le": return [.utf16ExternalPlainText]
    default: return []
    }
  }

  static func isWellFormed(filenameExtension tag: String) -> Bool {
    !tag.isEmpty && tag.utf8.count <= 255 && !tag.utf8.contains { $0 == 0x2F || $0 == 0 }
  }

  // MARK: To tags

  /// The filename extensions, preferred one first. Those of a dynamic type may come from the shared MIME database.
  public var filenameExtensions: [String] { filenameExtensions(database: .shared) }

  func filenameExtensions(database: SharedMIMEDatabase) -> [String] {
    if let declaration { return declaration.filenameExtensions }
    switch storage {
    case .system(let row): return SystemTypes.filenameExtensions(row)
    case .named(let type): return type.dynamic?.filenameExtensions(database: database) ?? []
    }
  }

  /// The MIME types, preferred one first. Those of a dynamic type may come from the shared MIME database.
  public var mimeTypes: [String] { mimeTypes(database: .shared) }

  func mimeTypes(database: SharedMIMEDatabase) -> [String] {
    if let declaration { return declaration.mimeTypes }
    switch storage {
    case .system(let row): return SystemTypes.mimeTypes(row)
    case .named(let type): return type.dynamic?.mimeTypes(database: database) ?? []
    }
  }

  /// The first of the filename extensions.
  public var preferredFilenameExtension: String? { filenameExtensions.first }

  /// The first of the MIME types.
  public var preferredMIMEType: String? { mimeTypes.first }

  /// The type that a name with this type's preferred extension means: this type, unless another is preferred.
  public var preferredOwnerOfExtension: ContentType {
    guard let tag = preferredFilenameExtension else { return self }
    let family: ContentType? =
      conforms(to: .data) ? .data : conforms(to: .directory) ? .directory : nil
    return ContentType(filenameExtension: tag, conformingTo: family) ?? self
  }

  /// All tags by class. Classes without tags are absent.
  public var tags: [TagClass: [String]] {
    var result = declaration?.otherTags ?? [:]
    if case .named(let type) = storage, let dynamic = type.dynamic {
      for tag in dynamic.tags { result[tag.tagClass, default: []].append(tag.value) }
    }
    let extensions = filenameExtensions
    let mimeTypes = mimeTypes
    result[.filenameExtension] = extensions.isEmpty ? nil : extensions
    result[.mimeType] = mimeTypes.isEmpty ? nil : mimeTypes
    return result
  }

  /// The declaration this program made of the type.
  var declaration: TypeDeclaration? {
    let registry = TypeRegistry.shared
    switch storage {
    case .system:
      return registry.redeclaresSystemTypes ? registry.declaration(ofFolded: folded) : nil
    case .named(let type):
      return type.dynamic == nil ? registry.declaration(ofFolded: type.folded) : nil
    }
  }
}
