internal import ContentTypes
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// What a selection has for a paste button: the targets to try, best first.
struct PasteButtonState {
  var candidates: [(target: OfferedTarget, wish: PasteReceiver.Wish)] = []

  /// Asks the owner.
  ///
  /// - Throws: Only where the connection broke: an owner that does not answer offers nothing.
  init(_ reader: SelectionReader, _ types: [TypeRequest]) throws(CommandFailure) {
    guard reader.connection.currentOwner(of: reader.selection) != .none else { return }
    let offered: OfferedTargets?
    do throws(CommandFailure) {
      offered = try reader.offeredTargets()
    } catch {
      guard error.status != .noDisplay else { throw error }
      return
    }
    guard let offered else { return }
    candidates = types.flatMap { request in
      request.targets(in: offered).map { ($0, request.wish(for: $0)) }
    }
  }

  var isEnabled: Bool { !candidates.isEmpty }

  /// The type that a press would give.
  var type: String? { candidates.first.map { Self.name(of: $0.target) } }

  /// The content type's identifier, or else the target.
  static func name(of target: OfferedTarget) -> String {
    target.contentType?.identifier ?? TargetName.escaped(target.name)
  }

  /// Fetches the content, from the first target that converts, and starts the command with it.
  ///
  /// - Returns: The command's process.
  func start(
    _ command: [RawText], _ reader: SelectionReader
  ) throws(CommandFailure) -> Int32 {
    var last: CommandFailure?
    for (target, wish) in candidates {
      let input: CInt
      do throws(CommandFailure) {
        input = try FetchedContent.file(of: target, reader, wish: wish)
      } catch {
        guard error.status != .noDisplay else { throw error }
        last = error
        continue
      }
      defer { FetchedContent.close(input) }
      let child = Child(
        words: command,
        environment: [
          ("PASTE_TYPE", target.contentType?.identifier ?? ""), ("PASTE_TARGET", target.name),
        ])
      return try child.start(input: input)
    }
    throw last ?? CommandFailure(.nothing, "nothing to paste")
  }
}
