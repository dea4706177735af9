public import Foundation

/// A type that encodes whole values, such as `JSONEncoder`.
///
/// Apple's platforms declare this protocol in Combine, which Linux does not have.
public protocol TopLevelEncoder {
  /// What an encoded value is made of.
  associatedtype Output

  /// Encodes a value.
  /// - Parameter value: The value to encode.
  /// - Returns: The encoded value.
  /// - Throws: What the encoder throws.
  func encode<T>(_ value: T) throws -> Self.Output where T: Encodable
}

/// A type that decodes whole values, such as `JSONDecoder`.
///
/// Apple's platforms declare this protocol in Combine, which Linux does not have.
public protocol TopLevelDecoder {
  /// What an encoded value is made of.
  associatedtype Input

  /// Decodes a value.
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - from: The encoded value.
  /// - Returns: The value.
  /// - Throws: What the decoder throws.
  func decode<T>(_ type: T.Type, from: Self.Input) throws -> T where T: Decodable
}

extension JSONEncoder: TopLevelEncoder {}
extension JSONDecoder: TopLevelDecoder {}
extension PropertyListEncoder: TopLevelEncoder {}
extension PropertyListDecoder: TopLevelDecoder {}
