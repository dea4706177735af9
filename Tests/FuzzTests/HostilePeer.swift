import SelectionProtocol

@testable import XlibTransport

/// A client that does whatever the server lets it do to another one, at random: asks, answers, writes, deletes, lies.
struct HostilePeer {
  private let x: XConnection
  private var random: SplitMix
  private var windows: [Window]
  private let atoms: [Atom]
  private let selections: (asked: Atom, owned: Atom)
  /// Windows of the other client, as far as it has shown them.
  private var others: [Window]
  private(set) var requestsSeen = 0

  private static let names = [
    "TARGETS", "MULTIPLE", "TIMESTAMP", "INCR", "SAVE_TARGETS", "ATOM", "ATOM_PAIR", "INTEGER",
    "UTF8_STRING", "STRING", "text/plain", "X11PASTEBOARD_DATA", "X11PASTEBOARD_CHUNK", "NULL",
    "DELETE",
    "WM_PROTOCOLS", "X11PASTEBOARD_TIME", "CARDINAL", "COMPOUND_TEXT", "a\u{1B}b",
  ]

  /// - Parameters:
  ///   - asked: The selection that the other client owns.
  ///   - owned: The one that this client owns.
  init(display: String, asked: String, owned: String, seed: UInt64) throws(DisplayError) {
    x = try XConnection(name: display, ignoresKeyboard: false)
    random = SplitMix(seed: seed)
    atoms = x.internAtoms(Self.names)
    let interned = x.internAtoms([asked, owned])
    selections = (interned[0], interned[1])
    let mask = EventMask.propertyChange | EventMask.structure
    windows = [0, 1, 2].map { [x] _ in x.createWindow(mask: mask) }
    others = [x.owner(of: interned[0])]
    x.setOwner(of: interned[1], to: windows[0], time: ServerTime(0))
    x.synchronize()
  }

  /// Does one thing, after it has answered what has come.
  mutating func step() {
    while x.eventCount() > 0, let event = x.nextEvent() { react(event) }
    while x.takeError() != nil {}
    switch Int.random(in: 0..<16, using: &random) {
    case 0...3: ask()
    case 4, 5: write(pick(others), atom())
    case 6: write(pick(windows), atom())
    case 7: x.deleteProperty(pick(random.chance(50) ? others : windows), atom())
    case 8:
      x.sendMessage(
        to: pick(others), about: pick(others + windows), type: atom(),
        mask: random.chance(50) ? 0 : -1,
        data: (0..<5).map { _ in number() })
    case 9: lie()
    case 10:
      let place = Int.random(in: 1..<windows.count, using: &random)
      x.destroyWindow(windows[place])
      windows[place] = x.createWindow(mask: EventMask.propertyChange | EventMask.structure)
    case 11 where others.count > 1 && random.chance(20): x.destroyWindow(others.removeLast())
    case 12: x.setOwner(of: selections.owned, to: windows[0], time: ServerTime(0))
    case 13 where random.chance(30):
      x.setOwner(of: selections.owned, to: .none, time: ServerTime(0))
    default: x.synchronize()
    }
    x.flush()
  }

  /// Ends, with all windows, in the midst of whatever is under way.
  func close() { x.close() }

  private mutating func ask() {
    let requestor = pick(windows)
    let place = atom()
    if random.chance(60) { write(requestor, place) }
    let target = random.chance(30) ? atoms[1] : atom()
    x.convert(
      selections.asked, to: target, property: random.chance(90) ? place : .none,
      requestor: requestor,
      time: ServerTime(random.chance(80) ? 0 : number()))
  }

  private mutating func react(_ event: ServerEvent) {
    switch event {
    case .selectionRequest(let request):
      requestsSeen += 1
      others.append(request.requestor)
      if others.count > 8 { others.remove(at: 1) }
      answer(request)
    case .propertyDeleted(let window, let property, _):
      // A chunk is taken: perhaps the next one follows.
      if random.chance(80) { write(window, property) }
    case .selectionNotify(let requestor, _, let property):
      if random.chance(80) { x.deleteProperty(requestor, property) }
    default: break
    }
  }

  private mutating func answer(_ request: SelectionRequest) {
    if random.chance(10) { return }
    var place = request.property
    if random.chance(5) { place = atom() }
    if random.chance(25) {
      let sizes: [UInt32] = [0, 1, 100, 0x7FFF_FFFF, 0xFFFF_FFFF]
      x.changeProperty(
        request.requestor, place, type: atoms[3],
        numbers: Array(repeating: pick(sizes), count: Int.random(in: 0..<3, using: &random)))
      x.selectInput(request.requestor, mask: EventMask.propertyChange)
    } else if random.chance(85) {
      write(request.requestor, place)
    }
    for _ in 0..<(random.chance(90) ? 1 : 3) {
      x.notify(request, property: random.chance(90) ? place : .none)
    }
    if random.chance(50) { write(request.requestor, place) }
  }

  /// Writes something into a property, perhaps in place of a chunk.
  private mutating func write(_ window: Window, _ property: Atom) {
    let format = pick([8, 8, 16, 32, 32])
    let counts = [0, 0, 1, 2, 3, 4, 5, 8, 63, 64, 1_000, 70_000]
    let wanted = pick(counts)
    var numbers = (0..<min(wanted, 64)).map { _ in random.chance(60) ? atom().rawValue : number() }
    while numbers.count < wanted { numbers += numbers }
    numbers.withUnsafeBytes { raw in
      let count = raw.count / 4 * format / 8
      x.changeProperty(
        window, property, type: atom(), format: format,
        bytes: UnsafeRawBufferPointer(rebasing: raw[..<count]), append: random.chance(10))
    }
  }

  /// Tells of what has not happened.
  private mutating func lie() {
    let request = SelectionRequest(
      owner: pick(others), requestor: pick(others + windows),
      selection: random.chance(50) ? selections.asked : atom(),
      target: atom(), property: atom(), time: ServerTime(number()))
    x.notify(request, property: random.chance(50) ? .none : atom())
  }

  private mutating func number() -> UInt32 {
    switch Int.random(in: 0..<4, using: &random) {
    case 0: return pick([0, 1, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, 0x1FFF_FFFF])
    case 1: return pick(others + windows).rawValue
    default: return UInt32.random(in: 0 ... .max, using: &random)
    }
  }

  private mutating func atom() -> Atom { pick(atoms) }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: 0..<elements.count, using: &random)]
  }
}

extension SplitMix {
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}
