internal import SelectionProtocol
internal import XlibTransport

/// Lets PRIMARY and CLIPBOARD follow each other where the user wants that; carries out what `SyncState` asks for.
final class Synchronizer {
  private let keeper: Keeper
  private let reader: TextReader
  private(set) var state: SyncState
  private var watches: [WatchToken] = []
  /// Counts changes, so that what was read of an older one is not used.
  private var changes: [SyncSelection: Int] = [:]

  /// Told what was taken over into the clipboard.
  var onContent: (([(target: String, value: KeptValue)]) -> Void)?
  /// Told when there were too many changes; holds no content.
  var onRest: (() -> Void)?
  private(set) var followed = 0

  private var connection: SelectionConnection { keeper.connection }

  init(_ keeper: Keeper, settings: SyncSettings) {
    self.keeper = keeper
    reader = TextReader(keeper)
    state = SyncState(settings: settings)
  }

  /// Begins or ends to follow; what was taken over before stays.
  func apply(_ settings: SyncSettings) {
    state = SyncState(settings: settings)
    for token in watches { connection.unwatch(token) }
    watches = []
    guard settings.direction != .off else { return }
    watches = [SyncSelection.primary, .clipboard].map { selection in
      connection.watch(atom(selection)) { [weak self] in self?.changed(selection, $0) }
    }
  }

  private func atom(_ selection: SyncSelection) -> Atom {
    selection == .primary ? .primary : connection.atoms.clipboard
  }

  private func changed(_ selection: SyncSelection, _ notice: SelectionNotice) {
    changes[selection, default: 0] += 1
    switch notice.reason {
    // A notice that comes while we own the selection is older than our acquisition: losing it is told first.
    case .newOwner where connection.isOwn(notice.owner) || connection.isOwner(of: atom(selection)):
      break
    case .ownerGone where connection.isOwner(of: atom(selection)): break
    case .newOwner: state.changed(selection, time: notice.time, now: .now)
    case .cleared: perform(state.cleared(selection))
    case .ownerGone: state.ownerGone(selection)
    }
  }

  var deadline: Instant? { state.deadline }

  func runDeadlines(now: Instant) {
    guard let deadline, deadline <= now else { return }
    perform(state.deadlinePassed(now: now))
  }

  private func perform(_ actions: [SyncState.Action]) {
    for action in actions {
      switch action {
      case .look(let selection):
        let keys = connection.heldKeys()
        perform(
          state.looked(selection, isHeld: keys.isSelecting || keys.isShifted, now: .now))
      case .follow(let selection, let time): follow(selection, time) { _ in }
      case .withdraw(let selection): withdraw(selection)
      case .rest: onRest?()
      }
    }
  }

  /// How a wish to follow ended.
  enum Result: Equatable {
    case done
    case nothing
    case same
    case refused(String)
    case silent
  }

  /// Takes the text of one selection over into the other, once.
  func once(from selection: SyncSelection, completion: @escaping (Result) -> Void) {
    follow(selection, nil, completion)
  }

  private func follow(
    _ selection: SyncSelection, _ time: ServerTime?, _ completion: @escaping (Result) -> Void
  ) {
    let change = changes[selection]
    reader.read(atom(selection), limit: state.settings.limit) { [weak self] outcome in
      guard let self else { return }
      switch outcome {
      case .text(let values):
        guard time == nil || changes[selection] == change else { return completion(.nothing) }
        completion(give(values, to: selection.other, time))
      case .nothing, .replaced: completion(.nothing)
      case .own: completion(.same)
      case .secret: completion(.refused("it is marked as a secret"))
      case .ignored: completion(.refused("it is ignored"))
      case .tooLarge: completion(.refused("it is too large"))
      case .silent: completion(.silent)
      }
    }
  }

  private func give(
    _ values: [(target: String, value: KeptValue)], to selection: SyncSelection,
    _ time: ServerTime?
  ) -> Result {
    guard !offers(values, selection) else { return .same }
    if let time, state.isOverwritten(selection, since: time) { return .nothing }
    let onLost: () -> Void = { [weak self] in self?.state.lost(selection) }
    let marked = values + [(TextReader.marker, markerValue)]
    let text = OfferedText(
      Dictionary(values.map { ($0.target, $0.value) }) { first, _ in first }, isFollowed: true)
    if selection == .clipboard {
      guard keeper.offer(marked, at: time, text: text, onLost: onLost) else { return .nothing }
      onContent?(values)
    } else {
      var offer = Offer(
        targets: marked.map {
          Offer.Target(
            name: $0.target, typeName: $0.value.typeName, format: $0.value.format,
            payload: $0.value.bytes)
        }, isStorable: false, onLost: onLost)
      offer.content = text
      do {
        try connection.acquire(.primary, offer, at: time)
      } catch {
        return .nothing
      }
    }
    state.gave(selection)
    followed += 1
    return .done
  }

  /// What the user chose goes to PRIMARY too, where that follows the clipboard.
  func chose(_ values: [(target: String, value: KeptValue)]) {
    guard state.settings.direction.takesClipboard else { return }
    let text = values.filter { KeepingRules.isText($0.target) && $0.value.format == 8 }
    if !text.isEmpty { _ = give(text, to: .primary, nil) }
  }

  private var markerValue: KeptValue {
    KeptValue(bytes: KeptBytes(limit: .max), typeName: TextReader.marker)
  }

  /// Whether just this text is what the helper offers there already.
  private func offers(
    _ values: [(target: String, value: KeptValue)], _ selection: SyncSelection
  ) -> Bool {
    guard connection.isOwner(of: atom(selection)), let first = values.first,
      let offered = connection.offer(of: atom(selection))?.content as? OfferedText
    else { return false }
    return offered.bytes.byteCount == first.value.bytes.byteCount
      && offered.bytes.array == first.value.bytes.array
  }

  private func withdraw(_ selection: SyncSelection) {
    if selection == .clipboard {
      keeper.withdraw()
    } else if connection.isOwner(of: .primary) {
      connection.relinquish(.primary)
    }
  }
}

/// The text of what the helper offers.
struct OfferedText: Sendable {
  let target: String
  let value: KeptValue
  /// Whether it was taken over from the other selection, so that it is no source.
  let isFollowed: Bool

  var bytes: KeptBytes { value.bytes }

  /// The best text among `values`; `nil` where there is none.
  init?(_ values: [String: KeptValue], isFollowed: Bool = false) {
    guard let target = KeepingRules.earlyText.first(where: { values[$0] != nil }),
      let value = values[target]
    else { return nil }
    self.target = target
    self.value = value
    self.isFollowed = isFollowed
  }
}
