import SelectionProtocol

extension SelectionConnection {
  /// The most that one read of a property returns, in units of four bytes.
  private static var sliceLength: Int { 65_536 }
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
    completion: @escaping (Result<ConversionReply, ConversionFailure>) -> Void
  ) -> ConversionToken? {
    func fail(_ code: ConversionFailure.Code) -> ConversionToken? {
      completion(.failure(ConversionFailure(code: code, owner: .none, byteCount: 0)))
      return nil
    }
    guard !x.isDead else { return fail(.connectionLost) }
    let (time, owner) = serverTime { x.owner(of: conversion.selection) }
    guard !x.isDead else { return fail(.connectionLost) }
    guard owner != .none else { return fail(.noOwner) }
    let window = x.createWindow(mask: EventMask.propertyChange)
    masks.created(window, mask: EventMask.propertyChange)
    if owner != ownWindow { addMask(EventMask.structure, to: owner) }
    if let parameter = conversion.parameter {
      x.changeProperty(window, dataProperty, type: .atom, numbers: parameter.map(\.rawValue))
    }
    x.convert(
      conversion.selection, to: conversion.target, property: dataProperty, requestor: window,
      time: time)
    conversions[window] = ActiveConversion(
      state: IncomingTransfer(limits: conversion.limits, incr: atoms.incr, now: .now),
      selection: conversion.selection, target: conversion.target, owner: owner, receive: receive,
      completion: completion)
    return ConversionToken(window: window)
  }

  /// Gives a conversion up; its completion gets `cancelled`.
  public func cancel(_ token: ConversionToken) {
    step(token.window) { state, _ in state.cancel() }
  }

  // MARK: Events

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

  func ownerWindowDestroyed(_ window: Window, now: Instant) {
    for (requestor, conversion) in conversions where conversion.owner == window {
      step(requestor) { state, now in state.ownerWindowDestroyed(now: now) }
    }
  }

  func ownerDisconnected(_ requestor: Window) {
    step(requestor) { state, _ in state.ownerDisconnected() }
  }

  func expireConversions(now: Instant) {
    for (window, conversion) in conversions where conversion.state.deadline <= now {
      step(window) { state, now in state.deadlinePassed(now: now) }
    }
    for (window, drained) in retired where drained.deadline <= now { discard(window) }
  }

  var conversionDeadline: Instant? {
    (conversions.values.map(\.state.deadline) + retired.values.map(\.deadline)).min()
  }

  /// Whether conversions run.
  public var isConverting: Bool { !conversions.isEmpty }

  func failEverything() {
    let all = conversions
    conversions = [:]
    retired = [:]
    for (_, conversion) in all {
      conversion.completion(
        .failure(
          ConversionFailure(
            code: .connectionLost, owner: conversion.owner, byteCount: conversion.state.byteCount)))
    }
    let ended = offers.values.compactMap(\.onLost)
    let cancels = products.values.compactMap(\.cancel)
    let watchers = watches.values.flatMap(\.handlers.values).compactMap(\.ended)
    watches = [:]
    offers = [:]
    products = [:]
    for cancel in cancels { cancel() }
    for end in ended { end() }
    for end in watchers { end() }
  }

  // MARK: Steps

  /// Lets an event happen to a conversion, and carries out what follows until it has to wait.
  private func step(
    _ window: Window, _ event: (inout IncomingTransfer, Instant) -> IncomingTransfer.Action
  ) {
    guard var conversion = conversions[window] else { return }
    var action = event(&conversion.state, .now)
    var receiverError: (any Error)?
    while true {
      switch action {
      case .none:
        conversions[window] = conversion
        return
      case .read(let offset), .deliverThenRead(let offset):
        action = x.readProperty(
          window, dataProperty, offset: offset, length: Self.sliceLength, delete: true
        ) { slice, bytes in
          let next = conversion.state.sliceRead(slice, now: .now)
          switch next {
          case .deliverThenRead, .deliverThenWait, .deliverThenFinish:
            guard let slice else { return next }
            do {
              try conversion.receive(
                bytes, conversion.state.type ?? slice.type, slice.format)
            } catch {
              receiverError = error
              return conversion.state.isOver ? .fail(.cancelled) : conversion.state.cancel()
            }
            return next
          case .none, .read, .finish, .fail:
            return next
          }
        }
      case .deliverThenWait:
        conversions[window] = conversion
        return
      case .deliverThenFinish, .finish:
        finish(window, conversion)
        return
      case .fail(let failure):
        fail(window, conversion, failure, receiverError)
        return
      }
    }
  }

  private func finish(_ window: Window, _ conversion: ActiveConversion) {
    conversions[window] = nil
    unwatchOwner(conversion)
    if x.isDead {
      fail(window, conversion, .ownerGone, nil)
      return
    }
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
          byteCount: conversion.state.byteCount, owner: conversion.owner)))
  }

  private func fail(
    _ window: Window, _ conversion: ActiveConversion, _ failure: TransferFailure,
    _ underlying: (any Error)?
  ) {
    conversions[window] = nil
    unwatchOwner(conversion)
    let code: ConversionFailure.Code
    if x.isDead {
      code = .connectionLost
    } else if underlying != nil {
      code = .receiver
    } else if failure == .refused, x.owner(of: conversion.selection) == .none {
      code = .noOwner
    } else {
      code = .transfer(failure)
    }
    if failure == .refused { destroy(window) } else { retire(window) }
    conversion.completion(
      .failure(
        ConversionFailure(
          code: code, owner: conversion.owner, byteCount: conversion.state.byteCount,
          underlying: underlying)))
  }

  private func unwatchOwner(_ conversion: ActiveConversion) {
    if conversion.owner != ownWindow { removeMask(EventMask.structure, from: conversion.owner) }
  }

  private func retire(_ window: Window) {
    x.deleteProperty(window, dataProperty)
    retired[window] = RetiredWindow(deadline: .now + Self.retirement)
    // A window that nobody ever writes to again costs little; many of them do not.
    if retired.count > 64, let oldest = retired.min(by: { $0.value.deadline < $1.value.deadline }) {
      discard(oldest.key)
    }
  }

  private func discard(_ window: Window) {
    retired[window] = nil
    destroy(window)
  }

  private func destroy(_ window: Window) {
    masks.destroyed(window)
    x.destroyWindow(window)
  }
}
