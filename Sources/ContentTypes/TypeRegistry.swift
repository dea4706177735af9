internal import Synchronization

/// What this process has declared or adopted.
///
/// Empty in most programs: one atomic read then answers every question.
final class TypeRegistry: Sendable {
  static let shared = TypeRegistry()

  private struct State {
    var exported: [String: TypeDeclaration] = [:]
    var imported: [String: TypeDeclaration] = [:]
    /// What the declarations and adoptions that count say about parents.
    var parents: [String: [ContentType]] = [:]
    /// Identifiers by tag in the order they were declared.
    var exportedTags: [Tag: [String]] = [:]
    var importedTags: [Tag: [String]] = [:]
    var adopted: [String: Adopted] = [:]
  }

  private struct Adopted {
    var spelling: String
    var parents: [ContentType]
  }

  private struct Tag: Hashable {
    var tagClass: TagClass
    var folded: String
  }

  private let isEmpty = Atomic(true)
  private let hasSystemTypes = Atomic(false)
  private let changes = Atomic(0)
  private let state = Mutex(State())

  // MARK: Declaring

  /// Adds a declaration.
  /// - Returns: Why it cannot be used; nil when it was added. The first declaration of an identifier stays.
  func add(_ declaration: TypeDeclaration, as kind: TypeDeclaration.Kind) -> String? {
    if let problem = declaration.problem { return problem }
    let key = declaration.identifier.asciiLowercased
    let isSystems = SystemTypes.row(identifier: key) != nil
    let parents = declaration.conformsTo.map(ContentType.init(unregistered:))
    return state.withLock { state in
      isEmpty.store(false, ordering: .releasing)
      let existing = kind == .exported ? state.exported[key] : state.imported[key]
      if let existing {
        return existing == declaration
          ? nil : "\"\(declaration.identifier)\" is declared more than once; the first counts"
      }
      var tags = declaration.otherTags
      tags[.filenameExtension, default: []] += declaration.filenameExtensions
      tags[.mimeType, default: []] += declaration.mimeTypes
      for (tagClass, values) in tags {
        for value in values {
          let tag = Tag(tagClass: tagClass, folded: value.asciiLowercased)
          switch kind {
          case .exported: state.exportedTags[tag, default: []].append(declaration.identifier)
          case .imported: state.importedTags[tag, default: []].append(declaration.identifier)
          }
        }
      }
      switch kind {
      case .exported:
        state.exported[key] = declaration
        state.parents[key] = parents
      case .imported:
        state.imported[key] = declaration
        if state.exported[key] == nil { state.parents[key] = parents }
      }
      changes.add(1, ordering: .releasing)
      if isSystems { hasSystemTypes.store(true, ordering: .releasing) }
      return nil
    }
  }

  /// Makes an identifier known without a declaration.
  /// - Returns: Its canonical spelling.
  func adopt(_ identifier: String, parents: [ContentType]) -> String {
    let key = identifier.asciiLowercased
    return state.withLock { state in
      isEmpty.store(false, ordering: .releasing)
      if let declared = state.exported[key] ?? state.imported[key] { return declared.identifier }
      var entry = state.adopted[key] ?? Adopted(spelling: identifier, parents: [])
      for parent in parents where !entry.parents.contains(parent) { entry.parents.append(parent) }
      state.adopted[key] = entry
      state.parents[key] = entry.parents.isEmpty ? [.data] : entry.parents
      return entry.spelling
    }
  }

  // MARK: Asking

  /// Whether nothing was ever declared or adopted.
  var hasNothing: Bool { isEmpty.load(ordering: .acquiring) }

  func spelling(of identifier: String) -> String? {
    if hasNothing { return nil }
    let key = identifier.asciiLowercased
    return state.withLock { state in
      (state.exported[key] ?? state.imported[key])?.identifier ?? state.adopted[key]?.spelling
    }
  }

  func declaration(ofFolded key: String) -> TypeDeclaration? {
    if hasNothing { return nil }
    return state.withLock { $0.exported[key] ?? $0.imported[key] }
  }

  /// Changes with each declaration: what was concluded from tags before may then be wrong.
  var generation: Int { changes.load(ordering: .acquiring) }

  /// Whether a declaration takes the place of one of the system's.
  var redeclaresSystemTypes: Bool { hasSystemTypes.load(ordering: .acquiring) }

  /// The direct parents of a declared or adopted type; nil when it is neither.
  func parents(ofFolded key: String) -> [ContentType]? {
    if hasNothing { return nil }
    return state.withLock { $0.parents[key] }
  }

  /// The declared types with a tag: exported ones, then imported ones.
  func types(tag: String, tagClass: TagClass) -> [ContentType] {
    if hasNothing { return [] }
    let key = Tag(tagClass: tagClass, folded: tag.asciiLowercased)
    let identifiers = state.withLock { state in
      (state.exportedTags[key] ?? []) + (state.importedTags[key] ?? [])
    }
    return identifiers.map(ContentType.init(mentioned:))
  }

  /// All declarations that count, exported ones first, each sorted by identifier.
  var declarations: [(TypeDeclaration, TypeDeclaration.Kind)] {
    state.withLock { state in
      let exported = state.exported.values.sorted { $0.identifier < $1.identifier }
      let imported = state.imported.filter { state.exported[$0.key] == nil }.values
        .sorted { $0.identifier < $1.identifier }
      return exported.map { ($0, .exported) } + imported.map { ($0, .imported) }
    }
  }
}

extension ContentType {
  /// Declares a type for this process.
  ///
  /// Exported declarations beat imported ones, and both beat the system's; within one kind the first counts.
  /// - Parameters:
  ///   - declaration: The type.
  ///   - kind: Whether this program owns the type.
  /// - Returns: Why the declaration cannot be used, as a sentence that names it; nil when it was accepted.
  @discardableResult
  public static func declare(_ declaration: TypeDeclaration, as kind: TypeDeclaration.Kind)
    -> String?
  {
    TypeRegistry.shared.add(declaration, as: kind)
  }
}
