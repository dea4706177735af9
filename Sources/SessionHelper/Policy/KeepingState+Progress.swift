public import SelectionProtocol

/// What became of the question for an owner's targets.
public enum ListingOutcome: Hashable, Sendable {
  case targets([String])
  /// The owner answered, but named nothing.
  case refused
  /// The owner did not answer, or went away.
  case silent
}

extension KeepingState {
  // MARK: Answers of the owner

  /// The owner said what it offers.
  public mutating func listed(
    _ id: CopyID, _ outcome: ListingOutcome, now: Instant
  ) -> [KeepingAction] {
    guard copy?.id == id, copy?.listing == .asked else { return [] }
    switch outcome {
    case .targets(let names): copy?.listing = .known(names)
    case .refused: copy?.listing = .refused
    case .silent: copy?.listing = .silent
    }
    return advance(now: now)
  }

  /// The hint's value is there; `nil` where it could not be read, which counts as "secret".
  public mutating func hintRead(
    _ id: CopyID, value: [UInt8]?, now: Instant
  ) -> [KeepingAction] {
    guard copy?.id == id, copy?.secrecy == .asked else { return [] }
    if let value, !KeepingRules.saysSecret(value) {
      copy?.secrecy = .open
      copy?.hintIsPublic = true
    } else {
      copy?.secrecy = .secret
    }
    return advance(now: now)
  }

  /// A piece of a target came.
  ///
  /// - Returns: Whether it may be taken; otherwise the read is to be given up.
  public mutating func received(_ id: CopyID, target: String, byteCount: Int) -> Bool {
    guard let present = copy, present.id == id,
      case .running(let isEarly, let bytes) = present.reads[target]
    else { return false }
    let left = (isEarly ? limits.earlyCopy : limits.copy) - present.byteCount
    guard byteCount <= left, byteCount <= limit(of: target, isEarly: isEarly) - bytes else {
      return false
    }
    copy?.reads[target] = .running(isEarly: isEarly, bytes: bytes + byteCount)
    return true
  }

  /// A read is over.
  ///
  /// - Parameter isWhole: Whether everything came and can be kept.
  public mutating func read(
    _ id: CopyID, target: String, isWhole: Bool, now: Instant
  ) -> [KeepingAction] {
    guard copy?.id == id, case .running(let isEarly, let bytes) = copy?.reads[target] else {
      return []
    }
    // What an early read could not take is asked for once more by a save.
    let retries = isEarly && copy?.save != nil
    copy?.reads[target] =
      isWhole ? .whole(bytes: bytes) : (retries ? nil : .failed(isEarly: isEarly))
    return advance(now: now)
  }

  /// The clipboard is ours, or could not be had.
  public mutating func acquired(_ id: CopyID, targets: [String], isOurs: Bool) -> [KeepingAction] {
    guard let present = copy, present.id == id, let purpose = present.acquisition else { return [] }
    copy?.acquisition = nil
    guard isOurs else {
      let answers = refuseSave(.lostToAnother)
      guard purpose == .restore else { return answers }
      copy = nil
      return answers + [.forget(id), .note(.lost)]
    }
    let bytes = present.bytes(of: targets)
    let answers = (present.save?.wishes ?? []).map { KeepingAction.answer($0, isKept: true) }
    let note: KeepingNote =
      switch purpose {
      case .save:
        .saved(targets: targets.count, bytes: bytes, left: present.wanted.count - targets.count)
      case .restore: .restored(targets: targets.count, bytes: bytes)
      case .takeOver: .tookOver(targets: targets.count, bytes: bytes)
      }
    copy = nil
    hold(Held(copy: id, targets: targets.count, bytes: bytes))
    return answers + [.forget(id), .note(note)]
  }

  // MARK: Progress

  /// Asks for what comes next, if anything does.
  mutating func advance(now: Instant) -> [KeepingAction] {
    guard let present = copy, present.acquisition == nil, present.shunned == nil else { return [] }
    if present.isGone { return restoreIfDue(now: now) }
    guard isWanted else { return [] }
    switch present.listing {
    case .unasked:
      copy?.listing = .asked
      return [.list(present.id, limits: listingLimits)]
    case .asked:
      return []
    case .silent:
      return refuseSave(.ownerSilent) + settle()
    case .refused where present.save?.asked == nil:
      return refuseSave(.nothingKept) + settle()
    case .refused, .known:
      break
    }
    switch present.secrecy {
    case .unknown:
      return markingFound(KeepingRules.marking(of: present.names + (present.save?.asked ?? [])))
        + (copy?.secrecy == .asked ? [] : advance(now: now))
    case .asked:
      return []
    case .secret:
      return foundSecret()
    case .open:
      return startReads() + finishIfOver()
    }
  }

  private var isWanted: Bool {
    if copy?.save != nil { return true }
    if case .running = copy?.early { return true }
    return false
  }

  private mutating func markingFound(_ marking: KeepingRules.Marking) -> [KeepingAction] {
    guard let id = copy?.id else { return [] }
    switch marking {
    case .open:
      copy?.secrecy = .open
      return []
    case .secret:
      copy?.secrecy = .secret
      return []
    case .hinted:
      copy?.secrecy = .asked
      return [
        .readHint(
          id, target: spelledHint,
          limits: TransferLimits(response: limits.hint, idle: limits.hint, byteCount: 256))
      ]
    }
  }

  /// The hint's name as the owner writes it.
  private var spelledHint: String {
    let names = (copy?.names ?? []) + (copy?.save?.asked ?? [])
    return names.first { $0.lowercased() == KeepingRules.hint.lowercased() } ?? KeepingRules.hint
  }

  private mutating func foundSecret() -> [KeepingAction] {
    guard let id = copy?.id else { return [] }
    let actions = cancelRunningReads() + refuseSave(.secret) + [.forget(id), .note(.secret)]
    copy?.reads = [:]
    copy?.early = .off
    return actions
  }

  /// Starts as many reads as may run side by side.
  private mutating func startReads() -> [KeepingAction] {
    guard let present = copy else { return [] }
    let isEarly = present.save == nil
    let most = isEarly ? 1 : limits.readsAtOnce
    let candidates = isEarly ? KeepingRules.early(present.names) : present.wanted
    var actions: [KeepingAction] = []
    var running = present.runningReads
    for target in candidates where running < most && copy?.reads[target] == nil {
      let left = (isEarly ? limits.earlyCopy : limits.copy) - (copy?.byteCount ?? 0)
      copy?.reads[target] = .running(isEarly: isEarly, bytes: 0)
      running += 1
      actions.append(
        .read(
          present.id, target: target,
          limits: TransferLimits(
            response: limits.idle, idle: limits.idle,
            byteCount: max(0, min(left, limit(of: target, isEarly: isEarly))))))
    }
    return actions
  }

  private mutating func finishIfOver() -> [KeepingAction] {
    guard let present = copy, present.runningReads == 0 else { return [] }
    return present.save == nil ? settle() : finishSave()
  }

  /// Ends the early reading.
  mutating func settle() -> [KeepingAction] {
    guard let present = copy, case .running = present.early else { return [] }
    copy?.early = .done
    return [.settled(present.id)]
  }

  /// Takes the clipboard for what a save got, or says that it got nothing.
  mutating func finishSave() -> [KeepingAction] {
    guard let present = copy, present.save != nil, present.acquisition == nil, !present.isGone
    else {
      return []
    }
    let targets = present.secrecy == .open ? present.wanted.filter(present.isWhole) : []
    guard !targets.isEmpty else {
      let reason: Refusal =
        switch present.listing {
        case .asked, .silent, .unasked: .ownerSilent
        case .known, .refused: .nothingKept
        }
      return refuseSave(reason) + settle()
    }
    copy?.acquisition = .save
    return [
      .acquire(
        present.id, targets: targets, offered: [], fromOwner: present.owner,
        time: present.timeToFollow)
    ]
  }

  /// Offers again what was read of an owner that is gone, once nothing more can come.
  private mutating func restoreIfDue(now: Instant) -> [KeepingAction] {
    guard let present = copy, let due = present.restoreAt, due <= now,
      present.runningReads == 0
    else { return [] }
    let targets = present.secrecy == .open ? present.whole : []
    guard !targets.isEmpty else { return end(.nothingKept) + [.note(.lost)] }
    copy?.acquisition = .restore
    return [
      .acquire(
        present.id, targets: targets, offered: present.names, fromOwner: .none, time: present.time)
    ]
  }

  mutating func cancelRunningReads() -> [KeepingAction] {
    guard let present = copy, present.runningReads > 0 else { return [] }
    for (target, read) in present.reads {
      if case .running(let isEarly, _) = read { copy?.reads[target] = .failed(isEarly: isEarly) }
    }
    return [.cancelReads(present.id)]
  }

  private func limit(of target: String, isEarly: Bool) -> Int {
    guard isEarly else { return limits.target }
    return KeepingRules.isText(target) ? limits.earlyText : limits.earlyTarget
  }

  private var listingLimits: TransferLimits {
    TransferLimits(response: limits.listing, idle: limits.listing, byteCount: 4 * 16_384)
  }
}
