import SelectionProtocol

/// A requestor on a fake server: one conversion on a window of its own.
struct Pasting {
  let key: TransferKey
  let selection: Atom
  var transfer: IncomingTransfer
  var bytes: [UInt8] = []
  var failure: TransferFailure?
  var isFinished = false
  /// Units of four bytes that one read returns.
  var sliceUnits = 65_536

  init(
    window: Window, property: Atom, selection: Atom = testAtoms.clipboard,
    limits: TransferLimits = TransferLimits(), now: Instant
  ) {
    key = TransferKey(window: window, property: property)
    self.selection = selection
    transfer = IncomingTransfer(limits: limits, incr: testAtoms.incr, now: now)
  }

  var isOver: Bool { isFinished || failure != nil }

  mutating func notified(_ property: Atom, _ rig: inout OwnerRig) {
    perform(transfer.notified(property: property, now: rig.now), &rig)
  }

  mutating func changed(_ rig: inout OwnerRig) {
    perform(transfer.propertyChanged(now: rig.now), &rig)
  }

  private mutating func perform(_ first: IncomingTransfer.Action, _ rig: inout OwnerRig) {
    var action = first
    while true {
      switch action {
      case .none, .deliverThenWait: return
      case .read(let offset), .deliverThenRead(let offset):
        let (slice, content) = rig.server.read(key, offset: offset, units: sliceUnits)
        action = transfer.sliceRead(slice, now: rig.now)
        switch action {
        case .deliverThenRead, .deliverThenWait, .deliverThenFinish: bytes += content
        case .none, .read, .finish, .fail: break
        }
      case .deliverThenFinish, .finish:
        isFinished = true
        return
      case .fail(let failure):
        self.failure = failure
        return
      }
    }
  }

  /// Runs owner and requestor against each other until nothing moves.
  mutating func run(_ rig: inout OwnerRig) {
    var left = 1_000_000
    while left > 0 {
      left -= 1
      if !rig.server.requestorEvents.isEmpty {
        switch rig.server.requestorEvents.removeFirst() {
        case .notify(let request, let property) where request.requestor == key.window:
          notified(property, &rig)
        case .changed(let place) where place == key: changed(&rig)
        case .notify, .changed: break
        }
      } else if !rig.server.ownerEvents.isEmpty {
        rig.handle(rig.server.ownerEvents.removeFirst())
      } else {
        return
      }
    }
  }
}
