/// What an owner stored for a target.
public struct TargetReply: Sendable, Hashable {
  /// The bytes of the property, items in memory order.
  public var bytes: [UInt8]
  /// The name of the property's type.
  public var type: String
  /// 8, 16 or 32.
  public var format: Int

  /// Describes a reply.
  ///
  /// - Parameters:
  ///   - bytes: The bytes of the property, items of 2 or 4 bytes in memory order.
  ///   - type: The name of the property's type.
  ///   - format: 8, 16 or 32.
  public init(bytes: [UInt8], type: String, format: Int = 8) {
    self.bytes = bytes
    self.type = type
    self.format = format
  }
}
