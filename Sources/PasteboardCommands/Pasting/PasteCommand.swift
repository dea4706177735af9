internal import CLinux
internal import ContentTypes
internal import Glibc
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// `pasteboard paste`: writes what a selection holds.
struct PasteCommand {
  private let options: PasteOptions
  private let reader: SelectionReader
  private let output: PasteOutput
  private let decoder: TargetDecoder
  private let progress: Progress?

  /// Pastes.
  ///
  /// - Parameter endsProcess: Whether nothing else is to be done.
  static func run(
    _ options: PasteOptions, endsProcess: Bool = false
  ) throws(CommandFailure) {
    // Each chunk is allocated anew by Xlib; memory that goes back to the system costs more than the copying.
    cl_keep_freed_memory(4 << 20)
    var watchdog = Watchdog(program: options.program, milliseconds: options.timeout)
    watchdog.rearm()
    let connection = try Display.connect(
      options.display, atoms: ["UTF8_STRING", options.selection.atomName])
    // The end of the process closes the connection; to close it before that costs a round trip.
    _ = Unmanaged.passRetained(connection)
    try PasteCommand(options, SelectionReader(connection, options.selection, watchdog)).paste()
    // Closing the connection would wait for the server once more; it cleans up by itself.
    if endsProcess { _exit(ExitStatus.done.rawValue) }
    cl_die_after(0)
  }

  private init(_ options: PasteOptions, _ reader: SelectionReader) {
    self.options = options
    self.reader = reader
    let destination: PasteOutput.Destination =
      if case .file(let path) = options.output { .file(path) } else { .standardOutput }
    output = PasteOutput(destination, trimsNewline: options.trimsNewline)
    // Among the content itself it would only be in the way.
    progress = output.isTerminal ? nil : Progress("pasting")
    var decoding = TargetDecoder.Options()
    decoding.dropsTrailingNUL = false
    decoding.normalizesLineEnds = false
    decoding.hostNames = [Self.hostName]
    decoder = TargetDecoder(options: decoding)
  }

  private func paste() throws(CommandFailure) {
    if options.listsFiles { return try listFiles() }
    if let only = options.types.first, options.types.count == 1, only.isProtocolTarget {
      return try pasteProtocolTarget(only)
    }
    let list = try reader.offeredAtoms()
    var last: CommandFailure?
    if let list, isBestAsUTF8(list.atoms) {
      switch try attempt(OfferedTarget(name: Self.utf8), .readable(as: nil), time: list.time) {
      case .done: return try finish()
      case .failed(let failure):
        if output.hasBegun { throw failure }
        last = failure
      }
    }
    // That one may come once more: its owner may be another one by now, to whom the first time is too old.
    let offered = list.map { reader.named($0.atoms) }
    for (target, wish) in try candidates(offered) {
      switch try attempt(target, wish) {
      case .done: return try finish()
      case .failed(let failure):
        if output.hasBegun { throw failure }
        last = failure
      }
    }
    guard let offered else {
      throw CommandFailure(
        .nothing,
        "the owner of \(reader.choice.name) does not say what it offers, and refuses "
          + (options.types.isEmpty ? "text" : wanted))
    }
    throw last ?? notOffered(offered)
  }

  // MARK: What to ask for

  private static let utf8 = "UTF8_STRING"

  /// Whether this target is the first candidate, whatever else is on offer.
  ///
  /// The usual paste then needs neither the names of the others nor what types they are.
  private func isBestAsUTF8(_ atoms: [Atom]) -> Bool {
    guard options.types.isEmpty, case .standardOutput = options.output else { return false }
    return atoms.contains(reader.connection.atom(Self.utf8))
  }

  private typealias Candidate = (OfferedTarget, PasteReceiver.Wish)

  /// The targets to try, one after the other.
  private func candidates(_ offered: OfferedTargets?) throws(CommandFailure) -> [Candidate] {
    guard let offered else {
      if options.types.isEmpty { return OfferedTargets.probes().map { ($0, .readable(as: nil)) } }
      return options.types.flatMap { request in
        let named = request.targetName.map { [OfferedTarget(name: $0)] } ?? []
        let others = request.contentType.map { OfferedTargets.probes(for: $0) } ?? []
        return (named + others.filter { !named.contains($0) }).map { ($0, request.wish(for: $0)) }
      }
    }
    if !options.types.isEmpty {
      let all = options.types.flatMap { request in
        request.targets(in: offered).map { ($0, request.wish(for: $0)) }
      }
      guard !all.isEmpty else { throw notOffered(offered) }
      try nameFile(all[0].0, options.types[0].contentType)
      return all
    }
    var all: [Candidate] = []
    if case .file(let path) = options.output, let type = Self.type(ofName: path) {
      all += offered.candidates(for: type).map { ($0, .readable(as: nil)) }
    }
    all += offered.candidates(for: .utf8PlainText).filter(\.isPlainText)
      .map { ($0, .readable(as: nil)) }
    if all.isEmpty {
      let others =
        switch options.fallback {
        case .anything: Array((offered.contents + offered.data).prefix(1))
        case .bytes: offered.contents.filter { $0.name == "application/octet-stream" }
        case .nothing: [OfferedTarget]()
        }
      all = others.map { ($0, .readable(as: nil)) }
    }
    guard let first = all.first else { throw notOffered(offered) }
    try nameFile(first.0, first.0.contentType)
    return all
  }

  private static func type(ofName path: RawText) -> ContentType? {
    let name = path.lastComponent.text
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    let type = ContentType(filenameExtension: String(name[name.index(after: dot)...]))
    return type?.isDynamic == false ? type : nil
  }

  /// Chooses a name in the directory that the output goes to.
  private func nameFile(
    _ target: OfferedTarget, _ type: ContentType?
  ) throws(CommandFailure) {
    guard case .directory(let directory) = options.output else { return }
    let known = target.isPlainText ? ContentType.utf8PlainText : target.contentType ?? type
    let suffix = known?.preferredFilenameExtension.map { "." + $0 } ?? ""
    for number in 1...9_999 {
      let name = number == 1 ? "Clipboard\(suffix)" : "Clipboard \(number)\(suffix)"
      let separator = directory.bytes.last == UInt8(ascii: "/") ? "" : "/"
      let path = RawText(bytes: directory.bytes + Array((separator + name).utf8))
      var status = stat()
      if path.withCString({ lstat($0, &status) }) != 0, errno == ENOENT {
        return output.redirect(to: path)
      }
    }
    throw .failed("every name in \(directory.printable) is taken")
  }

  private var wanted: String {
    options.types.map { TargetName.escaped($0.spelling) }.joined(separator: ", ")
  }

  private func notOffered(_ offered: OfferedTargets) -> CommandFailure {
    let what = options.types.isEmpty ? "no content" : "no \(wanted)"
    return CommandFailure(.nothing, "\(what) in \(reader.choice.name); \(reader.list(offered))")
  }

  // MARK: One attempt

  private enum Attempt {
    case done
    /// Another target may do better, if nothing was written.
    case failed(CommandFailure)
  }

  private func attempt(
    _ target: OfferedTarget, _ wish: PasteReceiver.Wish, time: ServerTime? = nil
  ) throws(CommandFailure) -> Attempt {
    let atom = reader.connection.atom(target.name)
    let receiver = PasteReceiver(
      reader, target, atom: atom, wish: wish, decoder: decoder,
      refusesBinary: output.isTerminal && !options.isForced && options.types.isEmpty,
      convertsLineEnds: options.convertsLineEnds, output: output)
    // Who says how long the whole may take waits for a slow owner, too.
    var limits = atom == reader.connection.atoms.targets ? .targets : TransferLimits()
    limits.response = max(limits.response, options.timeout ?? 0)
    defer { progress?.end() }
    let outcome = try reader.convert(atom, limits: limits, time: time) { bytes, type, format in
      try receiver.receive(bytes, type, format)
      progress?.advance(to: receiver.byteCount)
    }
    switch outcome {
    case .success(let reply):
      do {
        try receiver.finish(reply)
        return .done
      } catch {
        return try lie(error, target)
      }
    case .failure(let failure):
      if let trouble = failure.underlying { return try lie(trouble, target) }
      let described = reader.failure(failure, target.name, limits: limits)
      switch failure.code {
      case .transfer(.refused), .transfer(.missingProperty): return .failed(described)
      default: throw described
      }
    }
  }

  private func lie(_ error: any Error, _ target: OfferedTarget) throws(CommandFailure) -> Attempt {
    switch error {
    case let failure as CommandFailure: throw failure
    case let lie as PasteReceiver.Lie: return .failed(.failed(lie.message))
    case let error as SelectionFormatError: return .failed(.failed(error.description))
    default: return .failed(.failed("\(TargetName.escaped(target.name)) could not be read"))
    }
  }

  /// TARGETS, TIMESTAMP and their like, which owners answer whether or not they list them.
  private func pasteProtocolTarget(_ request: TypeRequest) throws(CommandFailure) {
    let target = OfferedTarget(name: request.targetName ?? request.spelling)
    switch try attempt(target, .exact) {
    case .done: try finish()
    case .failed(let failure): throw failure
    }
  }

  // MARK: Files

  private func listFiles() throws(CommandFailure) {
    let offered = try reader.offeredTargets()
    var targets =
      offered?.candidates(for: .fileURL) ?? OfferedTargets.probes(for: .fileURL)
    if targets.isEmpty, let offered { targets += offered.candidates(for: .utf8PlainText).prefix(1) }
    var last: CommandFailure?
    for target in targets {
      let atom = reader.connection.atom(target.name)
      let limits = TransferLimits(byteCount: 64 << 20)
      let (outcome, bytes) = try reader.bytes(of: atom, limits: limits)
      switch outcome {
      case .success(let reply):
        if target.isPlainText, !FileList.isList(text: bytes) { continue }
        let type = reader.connection.names(of: [reply.type])[0] ?? target.name
        let list: FileList
        do throws(SelectionFormatError) {
          list = try decoder.fileList(
            TargetReply(bytes: bytes, type: type, format: reply.format), of: target)
        } catch {
          last = .failed(error.description)
          continue
        }
        return try write(list)
      case .failure(let failure):
        last = reader.failure(failure, target.name, limits: limits)
        guard case .transfer(let reason) = failure.code,
          reason == .refused || reason == .missingProperty
        else { throw last ?? reader.emptiness }
      }
    }
    if let last, offered != nil { throw last }
    throw CommandFailure(
      .nothing, "no files in \(reader.choice.name)" + (offered.map { "; " + reader.list($0) } ?? "")
    )
  }

  private func write(_ list: FileList) throws(CommandFailure) {
    if !options.endsNamesWithNUL {
      // A file may be called whatever a terminal takes for a command.
      let isShown = output.isTerminal && !options.isForced
      let lines = list.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map {
          isShown && ControlCharacters.found(in: $0) ? TargetName.escaped(String($0)) : String($0)
        }
      try output.write(Array((lines.joined(separator: "\n") + "\n").utf8))
    } else {
      var names: [UInt8] = []
      for uri in list.uris {
        let path: [UInt8]
        do throws(SelectionFormatError) {
          path = try FileURI.path(of: uri, hostNames: decoder.options.hostNames)
        } catch {
          throw .failed(error.message)
        }
        names += path + [0]
      }
      try output.write(names)
    }
    try finish()
  }

  /// The owner is done with; the rest depends on who reads.
  private func finish() throws(CommandFailure) {
    reader.watchdog.relax()
    try output.finish()
  }

  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 257)
    guard gethostname(&name, 256) == 0 else { return "" }
    return name.withUnsafeBufferPointer { buffer in
      buffer.baseAddress.map { String(cString: $0) } ?? ""
    }
  }
}
