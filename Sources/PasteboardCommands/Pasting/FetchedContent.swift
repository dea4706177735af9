internal import ContentTypes
internal import Glibc
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// Content that is fetched whole before it is used.
enum FetchedContent {
  /// Fetches a target into a file without a name.
  ///
  /// - Parameter wish: How it is read.
  /// - Returns: The open file, at its start.
  static func file(
    of target: OfferedTarget, _ reader: SelectionReader,
    wish: PasteReceiver.Wish = .readable(as: nil)
  ) throws(CommandFailure) -> CInt {
    let descriptor = try InputSpool.openUnnamedFile()
    do throws(CommandFailure) {
      try fetch(target, reader, wish: wish, into: PasteOutput(.open(descriptor)))
    } catch {
      Self.close(descriptor)
      throw error
    }
    lseek(descriptor, 0, SEEK_SET)
    return descriptor
  }

  /// Closes what `file` returned.
  static func close(_ descriptor: CInt) { _ = Glibc.close(descriptor) }

  /// Fetches text into memory, trying one target after the other.
  ///
  /// - Returns: nil where nobody owns the selection.
  static func text(_ reader: SelectionReader) throws(CommandFailure) -> [UInt8]? {
    guard reader.connection.currentOwner(of: reader.selection) != .none else { return nil }
    let offered = try reader.offeredTargets()
    let targets =
      offered?.candidates(for: .utf8PlainText).filter(\.isPlainText) ?? OfferedTargets.probes()
    var last: CommandFailure?
    for target in targets {
      let output = PasteOutput(.memory)
      do throws(CommandFailure) {
        try fetch(target, reader, into: output)
        return output.memory
      } catch {
        guard error.status != .noDisplay else { throw error }
        last = error
      }
    }
    throw last
      ?? .failed(
        "what is in \(reader.choice.name) is not text"
          + (offered.map { "; " + reader.list($0) } ?? ""))
  }

  private static func fetch(
    _ target: OfferedTarget, _ reader: SelectionReader,
    wish: PasteReceiver.Wish = .readable(as: nil), into output: PasteOutput
  ) throws(CommandFailure) {
    let atom = reader.connection.atom(target.name)
    var options = TargetDecoder.Options()
    options.dropsTrailingNUL = false
    options.normalizesLineEnds = false
    let receiver = PasteReceiver(
      reader, target, atom: atom, wish: wish,
      decoder: TargetDecoder(options: options), refusesBinary: false, output: output)
    do {
      switch try reader.convert(atom, receive: receiver.receive) {
      case .success(let reply): try receiver.finish(reply)
      case .failure(let failure):
        if let lie = failure.underlying { throw lie }
        throw reader.failure(failure, target.name)
      }
      try output.finish()
    } catch let failure as CommandFailure {
      throw failure
    } catch let lie as PasteReceiver.Lie {
      throw .failed(lie.message)
    } catch let error as SelectionFormatError {
      throw .failed(error.description)
    } catch {
      throw .failed("\(TargetName.escaped(target.name)) could not be read")
    }
  }
}
