internal import SelectionProtocol
internal import XlibTransport

/// Reads the text of a selection, if that is neither marked as a secret nor ignored: one at a time.
final class TextReader {
  enum Outcome {
    /// In the forms that programs ask for; never empty.
    case text([(target: String, value: KeptValue)])
    case nothing
    case secret
    case ignored
    /// The owner did not answer, or not in time.
    case silent
    /// Another copy took its place.
    case replaced
    /// The helper offers it itself.
    case own
    case tooLarge
  }

  /// What a copy of the helper's own making lists, beside its text.
  static let marker = "application/x-x11pasteboard-sync"
  private static let forms = [
    "UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT",
  ]

  private let keeper: Keeper
  private var connection: SelectionConnection { keeper.connection }

  init(_ keeper: Keeper) { self.keeper = keeper }

  /// - Parameters:
  ///   - limit: The most bytes.
  ///   - completion: Called once, possibly at once.
  func read(_ selection: Atom, limit: Int, completion: @escaping (Outcome) -> Void) {
    let owner = connection.currentOwner(of: selection)
    guard owner != .none else { return completion(.nothing) }
    guard !connection.isOwn(owner) else {
      // A program that ended, or handed over, before its copy was followed: the helper has what it had.
      guard let text = connection.offer(of: selection)?.content as? OfferedText, !text.isFollowed,
        text.bytes.byteCount <= limit
      else { return completion(.own) }
      return completion(outcome(text.target, text.value))
    }
    guard !keeper.state.isPaused, !isShunned(selection, owner) else { return completion(.ignored) }
    if selection == connection.atoms.clipboard, let (target, value) = keeper.text(of: owner),
      value.bytes.byteCount <= limit
    {
      return completion(outcome(target, value))
    }
    guard keeper.judge?(owner, nil) != .ignore else { return completion(.ignored) }
    ask(selection, owner, connection.atoms.targets, limit: 4 * 16_384) { [weak self] result in
      guard let self else { return }
      guard case .success(let (bytes, reply)) = result else {
        return completion(Self.outcome(of: result))
      }
      let isList = reply.format == 32 && [.atom, connection.atoms.targets].contains(reply.type)
      guard isList else { return completion(.nothing) }
      let atoms = bytes.array.withUnsafeBytes { raw in
        (0..<(raw.count / 4)).map {
          Atom(raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
        }
      }
      let names = connection.names(of: atoms).compactMap(\.self)
      guard !names.contains(Self.marker) else { return completion(.own) }
      let verdict = keeper.judge?(owner, names)
      guard verdict != .ignore else { return completion(.ignored) }
      let marking =
        verdict == .keepMarked ? .open : KeepingRules.marking(of: names, keeper.state.choice)
      switch marking {
      case .secret: completion(.secret)
      case .open: readText(selection, owner, names, limit, completion)
      case .hinted:
        readHints(KeepingRules.hints(in: names)[...], selection, owner, completion) {
          [weak self] in self?.readText(selection, owner, names, limit, completion)
        }
      }
    }
  }

  /// Reads hints one after the other, and goes on where all of them say that the copy may be kept.
  private func readHints(
    _ hints: ArraySlice<String>, _ selection: Atom, _ owner: Window,
    _ completion: @escaping (Outcome) -> Void, then proceed: @escaping () -> Void
  ) {
    guard let hint = hints.first else { return proceed() }
    ask(selection, owner, connection.atom(hint), limit: 256) { [weak self] result in
      guard case .success(let (bytes, _)) = result,
        !KeepingRules.saysSecret(bytes.array, of: hint)
      else { return completion(.secret) }
      self?.readHints(hints.dropFirst(), selection, owner, completion, then: proceed)
    }
  }

  /// Whether the keeper leaves the clipboard's present copy alone.
  private func isShunned(_ selection: Atom, _ owner: Window) -> Bool {
    guard selection == connection.atoms.clipboard, case .notKept(let reason) = keeper.state.standing
    else { return false }
    return [.ignored, .paused, .ruledOut].contains(reason)
  }

  private func readText(
    _ selection: Atom, _ owner: Window, _ names: [String], _ limit: Int,
    _ completion: @escaping (Outcome) -> Void
  ) {
    guard let target = KeepingRules.earlyText.first(where: names.contains) else {
      return completion(.nothing)
    }
    ask(selection, owner, connection.atom(target), limit: limit) { [weak self] result in
      guard let self else { return }
      guard case .success(let (bytes, reply)) = result else {
        return completion(Self.outcome(of: result))
      }
      guard let type = connection.names(of: [reply.type]).first.flatMap(\.self) else {
        return completion(.nothing)
      }
      completion(
        outcome(target, KeptValue(bytes: bytes, typeName: type, format: reply.format)))
    }
  }

  /// A text in the forms that follow from the one that was read.
  private func outcome(_ target: String, _ value: KeptValue) -> Outcome {
    guard value.bytes.byteCount > 0, value.format == 8 else { return .nothing }
    var values = [target: value]
    let most = keeper.state.limits.memory
    if target == "STRING", let text = TextForms.unicode(ofLatin: value.bytes, limit: most) {
      values["UTF8_STRING"] = KeptValue(bytes: text, typeName: "UTF8_STRING")
    }
    TextForms.complete(&values, offered: Self.forms, limit: most)
    let order = Self.forms + (Self.forms.contains(target) ? [] : [target])
    return .text(order.compactMap { name in values[name].map { (name, $0) } })
  }

  private typealias Answer = Result<(KeptBytes, ConversionReply), ConversionFailure>

  private func ask(
    _ selection: Atom, _ owner: Window, _ target: Atom, limit: Int,
    _ completion: @escaping (Answer) -> Void
  ) {
    // Whoever took the selection meanwhile is another one, about whom nothing is known yet.
    guard connection.currentOwner(of: selection) == owner else {
      return completion(.failure(ConversionFailure(code: .transfer(.ownerGone))))
    }
    let bytes = KeptBytes(limit: keeper.state.limits.memory)
    let limits = keeper.state.limits
    connection.convert(
      Conversion(
        selection: selection, target: target,
        limits: TransferLimits(
          response: limits.listing, idle: limits.listing, byteCount: limit)),
      receive: { raw, _, _ in try bytes.append(raw) },
      completion: { result in
        switch result {
        case .success(let reply) where reply.owner == owner: completion(.success((bytes, reply)))
        case .success:
          completion(.failure(ConversionFailure(code: .transfer(.ownerGone))))
        case .failure(let failure): completion(.failure(failure))
        }
      })
  }

  private static func outcome(of answer: Answer) -> Outcome {
    guard case .failure(let failure) = answer else { return .nothing }
    return switch failure.code {
    case .noOwner, .transfer(.refused), .transfer(.missingProperty): .nothing
    case .transfer(.ownerGone), .transfer(.cancelled), .connectionLost: .replaced
    case .transfer(.tooLarge), .receiver: .tooLarge
    case .transfer(.noAnswer), .transfer(.stalled), .transfer(.inconsistent): .silent
    }
  }
}
