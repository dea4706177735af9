internal import Glibc
internal import HelperControl
internal import SelectionProtocol
internal import XlibTransport

/// The history of a running helper: what is recorded, and when it is deleted.
///
/// Recording waits for a moment, so that whoever waits for the answer to a wish to save has it before the disk is
/// written to. Whoever asks for something of the history sees everything up to that moment.
final class RunningHistory {
  private struct Pending {
    var copy: CopyID?
    var values: HistoryStore.Values
    /// Whether the content comes from PRIMARY, which grows while somebody selects.
    var mayGrow = false
  }

  let keeper: Keeper
  private(set) var settings: HistorySettings
  private let fixedFolder: HistoryFolder?
  private(set) var store: HistoryStore?
  private(set) var problem: String?
  private var lastComplaint: String?
  private var failures = 0
  private var pending: [Pending] = []
  private var flushAt: Instant?
  /// The item of the last copy, and when it was made.
  private var last: (copy: CopyID, item: Int64, at: Instant)?
  private var expiry: Instant?
  private var login: LoginSignals?

  /// Told what the user chose for the clipboard.
  var onChosen: ((HistoryStore.Values) -> Void)?

  /// Milliseconds in which the clearing of a copy deletes its item.
  private static let regret: Int64 = 60_000
  /// Milliseconds until a copy is recorded.
  private static let delay: Int64 = 30

  init(keeper: Keeper, settings: HistorySettings, folder: HistoryFolder? = nil) {
    self.keeper = keeper
    self.settings = settings
    fixedFolder = folder
    keeper.onContent = { [weak self] in self?.add(Pending(copy: $0, values: $1)) }
    keeper.onCleared = { [weak self] in self?.cleared($0) }
  }

  /// Milliseconds since 1970.
  var wallClock: Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  // MARK: On and off

  /// Where it is on disk; `nil` where that is not known, or it is kept in memory.
  var folder: HistoryFolder? {
    switch settings.storage {
    case .memory: nil
    case .disk: fixedFolder ?? .standard()
    case .runtime: .runtime()
    }
  }

  var isOn: Bool { store != nil }

  /// Where the file is, while there is one.
  var place: String? { isOn ? folder?.file : nil }

  /// Opens the history where it is turned on.
  func start() {
    if let folder, folder.isEnabled { open() }
    watchLogin()
  }

  /// Remembers copies from now on.
  func turnOn() {
    open()
    watchLogin()
  }

  private func open() {
    do throws(HistoryError) {
      let opened = try HistoryStore(folder, limits: settings.limits, now: wallClock)
      store = opened
      problem = opened.movedAside.map { "a damaged file was moved to \($0)" }
    } catch {
      store = nil
      problem = error.description
    }
    // Once, though every copy meets it.
    if let problem, problem != lastComplaint { HelperDaemon.complain("history: \(problem)") }
    lastComplaint = problem
    refresh()
  }

  /// Forgets everything, and remembers nothing from now on.
  func disable() throws(HistoryError) {
    store = nil
    last = nil
    problem = nil
    pending = []
    flushAt = nil
    try folder?.erase()
    refresh()
  }

  /// Other settings hold from now on.
  func adopt(_ new: HistorySettings) {
    flush()
    let wasElsewhere = new.storage != settings.storage
    settings = new
    if wasElsewhere {
      store = nil
      last = nil
      start()
    } else {
      store?.limits = new.limits
      try? store?.trim(now: wallClock)
      watchLogin()
    }
    refresh()
  }

  /// The helper ends.
  ///
  /// - Parameter isLogout: Whether the session may have ended too, rather than that a successor took over.
  func end(isLogout: Bool) {
    flush()
    if isLogout, settings.wipes.contains(.logout) { wipe() }
    store = nil
  }

  private func wipe() {
    pending = []
    last = nil
    do throws(HistoryError) {
      try store?.purge(last: nil)
    } catch {
      problem = error.description
    }
    refresh()
  }

  /// One line for a report.
  var summary: String {
    let state = isOn ? "on" : "off"
    return [state, problem, failures > 0 ? "\(failures) copies could not be recorded" : nil]
      .compactMap(\.self).joined(separator: "; ")
  }

  // MARK: Recording

  /// Remembers what was taken over from PRIMARY.
  func followed(_ values: HistoryStore.Values) {
    add(Pending(copy: nil, values: values, mayGrow: true))
  }

  private func add(_ new: Pending) {
    guard isOn else { return }
    pending.append(new)
    flushAt = flushAt ?? .now + Self.delay
  }

  /// Records what waits for it.
  func flush() {
    flushAt = nil
    let waiting = pending
    pending = []
    guard isOn, !waiting.isEmpty else { return }
    if let folder, !folder.isEnabled {
      // Whoever takes the file away turns the history off.
      store = nil
      problem = "its file was removed"
    }
    for copy in waiting {
      do throws(HistoryError) {
        try record(copy)
      } catch {
        failures += 1
        problem = error.description
        guard error.code == .damaged else { continue }
        // Opening it anew moves the damaged file aside.
        store = nil
        last = nil
        open()
        do throws(HistoryError) { try record(copy) } catch { problem = error.description }
      }
    }
    refresh()
  }

  private func record(_ copy: Pending) throws(HistoryError) {
    let replaced = last.flatMap { $0.copy == copy.copy ? $0.item : nil }
    guard
      let item = try store?.record(
        copy.values, replacing: replaced, mayGrow: copy.mayGrow, now: wallClock)
    else { return }
    last = copy.copy.map { ($0, item, .now) }
  }

  /// Whoever empties what it just copied does not want it remembered.
  private func cleared(_ copy: CopyID) {
    pending.removeAll { $0.copy == copy }
    guard let store, let last, last.copy == copy, Instant.now < last.at + Self.regret else {
      return
    }
    self.last = nil
    do throws(HistoryError) {
      try store.delete([last.item])
    } catch {
      problem = error.description
    }
    refresh()
  }

  // MARK: Time

  var deadline: Instant? { [expiry, flushAt].compactMap(\.self).min() }

  func runDeadlines(now: Instant) {
    if let flushAt, flushAt <= now { flush() }
    guard let expiry, expiry <= now else { return }
    do throws(HistoryError) {
      try store?.trim(now: wallClock)
      refresh()
    } catch {
      problem = error.description
      // Whoever holds the file may have let it go by then.
      self.expiry = now + 60_000
    }
  }

  /// Finds out when the next item is too old.
  func refresh() {
    expiry = nil
    guard let store else { return }
    do throws(HistoryError) {
      expiry = try store.nextExpiry().map { .now + min(86_400_000, max(1, $0 - wallClock)) }
    } catch {
      problem = error.description
    }
  }

  // MARK: The session

  /// What has to be watched for `serveLogin`.
  var descriptor: CInt? { login?.descriptor }

  private func watchLogin() {
    let isWanted = isOn && !settings.wipes.isDisjoint(with: [.lock, .suspend])
    if !isWanted {
      login = nil
    } else if login == nil {
      login = LoginSignals()
      if login == nil {
        HelperDaemon.complain("history: no bus tells when the session is locked or suspended")
      }
    }
  }

  /// Deals with what the login manager says.
  func serveLogin() {
    guard let login else { return }
    for signal in login.take() where settings.wipes.contains(signal) { wipe() }
    if login.isOver { self.login = nil }
  }
}
