/// A type of content, named by a uniform type identifier such as `public.png`.
///
/// Identifiers compare without regard to ASCII case and keep their canonical spelling. Looking a type up and testing
/// conformance cost well below a microsecond and allocate nothing that stays. The corresponding Apple type is `UTType`.
public struct ContentType: Hashable, Sendable {
  /// Types of the system are always `.system`, so that equality is equality of storage.
  enum Storage: Hashable, Sendable {
    case system(row: Int)
    case named(NamedType)
  }

  let storage: Storage

  init(systemRow row: Int) { storage = .system(row: row) }
  init(named: NamedType) { storage = .named(named) }

  // MARK: By identifier

  /// Finds a type the system or this program declares, or reads a dynamic identifier.
  /// - Parameter identifier: In any case.
  /// - Returns: nil for an identifier nobody declared, and for a malformed dynamic one.
  public init?(_ identifier: String) {
    if let row = SystemTypes.row(identifier: identifier) {
      self.init(systemRow: row)
    } else if let type = NamedType(dynamic: identifier) {
      self.init(named: type)
    } else if Self.isWellFormed(identifier),
      let spelling = TypeRegistry.shared.spelling(of: identifier)
    {
      // What can be no identifier is found by nobody, even where the program uses it as one.
      self.init(named: NamedType(spelling))
    } else {
      return nil
    }
  }

  /// Names a type whether or not anybody declared it.
  ///
  /// From then on this process knows the identifier: `ContentType(_:)` finds it. Parents named by several calls add up.
  /// A declaration of the type, made before or after, takes the place of `parents`.
  /// - Parameters:
  ///   - identifier: The identifier.
  ///   - parents: The types it conforms to as long as nobody declares it; when empty, data.
  public init(undeclared identifier: String, conformingTo parents: [ContentType] = []) {
    if let known = SystemTypes.row(identifier: identifier) {
      self.init(systemRow: known)
    } else if let type = NamedType(dynamic: identifier) {
      self.init(named: type)
    } else {
      self.init(named: NamedType(TypeRegistry.shared.adopt(identifier, parents: parents)))
    }
  }

  /// Names a type without making it known: one that is neither declared nor conforms to anything, unless it is known.
  /// - Parameter identifier: The identifier.
  public init(mentioned identifier: String) {
    self = ContentType(identifier) ?? ContentType(named: NamedType(identifier))
  }

  /// Like `init(mentioned:)`, but in the spelling given and without asking the registry.
  init(unregistered identifier: String) {
    if let row = SystemTypes.row(identifier: identifier) {
      self.init(systemRow: row)
    } else {
      self.init(named: NamedType(dynamic: identifier) ?? NamedType(identifier))
    }
  }

  /// Names a type read from somewhere else, declared here or not.
  /// - Parameter identifier: The identifier.
  /// - Returns: nil when the text cannot be an identifier, or is a malformed dynamic one.
  public init?(validating identifier: String) {
    if let known = ContentType(identifier) {
      self = known
    } else if Self.isWellFormed(identifier), !identifier.asciiLowercased.hasPrefix("dyn.") {
      self.init(named: NamedType(identifier))
    } else {
      return nil
    }
  }

  /// The identifier in its canonical spelling.
  public var identifier: String {
    switch storage {
    case .system(let row): SystemTypes.identifier(row)
    case .named(let type): type.identifier
    }
  }

  // MARK: Kinds

  /// Whether the identifier was made from a tag, because nobody declared a type for it.
  public var isDynamic: Bool {
    if case .named(let type) = storage { type.dynamic != nil } else { false }
  }

  /// Whether the system or this program declares the type.
  public var isDeclared: Bool {
    switch storage {
    case .system: true
    case .named(let type):
      type.dynamic == nil && TypeRegistry.shared.declaration(ofFolded: type.folded) != nil
    }
  }

  /// Whether the type belongs to the public domain: its identifier begins with `public.`.
  public var isPublic: Bool {
    switch storage {
    case .system: identifier.hasPrefix("public.")
    case .named(let type): type.folded.hasPrefix("public.")
    }
  }

  /// Whether text could be the identifier of a type: letters, digits, `-`, `_`, `.` and anything beyond ASCII, at most
  /// 1,024 bytes, no empty part.
  static func isWellFormed(_ identifier: String) -> Bool {
    if identifier.isEmpty || identifier.utf8.count > 1024 { return false }
    var previous = UInt8(ascii: ".")
    for byte in identifier.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), 0x80...:
        break
      case UInt8(ascii: "."):
        if previous == byte { return false }
      default:
        return false
      }
      previous = byte
    }
    return previous != UInt8(ascii: ".")
  }
}

extension ContentType: CustomStringConvertible {
  /// The identifier.
  public var description: String { identifier }
}

/// A type that is not one of the system's: declared at run time, only mentioned, or dynamic.
final class NamedType: Hashable, Sendable {
  let identifier: String
  /// What the identifier compares by.
  let folded: String
  let dynamic: DynamicIdentifier?

  init(_ identifier: String) {
    self.identifier = identifier
    folded = identifier.asciiLowercased
    dynamic = nil
  }

  init(_ dynamic: DynamicIdentifier) {
    identifier = dynamic.identifier
    folded = identifier
    self.dynamic = dynamic
  }

  init?(dynamic identifier: String) {
    guard (6...65_536).contains(identifier.utf8.count),
      identifier.utf8.first.map({ $0 | 0x20 }) == UInt8(ascii: "d"),
      let dynamic = DynamicIdentifier(identifier.asciiLowercased)
    else { return nil }
    self.identifier = identifier.asciiLowercased
    folded = self.identifier
    self.dynamic = dynamic
  }

  static func == (one: NamedType, other: NamedType) -> Bool {
    one === other || one.folded == other.folded
  }

  func hash(into hasher: inout Hasher) { hasher.combine(folded) }
}
