internal import ContentTypes
internal import SelectionFormats
internal import SelectionProtocol
internal import XlibTransport

/// Turns the bytes of one conversion into what is written.
///
/// Nothing is written before the owner's answer proved to be what its target says: until then another target can be
/// tried instead.
final class PasteReceiver {
  /// What the caller asked for.
  enum Wish {
    /// The bytes of a target as they are.
    case exact
    /// Text in UTF-8, or the bytes of what is not text.
    case readable(as: ContentType?)
  }

  /// The owner answered with something else than its target says.
  struct Lie: Error {
    var message: String
  }

  private enum Form {
    case unknown
    case bytes
    case text(TextStream)
    /// Held to the end, since only the whole can be decoded.
    case whole(type: String, format: Int)
    /// Items of format 32, as names of atoms or as numbers.
    case names
    case numbers
  }

  /// The most bytes that are held to be decoded as a whole.
  private static let mostHeld = 64 << 20

  private let reader: SelectionReader
  private let target: OfferedTarget
  private let targetAtom: Atom
  private let wish: Wish
  private let output: PasteOutput
  private let refusesBinary: Bool
  private let convertsLineEnds: Bool
  private let decoder: TargetDecoder
  private var form = Form.unknown
  private var held: [UInt8] = []
  private var controls = ControlCharacters()
  /// Bytes that came so far.
  private(set) var byteCount = 0

  init(
    _ reader: SelectionReader, _ target: OfferedTarget, atom: Atom, wish: Wish,
    decoder: TargetDecoder, refusesBinary: Bool, convertsLineEnds: Bool = false,
    output: PasteOutput
  ) {
    self.reader = reader
    self.target = target
    targetAtom = atom
    self.wish = wish
    self.decoder = decoder
    self.refusesBinary = refusesBinary
    self.convertsLineEnds = convertsLineEnds
    self.output = output
  }

  /// Takes the next bytes.
  func receive(_ bytes: UnsafeRawBufferPointer, _ type: Atom, _ format: Int) throws {
    if case .unknown = form { try decide(type, format) }
    byteCount += bytes.count
    reader.watchdog.relax()
    defer { reader.watchdog.rearm() }
    switch form {
    case .bytes: try write(bytes)
    case .text(var stream):
      var text: [UInt8] = []
      text.reserveCapacity(bytes.count)
      form = .unknown
      try stream.decode(bytes, into: &text)
      form = .text(stream)
      try write(text)
    case .whole, .names, .numbers, .unknown:
      guard held.count + bytes.count <= Self.mostHeld else {
        throw CommandFailure.failed(
          "\(TargetName.escaped(target.name)) is too large to be decoded; name the target itself "
            + "with -t for its bytes as they are")
      }
      held += bytes
    }
  }

  /// Takes the end.
  func finish(_ reply: ConversionReply) throws {
    if case .unknown = form { try decide(reply.type, reply.format) }
    switch form {
    case .bytes, .unknown: break
    case .text(var stream):
      var text: [UInt8] = []
      try stream.finish(into: &text)
      try write(text)
    case .whole(let type, let format): try write(decoded(type, format))
    case .names:
      let lines = reader.connection.names(of: items.map { Atom($0) })
      try output.write(
        Array(lines.map { TargetName.escaped($0 ?? "?") + "\n" }.joined().utf8))
    case .numbers: try output.write(Array(items.map { "\($0)\n" }.joined().utf8))
    }
  }

  private func write(_ bytes: [UInt8]) throws { try bytes.withUnsafeBytes { try write($0) } }

  /// Writes bytes; what a terminal would take for commands only where that is wished for.
  private func write(_ bytes: UnsafeRawBufferPointer) throws {
    guard !refusesBinary || !controls.found(in: bytes) else {
      throw CommandFailure.failed(
        "\(TargetName.escaped(target.name)) has control characters, and standard output is a "
          + "terminal; write it with -o FILE, or name the type with -t, or use --force")
    }
    try output.write(bytes)
  }

  private var items: [UInt32] {
    (0..<held.count / 4).map { index in
      held.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self) }
    }
  }

  private func decoded(_ type: String, _ format: Int) throws -> [UInt8] {
    let reply = TargetReply(bytes: held, type: type, format: format)
    do throws(SelectionFormatError) {
      if target.codec == .html { return try decoder.html(reply, of: target) }
      guard case .readable(let wanted) = wish else { return held }
      return try decoder.content(reply, of: target, as: wanted)
    } catch {
      throw Lie(message: error.description)
    }
  }

  // MARK: The first answer

  private func decide(_ type: Atom, _ format: Int) throws {
    let name =
      type == targetAtom || type == .none
      ? target.name : reader.connection.names(of: [type])[0] ?? "?"
    form = try form(name, type, format)
    output.convertsLineEnds = convertsLineEnds && hasLines
    guard refusesBinary, !isReadable else { return }
    throw CommandFailure.failed(
      "\(TargetName.escaped(target.name)) is not text, and standard output is a terminal; "
        + "write it with -o FILE, or name the type with -t, or use --force")
  }

  /// Whether what is written is text in which each line end is a byte or two.
  private var hasLines: Bool {
    switch form {
    case .text: return true
    case .names, .numbers: return false
    case .bytes, .whole, .unknown: break
    }
    var isWide = false
    switch (wish, target.charset) {
    case (.readable(as: .utf16PlainText), _), (.readable(as: .utf16ExternalPlainText), _):
      isWide = true
    case (.exact, .utf16), (.exact, .utf16LittleEndian), (.exact, .utf16BigEndian): isWide = true
    default: isWide = target.contentType?.conforms(to: .utf16PlainText) == true
    }
    return !isWide
      && (target.isPlainText || target.contentType?.conforms(to: .text) == true)
  }

  private var isReadable: Bool {
    switch form {
    case .text, .names, .numbers: true
    case .bytes, .whole, .unknown:
      target.isPlainText || target.isURIs || target.contentType?.conforms(to: .text) == true
    }
  }

  private func form(_ name: String, _ type: Atom, _ format: Int) throws -> Form {
    if case .exact = wish {
      guard format == 32 else {
        try checkContent(name, format)
        return .bytes
      }
      switch type {
      case .atom, reader.connection.atoms.targets: return .names
      case .integer, .cardinal, .window: return .numbers
      default: return .bytes
      }
    }
    guard case .readable(let wanted) = wish else { return .bytes }
    do throws(SelectionFormatError) {
      if target.isPlainText {
        if wanted == .utf16PlainText || wanted == .utf16ExternalPlainText {
          return .whole(type: name, format: format)
        }
        // What is called UTF-8 passes as it is, whatever it is.
        let isUTF8 = name == "UTF8_STRING" || name == "text/plain;charset=utf-8"
        if isUTF8, format == 8 || type == .none { return .bytes }
        return .text(try decoder.textStream(of: target, type: name, format: format))
      }
      if wanted == .fileURL || wanted == .url && target.isURIs {
        return .whole(type: name, format: format)
      }
      if target.codec == .html, wanted != nil { return .whole(type: name, format: format) }
    } catch {
      throw Lie(message: error.description)
    }
    try checkContent(name, format)
    return .bytes
  }

  /// Checks that the returned type goes with the target.
  private func checkContent(_ name: String, _ format: Int) throws {
    guard let contentType = target.contentType, !target.isPlainText else { return }
    do throws(SelectionFormatError) {
      _ = try decoder.content(
        TargetReply(bytes: [], type: name, format: format), of: target,
        as: contentType == .fileURL || contentType == .url ? .data : contentType)
    } catch {
      throw Lie(message: error.description)
    }
  }
}
