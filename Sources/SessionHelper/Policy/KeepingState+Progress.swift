public import SelectionProtocol

/// What became of the question for an owner's targets.
public enum ListingOutcome: Hashable, Sendable {
  case targets([String])
  /// The owner answered, but named nothing.
  case refused
  /// The owner did not answer, or went away.
  case silent
}

/// What became of the reading of a target.
public enum ReadOutcome: Hashable, Sendable {
  /// Everything came and can be kept.
  case whole
  /// It has more bytes than may be taken.
  case tooLarge
  case failed
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

  /// A hint's value is there; `nil` where it could not be read, which counts as "secret".
  public mutating func hintRead(
    _ id: CopyID, value: [UInt8]?, now: Instant
  ) -> [KeepingAction] {
    guard let present = copy, present.id == id, present.secrecy == .asked else { return [] }
    let hint = present.unreadHint ?? KeepingRules.hint
    if let value, !KeepingRules.saysSecret(value, of: hint) {
      copy?.openHints.insert(hint.lowercased())
      // Another one may still say no.
      copy?.secrecy = .unknown
    } else {
      copy?.secrecy = .secret
    }
    return advance(now: now)
  }

  /// The owner said how large its targets are; what it does not know is left out.
  public mutating func sized(
    _ id: CopyID, _ sizes: [String: Int], now: Instant
  ) -> [KeepingAction] {
    guard copy?.id == id, copy?.sizes == .asked else { return [] }
    copy?.sizes = .known(sizes)
    return advance(now: now)
  }

  /// A rule of the user's is about this copy.
  ///
  /// - Parameter keepsMarked: Whether it says that the copy is to be kept although it is marked; otherwise it says that
  ///   the copy is to be ignored.
  public mutating func ruled(_ id: CopyID, keepsMarked: Bool) -> [KeepingAction] {
    guard copy?.id == id, copy?.shunned == nil else { return [] }
    if keepsMarked {
      copy?.ignoresMarkers = true
      return []
    }
    let actions = cancelRunningReads() + refuseSave(.ruledOut) + [.forget(id), .note(.ruledOut)]
    copy?.reads = [:]
    copy?.early = .off
    copy?.shunned = .ruledOut
    return actions
  }

  /// A piece of a target came.
  ///
  /// - Parameter stored: How much memory that takes: nothing while another target of the copy has the same bytes,
  ///   and more than the piece where they part.
  /// - Returns: Whether it may be taken; otherwise the read is to be given up.
  public mutating func received(
    _ id: CopyID, target: String, byteCount: Int, stored: Int
  ) -> Bool {
    guard let present = copy, present.id == id,
      case .running(let isEarly, let bytes, let storedBefore) = present.reads[target]
    else { return false }
    let left = budget(isEarly: isEarly) - present.stored
    guard stored <= left, byteCount <= limit(of: target, isEarly: isEarly) - bytes else {
      return false
    }
    copy?.reads[target] = .running(
      isEarly: isEarly, bytes: bytes + byteCount, stored: storedBefore + stored)
    return true
  }

  /// A read is over.
  public mutating func read(
    _ id: CopyID, target: String, _ outcome: ReadOutcome, now: Instant
  ) -> [KeepingAction] {
    guard copy?.id == id, case .running(let isEarly, let bytes, let stored) = copy?.reads[target]
    else { return [] }
    // What an early read could not take is asked for once more by a save.
    let retries = isEarly && copy?.save != nil
    copy?.reads[target] =
      switch outcome {
      case .whole: .whole(bytes: bytes, stored: stored)
      case .failed: retries ? nil : .failed(isEarly: isEarly)
      case .tooLarge: retries ? nil : .tooLarge(isEarly: isEarly)
      }
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
        .saved(
          targets: targets.count, bytes: bytes, left: present.wanted.count - targets.count,
          tooLarge: present.tooLarge(of: present.wanted))
      case .restore: .restored(targets: targets.count, bytes: bytes)
      case .takeOver: .tookOver(targets: targets.count, bytes: bytes)
      }
    copy = nil
    hold(Held(copy: id, targets: targets.count, bytes: bytes))
    let kept = purpose == .save ? [KeepingAction.kept(id, targets: targets)] : []
    return answers + kept + [.forget(id), .note(note)]
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
      let names = present.names + (present.save?.asked ?? [])
      return markingFound(
        present.ignoresMarkers ? .open : KeepingRules.marking(of: names, present.choice))
        + (copy?.secrecy == .asked ? [] : advance(now: now))
    case .asked:
      return []
    case .secret:
      return foundSecret()
    case .open:
      if present.sizes == .unasked, present.names.contains(KeepingRules.sizes) {
        copy?.sizes = .asked
        return [.readSizes(present.id, limits: sizesLimits)]
      }
      return present.sizes == .asked ? [] : startReads() + finishIfOver()
    }
  }

  private var isWanted: Bool {
    copy?.save != nil || copy?.isReadingEarly == true
  }

  private mutating func markingFound(_ marking: KeepingRules.Marking) -> [KeepingAction] {
    guard let id = copy?.id else { return [] }
    switch marking {
    case .hinted where copy?.unreadHint == nil, .open:
      copy?.secrecy = .open
      return []
    case .secret:
      copy?.secrecy = .secret
      return []
    case .hinted:
      copy?.secrecy = .asked
      return [
        .readHint(
          id, target: copy?.unreadHint ?? KeepingRules.hint,
          limits: TransferLimits(response: limits.hint, idle: limits.hint, byteCount: 256))
      ]
    }
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
    let candidates =
      isEarly
      ? earlyTargets(present) : KeepingRules.cheapFirst(present.wanted, present.choice)
    var actions: [KeepingAction] = []
    var running = present.runningReads
    for target in candidates where running < most && copy?.reads[target] == nil {
      // What equals something that is there takes no memory of its own.
      let left = max(budget(isEarly: isEarly) - present.stored, present.largestWhole)
      // What the owner itself calls too large need not be asked for; a smaller number proves nothing.
      if let size = present.announcedSize(of: target),
        size > min(left, limit(of: target, isEarly: isEarly))
      {
        copy?.reads[target] = .tooLarge(isEarly: isEarly)
        continue
      }
      copy?.reads[target] = .running(isEarly: isEarly, bytes: 0, stored: 0)
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

  /// What is read without a wish to save.
  private func earlyTargets(_ present: CopyState) -> [String] {
    if case .runningPicture = present.early {
      return KeepingRules.earlyPicture(present.names, present.choice).map { [$0] } ?? []
    }
    return KeepingRules.early(present.names, present.choice)
  }

  /// Ends the early reading, or puts a picture off.
  mutating func settle() -> [KeepingAction] {
    guard let present = copy, present.isReadingEarly else { return [] }
    if case .running = present.early, present.secrecy == .open,
      let picture = KeepingRules.earlyPicture(present.names, present.choice),
      present.reads[picture] == nil
    {
      copy?.early = .waitingForPicture(present.began + limits.picturePause)
      return []
    }
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
        case .known, .refused:
          present.tooLarge(of: present.wanted) > 0 ? .tooLarge : .nothingKept
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
      if case .running(let isEarly, _, _) = read { copy?.reads[target] = .failed(isEarly: isEarly) }
    }
    return [.cancelReads(present.id)]
  }

  private func limit(of target: String, isEarly: Bool) -> Int {
    let chosen = copy?.choice.size(of: target)
    guard isEarly else { return chosen ?? limits.target }
    if case .runningPicture = copy?.early { return min(limits.earlyPicture, chosen ?? .max) }
    let most = KeepingRules.isText(target) ? limits.earlyText : limits.earlyTarget
    return min(most, chosen ?? .max)
  }

  /// The most of one copy.
  private func budget(isEarly: Bool) -> Int {
    guard isEarly else { return limits.copy }
    if case .runningPicture = copy?.early { return limits.earlyCopy + limits.earlyPicture }
    return limits.earlyCopy
  }

  private var sizesLimits: TransferLimits {
    TransferLimits(response: limits.hint, idle: limits.hint, byteCount: 8 * 16_384)
  }

  private var listingLimits: TransferLimits {
    TransferLimits(response: limits.listing, idle: limits.listing, byteCount: 4 * 16_384)
  }
}
