/// What the user wants to be kept otherwise than it is by itself: names of types, no sizes of all.
public struct KeepingChoice: Sendable, Equatable {
  /// The most bytes of targets of one type.
  public struct Size: Sendable, Equatable {
    public var pattern: TypePattern
    public var bytes: Int

    public init(pattern: TypePattern, bytes: Int) {
      self.pattern = pattern
      self.bytes = bytes
    }
  }

  /// More types that say by being there: do not keep.
  public var markers: [TypePattern] = []
  /// More targets that are never kept, while the rest of their copy is.
  public var never: [TypePattern] = []
  /// What is read early beside a text.
  public var early: [TypePattern] = KeepingRules.earlyOthers.map { TypePattern($0) }
  /// The first that fits decides.
  public var sizes: [Size] = []
  /// Whether a copy of nothing but pictures is read early too.
  public var readsPictures = false

  public init() {}

  /// The most bytes of a target, where the user set one.
  func size(of target: String) -> Int? { sizes.first { $0.pattern.matches(target) }?.bytes }
}
