/// A data target of our own, with all that is needed to answer a request for it.
public struct AdvertisedTarget: Sendable, Hashable {
  /// The target's atom name.
  public let name: String
  /// The representation it comes from, as an index into the list that was advertised; nil for a
  /// note of fixed content.
  public let representation: Int?
  /// The type of the property to reply with; nil when only the bytes decide, for TEXT of a text
  /// that is not known yet.
  public let propertyType: String?
  /// The format of the property: 8, or 16 for colours. Bytes stand in memory order.
  public let format: Int
  /// What turns the representation's canonical bytes into the reply's.
  public let encoder: TargetEncoder

  /// What a request is answered with.
  public struct Reply: Sendable, Hashable {
    /// The type of the property.
    public let propertyType: String
    /// 8 or 16.
    public let format: Int
    /// The bytes, in memory order.
    public let bytes: [UInt8]
  }

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - bytes: The representation's canonical bytes; ignored for a note of fixed content.
  ///   - compoundText: What writes COMPOUND_TEXT.
  /// - Returns: The property to store.
  /// - Throws: `SelectionFormatError`; the request is then refused.
  public func reply(
    encoding bytes: [UInt8], compoundText: CompoundTextConverter = .builtIn
  ) throws(SelectionFormatError) -> Reply {
    do throws(SelectionFormatError) {
      let encoded = try encoder.encode(bytes, compoundText: compoundText)
      return Reply(
        propertyType: propertyType ?? encoded.propertyType ?? name, format: format,
        bytes: encoded.bytes)
    } catch {
      throw error.about(name, nil)
    }
  }
}
