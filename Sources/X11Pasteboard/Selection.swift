/// A selection: a place that one program at a time offers content on (ICCCM 2.6.1).
public struct Selection: Hashable, Sendable, CustomStringConvertible {
  /// Name of the selection's atom.
  public let name: String

  /// Any selection, by its name.
  public init(_ name: String) { self.name = name }

  /// What the copy, cut and paste commands use.
  public static let clipboard = Selection("CLIPBOARD")
  /// What is selected right now, pasted with the middle button.
  public static let primary = Selection("PRIMARY")
  /// Hardly used by anything.
  public static let secondary = Selection("SECONDARY")

  /// The name.
  public var description: String { name }
}
