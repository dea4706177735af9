public import SelectionProtocol

/// Why a selection could not be acquired, or given up.
public enum AcquisitionFailure: Error, Hashable, Sendable {
  /// Another client acquired it at the same time or with a later time.
  case lostToAnotherClient(Window)
  case connectionLost(DisplayError)
}

extension SelectionConnection {
  /// Acquires a selection, and verifies that the server agrees (ICCCM 2.1).
  ///
  /// Requests that come from now on are answered from `offer`; transfers of an earlier content go on to their end.
  ///
  /// Programs that copy in the same moment may overtake each other between the question for the time and the
  /// acquisition. None of them is newer for anybody who looks at it, so that each gets its turn; one that takes the
  /// selection from everybody wins after a few.
  ///
  /// - Parameter time: The time to acquire with; `nil` takes the server's time now. Whoever acts for an earlier owner
  ///   names the time of that one's acquisition, so that everything newer wins.
  /// - Returns: The time of the acquisition, as TIMESTAMP tells it.
  @discardableResult
  public func acquire(
    _ selection: Atom, _ offer: Offer, at time: ServerTime? = nil
  ) throws(AcquisitionFailure) -> ServerTime {
    var turns = time == nil ? Self.turnsToAcquire : 1
    while true {
      turns -= 1
      do throws(AcquisitionFailure) {
        return try acquire(selection, offer, at: time, with: managedWindows[selection])
      } catch {
        guard case .lostToAnotherClient = error, turns > 0 else { throw error }
      }
    }
  }

  private static let turnsToAcquire = 8

  /// - Parameter managed: The manager's window; `nil` for the one that owns all other selections.
  func acquire(
    _ selection: Atom, _ offer: Offer, at given: ServerTime?, with managed: Window?
  ) throws(AcquisitionFailure) -> ServerTime {
    var names = offer.targets.map(\.name)
    names += offer.targets.map(\.typeName)
    atomTable.intern(names, on: x)
    var time = given ?? .current
    if time == .current {
      time = serverTime()
      // Two copies within a millisecond must not look like one: clients poll TIMESTAMP for news.
      let limit = Instant.now + 100
      while let before = owner.acquisitionTime(of: selection), !time.isAfter(before), !x.isDead,
        Instant.now < limit
      {
        time = serverTime()
      }
    }
    guard !x.isDead, time != .current else {
      throw .connectionLost(DisplayError(.connectionLost, display: x.name))
    }
    let window = managed ?? ownWindow
    let serial = x.nextSerial
    x.setOwner(of: selection, to: window, time: time)
    let actual = x.owner(of: selection)
    guard !x.isDead else {
      throw .connectionLost(DisplayError(.connectionLost, display: x.name))
    }
    guard actual == window else {
      if owner.currentPeriod(of: selection) != nil {
        end(owner.cleared(selection, window: window, serial: .max), of: selection)
      }
      throw .lostToAnotherClient(actual)
    }
    let before = owner.currentPeriod(of: selection)
    let targets = offer.targets.map {
      AdvertisedTarget(
        target: atomTable.known($0.name) ?? .none, type: atomTable.known($0.typeName) ?? .none,
        format: $0.format, answersLate: $0.answersLate)
    }
    let (period, actions) = owner.acquired(
      selection, window: window, time: time, serial: serial, targets: targets,
      storable: offer.isStorable)
    offers[period] = offer
    let ended = before.flatMap { offers[$0]?.onLost }
    if let before { offers[before]?.onLost = nil }
    perform(actions)
    noticeOwnChange(of: selection, window: window, time: time)
    ended?()
    return time
  }

  /// Gives a selection up, if it is owned: nobody owns it then (ICCCM 2.3.1).
  ///
  /// - Returns: Whether this connection owned it, by the server's word.
  @discardableResult
  public func relinquish(_ selection: Atom) -> Bool {
    guard let period = owner.currentPeriod(of: selection),
      let time = owner.acquisitionTime(of: selection)
    else { return false }
    if managedWindows[selection] != nil {
      endManaging(selection)
      return true
    }
    // Whoever took it within the same millisecond would lose it: their time is not later than ours.
    guard x.owner(of: selection) == ownWindow else {
      end(owner.cleared(selection, window: ownWindow, serial: .max), of: selection)
      return false
    }
    x.setOwner(of: selection, to: .none, time: time)
    let ended = offers[period]?.onLost
    offers[period]?.onLost = nil
    perform(owner.relinquished(selection))
    noticeOwnChange(of: selection, window: .none, time: time)
    x.flush()
    ended?()
    return true
  }

  /// Empties a selection, whoever owns it.
  ///
  /// - Returns: Whether nobody owns it now.
  public func clear(_ selection: Atom) -> Bool {
    if relinquish(selection) { return x.owner(of: selection) == .none }
    let (time, current) = serverTime { x.owner(of: selection) }
    guard current != .none else { return true }
    x.setOwner(of: selection, to: .none, time: time)
    return x.owner(of: selection) == .none
  }

  /// Whether this connection owns the selection, as far as it knows.
  public func isOwner(of selection: Atom) -> Bool { owner.currentPeriod(of: selection) != nil }

  /// Whether requests or transfers are under way.
  public var isServing: Bool { owner.isBusy }

  /// What this connection offers on a selection that it owns.
  public func offer(of selection: Atom) -> Offer? {
    owner.currentPeriod(of: selection).flatMap { offers[$0] }
  }

  /// The owner as the server knows it; `none` for nobody.
  public func currentOwner(of selection: Atom) -> Window { x.owner(of: selection) }

  // MARK: Events

  func cleared(_ selection: Atom, window: Window, serial: UInt64) {
    let result = owner.cleared(selection, window: window, serial: serial)
    end(result, of: selection)
    if result.lost != nil, watches[selection]?.state.isPolling == true {
      noticeOwnChange(of: selection, window: x.owner(of: selection), time: .current)
    }
  }

  /// The window that owned a selection is gone.
  func lost(_ selection: Atom, window: Window) {
    end(owner.cleared(selection, window: window, serial: .max), of: selection)
  }

  private func end(_ result: (lost: PeriodID?, actions: [OwnerAction]), of selection: Atom) {
    let ended = result.lost.flatMap { offers[$0]?.onLost }
    if let lost = result.lost { offers[lost]?.onLost = nil }
    perform(result.actions)
    // Whoever takes over from a manager waits until its window is gone (ICCCM 2.8).
    if result.lost != nil { destroyManagedWindow(of: selection) }
    ended?()
  }
}
