/// An atom: the server's number for a name.
///
/// The corresponding Xlib type is `Atom`, of which the protocol uses the low 29 bits.
public struct Atom: Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// No atom. As a property in a `SelectionNotify` it means that the request was refused.
  public static let none = Atom(0)

  // Predefined atoms: the core protocol fixes their numbers.
  public static let primary = Atom(1)
  public static let secondary = Atom(2)
  public static let atom = Atom(4)
  public static let cardinal = Atom(6)
  public static let integer = Atom(19)
  public static let pixmap = Atom(20)
  public static let string = Atom(31)
  public static let window = Atom(33)
}

/// A window, of this client or of another one.
///
/// The corresponding Xlib type is `Window`.
public struct Window: Hashable, Sendable, RawRepresentable {
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }
  public init(_ rawValue: UInt32) { self.rawValue = rawValue }

  /// No window: a selection without owner.
  public static let none = Window(0)
}

/// The atoms that the selection protocol itself speaks of (ICCCM 2).
///
/// Interned by whoever holds the connection, in one batch.
public struct ProtocolAtoms: Sendable, Equatable {
  public var clipboard: Atom
  public var targets: Atom
  public var multiple: Atom
  public var timestamp: Atom
  public var incr: Atom
  public var null: Atom
  public var saveTargets: Atom

  public init(
    clipboard: Atom, targets: Atom, multiple: Atom, timestamp: Atom, incr: Atom, null: Atom,
    saveTargets: Atom
  ) {
    self.clipboard = clipboard
    self.targets = targets
    self.multiple = multiple
    self.timestamp = timestamp
    self.incr = incr
    self.null = null
    self.saveTargets = saveTargets
  }
}
