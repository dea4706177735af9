import SelectionProtocol

extension Pasteboard {
  /// How long an owner may take, and how much it may send, in one call.
  ///
  /// Times count from the last progress: a long transfer that moves is never cut.
  public struct Limits: Hashable, Sendable {
    /// Until the owner's list of targets.
    public var targets: Duration
    /// Until the first data.
    public var response: Duration
    /// Without progress after that.
    public var idle: Duration
    /// Bytes of one transfer.
    public var byteCount: Int

    /// Limits that suit a person who waits.
    ///
    /// - Parameters:
    ///   - targets: Until the owner's list of targets.
    ///   - response: Until the first data.
    ///   - idle: Without progress after that.
    ///   - byteCount: Bytes of one transfer.
    public init(
      targets: Duration = .seconds(2), response: Duration = .seconds(5),
      idle: Duration = .seconds(10), byteCount: Int = .max
    ) {
      self.targets = targets
      self.response = response
      self.idle = idle
      self.byteCount = byteCount
    }

    var forTargets: TransferLimits {
      TransferLimits(
        response: targets.milliseconds, idle: targets.milliseconds,
        byteCount: TransferLimits.targets.byteCount)
    }

    var forContent: TransferLimits {
      TransferLimits(
        response: response.milliseconds, idle: idle.milliseconds, byteCount: max(0, byteCount))
    }

    /// For something small that only helps, such as a file's name.
    var forHint: Limits {
      Limits(
        targets: targets, response: min(response, .seconds(1)), idle: min(idle, .seconds(1)),
        byteCount: min(byteCount, 65_536))
    }
  }
}
