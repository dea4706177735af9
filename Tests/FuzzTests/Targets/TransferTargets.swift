import CoreTransferable
import Foundation
import SelectionProtocol
import UniformTypeIdentifiers

private let atoms = ProtocolAtoms(
  clipboard: Atom(1), targets: Atom(2), multiple: Atom(3), timestamp: Atom(4), incr: Atom(5),
  null: Atom(6), saveTargets: Atom(7))

let transferTargets: [FuzzTarget] = [
  FuzzTarget(
    "multiple",
    corpus: [
      bytes([10, 20, 11, 21]), bytes([3, 20, 10, 0, 10, 20, 10, 20]),
      bytes([2, 22, 4, 23, 99, 24]),
    ],
    weight: 0.5
  ) { input throws(BrokenLaw) in try checkMultiple(words(input)) },
  FuzzTarget(
    "incr", corpus: [[8, 0, 5, 0], [0, 8, 4, 0, 16, 0, 0, 0, 0, 0], [1, 32, 8, 0, 2, 8, 3, 9]]
  ) { input throws(BrokenLaw) in try checkIncoming(input) },
  FuzzTarget(
    "file-name",
    corpus: ["notes.txt", "../../etc/passwd", ".hidden", "a\u{202E}gnp.txt", "v1.2", "\u{301}.x"]
      .map(bytes),
    words: [
      "/", "..", ".", "\\", "\u{202E}", "\u{301}", "\u{200D}", " ", "\r\n", ".txt", "\0", "🇩🇪",
      "\u{FE0F}", "\u{A0}",
    ]
  ) { input throws(BrokenLaw) in
    let suggestion = String(decoding: input, as: UTF8.self)
    for type in [nil, UTType.plainText, .png, .data] {
      let name = SafeFileName.make(suggestion, fallback: "Item", contentType: type)
      try hold((1...255).contains(name.utf8.count), "\(name.utf8.count) bytes")
      try hold(
        !name.utf8.contains(0x2F) && name.utf8.first != 0x2E,
        "\(name.debugDescription): another place, or hidden")
      for scalar in name.unicodeScalars {
        try hold(
          scalar.properties.generalCategory != .control,
          "\(name.debugDescription): a control character")
      }
      try hold(
        SafeFileName.make(name, fallback: "Item", contentType: type) == name,
        "\(name.debugDescription): another name the second time")
    }
  },
]

/// What an owner makes of a pair list.
private func checkMultiple(_ pairs: [UInt32]) throws(BrokenLaw) {
  var configuration = OwnerState.Configuration()
  configuration.pairs = 64
  var state = OwnerState(atoms: atoms, configuration: configuration)
  let now = Instant(milliseconds: 1)
  let owner = Window(9)
  _ = state.acquired(
    atoms.clipboard, window: owner, time: ServerTime(1), serial: 1,
    targets: (10..<14).map { AdvertisedTarget(target: Atom($0), type: Atom($0), format: 8) },
    storable: false)
  let request = SelectionRequest(
    owner: owner, requestor: Window(50), selection: atoms.clipboard, target: atoms.multiple,
    property: Atom(30), time: ServerTime(0))
  var queue = state.requested(request, now: now)
  var notices = 0
  var stored: [UInt32]?
  var steps = 0
  while !queue.isEmpty {
    steps += 1
    try hold(steps < 10_000, "no end")
    switch queue.removeFirst() {
    case .readPairs(let id, _, _): queue += state.pairsRead(id, pairs: pairs, type: Atom(8))
    case .produce(let id, _, let index, _):
      queue += state.produced(id, byteCount: index % 3 == 2 ? nil : index * 300_000, now: now)
    case .store(let id, _, let stores):
      for store in stores where store.property == Atom(30) {
        if case .numbers(let numbers) = store.content { stored = numbers }
        if case .atoms(let list) = store.content { stored = list.map(\.rawValue) }
      }
      queue += state.stored(id, .stored(serials: stores.map { _ in 5 }), now: now)
    case .notify(let answered, _):
      notices += 1
      try hold(answered == request, "another request is answered")
    default: break
    }
  }
  try hold(notices == 1, "\(notices) answers")
  if let stored {
    try hold(stored.count == pairs.count, "the list has another length")
    for (place, number) in stored.enumerated() {
      try hold(number == pairs[place] || number == 0, "an entry became another")
    }
  }
}

/// What a requestor makes of slices: four bytes say what comes next.
private func checkIncoming(_ input: [UInt8]) throws(BrokenLaw) {
  var now = Instant(milliseconds: 0)
  let limit = 10_000
  var state = IncomingTransfer(
    limits: TransferLimits(response: 100, idle: 100, byteCount: limit), incr: atoms.incr, now: now)
  var delivered = 0
  var isReading = false
  var index = 0
  while index + 4 <= input.count {
    let (first, second, third, fourth) = (
      input[index], input[index + 1], input[index + 2], input[index + 3]
    )
    index += 4
    let action: IncomingTransfer.Action
    let count = Int(second) * Int(third)
    if isReading || first < 128 {
      action = state.sliceRead(
        first == 127
          ? nil
          : PropertySlice(
            type: first % 4 == 0 ? atoms.incr : Atom(UInt32(first)),
            format: [8, 16, 32][Int(fourth) % 3],
            byteCount: count, bytesAfter: Int(fourth / 64) * 1_000,
            firstItem: UInt32(second) << 24 | UInt32(third)), now: now)
    } else {
      switch first % 5 {
      case 0: action = state.notified(property: Atom(UInt32(second)), now: now)
      case 1: action = state.propertyChanged(now: now)
      case 2:
        now = now + Int64(second)
        action = state.deadlinePassed(now: now)
      case 3: action = state.ownerWindowDestroyed(now: now)
      default: action = .none
      }
    }
    isReading = false
    switch action {
    case .deliverThenRead, .deliverThenWait, .deliverThenFinish: delivered += count
    default: break
    }
    switch action {
    case .read, .deliverThenRead: isReading = true
    default: break
    }
    try hold(delivered == state.byteCount && delivered <= limit, "\(delivered) of \(limit) bytes")
  }
}
