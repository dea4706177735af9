public import SelectionProtocol

/// A hand-over under way.
struct HandOver {
  let selection: Atom
  var state: HandOverState
  let completion: (HandOverOutcome) -> Void
}

extension SelectionConnection {
  /// Asks the clipboard manager to keep what this connection offers on CLIPBOARD, as a program does that is about to
  /// end (the freedesktop ClipboardManager convention).
  ///
  /// Go on calling `turn` until `completion` was called: the manager fetches the content meanwhile.
  ///
  /// - Parameters:
  ///   - targets: What it is to keep; `nil` for every target on offer.
  ///   - limit: Milliseconds after which it is given up.
  ///   - completion: Called once, with `saved` only where the manager said so.
  public func handOver(
    targets: [Atom]? = nil, limit: Int64 = 10_000,
    completion: @escaping (HandOverOutcome) -> Void
  ) {
    guard !x.isDead else { return completion(.connectionLost) }
    let selection = atoms.clipboard
    let isOwner = owner.currentPeriod(of: selection) != nil
    let manager = atom("CLIPBOARD_MANAGER")
    let managerWindow = isOwner ? x.owner(of: manager) : .none
    var state = HandOverState(limit: limit)
    let action = state.begin(
      isOwner: isOwner, hasManager: managerWindow != .none && !isOwn(managerWindow), now: .now)
    nextHandOverNumber += 1
    let number = nextHandOverNumber
    handOvers[number] = HandOver(selection: selection, state: state, completion: completion)
    guard carryOut(action, of: number) else { return }
    let parameter =
      targets
      ?? offer(of: selection).map { $0.targets.map { atomTable.known($0.name) ?? .none } }
    convert(
      Conversion(
        selection: manager, target: atoms.saveTargets,
        parameter: parameter?.filter { $0 != .none },
        limits: TransferLimits(response: limit, idle: limit, byteCount: 1 << 20)),
      receive: { _, _, _ in },
      completion: { [weak self] result in self?.answered(number, result) })
  }

  /// - Returns: Whether the manager is to be asked.
  @discardableResult
  private func carryOut(_ action: HandOverState.Action, of number: Int) -> Bool {
    switch action {
    case .none: return false
    case .ask: return true
    case .finish(let outcome):
      handOvers.removeValue(forKey: number)?.completion(outcome)
      return false
    }
  }

  private func answered(_ number: Int, _ result: ConversionOutcome) {
    let answer: HandOverState.Answer =
      switch result {
      case .success: .accepted
      case .failure(let failure):
        switch failure.code {
        // The convention asks for an empty reply, and some managers store none at all.
        case .transfer(.missingProperty), .transfer(.tooLarge), .transfer(.inconsistent),
          .transfer(.stalled):
          .accepted
        case .transfer(.noAnswer): .noAnswer
        case .transfer(.refused), .transfer(.ownerGone), .transfer(.cancelled), .noOwner,
          .receiver:
          .refused
        case .connectionLost: .connectionLost
        }
      }
    happened(to: number) { state, isOwner, isServing in
      state.answered(answer, isOwner: isOwner, isServing: isServing, now: .now)
    }
  }

  private func happened(
    to number: Int,
    _ event: (inout HandOverState, _ isOwner: Bool, _ isServing: Bool) -> HandOverState.Action
  ) {
    guard var handOver = handOvers[number] else { return }
    let isOwner = owner.currentPeriod(of: handOver.selection) != nil
    let action = event(&handOver.state, isOwner, owner.isBusy)
    handOvers[number] = handOver
    carryOut(action, of: number)
  }

  /// Looks after each round whether the last transfer is over; says whether a hand-over ended.
  func advanceHandOvers() -> Bool {
    guard !handOvers.isEmpty else { return false }
    let now = Instant.now
    let before = handOvers.count
    for (number, handOver) in handOvers {
      let isDue = handOver.state.deadline.map { $0 <= now } ?? false
      happened(to: number) { state, isOwner, isServing in
        isDue
          ? state.deadlinePassed(isOwner: isOwner, isServing: isServing, now: now)
          : state.progressed(isOwner: isOwner, isServing: isServing, now: now)
      }
    }
    return handOvers.count < before
  }

  var handOverDeadline: Instant? {
    handOvers.isEmpty ? nil : handOvers.values.compactMap(\.state.deadline).min()
  }
}
