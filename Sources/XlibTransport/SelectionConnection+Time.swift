public import SelectionProtocol

/// The server's clock.
extension SelectionConnection {
  /// The server's time now (ICCCM 2.1): the stamp of a zero-length append to a property of our own.
  ///
  /// Costs one round trip, shared with `body` where it makes one.
  func serverTime<Result>(_ body: () -> Result) -> (ServerTime, Result) {
    x.touchTimestamp(ownWindow, timestampProperty)
    let result = body()
    // The event precedes the reply of the round trip that `body` made, if it made one.
    if let time = x.takePropertyTime(ownWindow, timestampProperty) { return (time, result) }
    x.synchronize()
    if let time = x.takePropertyTime(ownWindow, timestampProperty) { return (time, result) }
    // Another client gave the property another type, to which nothing can be appended.
    x.deleteProperty(ownWindow, timestampProperty)
    x.touchTimestamp(ownWindow, timestampProperty)
    x.synchronize()
    if let time = x.takePropertyTime(ownWindow, timestampProperty) { return (time, result) }
    guard !x.isDead else { return (.current, result) }
    // Or destroyed the window, which the queue has not told yet.
    replaceOwnWindow()
    x.touchTimestamp(ownWindow, timestampProperty)
    x.synchronize()
    return (x.takePropertyTime(ownWindow, timestampProperty) ?? .current, result)
  }

  /// The server's time when the connection was made, once, and only where that was just now.
  ///
  /// It saves a round trip to ask whoever owned a selection before that. An owner that came later may refuse what bears
  /// an older time than its own (Qt, Emacs and xsel do), so a refusal has to be asked again without it.
  public func takeConnectionTime() -> ServerTime? {
    defer { connectionTime = nil }
    return Instant.now < connectionInstant + 100 ? connectionTime : nil
  }

  /// The server's time now; zero where the connection broke.
  public func serverTime() -> ServerTime { serverTime { x.synchronize() }.0 }
}
