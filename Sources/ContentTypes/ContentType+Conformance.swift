extension ContentType {
  /// Whether the type is another type or, directly or not, one of its subtypes.
  /// - Parameter other: The type to be.
  public func conforms(to other: ContentType) -> Bool {
    if self == other { return true }
    if case .system(let row) = storage, TypeRegistry.shared.hasNothing {
      guard case .system(let otherRow) = other.storage else { return false }
      return SystemTypes.conforms(row, to: otherRow)
    }
    var seen: [ContentType] = [self]
    return reaches(other, seen: &seen)
  }

  /// Whether the type is a proper supertype of another.
  /// - Parameter other: The possible subtype.
  public func isSupertype(of other: ContentType) -> Bool {
    self != other && other.conforms(to: self)
  }

  /// Whether the type is a proper subtype of another.
  /// - Parameter other: The possible supertype.
  public func isSubtype(of other: ContentType) -> Bool { other.isSupertype(of: self) }

  /// All types this one conforms to, directly or not, without itself.
  public var supertypes: Set<ContentType> {
    var result: Set<ContentType> = []
    var waiting = parents
    while let type = waiting.popLast() {
      if type != self, result.insert(type).inserted { waiting += type.parents }
    }
    return result
  }

  /// The types this one conforms to directly.
  var parents: [ContentType] {
    let declaration =
      TypeRegistry.shared.hasNothing ? nil : TypeRegistry.shared.declaration(ofFolded: folded)
    if let declaration { return declaration.conformsTo.map(ContentType.init(mentioned:)) }
    switch storage {
    case .system(let row):
      return SystemTypes.parents(row).map(ContentType.init(systemRow:))
    case .named(let type):
      if let dynamic = type.dynamic { return Self.parents(of: dynamic) }
      guard let adopted = TypeRegistry.shared.adoptedParents(ofFolded: type.folded) else {
        return []
      }
      return adopted.isEmpty ? [.data] : adopted
    }
  }

  var folded: String {
    switch storage {
    case .system(let row): SystemTypes.identifier(row).asciiLowercased
    case .named(let type): type.folded
    }
  }

  /// Declarations come from outside and may run in circles.
  private func reaches(_ other: ContentType, seen: inout [ContentType]) -> Bool {
    for parent in parents where !seen.contains(parent) {
      if parent == other { return true }
      seen.append(parent)
      if parent.reaches(other, seen: &seen) { return true }
    }
    return false
  }
}
