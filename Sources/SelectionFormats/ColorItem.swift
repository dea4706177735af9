/// `application/x-color`: four 16-bit items in the machine's own byte order.
public struct ColorItem: Sendable, Hashable {
  /// Red, 0 to 65,535.
  public var red: UInt16
  /// Green, 0 to 65,535.
  public var green: UInt16
  /// Blue, 0 to 65,535.
  public var blue: UInt16
  /// Opacity, 0 to 65,535.
  public var alpha: UInt16

  /// Makes a colour.
  ///
  /// - Parameters:
  ///   - red: Red.
  ///   - green: Green.
  ///   - blue: Blue.
  ///   - alpha: Opacity.
  public init(red: UInt16, green: UInt16, blue: UInt16, alpha: UInt16 = .max) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Eight bytes, as they stand in a property of format 16.
  public var bytes: [UInt8] {
    [red, green, blue, alpha].flatMap { item in withUnsafeBytes(of: item) { Array($0) } }
  }

  /// Reads a colour.
  ///
  /// - Parameter bytes: Six bytes (opaque) or eight.
  /// - Throws: `SelectionFormatError` with `.invalidBytes` for any other length.
  public init(bytes: [UInt8]) throws(SelectionFormatError) {
    guard bytes.count == 8 || bytes.count == 6 else {
      throw SelectionFormatError(
        .invalidBytes,
        message: "a colour has four 16-bit items, these are \(bytes.count) bytes")
    }
    let items = bytes.withUnsafeBytes { raw in
      (0..<bytes.count / 2).map { raw.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self) }
    }
    self.init(
      red: items[0], green: items[1], blue: items[2], alpha: items.count == 4 ? items[3] : .max)
  }
}
