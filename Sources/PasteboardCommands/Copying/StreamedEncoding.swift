internal import Glibc
internal import SelectionFormats
internal import XlibTransport

/// Encodes a large text into a file without a name, piece by piece between other work.
///
/// `@unchecked Sendable`: it is only touched on the connection's thread; the mailbox passes it from one round of
/// that thread to the next.
final class StreamedEncoding: @unchecked Sendable {
  private static let pieceSize = 1 << 20

  private let source: FileSource
  private let payload: FilePayload
  private var stream: TargetEncoder.Stream
  private let ticket: ProductionTicket
  private let mailbox: Mailbox
  private let typeName: String
  private var output: CInt
  private var offset = 0
  private let buffer = UnsafeMutableRawBufferPointer.allocate(
    byteCount: pieceSize, alignment: 64)

  /// Begins.
  ///
  /// - Returns: nil where that cannot be.
  init?(
    _ source: FileSource, _ encoder: TargetEncoder, typeName: String, ticket: ProductionTicket,
    mailbox: Mailbox
  ) {
    guard let payload = source.payload(asText: true), let stream = TargetEncoder.Stream(encoder),
      let output = try? InputSpool.openUnnamedFile()
    else { return nil }
    self.source = source
    self.payload = payload
    self.stream = stream
    self.ticket = ticket
    self.mailbox = mailbox
    self.typeName = typeName
    self.output = output
    next()
  }

  deinit {
    buffer.deallocate()
    if output >= 0 { close(output) }
  }

  /// Nobody wants it any more.
  func cancel() {
    if output >= 0 { close(output) }
    output = -1
  }

  private func next() { mailbox.post { [self] _ in step() } }

  private func step() {
    guard output >= 0 else { return }
    do {
      var encoded: [UInt8] = []
      let end = min(offset + Self.pieceSize, payload.byteCount)
      if offset < end {
        var failure: SelectionFormatError?
        try payload.withBytes(in: offset..<end, scratch: buffer) { bytes in
          do throws(SelectionFormatError) {
            try stream.encode(bytes, into: &encoded)
          } catch {
            failure = error
          }
        }
        if let failure { throw failure }
      }
      offset = end
      let isOver = offset == payload.byteCount
      if isOver { try stream.finish(into: &encoded) }
      guard Descriptor.write(output, encoded) == 0 else { return fail() }
      guard isOver else { return next() }
      let file = try FilePayload(takingOver: output, path: "")
      output = -1
      ticket.succeed(file, typeName: typeName)
    } catch {
      fail()
    }
  }

  private func fail() {
    cancel()
    ticket.fail()
  }
}
