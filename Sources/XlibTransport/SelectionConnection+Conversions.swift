import SelectionProtocol

extension SelectionConnection {
  /// The most that one read of a property returns, in units of four bytes.
  private static var sliceLength: Int { largestChunk / 4 }
  /// How long the window of a transfer that was given up goes on taking what its owner writes.
  private static var retirement: Int64 { 10_000 }
  private static var mostDeletions: Int { 4_096 }

  /// Asks the owner of a selection for a target, on a window of its own.
  ///
  /// - Parameters:
  ///   - receive: Takes the bytes as they come; when it throws, the transfer is given up.
  ///   - completion: Called once. Bytes received before a failure are incomplete and worth nothing.
  /// - Returns: A name to cancel it by; `nil` where it is over already.
  @discardableResult
  public func convert(
    _ conversion: Conversion, receive: @escaping ByteReceiver,
    completion: @escaping (ConversionOutcome) -> Void
  ) -> ConversionToken? {
    func fail(_ code: ConversionFailure.Code) -> ConversionToken? {
      completion(.failure(ConversionFailure(code: code, owner: .none, byteCount: 0)))
      return nil
    }
    guard !x.isDead else { return fail(.connectionLost) }
    var time = conversion.time ?? .current
    var before = askedOwner.flatMap { $0.selection == conversion.selection ? $0.owner : nil }
    if time == .current {
      let (now, owner) = serverTime { x.owner(of: conversion.selection) }
      guard !x.isDead else { return fail(.connectionLost) }
      guard owner != .none else { return fail(.noOwner) }
      time = now
      before = owner
    }
    let window = createWindow()
    if let parameter = conversion.parameter {
      x.changeProperty(window, dataProperty, type: .atom, numbers: parameter.map(\.rawValue))
    }
    if conversion.limits.byteCount > Self.largestChunk {
      x.changeProperty(window, chunkProperty, type: .cardinal, numbers: [UInt32(Self.largestChunk)])
    }
    x.convert(
      conversion.selection, to: conversion.target, property: dataProperty, requestor: window,
      time: time)
    // The answer comes while the owner is asked for. Both requests go together, so that another owner in between is
    // next to impossible; since it was asked before that was not so.
    let owner = x.owner(of: conversion.selection)
    askedOwner = (conversion.selection, owner)
    guard owner != .none, !x.isDead else {
      destroy(window)
      return fail(x.isDead ? .connectionLost : .noOwner)
    }
    // Where the owner changed meanwhile nobody knows which of the two was asked: only silence will tell.
    let isOwnerCertain = before.map { $0 == owner } ?? true
    let isWatched = isOwnerCertain && !isOwn(owner)
    if isWatched { addMask(EventMask.structure, to: owner) }
    nextConversionNumber += 1
    let active = ActiveConversion(
      state: IncomingTransfer(limits: conversion.limits, incr: atoms.incr, now: .now),
      number: nextConversionNumber, selection: conversion.selection, owner: owner,
      isOwnerCertain: isOwnerCertain, time: time, isOwnerWatched: isWatched, receive: receive,
      completion: completion)
    conversions[window] = active
    considerConversion(active.state.deadline)
    return ConversionToken(window: window, number: active.number)
  }

  /// Gives a conversion up; its completion gets `cancelled`.
  ///
  /// Called from the conversion's own receiver, it takes effect when that returns.
  public func cancel(_ token: ConversionToken) {
    guard let conversion = conversions[token.window], conversion.number == token.number else {
      return
    }
    if conversion.isReceiving {
      conversion.isCancelled = true
    } else {
      step(token.window) { state, _ in state.cancel() }
    }
  }

  // MARK: Events

  /// Lets owners finish what they are writing for conversions that were given up or are just over, before the connection
  /// ends: some programs die when they write to a window that is gone, and their content with them.
  ///
  /// - Parameters:
  ///   - quiet: Milliseconds without a write after which nothing more is expected.
  ///   - limit: Milliseconds that it takes at most.
  public func drain(quiet: Int64 = 100, limit: Int64 = 1_000) throws(DisplayError) {
    let end = Instant.now + limit
    var seen = -1
    while !retired.isEmpty, seen != drainedWrites, Instant.now < end {
      let before = drainedWrites
      seen = before
      try turn(until: min(end, .now + quiet), while: { self.drainedWrites == before })
    }
  }

  private var drainedWrites: Int { retired.values.reduce(0) { $0 + $1.deletions } }

  func answered(_ window: Window, selection: Atom, property: Atom, now: Instant) {
    guard let conversion = conversions[window] else {
      if let retired = retired[window], property != .none, retired.deadline > now {
        x.deleteProperty(window, property)
      }
      return
    }
    guard conversion.selection == selection else { return }
    // An owner that names another property than the one it was asked for did not answer this request.
    let known = property == .none || property == dataProperty ? property : .none
    step(window) { state, now in state.notified(property: known, now: now) }
  }

  func propertyChanged(_ window: Window, _ property: Atom, now: Instant) {
    if conversions[window] != nil {
      guard property == dataProperty else { return }
      step(window) { state, now in state.propertyChanged(now: now) }
    } else if var drained = retired[window] {
      drained.deletions += 1
      retired[window] = drained
      x.deleteProperty(window, property)
      if drained.deletions > Self.mostDeletions { discard(window) }
    }
  }

  func propertyDeleted(_ window: Window, _ property: Atom) {
    guard property == dataProperty, conversions[window] != nil else { return }
    step(window) { state, _ in state.propertyDeleted() }
  }

  func requestorWindowDestroyed(_ window: Window) {
    guard conversions[window] != nil else { return }
    step(window) { state, _ in state.windowDestroyed() }
  }

  func ownerWindowDestroyed(_ window: Window, now: Instant) {
    for (requestor, conversion) in conversions.all
    where conversion.owner == window && conversion.isOwnerCertain {
      conversion.isOwnerWatched = false
      step(requestor) { state, now in state.ownerWindowDestroyed(now: now) }
    }
  }

  /// The connection of the selection's owner is closed: what it had to write it has written.
  func ownerDisconnected(_ owner: Window, of selection: Atom) {
    for (requestor, conversion) in conversions.all
    where conversion.selection == selection && conversion.owner == owner
      && conversion.isOwnerCertain
    {
      step(requestor) { state, _ in state.ownerDisconnected() }
    }
  }

  func expireConversions(now: Instant) {
    guard let check = conversionDeadline, check <= now else { return }
    for (window, conversion) in conversions.all where conversion.state.deadline <= now {
      step(window) { state, now in state.deadlinePassed(now: now) }
    }
    for (window, drained) in retired where drained.deadline <= now { discard(window) }
    conversionCheck = nil
    for (_, conversion) in conversions.all { considerConversion(conversion.state.deadline) }
    for drained in retired.values { considerConversion(drained.deadline) }
  }

  /// A lower bound of the deadlines, which mostly move away.
  var conversionDeadline: Instant? {
    conversions.isEmpty && retired.isEmpty ? nil : conversionCheck
  }

  private func considerConversion(_ deadline: Instant) {
    conversionCheck = conversionDeadline.map { min($0, deadline) } ?? deadline
  }

  /// Whether conversions run.
  public var isConverting: Bool { !conversions.isEmpty }

  // MARK: Steps

  /// Lets an event happen to a conversion, and carries out what follows until it has to wait.
  private func step(
    _ window: Window, _ event: (inout IncomingTransfer, Instant) -> IncomingTransfer.Action
  ) {
    guard let conversion = conversions[window], !conversion.isReceiving else { return }
    var action = event(&conversion.state, .now)
    var receiverError: (any Error)?
    while true {
      switch action {
      case .none, .deliverThenWait:
        considerConversion(conversion.state.deadline)
        return
      case .read(let offset), .deliverThenRead(let offset):
        action = x.readProperty(
          window, dataProperty, offset: offset, length: Self.sliceLength, delete: true
        ) { slice, bytes in
          let next = conversion.state.sliceRead(slice, now: .now)
          switch next {
          case .deliverThenRead, .deliverThenWait, .deliverThenFinish:
            guard let slice else { return next }
            conversion.isReceiving = true
            defer { conversion.isReceiving = false }
            do {
              try conversion.receive(bytes, conversion.state.type ?? slice.type, slice.format)
            } catch {
              receiverError = error
            }
            guard receiverError != nil || conversion.isCancelled else { return next }
            _ = conversion.state.cancel()
            return .fail(.cancelled)
          case .none, .read, .finish, .fail:
            return next
          }
        }
      case .deliverThenFinish, .finish:
        // The notices of all deletions until now came before the answer to the last read.
        let untold = x.deletionCount(window, dataProperty)
        guard conversions[window] === conversion, conversion.state.isTorn(untold: untold) else {
          return finish(window, conversion)
        }
        return fail(window, conversion, .inconsistent, nil)
      case .fail(let failure):
        // A receiver that closed the connection has ended it already.
        guard conversions[window] === conversion else { return }
        fail(window, conversion, failure, receiverError)
        return
      }
    }
  }

  private func finish(_ window: Window, _ conversion: ActiveConversion) {
    guard conversions[window] === conversion else { return }
    guard !x.isDead else { return fail(window, conversion, .ownerGone, nil) }
    conversions[window] = nil
    unwatchOwner(conversion)
    // An owner may still touch the window after the last chunk of an INCR; some die of its absence.
    if conversion.state.wasIncremental {
      retire(window)
    } else {
      destroy(window)
    }
    conversion.completion(
      .success(
        ConversionReply(
          type: conversion.state.type ?? .none, format: conversion.state.format ?? 8,
          byteCount: conversion.state.byteCount, owner: conversion.owner,
          time: conversion.time)))
  }

  private func fail(
    _ window: Window, _ conversion: ActiveConversion, _ failure: TransferFailure,
    _ underlying: (any Error)?
  ) {
    conversions[window] = nil
    unwatchOwner(conversion)
    // The question for the owner may find out that the connection is gone.
    let hasOwner = failure != .refused || x.owner(of: conversion.selection) != .none
    let code: ConversionFailure.Code
    if underlying != nil {
      code = .receiver
    } else if x.isDead {
      code = .connectionLost
    } else {
      code = hasOwner ? .transfer(failure) : .noOwner
    }
    if failure == .refused { destroy(window) } else { retire(window) }
    conversion.completion(
      .failure(
        ConversionFailure(
          code: code, owner: conversion.owner, byteCount: conversion.state.byteCount,
          underlying: underlying)))
  }

  private func unwatchOwner(_ conversion: ActiveConversion) {
    guard conversion.isOwnerWatched else { return }
    conversion.isOwnerWatched = false
    removeMask(EventMask.structure, from: conversion.owner)
  }

  private func retire(_ window: Window) {
    x.deleteProperty(window, dataProperty)
    let deadline = Instant.now + Self.retirement
    considerConversion(deadline)
    retired[window] = RetiredWindow(deadline: deadline)
    // A window that nobody ever writes to again costs little; many of them do not.
    if retired.count > 64, let oldest = retired.min(by: { $0.value.deadline < $1.value.deadline }) {
      discard(oldest.key)
    }
  }

  private func discard(_ window: Window) {
    retired[window] = nil
    destroy(window)
  }
}
