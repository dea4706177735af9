extension ContentType {
  /// Whether the type is another type or, directly or not, one of its subtypes.
  /// - Parameter other: The type to be.
  public func conforms(to other: ContentType) -> Bool { conforms(to: other, database: .shared) }

  func conforms(to other: ContentType, database: SharedMIMEDatabase) -> Bool {
    if self == other { return true }
    let isSystemFixed = !TypeRegistry.shared.redeclaresSystemTypes
    if case .system(let row) = storage, isSystemFixed {
      guard case .system(let otherRow) = other.storage else { return false }
      return SystemTypes.conforms(row, to: otherRow)
    }
    // Declarations and databases come from outside: they may run in circles or be endless.
    var seen = [self]
    var next = 0
    while next < seen.count, seen.count < Self.supertypeLimit {
      for parent in seen[next].parents(database: database) {
        if parent == other { return true }
        if case .system(let row) = parent.storage, isSystemFixed {
          if case .system(let otherRow) = other.storage, SystemTypes.conforms(row, to: otherRow) {
            return true
          }
        } else if !seen.contains(parent) {
          seen.append(parent)
        }
      }
      next += 1
    }
    return false
  }

  /// No type has more supertypes than this.
  private static var supertypeLimit: Int { 1000 }

  /// Whether the type is a proper supertype of another.
  /// - Parameter other: The possible subtype.
  public func isSupertype(of other: ContentType) -> Bool {
    self != other && other.conforms(to: self)
  }

  /// Whether the type is a proper subtype of another.
  /// - Parameter other: The possible supertype.
  public func isSubtype(of other: ContentType) -> Bool { other.isSupertype(of: self) }

  /// All types this one conforms to, directly or not, without itself.
  public var supertypes: Set<ContentType> { supertypes(database: .shared) }

  func supertypes(database: SharedMIMEDatabase) -> Set<ContentType> {
    var result: Set<ContentType> = []
    var waiting = parents(database: database)
    while let type = waiting.popLast(), result.count < Self.supertypeLimit {
      if type != self, result.insert(type).inserted { waiting += type.parents(database: database) }
    }
    return result
  }

  /// The types this one conforms to directly.
  func parents(database: SharedMIMEDatabase) -> [ContentType] {
    switch storage {
    case .system(let row):
      if TypeRegistry.shared.redeclaresSystemTypes,
        let parents = TypeRegistry.shared.parents(ofFolded: folded)
      {
        return parents
      }
      return SystemTypes.parents(row).map(ContentType.init(systemRow:))
    case .named(let type):
      if let dynamic = type.dynamic { return Self.parents(of: dynamic, database: database) }
      return TypeRegistry.shared.parents(ofFolded: type.folded) ?? []
    }
  }

  var folded: String {
    switch storage {
    case .system(let row): SystemTypes.identifier(row).asciiLowercased
    case .named(let type): type.folded
    }
  }
}
