public import SelectionProtocol

/// What a requestor stored as the parameter of a target.
public enum Parameter: Hashable, Sendable {
  /// It named no property, or there is none on its window.
  case absent
  /// A list of atoms, such as the targets to save.
  case atoms([Atom])
  /// Something else, or more than is read.
  case other
}

extension SelectionConnection {
  private static var keeperName: String { "X11PASTEBOARD_KEEPER" }

  /// Whether a session helper of this library manages the clipboard: one that keeps every type, byte for byte.
  public var hasKeeper: Bool {
    let names = atoms(["CLIPBOARD_MANAGER", Self.keeperName])
    let window = x.owner(of: names[0])
    guard window != .none, !isOwn(window) else { return false }
    return x.readProperty(window, names[1], offset: 0, length: 1, delete: false) { slice, _ in
      slice?.format == 32 && slice?.firstItem == 1
    }
  }

  // MARK: The side of a manager

  /// Acquires a manager selection with a window of its own, and announces it (ICCCM 2.8).
  ///
  /// Whoever owned it before loses it, so ask `currentOwner(of:)` first. The selection is given up with
  /// `endManaging`, and its window is destroyed too when another manager takes over; `Offer.onLost` tells.
  ///
  /// - Parameters:
  ///   - selection: Such as CLIPBOARD_MANAGER.
  ///   - offer: Its targets; what clients ask a manager to do is a `sideEffect`. TARGETS, MULTIPLE and TIMESTAMP are
  ///     answered as for every selection.
  /// - Returns: The time of the acquisition.
  @discardableResult
  public func manage(_ selection: Atom, _ offer: Offer) throws(AcquisitionFailure) -> ServerTime {
    var offer = offer
    offer.isStorable = false
    let before = managedWindows[selection]
    let window = before ?? createWindow()
    let time: ServerTime
    do {
      time = try acquire(selection, offer, at: nil, with: window)
    } catch {
      if before == nil { destroy(window) } else { endManaging(selection) }
      throw error
    }
    managedWindows[selection] = window
    // Owners of this library know by it that everything is kept, and that they may end.
    x.changeProperty(window, atom(Self.keeperName), type: .cardinal, numbers: [1])
    x.sendMessage(
      to: x.firstRoot, about: x.firstRoot, type: atom("MANAGER"), mask: EventMask.structure,
      data: [time.rawValue, selection.rawValue, window.rawValue])
    x.flush()
    return time
  }

  /// Stops managing: what is under way is finished, and the window is destroyed, for which others wait.
  public func endManaging(_ selection: Atom) {
    guard managedWindows[selection] != nil else { return }
    let lost = owner.currentPeriod(of: selection).flatMap { offers[$0]?.onLost }
    if let period = owner.currentPeriod(of: selection) { offers[period]?.onLost = nil }
    perform(owner.relinquished(selection))
    destroyManagedWindow(of: selection)
    x.flush()
    lost?()
  }

  func destroyManagedWindow(of selection: Atom) {
    if let window = managedWindows.removeValue(forKey: selection) { destroy(window) }
  }

  /// What the requestor of a target said along with it: read it before the answer, which takes its place.
  ///
  /// - Parameter limit: The most atoms that are read.
  public func parameter(of ticket: ProductionTicket, limit: Int = 4_096) -> Parameter {
    guard ticket.asker.property != .none else { return .absent }
    return x.readProperty(
      ticket.asker.requestor, ticket.asker.property, offset: 0, length: max(0, limit),
      delete: false
    ) { slice, bytes in
      guard let slice else { return .absent }
      guard slice.format == 32, slice.type == .atom, slice.bytesAfter == 0 else { return .other }
      return .atoms(
        (0..<(bytes.count / 4)).map {
          Atom(bytes.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
        })
    }
  }

  /// Tells once when another client's window is gone: a manager that takes over waits for its predecessor's.
  ///
  /// - Returns: A name to end it by.
  @discardableResult
  public func onDestruction(of window: Window, _ handler: @escaping () -> Void) -> DestructionToken
  {
    nextWatchNumber += 1
    let token = DestructionToken(window: window, number: nextWatchNumber)
    if destructionHandlers[window] == nil { addMask(EventMask.structure, to: window) }
    destructionHandlers[window, default: [:]][token.number] = handler
    x.flush()
    return token
  }

  /// Does not tell any more.
  public func forget(_ token: DestructionToken) {
    guard destructionHandlers[token.window]?.removeValue(forKey: token.number) != nil else {
      return
    }
    guard destructionHandlers[token.window]?.isEmpty == true else { return }
    destructionHandlers[token.window] = nil
    removeMask(EventMask.structure, from: token.window)
  }

  func tellDestruction(of window: Window) {
    guard let handlers = destructionHandlers.removeValue(forKey: window) else { return }
    for handler in handlers.sorted(by: { $0.key < $1.key }) { handler.value() }
  }
}

/// Names who waits for the end of a window.
public struct DestructionToken: Hashable, Sendable {
  let window: Window
  let number: Int
}
