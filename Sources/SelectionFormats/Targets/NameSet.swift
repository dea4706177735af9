/// Names, each once. Few of them, as nearly always, stand in an array: the first use of a `Set` costs a command a fifth
/// of all that it does, since the runtime searches every conformance of the program for that of `String`.
struct NameSet {
  private var few: [String] = []
  /// None of these is among the few.
  private var many: Set<String> = []
  private static let mostFew = 32

  init(_ names: some Sequence<String> = EmptyCollection()) {
    for name in names { insert(name) }
  }

  func contains(_ name: String) -> Bool {
    few.contains(name) || (!many.isEmpty && many.contains(name))
  }

  /// Adds a name; says whether it is new.
  @discardableResult
  mutating func insert(_ name: String) -> Bool {
    guard !contains(name) else { return false }
    if few.count < Self.mostFew { few.append(name) } else { many.insert(name) }
    return true
  }
}
