/// A file name pattern with `*`, `?` and `[…]`.
///
/// Patterns come from files anybody may write: matching takes time in proportion to pattern times name, whatever they
/// hold, and every step is paid for from an allowance that all patterns of a directory share.
struct GlobPattern: Hashable, Sendable {
  let text: String
  private let scalars: [UInt32]

  init(_ text: String) {
    self.text = text
    scalars = text.unicodeScalars.map(\.value)
  }

  /// The number of Unicode scalars.
  var length: Int { scalars.count }

  /// Whether the pattern has no special characters.
  var isLiteral: Bool { !text.unicodeScalars.contains { "*?[\\".unicodeScalars.contains($0) } }

  /// What follows the `*` of a pattern that has no other special character, for example `.tar.gz`.
  var suffix: String? {
    guard text.hasPrefix("*") else { return nil }
    let rest = GlobPattern(String(text.dropFirst()))
    return rest.isLiteral && !rest.text.isEmpty ? rest.text : nil
  }

  /// The filename extension of a pattern such as `*.png`.
  var filenameExtension: String? {
    guard let suffix, suffix.hasPrefix("."), suffix.utf8.count > 1 else { return nil }
    return String(suffix.dropFirst())
  }

  /// Steps that one look-up may take. In the installed database a look-up takes about a hundred.
  static let allowance = 8_000_000

  /// Whether the pattern matches all of a name.
  /// - Parameters:
  ///   - name: The name.
  ///   - allowance: Steps left; with none left, nothing matches.
  func matches(_ name: [UInt32], allowance: inout Int) -> Bool {
    var position = 0
    var index = 0
    var star: (position: Int, index: Int)?
    allowance -= scalars.count + 1
    while index < name.count {
      allowance -= 1
      if allowance < 0 { return false }
      if position < scalars.count, scalars[position] == 0x2A {
        star = (position, index)
        position += 1
      } else if let next = step(position, name[index]) {
        position = next
        index += 1
      } else if let last = star {
        star = (last.position, last.index + 1)
        position = last.position + 1
        index = last.index + 1
      } else {
        return false
      }
    }
    while position < scalars.count, scalars[position] == 0x2A { position += 1 }
    return position == scalars.count
  }

  /// The position after the element at `position`, if that element accepts the scalar.
  private func step(_ position: Int, _ scalar: UInt32) -> Int? {
    guard position < scalars.count else { return nil }
    switch scalars[position] {
    case 0x3F:  // ?
      return position + 1
    case 0x5B:  // [
      if let (end, accepts) = bracket(position, scalar) { return accepts ? end : nil }
      return scalar == 0x5B ? position + 1 : nil
    case 0x5C where position + 1 < scalars.count:  // backslash
      return scalars[position + 1] == scalar ? position + 2 : nil
    default:
      return scalars[position] == scalar ? position + 1 : nil
    }
  }

  private func bracket(_ position: Int, _ scalar: UInt32) -> (end: Int, accepts: Bool)? {
    var next = position + 1
    let isNegated = next < scalars.count && (scalars[next] == 0x21 || scalars[next] == 0x5E)
    if isNegated { next += 1 }
    let first = next
    var accepts = false
    while next < scalars.count, scalars[next] != 0x5D || next == first {
      if next + 2 < scalars.count, scalars[next + 1] == 0x2D, scalars[next + 2] != 0x5D {
        if scalars[next] <= scalar, scalar <= scalars[next + 2] { accepts = true }
        next += 3
      } else {
        if scalars[next] == scalar { accepts = true }
        next += 1
      }
    }
    return next < scalars.count ? (next + 1, accepts != isNegated) : nil
  }
}
