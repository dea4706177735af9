public import SelectionProtocol
public import XlibTransport

/// Keeps the clipboard's content on one connection: carries out what `KeepingState` asks for.
///
/// Belongs to the connection's thread, like everything here.
public final class Keeper {
  /// Stands for a read that is given up since its bytes are too many.
  private struct TooMuch: Error {}

  public let connection: SelectionConnection
  public private(set) var state: KeepingState
  /// What was read of copies, until they end.
  private var contents: [CopyID: [String: KeptValue]] = [:]
  private var running: [CopyID: [String: ConversionToken]] = [:]
  private var wishes: [SaveID: (Bool) -> Void] = [:]
  private var lastWish = 0
  private var actions: [KeepingAction] = []
  private var isPerforming = false
  private var watchToken: WatchToken?

  /// Told of every decision; a note holds no content.
  public var onNote: ((KeepingNote) -> Void)?
  /// Told when the early bytes of a copy are complete, and when a save is.
  public var onContent: ((CopyID, _ values: [(target: String, value: KeptValue)]) -> Void)?
  /// Told when a copy was emptied on purpose by its living owner, before the note.
  public var onCleared: ((CopyID) -> Void)?

  private var clipboard: Atom { connection.atoms.clipboard }

  /// What the user's rules say of a copy, by its owner, and by its targets once they are known.
  public var judge: ((_ owner: Window, _ targets: [String]?) -> CopyRule.Verdict?)?

  public init(
    connection: SelectionConnection, limits: KeepingLimits = KeepingLimits(),
    choice: KeepingChoice = KeepingChoice()
  ) {
    self.connection = connection
    state = KeepingState(limits: limits, choice: choice)
  }

  /// From the next copy on other limits hold.
  public func adopt(_ limits: KeepingLimits, _ choice: KeepingChoice) {
    state.limits = limits
    state.choice = choice
  }

  /// Begins to follow the clipboard, with what is there as the first copy.
  public func start() {
    watchToken = connection.watch(clipboard) { [weak self] in self?.changed($0) }
    let owner = connection.currentOwner(of: clipboard)
    if owner != .none, !connection.isOwn(owner) { perform(state.newOwner(owner, now: .now)) }
  }

  private func changed(_ notice: SelectionNotice) {
    // A notice that comes while we own the clipboard is older than our acquisition: losing it is told first.
    let isOurs = connection.isOwner(of: clipboard)
    switch notice.reason {
    case .newOwner where connection.isOwn(notice.owner) || isOurs:
      break
    case .newOwner:
      perform(state.newOwner(notice.owner, time: notice.time, now: .now))
    case .cleared:
      if let copy = state.copy?.id { onCleared?(copy) }
      // Whoever cleared just before we took over meant this content.
      if isOurs { connection.relinquish(clipboard) }
      perform(state.cleared())
    case .ownerGone where isOurs:
      break
    case .ownerGone:
      // Without XFixes a clear looks like a death, and a cleared secret must not come back.
      let isTold = connection.watched(clipboard)?.isPolling == false
      perform(isTold ? state.ownerGone(now: .now) : state.cleared())
    }
  }

  // MARK: Wishes

  /// A client asks that the present copy be kept.
  ///
  /// - Parameters:
  ///   - targets: What it wants kept; `nil` for everything.
  ///   - answer: Called once, with whether the content is safe.
  public func save(targets: [String]?, answer: @escaping (Bool) -> Void) {
    lastWish += 1
    let wish = SaveID(rawValue: lastWish)
    wishes[wish] = answer
    // A list may name a type that a rule is about and that the owner does not advertise.
    if let targets, let copy = state.copy, copy.shunned == nil { _ = isRuledOut(copy.id, targets) }
    perform(state.saveRequested(wish, targets: targets, now: .now))
  }

  /// Whether a wish to save is waiting for its answer.
  var isSaving: Bool { state.copy?.save != nil }

  /// Reads and saves nothing more of the present copy: whoever waits for a save hears no.
  func stop() { perform(state.end(.helperEnds)) }

  /// Puts the helper's copy in the place of an owner that does not answer.
  public func takeOver() -> Refusal? {
    let (actions, refusal) = state.takeOver(now: .now)
    perform(actions)
    if refusal == nil, state.held == nil { return .lostToAnother }
    return refusal
  }

  /// Offers something that the user chose, whoever owns the clipboard.
  ///
  /// - Returns: Whether it is offered now.
  ///
  /// - Parameters:
  ///   - time: When that was chosen; `nil` for now. Whatever is newer wins.
  ///   - text: What of it is text.
  ///   - onLost: Told when it is not offered any more.
  func offer(
    _ values: [(target: String, value: KeptValue)], at time: ServerTime? = nil,
    text: OfferedText? = nil, onLost: (() -> Void)? = nil
  ) -> Bool {
    let targets = values.map { entry in
      Offer.Target(
        name: entry.target, typeName: entry.value.typeName, format: entry.value.format,
        payload: entry.value.bytes)
    }
    var offer = Offer(targets: targets, isStorable: false, onLost: onLost)
    offer.content = text
    do {
      try connection.acquire(clipboard, offer, at: time)
    } catch {
      return false
    }
    let bytes = values.reduce(0) { $0 + $1.value.bytes.byteCount }
    perform(state.adopted(targets: values.count, bytes: bytes))
    return true
  }

  /// Empties the clipboard where the helper offers it.
  public func withdraw() {
    guard connection.isOwner(of: clipboard) else { return }
    connection.relinquish(clipboard)
    perform(state.cleared())
  }

  public func pause(milliseconds: Int64?) {
    perform(state.pause(until: milliseconds.map { .now + $0 }, now: .now))
  }

  public func resume() { state.resume() }
  public func ignoreNext() { state.ignoreNext(now: .now) }

  /// The text that was read already of the copy that this window owns, where it was.
  func text(of owner: Window) -> (target: String, value: KeptValue)? {
    guard let present = state.copy, present.owner == owner, present.shunned == nil,
      present.secrecy == .open, !present.names.contains(TextReader.marker),
      let target = KeepingRules.earlyText.first(where: present.names.contains),
      present.isWhole(target), let value = contents[present.id]?[target]
    else { return nil }
    return (target, value)
  }

  // MARK: Time

  public var deadline: Instant? { state.deadline }

  /// Lets pass what is due.
  public func runDeadlines() {
    guard let deadline = state.deadline, deadline <= .now else { return }
    perform(state.deadlinePassed(now: .now))
  }

  // MARK: Actions

  private func perform(_ more: [KeepingAction]) {
    actions += more
    guard !isPerforming else { return }
    isPerforming = true
    defer { isPerforming = false }
    while !actions.isEmpty { carryOut(actions.removeFirst()) }
  }

  private func carryOut(_ action: KeepingAction) {
    switch action {
    case .list(let copy, let limits): list(copy, limits)
    case .readHint(let copy, let target, let limits): readHint(copy, target, limits)
    case .readSizes(let copy, let limits): readSizes(copy, limits)
    case .read(let copy, let target, let limits): read(copy, target, limits)
    case .cancelReads(let copy):
      for token in (running.removeValue(forKey: copy) ?? [:]).values { connection.cancel(token) }
    case .acquire(let copy, let targets, let offered, let owner, let time):
      let isOurs = acquire(copy, targets, offered, from: owner, at: time)
      perform(state.acquired(copy, targets: targets, isOurs: isOurs))
    case .kept(let copy, let targets): tell(copy, targets)
    case .forget(let copy): contents[copy] = nil
    case .answer(let wish, let isKept): wishes.removeValue(forKey: wish)?(isKept)
    case .settled(let copy):
      guard let present = state.copy, present.id == copy else { return }
      tell(copy, present.whole)
    case .note(let note):
      if note == .cleared { rinse() }
      onNote?(note)
    }
  }

  /// Overwrites what the connection's own buffer may still hold of content that was cleared.
  ///
  /// libxcb reads short replies through a buffer of 4,096 bytes that it never wipes. Errors about atoms that do not
  /// exist take 32 bytes each, and leave no other trace.
  private func rinse() {
    let last: UInt32 = (1 << 29) - 1
    _ = connection.names(of: (0..<256).map { Atom(last - $0) })
  }

  /// Lets the user's rules decide.
  ///
  /// - Returns: Whether the copy is to be left alone.
  private func isRuledOut(_ copy: CopyID, _ targets: [String]?) -> Bool {
    guard let judge, let present = state.copy, present.id == copy,
      let verdict = judge(present.owner, targets)
    else { return false }
    perform(state.ruled(copy, keepsMarked: verdict == .keepMarked))
    return verdict == .ignore
  }

  private func list(_ copy: CopyID, _ limits: TransferLimits) {
    guard !isRuledOut(copy, nil) else { return }
    var bytes: [UInt8] = []
    connection.convert(
      Conversion(selection: clipboard, target: connection.atoms.targets, limits: limits),
      receive: { raw, _, _ in bytes.append(contentsOf: raw) },
      completion: { [weak self] result in
        guard let self else { return }
        let outcome: ListingOutcome
        switch result {
        case .success(let reply):
          let isList = reply.format == 32 && [.atom, connection.atoms.targets].contains(reply.type)
          let targets = isList ? names(bytes) : []
          guard !isList || !isRuledOut(copy, targets) else { return }
          outcome = isList ? .targets(targets) : .refused
        case .failure(let failure):
          outcome = failure.code == .transfer(.refused) ? .refused : .silent
        }
        perform(state.listed(copy, outcome, now: .now))
      })
  }

  private func names(_ bytes: [UInt8]) -> [String] {
    let atoms = bytes.withUnsafeBytes { raw in
      (0..<(raw.count / 4)).map {
        Atom(raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
      }
    }
    return connection.names(of: atoms).compactMap(\.self)
  }

  /// TARGET_SIZES: pairs of a target and its size, -1 where that is not known.
  private func readSizes(_ copy: CopyID, _ limits: TransferLimits) {
    var bytes: [UInt8] = []
    connection.convert(
      Conversion(
        selection: clipboard, target: connection.atom(KeepingRules.sizes), limits: limits),
      receive: { raw, _, _ in bytes.append(contentsOf: raw) },
      completion: { [weak self] result in
        guard let self else { return }
        var sizes: [String: Int] = [:]
        if case .success(let reply) = result, reply.format == 32 {
          let numbers = bytes.withUnsafeBytes { raw in
            (0..<(raw.count / 4)).map {
              raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self)
            }
          }
          let pairs = (0..<(numbers.count / 2)).map { (numbers[2 * $0], numbers[2 * $0 + 1]) }
          for (name, pair) in zip(connection.names(of: pairs.map { Atom($0.0) }), pairs) {
            if let name, pair.1 != .max { sizes[name] = Int(pair.1) }
          }
        }
        perform(state.sized(copy, sizes, now: .now))
      })
  }

  private func readHint(_ copy: CopyID, _ target: String, _ limits: TransferLimits) {
    var bytes: [UInt8] = []
    connection.convert(
      Conversion(selection: clipboard, target: connection.atom(target), limits: limits),
      receive: { raw, _, _ in bytes.append(contentsOf: raw) },
      completion: { [weak self] result in
        guard let self else { return }
        let value: [UInt8]? = if case .success = result { bytes } else { nil }
        perform(state.hintRead(copy, value: value, now: .now))
      })
  }

  private func read(_ copy: CopyID, _ target: String, _ limits: TransferLimits) {
    guard let owner = state.copy?.owner, connection.currentOwner(of: clipboard) == owner else {
      perform(state.read(copy, target: target, .failed, now: .now))
      return
    }
    let arriving = ArrivingBytes(
      limit: state.limits.memory, beside: contents[copy, default: [:]].values.map(\.bytes))
    let token = connection.convert(
      Conversion(selection: clipboard, target: connection.atom(target), limits: limits),
      receive: { [weak self] raw, _, _ in
        let stored = arriving.storage(for: raw)
        guard
          self?.state.received(copy, target: target, byteCount: raw.count, stored: stored) == true
        else { throw TooMuch() }
        try arriving.append(raw)
      },
      completion: { [weak self] result in
        guard let self else { return }
        running[copy]?[target] = nil
        var outcome = ReadOutcome.failed
        if case .failure(let failure) = result,
          failure.code == .receiver || failure.code == .transfer(.tooLarge)
        {
          outcome = .tooLarge
        }
        if case .success(let reply) = result, reply.owner == owner, state.copy?.id == copy,
          let type = connection.names(of: [reply.type]).first.flatMap(\.self),
          !KeepingRules.resourceTypes.contains(type)
        {
          outcome = .tooLarge
          let stored = arriving.storageToEnd
          if state.received(copy, target: target, byteCount: 0, stored: stored),
            let bytes = try? arriving.end()
          {
            contents[copy, default: [:]][target] = KeptValue(
              bytes: bytes, typeName: type, format: reply.format)
            outcome = .whole
          }
        }
        perform(state.read(copy, target: target, outcome, now: .now))
      })
    if let token, state.copy?.id == copy { running[copy, default: [:]][target] = token }
  }

  private func acquire(
    _ copy: CopyID, _ targets: [String], _ offered: [String], from owner: Window,
    at time: ServerTime
  ) -> Bool {
    guard connection.currentOwner(of: clipboard) == owner else { return false }
    var values = contents[copy, default: [:]]
    var order = targets
    if !offered.isEmpty {
      values = values.filter { targets.contains($0.key) }
      TextForms.complete(&values, offered: offered, limit: state.limits.memory)
      order = KeepingRules.keepable(offered + targets)
    }
    var offer = Offer(
      targets: order.compactMap { name in
        values[name].map {
          Offer.Target(name: name, typeName: $0.typeName, format: $0.format, payload: $0.bytes)
        }
      }, isStorable: false)
    offer.content = OfferedText(values)
    do {
      try connection.acquire(
        clipboard, offer, at: time == .current ? connection.serverTime() : time)
    } catch {
      return false
    }
    return true
  }

  private func tell(_ copy: CopyID, _ targets: [String]) {
    guard let onContent, let values = contents[copy] else { return }
    let ordered = targets.compactMap { target in values[target].map { (target: target, value: $0) }
    }
    if !ordered.isEmpty { onContent(copy, ordered) }
  }
}
