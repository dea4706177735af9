/// An owner of selections: answers requests and runs the transfers that follow (ICCCM 2.1–2.3, 2.5–2.7).
///
/// One value serves every selection of a connection. It knows neither bytes nor a display: it names products by
/// number, and asks for what has to be done by `OwnerAction`.
///
/// Invariants
///  1. Every request gets exactly one `notify`, unless its window is known to be gone.
///  2. `notify` repeats the request's selection, target, time and requestor; the property is the one that was
///     stored (the target's name where the request named none), or None.
///  3. A positive `notify` comes only after the server confirmed all stores of the request. If it had no memory for
///     one, all of them are deleted and the request is refused; later ones are stored in smaller pieces.
///  4. Requests alike in requestor, selection, target and time are answered in the order of their arrival, except
///     those that invariant 12 refuses.
///  5. TARGETS names exactly what would be converted, without duplicate and without None.
///  6. In MULTIPLE each entry stands for itself; a failed one becomes None in both halves, and the list keeps its
///     length and type. That holds for one too whose property the server refuses (it names no atom). Nested MULTIPLE, a property None and a property used before (the list's own included) fail.
///     INCRs of one MULTIPLE run side by side.
///  7. A period that ended is kept until its last request and transfer are over, and serves them to the end.
///  8. A `SelectionClear` older than the acquisition (by serial) is stale and changes nothing.
///  9. Watches are balanced: one for each transfer from before its header is stored until it is over.
///     A deletion counts only if it happened after the last store of the transfer.
/// 10. A new request on the place of a running transfer takes its place; other transfers go on.
/// 11. The first answer leaves within `softDeadline`: what is not made by then is announced as INCR, with one byte
///     as lower bound, and follows when it is there. A product that fails after that never ends its transfer.
///     Only a target that says so (`answersLate`) is waited for, until `hardDeadline`, and then refused.
/// 12. Beyond the limits a request is refused at once, not queued. One client alone cannot use them up, as long as
///     the numbers of windows tell clients apart.
/// 13. A product is reported once: what comes after that changes nothing.
/// 14. Every product is released once, and every period whose references are gone.
/// 15. A request is served from the content that is owned now, whatever time it bears: an older time is a mistake of
///     the requestor (some send the time of the last event they saw), who wants what is there. Content of an earlier
///     period is never an answer, though it may still be under way to somebody (ICCCM 2.2 leaves both open).
///
/// ```
///  request ─▶ converting ──all ready──▶ queued ──first in line──▶ storing ──confirmed──▶ notify(property)
///                 │                                                  └──────failed─────▶ notify(None)
///                 └── refused: notify(None) in line
/// ```
public struct OwnerState: Sendable {
  /// Limits and times of an owner. Times are in milliseconds, sizes in bytes.
  public struct Configuration: Sendable {
    /// The most bytes in one property; what is larger goes by INCR.
    public var chunkSize = 258_048
    public var softDeadline: Int64 = 400
    /// How long a product may take after its INCR was announced, or where it may answer late.
    public var hardDeadline: Int64 = 60_000
    public var idleLimit: Int64 = 30_000
    public var transfersPerWindow = 256
    public var transfers = 1_024
    public var requests = 2_048
    public var pairs = 1_024
    /// Of the above, how many one client may have.
    public var transfersPerClient = 512
    public var requestsPerClient = 1_024
    /// The bits of a window's number that say which client made it; zero where that is not known.
    public var clientMask: UInt32 = 0
    /// The most targets that are advertised; some requestors read no more than two hundred.
    public var targets = 100

    public init() {}
  }

  struct Period {
    let id: PeriodID
    let selection: Atom
    let window: Window
    let time: ServerTime
    let serial: UInt64
    let targets: [AdvertisedTarget]
    let storable: Bool
    var isCurrent = true
    var references = 0
  }

  struct Conversion {
    enum Progress: Equatable {
      case producing(ProductID)
      case ready(PropertyContent)
      case announced(ProductID)
      case incremental(ProductID, byteCount: Int)
      case failed
    }
    var target: Atom
    var property: Atom
    var type: Atom
    var format: Int
    var targetIndex: Int?
    var answersLate = false
    var progress: Progress
    /// Whether an INCR header was asked to be stored, whatever became of the product since.
    var headerIsStored = false
  }

  struct Request {
    let id: RequestID
    let event: SelectionRequest
    /// Where a single answer is stored: the request's property, or the target's name.
    let property: Atom
    let period: PeriodID?
    var conversions: [Conversion] = []
    /// The pair list of MULTIPLE as read, its type, and where each entry's conversion stands.
    var pairs: [UInt32]?
    var pairsType = Atom.none
    var isWaitingForPairs = false
    var isRefused = false
    var isStoring = false
    /// The most bytes in one property of a transfer that follows.
    var chunkSize = 0
    let softDeadline: Instant
    let hardDeadline: Instant

    /// Whether some of the bytes are still being made, unannounced.
    var isProducing: Bool { conversions.contains(where: \.isProducing) }

    /// When something has to happen although the bytes are still being made.
    var deadline: Instant? {
      var earliest: Instant?
      for conversion in conversions where conversion.isProducing {
        guard conversion.answersLate else { return softDeadline }
        earliest = hardDeadline
      }
      return earliest
    }
  }

  struct Transfer {
    var state: OutgoingTransfer
    let product: ProductID
    var type: Atom
    let format: Int
    let period: PeriodID
    let targetIndex: Int
    /// Request numbers of the header's store, and of the last one.
    let firstSerial: UInt64
    var lastSerial: UInt64
  }

  struct Line: Hashable {
    let requestor: Window
    let selection: Atom
    let target: Atom
    let time: ServerTime
  }

  let atoms: ProtocolAtoms
  public var configuration: Configuration
  var current: [Atom: PeriodID] = [:]
  var periods: [PeriodID: Period] = [:]
  var requests: [RequestID: Request] = [:]
  var lines: [Line: [RequestID]] = [:]
  var transfers: [TransferKey: Transfer] = [:]
  var transfersOnWindow: [Window: Int] = [:]
  /// By what the windows of one client have in common.
  var transfersOfClient: [Window: Int] = [:]
  var requestsOfClient: [Window: Int] = [:]
  /// Which request, or which transfer, waits for a product.
  var productOwners: [ProductID: ProductOwner] = [:]
  /// Whether the server ever had no memory for a store.
  var isMemoryShort = false
  private var nextNumber = 1
  /// A lower bound of all deadlines, so that nobody has to look at each of them for every event.
  private var nextCheck: Instant?

  enum ProductOwner {
    case request(RequestID, entry: Int)
    case transfer(TransferKey)
  }

  public init(atoms: ProtocolAtoms, configuration: Configuration = Configuration()) {
    self.atoms = atoms
    self.configuration = configuration
  }

  mutating func number() -> Int {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// What all windows of the client have in common that made this one; `nil` where that cannot be said.
  func client(of window: Window) -> Window? {
    configuration.clientMask == 0 ? nil : Window(window.rawValue & configuration.clientMask)
  }

  // MARK: Acquiring and losing

  /// The server confirmed that `window` owns `selection`.
  ///
  /// - Parameters:
  ///   - time: The time used to acquire, which TIMESTAMP repeats.
  ///   - serial: Request number of the `SetSelectionOwner`.
  ///   - targets: In the order in which TARGETS names them; a target that stands twice counts once.
  ///   - storable: Whether a clipboard manager may be asked to keep the content (SAVE_TARGETS).
  public mutating func acquired(
    _ selection: Atom, window: Window, time: ServerTime, serial: UInt64,
    targets: [AdvertisedTarget], storable: Bool
  ) -> (period: PeriodID, actions: [OwnerAction]) {
    let actions = retire(selection)
    let isStorable = storable && selection == atoms.clipboard
    // No `Set`: the first use of one costs more than to search the few that are advertised.
    var seen: [Atom] = [.none, atoms.targets, atoms.multiple, atoms.timestamp]
    // A clipboard manager's own selection has SAVE_TARGETS as a target like any other.
    if isStorable { seen.append(atoms.saveTargets) }
    let fixed = seen.count
    // Places are kept, since they name the content: a target that may not be asked for becomes None.
    let unique = targets.map { target in
      guard seen.count - fixed < configuration.targets, !seen.contains(target.target) else {
        return AdvertisedTarget(target: .none, type: .none)
      }
      seen.append(target.target)
      return target
    }
    let period = Period(
      id: PeriodID(rawValue: number()), selection: selection, window: window, time: time,
      serial: serial, targets: unique, storable: isStorable)
    periods[period.id] = period
    current[selection] = period.id
    return (period.id, actions)
  }

  /// Another client took the selection, or the server says so.
  ///
  /// - Returns: Whether it ended a period, and what follows.
  public mutating func cleared(
    _ selection: Atom, window: Window, serial: UInt64
  ) -> (lost: PeriodID?, actions: [OwnerAction]) {
    guard let id = current[selection], let period = periods[id], period.window == window,
      serial >= period.serial
    else { return (nil, []) }
    return (id, retire(selection))
  }

  /// This client gave the selection up.
  public mutating func relinquished(_ selection: Atom) -> [OwnerAction] { retire(selection) }

  /// The period in which `selection` is owned now.
  public func currentPeriod(of selection: Atom) -> PeriodID? { current[selection] }

  /// The selections that are owned now with that window.
  public func selections(ownedBy window: Window) -> [Atom] {
    current.filter { periods[$0.value]?.window == window }.keys.sorted { $0.rawValue < $1.rawValue }
  }

  /// When `selection` was acquired, by the server's clock.
  public func acquisitionTime(of selection: Atom) -> ServerTime? {
    current[selection].flatMap { periods[$0]?.time }
  }

  /// Whether an answer or a transfer is still owed to anybody.
  public var isBusy: Bool { !requests.isEmpty || !transfers.isEmpty }

  /// Requests that are not answered yet.
  public var requestCount: Int { requests.count }
  /// Transfers under way.
  public var transferCount: Int { transfers.count }

  /// When `deadlinePassed` has to be called at the latest; it may turn out that nothing was due yet.
  public var deadline: Instant? { nextCheck }

  mutating func consider(_ instant: Instant) { nextCheck = min(nextCheck ?? instant, instant) }

  mutating func recomputeDeadline() {
    nextCheck = nil
    for request in requests.values { if let deadline = request.deadline { consider(deadline) } }
    for transfer in transfers.values { consider(transfer.state.deadline) }
  }

  /// Nobody wakes up for the deadlines of what is over.
  mutating func forgetDeadlineIfIdle() { if !isBusy { nextCheck = nil } }

  mutating func retire(_ selection: Atom) -> [OwnerAction] {
    guard let id = current.removeValue(forKey: selection) else { return [] }
    periods[id]?.isCurrent = false
    return releaseIfUnused(id)
  }

  mutating func retain(_ id: PeriodID) { periods[id]?.references += 1 }

  mutating func release(_ id: PeriodID) -> [OwnerAction] {
    periods[id]?.references -= 1
    return releaseIfUnused(id)
  }

  private mutating func releaseIfUnused(_ id: PeriodID) -> [OwnerAction] {
    guard let period = periods[id], !period.isCurrent, period.references <= 0 else { return [] }
    periods[id] = nil
    return [.releasePeriod(id)]
  }
}
