extension OwnerState {
  /// A client asks for a conversion.
  public mutating func requested(_ event: SelectionRequest, now: Instant) -> [OwnerAction] {
    // These stand for the pointer and the keyboard in place of a window; no client can be answered there.
    guard event.requestor.rawValue > 1 else { return [] }
    let property =
      event.property == .none && event.target != atoms.multiple ? event.target : event.property
    let period = current[event.selection].flatMap { periods[$0] }
    let isOurs = period.map { $0.window == event.owner } ?? false
    let client = client(of: event.requestor)
    let ofClient = client.flatMap { requestsOfClient[$0] } ?? 0
    guard requests.count < configuration.requests, ofClient < configuration.requestsPerClient else {
      return [.notify(event, property: .none)]
    }
    let isAccepted = isOurs && property != .none
    var request = Request(
      id: RequestID(rawValue: number()), event: event, property: property,
      period: isAccepted ? period?.id : nil, softDeadline: now + configuration.softDeadline,
      hardDeadline: now + configuration.hardDeadline)
    guard isAccepted, let period else {
      request.isRefused = true
      return enqueue(request)
    }
    retain(period.id)
    if event.target == atoms.multiple {
      request.isWaitingForPairs = true
      return [.readPairs(request.id, event.requestor, property)] + enqueue(request)
    }
    let (conversion, actions) = convert(
      event.target, property: property, period: period, request: request.id, entry: 0,
      asker: Asker(requestor: event.requestor, property: event.property, time: event.time))
    request.conversions = [conversion]
    return actions + enqueue(request)
  }

  /// The list that belongs to a MULTIPLE; `nil` where there is none, or its format is not 32.
  public mutating func pairsRead(
    _ id: RequestID, pairs: [UInt32]?, type: Atom
  ) -> [OwnerAction] {
    guard var request = requests[id], request.isWaitingForPairs, let periodID = request.period,
      let period = periods[periodID]
    else { return [] }
    request.isWaitingForPairs = false
    guard let pairs, pairs.count / 2 <= configuration.pairs else {
      request.isRefused = true
      requests[id] = request
      return advance(line(of: request.event))
    }
    request.pairs = pairs
    request.pairsType = type
    request.conversions.reserveCapacity(pairs.count / 2)
    var actions: [OwnerAction] = []
    var used: Set<Atom> = [.none, request.property]
    for entry in 0..<(pairs.count / 2) {
      let target = Atom(pairs[2 * entry])
      let property = Atom(pairs[2 * entry + 1])
      guard target != atoms.multiple, target != .none, used.insert(property).inserted else {
        request.conversions.append(
          Conversion(
            target: target, property: property, type: .none, format: 8, progress: .failed))
        continue
      }
      let (conversion, more) = convert(
        target, property: property, period: period, request: id, entry: entry,
        asker: Asker(
          requestor: request.event.requestor, property: property, time: request.event.time))
      request.conversions.append(conversion)
      actions += more
    }
    requests[id] = request
    if let deadline = request.deadline { consider(deadline) }
    return actions + advance(line(of: request.event))
  }

  /// The bytes of a product are there, or cannot be made.
  ///
  /// - Parameters:
  ///   - byteCount: `nil` where the product failed. A number that is not a whole number of items is a failure too.
  ///   - type: The type of the reply, where it is not the advertised one.
  public mutating func produced(
    _ product: ProductID, byteCount: Int?, type: Atom? = nil, now: Instant
  ) -> [OwnerAction] {
    switch productOwners[product] {
    case nil:
      return []
    case .transfer(let key):
      guard var transfer = transfers[key], transfer.state.isSourceMissing else { return [] }
      let action: OutgoingTransfer.Action
      if let byteCount, Self.isWhole(byteCount, transfer.format) {
        if let type { transfer.type = type }
        action = transfer.state.sourceReady(byteCount: byteCount, now: now)
      } else {
        action = transfer.state.sourceFailed()
      }
      transfers[key] = transfer
      consider(transfer.state.deadline)
      return perform(action, key)
    case .request(let id, let entry):
      guard var request = requests[id], request.conversions.indices.contains(entry),
        request.conversions[entry].isUnreported
      else { return [] }
      var conversion = request.conversions[entry]
      var actions: [OwnerAction] = []
      if let byteCount, Self.isWhole(byteCount, conversion.format) {
        if let type { conversion.type = type }
        if request.isStoring {
          // The header is on its way with the type it named; the size is taken over when it is confirmed.
          conversion.progress = .incremental(product, byteCount: byteCount)
        } else if byteCount > configuration.chunkSize {
          conversion.progress = .incremental(product, byteCount: byteCount)
        } else {
          conversion.progress = .ready(.product(product, 0..<byteCount))
        }
      } else {
        productOwners[product] = nil
        conversion.progress = .failed
        actions.append(.release(product))
      }
      request.conversions[entry] = conversion
      requests[id] = request
      return actions + advance(line(of: request.event))
    }
  }

  private static func isWhole(_ byteCount: Int, _ format: Int) -> Bool {
    byteCount >= 0 && byteCount % max(1, format / 8) == 0
  }

  private mutating func convert(
    _ target: Atom, property: Atom, period: Period, request: RequestID, entry: Int, asker: Asker
  ) -> (Conversion, [OwnerAction]) {
    var conversion = Conversion(
      target: target, property: property, type: .none, format: 32, progress: .failed)
    switch target {
    case atoms.targets:
      conversion.type = .atom
      conversion.progress = .ready(.atoms(advertised(period)))
    case atoms.timestamp:
      conversion.type = .integer
      conversion.progress = .ready(.numbers([period.time.rawValue]))
    case atoms.saveTargets where period.storable:
      conversion.type = atoms.null
      conversion.progress = .ready(.empty)
    default:
      guard target != .none,
        let index = period.targets.firstIndex(where: { $0.target == target })
      else { break }
      let product = ProductID(rawValue: number())
      conversion.type = period.targets[index].type
      conversion.format = period.targets[index].format
      conversion.targetIndex = index
      conversion.answersLate = period.targets[index].answersLate
      conversion.progress = .producing(product)
      productOwners[product] = .request(request, entry: entry)
      return (conversion, [.produce(product, period.id, targetIndex: index, for: asker)])
    }
    return (conversion, [])
  }

  /// The targets of a period as TARGETS names them.
  func advertised(_ period: Period) -> [Atom] {
    [atoms.targets, atoms.multiple, atoms.timestamp]
      + (period.storable ? [atoms.saveTargets] : [])
      + period.targets.map(\.target).filter { $0 != .none }
  }

  private mutating func enqueue(_ request: Request) -> [OwnerAction] {
    requests[request.id] = request
    if let client = client(of: request.event.requestor) {
      requestsOfClient[client, default: 0] += 1
    }
    let line = line(of: request.event)
    lines[line, default: []].append(request.id)
    if let deadline = request.deadline { consider(deadline) }
    return advance(line)
  }

  func line(of event: SelectionRequest) -> Line {
    Line(
      requestor: event.requestor, selection: event.selection, target: event.target,
      time: event.time)
  }
}
