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
    var name = tag
    var candidates: [ContentType] = []
    switch tagClass {
    case .filenameExtension:
      guard isWellFormed(filenameExtension: tag) else { return [] }
      candidates = TypeRegistry.shared.types(tag: tag, tagClass: tagClass)
      candidates += SystemTypes.rows(filenameExtension: tag).map(ContentType.init(systemRow:))
    case .mimeType:
      guard let mimeType = MIMEType(tag) else { return [] }
      name = mimeType.name
      candidates = TypeRegistry.shared.types(tag: name, tagClass: tagClass)
      candidates += textTypes(mimeType)
      candidates += SystemTypes.rows(mimeType: name).map(ContentType.init(systemRow:))
    default:
      if tag.isEmpty || tagClass.rawValue.isEmpty { return [] }
      candidates = TypeRegistry.shared.types(tag: tag, tagClass: tagClass)
    }
    var result: [ContentType] = []
    for type in candidates where !result.contains(type) {
      if let supertype, !type.conforms(to: supertype) { continue }
      result.append(type)
    }
    if result.isEmpty {
      let dynamic = DynamicIdentifier(
        tag: name, tagClass: tagClass, supertype: supertype?.identifier)
      result.append(ContentType(named: NamedType(dynamic)))
    }
    return result
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

  /// The filename extensions, preferred one first.
  public var filenameExtensions: [String] {
    if let declaration { return declaration.filenameExtensions }
    switch storage {
    case .system(let row): return SystemTypes.filenameExtensions(row)
    case .named(let type): return type.dynamic.map { $0.values(of: .filenameExtension) } ?? []
    }
  }

  /// The MIME types, preferred one first.
  public var mimeTypes: [String] {
    if let declaration { return declaration.mimeTypes }
    switch storage {
    case .system(let row): return SystemTypes.mimeTypes(row)
    case .named(let type): return type.dynamic.map { $0.values(of: .mimeType) } ?? []
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
    result[.filenameExtension] = filenameExtensions.isEmpty ? nil : filenameExtensions
    result[.mimeType] = mimeTypes.isEmpty ? nil : mimeTypes
    return result
  }

  /// The declaration this program made of the type.
  var declaration: TypeDeclaration? {
    TypeRegistry.shared.hasNothing ? nil : TypeRegistry.shared.declaration(ofFolded: folded)
  }
}

extension DynamicIdentifier {
  func values(of tagClass: TagClass) -> [String] {
    tags.filter { $0.tagClass == tagClass }.map(\.value)
  }
}
