import SelectionProtocol
import Testing

private let text = Atom(200)
private let image = Atom(201)
private let missing = Atom(299)
private let list = Atom(320)
private let requestor = Window(50)

/// MULTIPLE: invariant 6 of `OwnerState`.
struct OwnerMultipleTests {
  private func rig(_ image: OwnerRig.Source = .ready([9, 9])) -> OwnerRig {
    var rig = OwnerRig()
    rig.acquire([
      (AdvertisedTarget(text), .ready([1, 2, 3])), (AdvertisedTarget(Atom(201)), image),
    ])
    return rig
  }

  private func ask(
    _ rig: inout OwnerRig, _ pairs: [UInt32], type: Atom = Atom(321), format: Int = 32
  ) {
    rig.server.create(requestor)
    rig.server.store(
      TransferKey(window: requestor, property: list),
      StoredProperty(type: type, format: format, bytes: bytes(pairs)), byOwner: false)
    rig.request(requestor, testAtoms.multiple, list)
  }

  @Test("6: each entry stands for itself; failed ones become None in both halves")
  func mixed() {
    var rig = rig(.failing)
    let pairs: [UInt32] = [
      200, 330, 299, 331, testAtoms.targets.rawValue, 332, 201, 333,
      testAtoms.timestamp.rawValue, 334,
    ]
    ask(&rig, pairs)
    #expect(rig.notices.map(\.property) == [list])
    #expect(rig[requestor, Atom(330)]?.bytes == [1, 2, 3])
    #expect(rig[requestor, Atom(331)] == nil)
    #expect(rig[requestor, Atom(332)]?.type == .atom)
    #expect(rig[requestor, Atom(333)] == nil)
    #expect(rig[requestor, Atom(334)]?.type == .integer)
    let expected: [UInt32] = [200, 330, 0, 0, pairs[4], 332, 0, 0, pairs[8], 334]
    #expect(numbers(rig[requestor, list]?.bytes ?? []) == expected)
    #expect(rig[requestor, list]?.type == Atom(321))
    rig.expectEmpty()
  }

  @Test("6: the list's type is free", arguments: [Atom.atom, .integer, Atom(321), .string])
  func anyType(type: Atom) {
    var rig = rig()
    ask(&rig, [200, 330, 299, 331], type: type)
    #expect(numbers(rig[requestor, list]?.bytes ?? []) == [200, 330, 0, 0])
    #expect(rig[requestor, list]?.type == type)
  }

  @Test("6: no list, or one of another format, is refused", arguments: [8, 16, nil])
  func badList(format: Int?) {
    var rig = rig()
    if let format {
      ask(&rig, [200, 330], format: format)
    } else {
      rig.request(requestor, testAtoms.multiple, list)
    }
    #expect(rig.notices.map(\.property) == [.none])
    rig.expectEmpty()
  }

  @Test("6: an odd item at the end is no entry, and stays")
  func odd() {
    var rig = rig()
    ask(&rig, [200, 330, 299, 331, 77])
    #expect(rig.notices.map(\.property) == [list])
    #expect(numbers(rig[requestor, list]?.bytes ?? []) == [200, 330, 0, 0, 77])
    rig.expectEmpty()
  }

  @Test("6: an empty list is done at once")
  func empty() {
    var rig = rig()
    ask(&rig, [])
    #expect(rig.notices.map(\.property) == [list])
    #expect(rig[requestor, list]?.bytes == [])
    rig.expectEmpty()
  }

  @Test("6: nested, without property, on a used property or on the list's own: fails")
  func illegalEntries() {
    var rig = rig()
    let multiple = testAtoms.multiple.rawValue
    ask(&rig, [multiple, 330, 200, 0, 200, list.rawValue, 200, 331, 201, 331, 0, 332])
    #expect(rig.notices.map(\.property) == [list])
    #expect(numbers(rig[requestor, list]?.bytes ?? []) == [0, 0, 0, 0, 0, 0, 200, 331, 0, 0, 0, 0])
    #expect(rig[requestor, Atom(331)]?.bytes == [1, 2, 3])
    rig.expectEmpty()
  }

  @Test("6: a property named like its target is legal")
  func propertyIsTarget() {
    var rig = rig()
    ask(&rig, [200, 200, 201, 201])
    #expect(rig[requestor, text]?.bytes == [1, 2, 3])
    #expect(rig[requestor, image]?.bytes == [9, 9])
  }

  @Test("6: when every entry fails the answer still is positive")
  func allFail() {
    var rig = rig()
    ask(&rig, [299, 330, 298, 331])
    #expect(rig.notices.map(\.property) == [list])
    #expect(numbers(rig[requestor, list]?.bytes ?? []) == [0, 0, 0, 0])
    rig.expectEmpty()
  }

  @Test("3: a failed store deletes the other entries' properties, and refuses")
  func failedStore() {
    var rig = rig()
    rig.server.create(requestor)
    rig.failsNextStores = 1
    ask(&rig, [200, 330, 201, 331, 200, 332])
    #expect(rig.notices.map(\.property) == [.none])
    for place in 330...332 { #expect(rig[requestor, Atom(UInt32(place))] == nil) }
    rig.expectEmpty()
  }

  @Test(
    "6: an entry whose property the server refuses fails alone, at whatever place", arguments: 0..<4
  )
  func badProperty(place: Int) {
    var rig = OwnerRig()
    rig.state.configuration.chunkSize = 16
    let targets = (0..<4).map { Atom(UInt32(300 + $0)) }
    let contents = [pattern(3), pattern(40), pattern(5), pattern(50)]
    rig.acquire(zip(targets, contents).map { (AdvertisedTarget($0), .ready($1)) })
    let properties = (0..<4).map { Atom(UInt32(400 + $0)) }
    rig.badProperties = [properties[place]]
    rig.server.create(requestor)
    let pairs = zip(targets, properties).flatMap { [$0.rawValue, $1.rawValue] }
    rig.server.store(
      TransferKey(window: requestor, property: list),
      StoredProperty(type: .atom, format: 32, bytes: bytes(pairs)), byOwner: false)
    rig.request(requestor, testAtoms.multiple, list)
    var expected = pairs
    expected[2 * place] = 0
    expected[2 * place + 1] = 0
    #expect(rig.notices.map(\.property) == [list])
    #expect(rig[requestor, list]?.bytes == bytes(expected))
    for (index, property) in properties.enumerated() where index != place {
      let isLarge = contents[index].count > 16
      #expect(rig[requestor, property]?.type == (isLarge ? testAtoms.incr : targets[index]))
      if !isLarge { #expect(rig[requestor, property]?.bytes == contents[index]) }
    }
    #expect(rig[requestor, properties[place]] == nil)
    #expect(rig.watches[requestor] == (place % 2 == 1 ? 1 : 2))
    rig.server.destroy(requestor)
    rig.handleEvents()
    rig.expectEmpty()
  }

  @Test("12: more pairs than the limit are refused", arguments: [1_024, 1_025])
  func manyPairs(count: Int) {
    var rig = rig()
    ask(&rig, (0..<count).flatMap { [200, UInt32(1_000 + $0)] })
    #expect(rig.notices.map(\.property) == [count > 1_024 ? .none : list])
    rig.expectEmpty()
  }

  @Test(
    "6: INCRs of one MULTIPLE run side by side, and may be drained in reverse",
    arguments: [1, 2, 5])
  func parallelTransfers(entries: Int) {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 16
    var rig = OwnerRig(configuration: configuration)
    let contents = (0..<entries).map { pattern(100, seed: $0) }
    rig.acquire(
      contents.enumerated().map { (AdvertisedTarget(Atom(UInt32(500 + $0))), .ready($1)) })
    ask(&rig, (0..<entries).flatMap { [UInt32(500 + $0), UInt32(600 + $0)] })
    #expect(rig.notices.map(\.property) == [list])
    #expect(rig.watches[requestor] == entries)
    for entry in (0..<entries).reversed() {
      let place = Atom(UInt32(600 + entry))
      #expect(rig[requestor, place]?.type == testAtoms.incr)
      var received: [UInt8] = []
      rig.delete(requestor, place)
      while let chunk = rig[requestor, place], !chunk.bytes.isEmpty {
        received += chunk.bytes
        rig.delete(requestor, place)
      }
      #expect(received == contents[entry])
      rig.delete(requestor, place)
    }
    #expect(rig.delivered.count == entries)
    rig.expectEmpty()
  }

  @Test("14: entries beyond the room for transfers fail, and their products are released")
  func noRoom() {
    var configuration = OwnerState.Configuration()
    configuration.chunkSize = 16
    configuration.transfersPerWindow = 2
    var rig = OwnerRig(configuration: configuration)
    rig.acquire([(AdvertisedTarget(text), .ready(pattern(100)))])
    ask(&rig, [200, 330, 200, 331, 200, 332, 200, 333])
    #expect(numbers(rig[requestor, list]?.bytes ?? []) == [200, 330, 200, 331, 0, 0, 0, 0])
    #expect(rig.products.count == 2)
    rig.server.destroy(requestor)
    rig.handleEvents()
    rig.expectEmpty()
  }

  @Test("11: slow entries are announced together when the first answer is due")
  func slowEntries() {
    var rig = rig(.pending)
    ask(&rig, [200, 330, 201, 331])
    #expect(rig.notices.isEmpty)
    rig.pass(400)
    #expect(rig.notices.map(\.property) == [list])
    #expect(rig[requestor, Atom(330)]?.bytes == [1, 2, 3])
    #expect(rig[requestor, Atom(331)]?.type == testAtoms.incr)
    rig.finish(rig.pending[0], [4])
    rig.delete(requestor, Atom(331))
    #expect(rig[requestor, Atom(331)]?.bytes == [4])
    rig.delete(requestor, Atom(331))
    rig.delete(requestor, Atom(331))
    rig.expectEmpty()
  }

  @Test("6: an entry's own property is what its target takes a parameter from")
  func parameterProperty() {
    var rig = OwnerRig()
    let deed = AdvertisedTarget(
      target: testAtoms.saveTargets, type: testAtoms.null, format: 32, answersLate: true)
    rig.acquire([(deed, .pending)])
    ask(&rig, [testAtoms.saveTargets.rawValue, 330])
    #expect(rig.askers[rig.pending[0]]?.property == Atom(330))
    rig.finish(rig.pending[0], [])
    #expect(rig.notices.map(\.property) == [list])
    rig.expectEmpty()
  }
}
