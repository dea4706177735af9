import SelectionProtocol

/// What a connection holds at a moment, for diagnosis and for tests of its books.
public struct ConnectionLoad: Hashable, Sendable {
  /// Requests that are not answered yet.
  public var requests: Int
  /// Transfers by INCR to requestors.
  public var transfers: Int
  /// Products that are being made or sent.
  public var products: Int
  /// Contents that are offered, or still being sent.
  public var offers: Int
  /// Conversions that were asked for.
  public var conversions: Int
  /// Windows whose conversion was given up, while its owner may still write to them.
  public var retiredWindows: Int
  /// Windows, own and foreign, on which something is selected.
  public var watchedWindows: Int
}

extension SelectionConnection {
  /// What the connection holds now.
  public var load: ConnectionLoad {
    ConnectionLoad(
      requests: owner.requestCount, transfers: owner.transferCount, products: products.count,
      offers: offers.count, conversions: conversions.count, retiredWindows: retired.count,
      watchedWindows: masks.count)
  }
}
