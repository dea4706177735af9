/// How a button looks at one moment.
public struct ButtonAppearance: Hashable, Sendable {
  /// What it does.
  public var label: String
  /// What that would be done with; in small letters below.
  public var detail: String
  public var isEnabled = false
  public var isPressed = false
  public var hasPointer = false
  public var hasFocus = false

  public init(label: String, detail: String = "") {
    self.label = label
    self.detail = detail
  }
}
