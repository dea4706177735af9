internal import HelperControl

/// What is asked of the history over the helper's socket.
extension RunningHistory {
  private static let onlyWhenOn: Set<String> = [
    "list", "search", "show", "select", "delete", "purge", "pin", "unpin", "expire", "pack",
    "unpack",
  ]

  func handle(_ request: ControlServer.Request) {
    guard let verb = request.arguments.first else {
      return request.reply(.usage, "history: what? (--help tells)\n")
    }
    let arguments = Array(request.arguments.dropFirst())
    flush()
    do throws(HistoryError) {
      if Self.onlyWhenOn.contains(verb) {
        guard let store else {
          let reason = problem.map { ": \($0)" } ?? "; history enable turns it on"
          return request.reply(.refused, "the history is off\(reason)\n")
        }
        try use(store, verb, arguments, request)
        refresh()
      } else if verb == "enable", arguments.isEmpty {
        try enable(request)
      } else if verb == "disable", arguments.isEmpty {
        try disable()
        request.reply(.done, "the history is off, and what it held is deleted\n")
      } else {
        request.reply(.usage, "history \(verb): no such verb, or too many arguments\n")
      }
    } catch {
      request.reply(.refused, "history: \(error.description)\n")
    }
  }

  private func enable(_ request: ControlServer.Request) throws(HistoryError) {
    guard settings.storage == .memory || folder != nil else {
      return request.reply(
        .refused, "history: the environment does not say where (HOME, or XDG_RUNTIME_DIR)\n")
    }
    if !isOn { turnOn() }
    guard isOn else {
      return request.reply(.refused, "history: \(problem ?? "cannot be opened")\n")
    }
    guard let place else {
      return request.reply(
        .done,
        "copies are remembered in memory until the helper ends; history disable forgets them\n"
      )
    }
    request.reply(
      .done,
      "copies are remembered in \(place), unencrypted, for this user only; "
        + "history disable forgets them\n")
  }

  private func use(
    _ store: HistoryStore, _ verb: String, _ arguments: [String], _ request: ControlServer.Request
  ) throws(HistoryError) {
    let numbers = arguments.map { Int64($0) }
    func misuse() { request.reply(.usage, "history \(verb): not the arguments it takes\n") }
    switch verb {
    case "list":
      guard let (limit, form) = Self.listing(arguments) else { return misuse() }
      let items = try store.list(limit: limit)
      request.reply(.done, try text(items, form, store))
    case "search":
      guard !arguments.isEmpty else { return misuse() }
      let items = try store.search(arguments.joined(separator: " "), limit: 200)
      guard !items.isEmpty else {
        return request.reply(.nothing, "history: no item has words that begin like these\n")
      }
      request.reply(.done, try text(items, .lines, store))
    case "show":
      guard (1...2).contains(arguments.count), let id = numbers[0] else { return misuse() }
      let all = try store.representations(of: id)
      let wanted = arguments.count == 2 ? arguments[1] : all.first?.target
      guard let found = all.first(where: { $0.target == wanted }) else {
        return request.reply(.nothing, "history: item \(id) has no such content\n")
      }
      request.send(.done, try store.bytes(of: found))
    case "select":
      guard arguments.count == 1, let id = numbers[0] else { return misuse() }
      try select(id, store, request)
    case "delete":
      let ids =
        arguments == ["--last"] ? try store.list(limit: 1).map(\.id) : numbers.compactMap(\.self)
      guard arguments == ["--last"] || (!ids.isEmpty && ids.count == arguments.count) else {
        return misuse()
      }
      let count = try store.delete(ids)
      request.reply(count == 0 ? .nothing : .done, "\(count) deleted\n")
    case "purge":
      let last = arguments.first == "--last" ? Array(numbers.dropFirst()) : numbers
      guard last.count <= 1, last.count == arguments.count || last.count == 1,
        last.isEmpty ? arguments.isEmpty : (last[0] ?? 0) > 0
      else { return misuse() }
      request.reply(.done, "\(try store.purge(last: last.first ?? nil)) deleted\n")
    case "expire":
      guard arguments.count == 2, let id = numbers[0],
        let time = try? SettingsLine.milliseconds("", arguments[1])
      else { return misuse() }
      let isThere = try store.expire(id, in: time, now: wallClock)
      request.reply(
        isThere ? .done : .nothing,
        isThere ? "\(id) is deleted in \(time / 1_000) s\n" : "history: no item \(id)\n")
    case "pack":
      guard arguments.count == 1, let id = numbers[0] else { return misuse() }
      guard let packed = try pack(id, store) else {
        return request.reply(.nothing, "history: no item \(id)\n")
      }
      request.send(.done, packed)
    case "unpack": try unpack(store, request)
    default:
      guard arguments.count == 1, let id = numbers[0] else { return misuse() }
      let isThere = try store.pin(id, verb == "pin")
      request.reply(
        isThere ? .done : .nothing, isThere ? "\(verb)ned \(id)\n" : "history: no item \(id)\n")
    }
  }

  // MARK: Choosing

  private func select(
    _ id: Int64, _ store: HistoryStore, _ request: ControlServer.Request
  ) throws(HistoryError) {
    let all = try store.representations(of: id)
    guard !all.isEmpty else { return request.reply(.nothing, "history: no item \(id)\n") }
    var values: HistoryStore.Values = []
    for one in all {
      values.append(
        (one.target, try store.value(of: one, limit: keeper.state.limits.memory)))
    }
    let text = OfferedText(
      Dictionary(values.map { ($0.target, $0.value) }) { first, _ in first })
    guard keeper.offer(values, text: text) else {
      return request.reply(.refused, "the clipboard could not be had\n")
    }
    onChosen?(values)
    _ = try store.record(values, now: wallClock)
    request.reply(.done, "item \(id) is on the clipboard\n")
  }

  // MARK: Lists

  private enum Form {
    case lines
    case zeros
    case json
  }

  private static func listing(_ arguments: [String]) -> (limit: Int64, form: Form)? {
    var limit: Int64 = 50
    var form = Form.lines
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--json": form = .json
      case "--print0": form = .zeros
      case "--limit":
        guard let number = rest.popFirst().flatMap({ Int64($0) }), number > 0 else { return nil }
        limit = number
      default:
        guard let number = Int64(argument), number > 0 else { return nil }
        limit = number
      }
    }
    return (limit, form)
  }

  private func text(
    _ items: [HistoryStore.Item], _ form: Form, _ store: HistoryStore
  ) throws(HistoryError) -> String {
    var result = ""
    for item in items {
      switch form {
      case .lines: result += "\(item.id)\t\(item.preview)\n"
      case .zeros: result += "\(item.id)\t\(item.preview)\0"
      case .json:
        let types = try store.representations(of: item.id).map {
          RunningHelper.quoted($0.target)
        }
        result += """
          {"id":\(item.id),"pinned":\(item.isPinned),"used":\(item.used),"bytes":\(item.bytes),\
          "types":[\(types.joined(separator: ","))],"preview":\(RunningHelper.quoted(item.preview))}

          """
      }
    }
    return result
  }

  // MARK: Carrying elsewhere

  private func pack(_ id: Int64, _ store: HistoryStore) throws(HistoryError) -> [UInt8]? {
    guard let item = try store.item(id) else { return nil }
    let all = try store.representations(of: id)
    var packed = PackedItem.head(isPinned: item.isPinned, used: item.used)
    packed.reserveCapacity(all.reduce(packed.count) { $0 + $1.byteCount + 1_024 })
    for one in all {
      packed += PackedItem.head(one.target, one.typeName, one.format, byteCount: one.byteCount)
      try store.read(one) { packed.append(contentsOf: $0) }
    }
    return packed
  }

  private func unpack(
    _ store: HistoryStore, _ request: ControlServer.Request
  ) throws(HistoryError) {
    guard let packed = PackedItem(encoded: request.body), !packed.parts.isEmpty else {
      return request.reply(.usage, "history: this is no item\n")
    }
    let targets = packed.parts.map(\.target)
    let saysSecret =
      switch KeepingRules.marking(of: targets, keeper.state.choice) {
      case .open: false
      case .secret: true
      case .hinted:
        packed.parts.contains {
          KeepingRules.isHint($0.target) && KeepingRules.saysSecret($0.bytes, of: $0.target)
        }
      }
    guard !saysSecret,
      KeepingRules.keepable(targets, keeper.state.choice).count == targets.count,
      !packed.parts.contains(where: { KeepingRules.resourceTypes.contains($0.typeName) })
    else {
      return request.reply(.nothing, "history: an item is marked, or has a type that is not kept\n")
    }
    var values: HistoryStore.Values = []
    for part in packed.parts {
      let bytes = KeptBytes(limit: keeper.state.limits.memory)
      var isWhole = true
      part.bytes.withUnsafeBytes { raw in
        do { try bytes.append(raw) } catch { isWhole = false }
      }
      guard isWhole else {
        return request.reply(.refused, "history: no memory left\n")
      }
      values.append(
        (part.target, KeptValue(bytes: bytes, typeName: part.typeName, format: part.format)))
    }
    let id = try store.record(
      values, origin: .init(isPinned: packed.isPinned, used: packed.used), now: wallClock)
    guard let id, try store.item(id) != nil else {
      return request.reply(.nothing, "history: an item is too large or too old\n")
    }
    request.reply(.done, "\(id)\n")
  }
}
