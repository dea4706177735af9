internal import Glibc
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// Asks the owner of one selection, and waits for the answers.
final class SelectionReader {
  let connection: SelectionConnection
  let choice: SelectionChoice
  let selection: Atom
  var watchdog: Watchdog

  init(_ connection: SelectionConnection, _ choice: SelectionChoice, _ watchdog: Watchdog) {
    self.connection = connection
    self.choice = choice
    self.watchdog = watchdog
    selection = choice.atom(on: connection)
  }

  /// Converts a target, and waits until that is over.
  ///
  /// - Throws: Where the connection broke, or `receive` threw a `CommandFailure`.
  func convert(
    _ target: Atom, limits: TransferLimits = TransferLimits(), time: ServerTime? = nil,
    receive: @escaping ByteReceiver
  ) throws(CommandFailure) -> ConversionOutcome {
    var outcome: ConversionOutcome?
    watchdog.rearm()
    connection.convert(
      Conversion(selection: selection, target: target, limits: limits, time: time),
      receive: receive,
      completion: { outcome = $0 })
    do {
      try connection.turn(while: { outcome == nil })
    } catch {
      guard outcome != nil else { throw CommandFailure(.noDisplay, error.description) }
    }
    guard let outcome else { throw CommandFailure(.noDisplay, "the connection was lost") }
    guard case .failure(let failure) = outcome else { return outcome }
    switch failure.code {
    case .connectionLost:
      throw CommandFailure(
        .noDisplay,
        DisplayError(.connectionLost, display: connection.displayName).description)
    case .receiver:
      if let underlying = failure.underlying as? CommandFailure { throw underlying }
      return outcome
    case .noOwner, .transfer: return outcome
    }
  }

  /// Converts a target that is small; its bytes are worth something where that succeeded.
  func bytes(
    of target: Atom, limits: TransferLimits, time: ServerTime? = nil
  ) throws(CommandFailure) -> (outcome: ConversionOutcome, bytes: [UInt8]) {
    var received: [UInt8] = []
    let outcome = try convert(target, limits: limits, time: time) { bytes, _, _ in received += bytes
    }
    return (outcome, received)
  }

  /// Asks for TARGETS.
  ///
  /// - Returns: What is on offer; nil where the owner refuses to say.
  /// - Throws: Where there is no owner, or no answer.
  func offeredTargets() throws(CommandFailure) -> OfferedTargets? {
    try offeredAtoms().map { named($0.atoms) }
  }

  /// Asks for TARGETS.
  ///
  /// - Returns: The atoms on offer, whose names are yet to be asked for, and the time of the request; nil where the
  ///   owner refuses to say.
  /// - Throws: Where there is no owner, or no answer.
  func offeredAtoms() throws(CommandFailure) -> (atoms: [Atom], time: ServerTime)? {
    let early = connection.takeConnectionTime()
    var answer = try bytes(of: connection.atoms.targets, limits: .targets, time: early)
    if early != nil, case .failure(let failure) = answer.outcome,
      failure.code == .transfer(.refused)
    {
      // The owner may have come after the connection, and think the request is older than its content.
      answer = try bytes(of: connection.atoms.targets, limits: .targets)
    }
    switch answer.outcome {
    case .success(let reply):
      let bytes = answer.bytes
      // Some owners give the list the type TARGETS; a list it is only in format 32.
      guard reply.format == 32 else { return nil }
      let atoms = (0..<bytes.count / 4).map { index in
        bytes.withUnsafeBytes {
          Atom($0.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
        }
      }
      return (atoms, reply.time)
    case .failure(let failure):
      switch failure.code {
      case .transfer(.refused), .transfer(.missingProperty): return nil
      default: throw self.failure(failure, "TARGETS", limits: .targets)
      }
    }
  }

  /// Asks for the names of what is on offer.
  func named(_ atoms: [Atom]) -> OfferedTargets {
    OfferedTargets(
      connection.names(of: Array(atoms.prefix(TargetName.maximumOffered))).compactMap(\.self))
  }

  // MARK: Failures

  /// Nobody owns the selection.
  var emptiness: CommandFailure {
    CommandFailure(.nothing, "nothing there: no program owns \(choice.name)")
  }

  /// What a failed conversion means for the command.
  func failure(
    _ failure: ConversionFailure, _ target: String, limits: TransferLimits = TransferLimits()
  ) -> CommandFailure {
    if failure.code == .receiver { return .failed("the content could not be taken") }
    guard case .transfer(let reason) = failure.code else { return emptiness }
    let owner = describe(failure.owner)
    let name = TargetName.escaped(target)
    switch reason {
    case .refused, .missingProperty:
      return .failed("the owner of \(choice.name), \(owner), refused \(name)")
    case .noAnswer:
      return .failed(
        "the owner of \(choice.name), \(owner), did not answer for \(name) within "
          + "\(Watchdog.seconds(limits.response)) s; it may be busy or stopped")
    case .stalled:
      return .failed(
        "the owner of \(choice.name), \(owner), stopped in the middle of \(name), after "
          + "\(failure.byteCount) bytes")
    case .ownerGone:
      return .failed(
        "the owner of \(choice.name) went away while it sent \(name), after "
          + "\(failure.byteCount) bytes")
    case .tooLarge:
      return .failed("\(name) from \(owner) is larger than \(limits.byteCount) bytes")
    case .inconsistent:
      return .failed(
        "\(owner), or another program, broke the selection protocol while it sent \(name)")
    case .cancelled: return .failed("given up")
    }
  }

  /// A window for messages, with the program behind it where the server tells.
  func describe(_ window: Window) -> String {
    let number = "window 0x" + String(window.rawValue, radix: 16)
    guard let process = connection.process(of: window) else { return number }
    let name = Self.programName(of: process).map { $0 + ", " } ?? ""
    return "\(number) (\(name)process \(process))"
  }

  /// The name of a process, as the kernel keeps it.
  static func programName(of process: Int32) -> String? {
    let descriptor = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = bytes.withUnsafeMutableBytes { Descriptor.read(descriptor, into: $0) }
    guard count > 0 else { return nil }
    let line = bytes[..<count].prefix { $0 != 0x0A }
    return TargetName.escaped(String(decoding: line, as: UTF8.self))
  }

  /// What is on offer, for the end of a message.
  func list(_ offered: OfferedTargets) -> String {
    let names = offered.data.map { TargetName.escaped($0.name) }
    guard !names.isEmpty else { return "nothing that is content is on offer" }
    let shown = names.prefix(12).joined(separator: ", ")
    return "on offer: \(shown)" + (names.count > 12 ? " and \(names.count - 12) more" : "")
  }
}
