internal import Glibc
internal import HelperControl
internal import SelectionProtocol
internal import XlibTransport

/// The history of a running helper: what is recorded, and what is asked for.
final class RunningHistory {
  private let keeper: Keeper
  private let folder: HistoryFolder?
  private(set) var store: HistoryStore?
  private var problem: String?
  private var failures = 0
  /// The item of the last copy, and when it was made.
  private var last: (copy: CopyID, item: Int64, at: Instant)?
  private(set) var deadline: Instant?

  /// Milliseconds in which the clearing of a copy deletes its item.
  private static let regret: Int64 = 60_000

  init(keeper: Keeper, folder: HistoryFolder? = .standard()) {
    self.keeper = keeper
    self.folder = folder
    keeper.onContent = { [weak self] in self?.record($0, $1) }
    keeper.onCleared = { [weak self] in self?.cleared($0) }
  }

  /// Milliseconds since 1970.
  private var wallClock: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Opens the history where it is turned on.
  func start() {
    guard let folder, folder.isEnabled else { return }
    open(folder)
  }

  private func open(_ folder: HistoryFolder) {
    do throws(HistoryError) {
      let opened = try HistoryStore(folder, now: wallClock)
      store = opened
      problem = opened.movedAside.map { "a damaged file was moved to \($0)" }
    } catch {
      store = nil
      problem = error.description
    }
    if let problem { HelperDaemon.complain("history: \(problem)") }
    refresh()
  }

  /// One line for a report.
  var summary: String {
    let state = store == nil ? "off" : "on"
    return [state, problem, failures > 0 ? "\(failures) copies could not be recorded" : nil]
      .compactMap(\.self).joined(separator: "; ")
  }

  // MARK: Recording

  private func record(_ copy: CopyID, _ values: [(target: String, value: KeptValue)]) {
    guard let store else { return }
    do {
      let replaced = last.flatMap { $0.copy == copy ? $0.item : nil }
      if let item = try store.record(values, replacing: replaced, now: wallClock) {
        last = (copy, item, .now)
      }
    } catch {
      failures += 1
      problem = error.description
    }
    refresh()
  }

  /// Whoever empties what it just copied does not want it remembered.
  private func cleared(_ copy: CopyID) {
    guard let store, let last, last.copy == copy, Instant.now < last.at + Self.regret else {
      return
    }
    self.last = nil
    _ = try? store.delete([last.item])
    refresh()
  }

  func runDeadlines(now: Instant) {
    guard let deadline, deadline <= now else { return }
    try? store?.trim(now: wallClock)
    refresh()
  }

  private func refresh() {
    let expiry = (try? store?.nextExpiry()).flatMap(\.self)
    deadline = expiry.map { .now + max(1, $0 - wallClock) }
  }

  // MARK: Requests

  func handle(_ request: ControlServer.Request) {
    guard let verb = request.arguments.first else {
      return request.reply(.usage, "history: what? (--help tells)\n")
    }
    let arguments = Array(request.arguments.dropFirst())
    do throws(HistoryError) {
      switch verb {
      case "enable" where arguments.isEmpty: try enable(request)
      case "disable" where arguments.isEmpty: try disable(request)
      case "list", "search", "show", "select", "delete", "purge", "pin", "unpin":
        guard let store else {
          let reason = problem.map { ": \($0)" } ?? "; history enable turns it on"
          return request.reply(.refused, "the history is off\(reason)\n")
        }
        try use(store, verb, arguments, request)
        refresh()
      default:
        request.reply(.usage, "history \(verb): no such verb, or too many arguments\n")
      }
    } catch {
      request.reply(.refused, "history: \(error.description)\n")
    }
  }

  private func enable(_ request: ControlServer.Request) throws(HistoryError) {
    guard let folder else {
      return request.reply(.refused, "history: neither XDG_DATA_HOME nor HOME says where\n")
    }
    if store == nil { open(folder) }
    guard store != nil else {
      return request.reply(.refused, "history: \(problem ?? "cannot be opened")\n")
    }
    request.reply(
      .done,
      "copies are remembered in \(folder.file), unencrypted, for this user only; "
        + "history disable forgets them\n")
  }

  private func disable(_ request: ControlServer.Request) throws(HistoryError) {
    guard let folder else { return request.reply(.done, "the history is off\n") }
    store = nil
    last = nil
    problem = nil
    try folder.erase()
    refresh()
    request.reply(.done, "the history is off, and what it held is deleted\n")
  }

  private func use(
    _ store: HistoryStore, _ verb: String, _ arguments: [String], _ request: ControlServer.Request
  ) throws(HistoryError) {
    let numbers = arguments.map { Int64($0) }
    func misuse() { request.reply(.usage, "history \(verb): not the arguments it takes\n") }
    switch verb {
    case "list":
      let isJSON = arguments.last == "--json"
      let counts = isJSON ? arguments.dropLast() : arguments[...]
      guard counts.count <= 1, let limit = counts.isEmpty ? 50 : numbers[0], limit > 0 else {
        return misuse()
      }
      let items = try store.list(limit: limit)
      request.reply(.done, try isJSON ? json(items, store) : lines(items))
    case "search":
      guard !arguments.isEmpty else { return misuse() }
      let items = try store.search(arguments.joined(separator: " "), limit: 200)
      request.reply(items.isEmpty ? .nothing : .done, lines(items))
    case "show":
      guard (1...2).contains(arguments.count), let id = numbers[0] else { return misuse() }
      let all = try store.representations(of: id)
      let wanted = arguments.count == 2 ? arguments[1] : all.first?.target
      guard let found = all.first(where: { $0.target == wanted }) else {
        return request.reply(.nothing, "history: item \(id) has no such content\n")
      }
      request.send(.done, found.bytes)
    case "select":
      guard arguments.count == 1, let id = numbers[0] else { return misuse() }
      try select(id, store, request)
    case "delete":
      let ids = numbers.compactMap(\.self)
      guard !ids.isEmpty, ids.count == arguments.count else { return misuse() }
      let count = try store.delete(ids)
      request.reply(count == 0 ? .nothing : .done, "\(count) deleted\n")
    case "purge":
      guard arguments.count <= 1, arguments.isEmpty || (numbers[0] ?? 0) > 0 else {
        return misuse()
      }
      request.reply(.done, "\(try store.purge(last: numbers.first ?? nil)) deleted\n")
    default:
      guard arguments.count == 1, let id = numbers[0] else { return misuse() }
      let isThere = try store.pin(id, verb == "pin")
      request.reply(
        isThere ? .done : .nothing, isThere ? "\(verb)ned \(id)\n" : "history: no item \(id)\n")
    }
  }

  private func select(
    _ id: Int64, _ store: HistoryStore, _ request: ControlServer.Request
  ) throws(HistoryError) {
    let all = try store.representations(of: id)
    guard !all.isEmpty else { return request.reply(.nothing, "history: no item \(id)\n") }
    var values: [(target: String, value: KeptValue)] = []
    for one in all {
      let bytes = KeptBytes(limit: keeper.state.limits.memory)
      do { try bytes.append(one.bytes) } catch {
        return request.reply(.refused, "history: no memory left\n")
      }
      values.append(
        (one.target, KeptValue(bytes: bytes, typeName: one.typeName, format: one.format)))
    }
    guard keeper.offer(values) else {
      return request.reply(.refused, "the clipboard could not be had\n")
    }
    _ = try store.record(values, now: wallClock)
    request.reply(.done, "item \(id) is on the clipboard\n")
  }

  private func lines(_ items: [HistoryStore.Item]) -> String {
    items.map { "\($0.id)\t\($0.preview)\n" }.joined()
  }

  private func json(
    _ items: [HistoryStore.Item], _ store: HistoryStore
  ) throws(HistoryError) -> String {
    var result = ""
    for item in items {
      let types = try store.targets(of: item.id).map(RunningHelper.quoted).joined(separator: ",")
      result += """
        {"id":\(item.id),"pinned":\(item.isPinned),"used":\(item.used),"bytes":\(item.bytes),\
        "types":[\(types)],"preview":\(RunningHelper.quoted(item.preview))}

        """
    }
    return result
  }
}
