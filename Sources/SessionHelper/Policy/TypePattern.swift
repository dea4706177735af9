/// A type's name, or the beginning of some: `image/png`, `image/*`. Case does not count.
public struct TypePattern: Hashable, Sendable {
  private let text: String
  private let isPrefix: Bool

  public init(_ pattern: String) {
    isPrefix = pattern.hasSuffix("*")
    text = (isPrefix ? String(pattern.dropLast()) : pattern).lowercased()
  }

  public func matches(_ name: String) -> Bool {
    let name = name.lowercased()
    return isPrefix ? name.hasPrefix(text) : name == text
  }
}
