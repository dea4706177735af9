import SelectionProtocol
import Testing

private let clipboard = testAtoms.clipboard
private let text = Atom(200)
private let image = Atom(201)
private let number = Atom(202)
private let place = Atom(300)
private let requestor = Window(50)

/// Requests and their single answers: invariants 1 to 5, 7, 8 and 11 to 14 of `OwnerState`.
struct OwnerRequestTests {
  @Test(
    "1, 2: one notice, with the request's own fields", arguments: [0, 4_999, 5_000, 5_001, .max])
  func echo(time: UInt32) {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready([1, 2, 3]))])
    rig.request(requestor, text, place, time: time)
    #expect(rig.notices.count == 1)
    let event = SelectionRequest(
      owner: rig.window, requestor: requestor, selection: clipboard, target: text,
      property: place, time: ServerTime(time))
    #expect(rig.notices.first?.request == event)
    #expect(rig.notices.first?.property == place)
    #expect(rig[requestor, place] == StoredProperty(type: text, format: 8, bytes: [1, 2, 3]))
    rig.expectEmpty()
  }

  @Test("2: a request without property is answered in the one named as its target")
  func propertyNone() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready([7]))])
    rig.request(requestor, text, .none)
    #expect(rig.notices.map(\.property) == [text])
    #expect(rig[requestor, text]?.bytes == [7])
    #expect(rig.notices.first?.request.property == Atom.none)
  }

  @Test(
    "1: what is not on offer is refused, and what lay in its place stays", arguments: [0, 5_000])
  func unsupported(time: UInt32) {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready([7]))])
    rig.server.create(requestor)
    let junk = StoredProperty(type: number, format: 32, bytes: [0, 0, 0, 1])
    rig.server.store(TransferKey(window: requestor, property: place), junk, byOwner: false)
    rig.request(requestor, image, place, time: time)
    #expect(rig.notices.map(\.property) == [.none])
    #expect(rig[requestor, place] == junk)
    rig.expectEmpty()
  }

  @Test("1: what is not owned, or asked of another window, is refused")
  func notOwned() {
    var rig = OwnerRig()
    rig.request(requestor, text, place)
    rig.acquire([(AdvertisedTarget(text), .ready([7]))])
    rig.request(requestor, text, place, selection: .primary)
    rig.request(
      SelectionRequest(
        owner: Window(8), requestor: requestor, selection: clipboard, target: text,
        property: place, time: .current))
    rig.request(requestor, .none, place)
    rig.request(requestor, .none, .none)
    rig.request(requestor, testAtoms.multiple, .none)
    #expect(rig.notices.map(\.property) == [.none, .none, .none, .none, .none, .none])
    rig.expectEmpty()
  }

  @Test("1: a producer that fails refuses")
  func failingProducer() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .failing), (AdvertisedTarget(image), .pending)])
    rig.request(requestor, text, place)
    rig.request(requestor, image, place)
    rig.finish(rig.pending[0], nil)
    #expect(rig.notices.map(\.property) == [.none, .none])
    #expect(rig[requestor, place] == nil)
    rig.expectEmpty()
  }

  @Test("3: a failed store deletes what was stored, and refuses")
  func failedStore() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready(pattern(10)))])
    rig.failsNextStores = 1
    rig.request(requestor, text, place)
    #expect(rig.notices.map(\.property) == [.none])
    #expect(rig[requestor, place] == nil)
    rig.request(requestor, text, place)
    #expect(rig.notices.map(\.property) == [.none, place])
    rig.expectEmpty()
  }

  @Test("1: the numbers that stand for no window are answered nothing", arguments: [0, 1])
  func noRequestor(number: UInt32) {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready([7]))])
    for target in [text, testAtoms.targets, testAtoms.multiple] {
      rig.request(
        SelectionRequest(
          owner: rig.window, requestor: Window(number), selection: clipboard, target: target,
          property: place, time: .current))
    }
    #expect(rig.notices.isEmpty)
    #expect(rig.produced == 0)
    rig.expectEmpty()
  }

  @Test("15: an older time is served with what is there now, though the older content is under way")
  func earlierPeriod() {
    var rig = OwnerRig()
    rig.state.configuration.chunkSize = 16
    rig.acquire([(AdvertisedTarget(text), .ready(pattern(40)))], time: 5_000)
    rig.request(requestor, text, place)
    rig.acquire([(AdvertisedTarget(text), .ready([7]))], time: 6_000)
    let other = Window(51)
    for time: UInt32 in [1, 4_999, 5_000, 5_500, 5_999] {
      rig.request(other, text, place, time: time)
      #expect(rig[other, place]?.bytes == [7])
      rig.request(other, testAtoms.timestamp, place, time: time)
      #expect(rig[other, place]?.bytes == bytes([6_000]))
    }
    #expect(rig.notices.allSatisfy { $0.property == place })
    rig.server.destroy(requestor)
    rig.handleEvents()
    rig.expectEmpty()
  }

  @Test("3: bytes that cannot be had any more refuse")
  func unreadable() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready(pattern(10)))])
    rig.unreadable = true
    rig.request(requestor, text, place)
    #expect(rig.notices.map(\.property) == [.none])
    rig.expectEmpty()
  }

  @Test("4: equal requests are answered in order, though the first is made last")
  func order() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .pending), (AdvertisedTarget(image), .ready([1]))])
    let places = (0..<5).map { Atom(UInt32(310 + $0)) }
    for place in places { rig.request(requestor, text, place) }
    // Another target, another time and another window are lines of their own.
    rig.request(requestor, image, place)
    #expect(rig.notices.map(\.property) == [place])
    let products = rig.pending
    for index in [4, 2, 3] { rig.finish(products[index], [UInt8(index)]) }
    #expect(rig.notices.count == 1)
    rig.finish(products[1], nil)
    #expect(rig.notices.count == 1)
    rig.finish(products[0], [0])
    #expect(
      rig.notices.map(\.property) == [place, places[0], .none, places[2], places[3], places[4]])
    rig.expectEmpty()
  }

  @Test("5: TARGETS names the protocol's targets, then ours in order, once each, and never None")
  func targets() {
    var rig = OwnerRig()
    let offered = [image, text, .none, image, testAtoms.targets, testAtoms.saveTargets, number]
    rig.acquire(offered.map { (AdvertisedTarget($0), .ready([1])) }, storable: true)
    rig.request(requestor, testAtoms.targets, place)
    let list = rig[requestor, place]
    #expect(list?.type == .atom)
    #expect(list?.format == 32)
    let named = numbers(list?.bytes ?? []).map { Atom($0) }
    #expect(
      named == [
        testAtoms.targets, testAtoms.multiple, testAtoms.timestamp, testAtoms.saveTargets, image,
        text, number,
      ])
    // Everything that it names converts.
    for target in named where target != testAtoms.multiple {
      rig.request(requestor, target, place)
      #expect(rig.notices.last?.property == place, "\(target)")
    }
    rig.expectEmpty()
  }

  @Test("5: at most a hundred targets, and no other one converts")
  func manyTargets() {
    var rig = OwnerRig()
    let offered = (0..<300).map { Atom(UInt32(1_000 + $0)) }
    rig.acquire(offered.map { (AdvertisedTarget($0), .ready([1])) })
    rig.request(requestor, testAtoms.targets, place)
    #expect(numbers(rig[requestor, place]?.bytes ?? []).count == 103)
    rig.request(requestor, offered[99], place)
    rig.request(requestor, offered[100], place)
    #expect(rig.notices.map(\.property) == [place, place, .none])
  }

  @Test("5: SAVE_TARGETS only on the clipboard, and only where it may be stored")
  func saveTargets() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready([1]))], selection: .primary, storable: true)
    rig.request(requestor, testAtoms.saveTargets, place, selection: .primary)
    rig.acquire([(AdvertisedTarget(text), .ready([1]))])
    rig.request(requestor, testAtoms.saveTargets, place)
    #expect(rig.notices.map(\.property) == [.none, .none])
    rig.acquire([(AdvertisedTarget(text), .ready([1]))], storable: true)
    rig.request(requestor, testAtoms.saveTargets, place)
    #expect(rig.notices.last?.property == place)
    #expect(rig[requestor, place]?.type == testAtoms.null)
    #expect(rig[requestor, place]?.bytes == [])
  }

  @Test("TIMESTAMP is the unsigned time of the acquisition", arguments: [1, 0x8000_0001, .max])
  func timestamp(time: UInt32) {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready([1]))], time: time)
    rig.request(requestor, testAtoms.timestamp, place)
    #expect(
      rig[requestor, place] == StoredProperty(type: .integer, format: 32, bytes: bytes([time])))
  }

  @Test("7: a period that ended serves its requests to the end, and is released once")
  func endedPeriod() {
    var rig = OwnerRig()
    let first = rig.acquire([(AdvertisedTarget(text), .pending)])
    rig.request(requestor, text, place)
    let second = rig.acquire([(AdvertisedTarget(text), .ready([2]))], time: 5_001)
    #expect(rig.releasedPeriods == [])
    rig.request(Window(51), text, place)
    #expect(rig[Window(51), place]?.bytes == [2])
    rig.finish(rig.pending[0], [1])
    #expect(rig[requestor, place]?.bytes == [1])
    #expect(rig.releasedPeriods == [first])
    rig.perform(rig.state.relinquished(clipboard))
    #expect(rig.releasedPeriods == [first, second])
    rig.expectEmpty()
  }

  @Test("8: a clear from before the acquisition changes nothing; a later one ends it")
  func staleClear() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready([1]))])
    let serial = rig.server.serial
    #expect(rig.state.cleared(clipboard, window: rig.window, serial: serial - 1).lost == nil)
    #expect(rig.state.cleared(.primary, window: rig.window, serial: serial).lost == nil)
    #expect(rig.state.cleared(clipboard, window: Window(9), serial: serial).lost == nil)
    #expect(rig.state.currentPeriod(of: clipboard) != nil)
    let (lost, actions) = rig.state.cleared(clipboard, window: rig.window, serial: serial)
    #expect(lost != nil)
    rig.perform(actions)
    rig.request(requestor, text, place)
    #expect(rig.notices.map(\.property) == [.none])
    #expect(rig.releasedPeriods.count == 1)
    #expect(rig.state.cleared(clipboard, window: rig.window, serial: .max).lost == nil)
  }

  @Test("11: what is late is announced as INCR with one byte as lower bound")
  func announced() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .pending)])
    rig.request(requestor, text, place)
    rig.pass(399)
    #expect(rig.notices.isEmpty)
    rig.pass(1)
    #expect(rig.notices.map(\.property) == [place])
    #expect(
      rig[requestor, place] == StoredProperty(type: testAtoms.incr, format: 32, bytes: bytes([1])))
    rig.delete(requestor, place)
    #expect(rig[requestor, place] == nil)
    rig.finish(rig.pending[0], [9])
    #expect(rig[requestor, place]?.bytes == [9])
    rig.delete(requestor, place)
    #expect(rig[requestor, place]?.bytes == [])
    rig.delete(requestor, place)
    rig.expectEmpty()
    #expect(rig.delivered.count == 1)
  }

  @Test(
    "11: a product that fails after its announcement never ends the transfer",
    arguments: [false, true])
  func announcedThenFailed(isHeaderDeleted: Bool) {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .pending)])
    rig.request(requestor, text, place)
    rig.pass(400)
    if isHeaderDeleted { rig.delete(requestor, place) }
    let before = rig.server.stores.count
    rig.finish(rig.pending[0], nil)
    rig.handleEvents()
    #expect(rig[requestor, place] == nil)
    #expect(rig.server.stores.count == before)
    #expect(rig.delivered.isEmpty)
    rig.expectEmpty()
  }

  @Test("11: an announced product that never comes is given up at the hard deadline")
  func neverMade() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .pending)])
    rig.request(requestor, text, place)
    rig.pass(400)
    rig.delete(requestor, place)
    rig.pass(59_999)
    #expect(rig.state.isBusy)
    rig.pass(1)
    rig.expectEmpty()
    #expect(rig[requestor, place] == nil)
  }

  @Test(
    "11: what may answer late waits for the hard deadline, and only then is refused",
    arguments: [false, true])
  func answersLate(isDone: Bool) {
    var rig = OwnerRig()
    let deed = AdvertisedTarget(
      target: testAtoms.saveTargets, type: testAtoms.null, format: 32, answersLate: true)
    rig.acquire([(deed, .pending), (AdvertisedTarget(text), .pending)], selection: Atom(150))
    rig.request(requestor, deed.target, place, selection: Atom(150))
    rig.request(Window(51), text, place, selection: Atom(150))
    #expect(rig.askers[rig.pending[0]]?.property == place)
    rig.pass(400)
    #expect(rig.notices.map(\.request.target) == [text])
    rig.pass(59_599)
    #expect(rig.notices.count == 1)
    if isDone {
      rig.finish(rig.pending[0], [])
      #expect(rig[requestor, place] == StoredProperty(type: testAtoms.null, format: 32, bytes: []))
      #expect(rig.notices.last?.property == place)
    } else {
      rig.pass(1)
      #expect(rig.notices.last?.property == Atom.none)
      #expect(rig.notices.count == 2)
    }
    rig.finish(rig.pending.last ?? ProductID(rawValue: -1), [])
    rig.perform(rig.state.windowDestroyed(Window(51)))
    rig.expectEmpty()
  }

  @Test("12: beyond the limit requests are refused at once, in a line that waits too")
  func tooManyRequests() {
    var configuration = OwnerState.Configuration()
    configuration.requests = 8
    var rig = OwnerRig(configuration: configuration)
    rig.acquire([(AdvertisedTarget(text), .pending)])
    for index in 0..<1_000 { rig.request(requestor, text, Atom(UInt32(400 + index))) }
    #expect(rig.notices.count == 992)
    #expect(rig.notices.allSatisfy { $0.property == .none })
    for product in rig.pending { rig.finish(product, [1]) }
    #expect(rig.notices.count == 1_000)
    #expect(rig.notices.suffix(8).allSatisfy { $0.property != .none })
    rig.expectEmpty()
  }

  @Test("13: a second report of a product changes nothing", arguments: [true, false])
  func reportedTwice(isLarge: Bool) {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 8
    var rig = OwnerRig(configuration: configuration)
    rig.acquire([(AdvertisedTarget(text), .pending)])
    rig.request(requestor, text, Atom(310))
    rig.request(requestor, text, Atom(311))
    // The second waits behind the first, so its report can come twice before it is stored.
    let second = rig.pending[1]
    rig.finish(second, isLarge ? pattern(20) : [1, 2])
    rig.perform(rig.state.produced(second, byteCount: isLarge ? 2 : 20, now: rig.now))
    rig.perform(rig.state.produced(second, byteCount: nil, now: rig.now))
    rig.finish(rig.pending[0], [1])
    #expect(rig.notices.map(\.property) == [Atom(310), Atom(311)])
    #expect(rig[requestor, Atom(311)]?.type == (isLarge ? testAtoms.incr : text))
    rig.perform(rig.state.windowDestroyed(requestor))
    rig.expectEmpty()
  }

  @Test(
    "14: what is no whole number of items is a failure", arguments: [16, 32], [1, 2, 3, 4, 6, -4])
  func wholeItems(format: Int, count: Int) {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(number, format: format), .pending)])
    rig.request(requestor, number, place)
    let product = rig.pending[0]
    rig.products[product] = .some(pattern(max(0, count)))
    rig.perform(rig.state.produced(product, byteCount: count, now: rig.now))
    let isWhole = count >= 0 && count % (format / 8) == 0
    #expect(rig.notices.map(\.property) == [isWhole ? place : .none])
    rig.expectEmpty()
  }

  @Test("1: no notice is owed to a window that is gone; everything else is released")
  func windowGone() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .pending)])
    rig.request(requestor, text, place)
    rig.request(requestor, text, Atom(301))
    rig.server.destroy(requestor)
    rig.finish(rig.pending[0], [1])
    #expect(rig.notices.isEmpty)
    rig.expectEmpty()
  }

  @Test("delivery is told after the notice")
  func deliveryAfterNotice() {
    var rig = OwnerRig()
    rig.acquire([(AdvertisedTarget(text), .ready([1]))])
    rig.server.create(requestor)
    let request = SelectionRequest(
      owner: rig.window, requestor: requestor, selection: clipboard, target: text,
      property: place, time: .current)
    var actions = rig.state.requested(request, now: rig.now)
    guard case .produce(let product, _, _, _) = actions.first else {
      Issue.record("no product was asked for")
      return
    }
    actions = rig.state.produced(product, byteCount: 1, now: rig.now)
    guard case .store(let id, _, _) = actions.last else {
      Issue.record("nothing was stored")
      return
    }
    actions = rig.state.stored(id, .stored(serials: [1]), now: rig.now)
    let notice = actions.firstIndex { if case .notify = $0 { true } else { false } }
    let delivery = actions.firstIndex { if case .delivered = $0 { true } else { false } }
    #expect(notice != nil && delivery != nil)
    #expect(notice ?? 0 < delivery ?? 0)
  }
}
