public import Foundation

// On Apple's systems a cast turns an archived object into the value it stands for, `item as? URL`, and a value
// into its object. On Linux it does too, but the compiler says that the cast always fails, unless the values
// are archivable themselves. Foundation is not ours, but a warning about right code is worse.

// swift-format-ignore: AvoidRetroactiveConformances
extension URL: @retroactive NSCoding, @retroactive NSSecureCoding {
  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the URL as `NSURL` does.
  /// - Parameter coder: A keyed archiver.
  public func encode(with coder: NSCoder) { (self as NSURL).encode(with: coder) }

  /// Reads a URL as `NSURL` does.
  /// - Parameter coder: A keyed unarchiver.
  public init?(coder: NSCoder) {
    guard let object = NSURL(coder: coder) else { return nil }
    self = object as URL
  }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension Data: @retroactive NSCoding, @retroactive NSSecureCoding {
  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the bytes as `NSData` does.
  /// - Parameter coder: A keyed archiver.
  public func encode(with coder: NSCoder) { (self as NSData).encode(with: coder) }

  /// Reads bytes as `NSData` does.
  /// - Parameter coder: A keyed unarchiver.
  public init?(coder: NSCoder) {
    guard let object = NSData(coder: coder) else { return nil }
    self = object as Data
  }
}

// swift-format-ignore: AvoidRetroactiveConformances
extension String: @retroactive NSCoding, @retroactive NSSecureCoding {
  /// True.
  public static var supportsSecureCoding: Bool { true }

  /// Writes the text as `NSString` does.
  /// - Parameter coder: A keyed archiver.
  public func encode(with coder: NSCoder) { (self as NSString).encode(with: coder) }

  /// Reads text as `NSString` does.
  /// - Parameter coder: A keyed unarchiver.
  public init?(coder: NSCoder) {
    guard let object = NSString(coder: coder) else { return nil }
    self = object as String
  }
}

extension Optional where Wrapped == NSItemProvider.CompletionHandler {
  /// Calls a load handler's completion handler, which may be written with or without a question mark.
  /// - Parameters:
  ///   - item: The object.
  ///   - error: Why there is none.
  public func callAsFunction(_ item: (any NSSecureCoding)?, _ error: (any Error)?) {
    self?(item, error)
  }
}
