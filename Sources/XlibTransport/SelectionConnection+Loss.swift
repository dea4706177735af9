import SelectionProtocol

extension SelectionConnection {
  /// Closes the connection: whoever waits for something of it is told `connectionLost`, at once.
  ///
  /// The server ends what this connection owned. Posted work is run before, and finds the connection lost.
  public func close() {
    x.close()
    reportLoss()
  }

  /// Tells everybody who waits, once.
  func reportLoss() {
    guard !hasReportedLoss else { return }
    hasReportedLoss = true
    failEverything()
    // Work that was accepted is run, so that whoever posted it hears of the loss too.
    for job in mailbox.close() { job(self) }
    failEverything()
    tellIdle()
    onConnectionLost?(DisplayError(.connectionLost, display: x.name))
    onConnectionLost = nil
  }

  private func failEverything() {
    let conversions = conversions.all
    let ended = offers.values.compactMap(\.onLost)
    let cancels = products.values.compactMap(\.cancel)
    let watchers = watches.values.flatMap(\.handlers.values).compactMap(\.ended)
    let handOvers = handOvers.values
    // All is forgotten before the first one is told: they may look, and ask for more.
    self.conversions = WindowTable()
    retired = [:]
    owner = OwnerState(atoms: atoms, configuration: owner.configuration)
    offers = [:]
    products = [:]
    actions = []
    chunks = ChunkLog()
    masks = WindowMasks()
    watches = [:]
    managedWindows = [:]
    destructionHandlers = [:]
    self.handOvers = [:]
    for (_, conversion) in conversions {
      conversion.completion(
        .failure(
          ConversionFailure(
            code: .connectionLost, owner: conversion.owner, byteCount: conversion.state.byteCount)))
    }
    for handOver in handOvers { handOver.completion(.connectionLost) }
    for cancel in cancels { cancel() }
    for end in ended { end() }
    for end in watchers { end() }
  }

  // MARK: Errors and windows that are gone

  /// Matches what the server complained about to what caused it; says whether it complained.
  func collectErrors() -> Bool {
    var isAny = false
    while let error = x.takeError() {
      isAny = true
      failed(error)
    }
    if !chunks.isEmpty { chunks.discard(through: x.processedSerial) }
    return isAny
  }

  func failed(_ error: ServerError) {
    if let key = chunks.key(of: error.serial) {
      perform(
        error.isOutOfMemory
          ? owner.chunkRefused(key, serial: error.serial)
          : owner.chunkFailed(key, serial: error.serial))
    }
    // A window that is watched, and does not exist, sends no DestroyNotify any more.
    if let window = error.missingWindow, masks.isMissing(window, serial: error.serial) {
      windowGone(window)
    }
  }

  func windowGone(_ window: Window) {
    masks.destroyed(window)
    perform(owner.windowDestroyed(window))
    requestorWindowDestroyed(window)
    ownerWindowDestroyed(window, now: .now)
    tellDestruction(of: window)
    if window == ownWindow { replaceOwnWindow() }
    for (selection, managed) in managedWindows where managed == window {
      lost(selection, window: window)
    }
  }
}
