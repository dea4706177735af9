import ContentTypes
import CoreTransferable
import Foundation
import SelectionFormats
import Synchronization
import UniformTypeIdentifiers
import XlibTransport

/// One item, as it is offered: its representations, what is known of them, and how their bytes come about.
///
/// Short text is exported when it is copied: then it is known which text targets can carry it, and it is answered at
/// once. Everything else is exported when somebody asks, anew for each who asks, and never on the connection's thread.
final class ItemOffer: Sendable {
  /// Where the canonical bytes of a representation come from.
  enum Source: Sendable {
    /// Made when it was copied.
    case bytes([UInt8])
    /// Made when asked for.
    case export(ExportableRepresentation)
    /// The file of a representation, named by its URI.
    case fileURI(ExportableRepresentation)
  }

  let representations: [Representation]
  let sources: [Source]
  /// Files that were handed out by name, which have to stay as long as the offer does.
  private let handedOut = Mutex<[Int: TransferFile]>([:])

  /// How long the export of text may hold up a copy.
  private static let textDeadline = Duration.milliseconds(200)
  /// How long an exporter may take at all.
  private static let exportDeadline = Duration.seconds(60)

  /// - Parameter exportables: What may leave the process, best first.
  init(_ exportables: [ExportableRepresentation]) async {
    var representations: [Representation] = []
    var sources: [Source] = []
    let hasFileURL = exportables.contains { $0.contentType == .fileURL }
    for exportable in exportables {
      let type = exportable.contentType.contentType
      let isText = type.conforms(to: .plainText) || type == .url || type == .fileURL
      var bytes: [UInt8]?
      if isText, exportable.kind == .data {
        bytes = (try? await exportable.loadData(until: .now + Self.textDeadline)).map { Array($0) }
      }
      if let bytes {
        representations.append(Representation(type, bytes: bytes))
        sources.append(.bytes(bytes))
      } else {
        representations.append(Representation(type))
        sources.append(.export(exportable))
      }
      if case .file = exportable.kind, !hasFileURL {
        representations.append(Representation(.fileURL))
        sources.append(.fileURI(exportable))
      }
    }
    self.representations = representations
    self.sources = sources
  }

  /// Several files or texts as one: a list of files, lines of text.
  init(joining items: [[ExportableRepresentation]]) async throws {
    var representations: [Representation] = []
    var sources: [Source] = []
    for (type, separator) in [(ContentType.fileURL, "\n"), (.utf8PlainText, "\n")] {
      let parts = items.map { item in item.first { $0.contentType.contentType == type } }
      guard parts.allSatisfy({ $0 != nil }) else { continue }
      var joined: [UInt8] = []
      for (index, part) in parts.enumerated() {
        guard let part else { continue }
        if index > 0 { joined += Array(separator.utf8) }
        joined += Array(try await part.loadData(until: .now + Self.exportDeadline))
      }
      representations.append(Representation(type, bytes: joined))
      sources.append(.bytes(joined))
    }
    self.representations = representations
    self.sources = sources
  }

  /// The targets of the offer for the transport.
  func offer(isSensitive: Bool, onLost: @escaping () -> Void) -> Offer {
    let advertised = TargetTable.advertised(for: representations, isSensitive: isSensitive)
    let targets = advertised.map { target in
      // TEXT of a text that is not known yet names its type only when it is made.
      Offer.Target(
        name: target.name, typeName: target.propertyType ?? target.name, format: target.format
      ) { [self] ticket in production(of: target, ticket) }
    }
    return Offer(targets: targets, isStorable: !isSensitive, onLost: onLost)
  }

  private func production(
    of target: SelectionFormats.AdvertisedTarget, _ ticket: ProductionTicket
  ) -> Offer.Production {
    guard let index = target.representation, case .export(_) = sources[index] else {
      return immediate(target, ticket)
    }
    return deferred(target, ticket)
  }

  private func immediate(
    _ target: SelectionFormats.AdvertisedTarget, _ ticket: ProductionTicket
  ) -> Offer.Production {
    let source = target.representation.map { sources[$0] } ?? .bytes([])
    guard case .bytes(let bytes) = source else { return deferred(target, ticket) }
    if target.encoder.isIdentity { return .ready(MemoryPayload(bytes)) }
    // Encoding a long text takes time that other requests would wait for.
    guard bytes.count <= 65_536 else { return deferred(target, ticket) }
    guard let reply = try? target.reply(encoding: bytes) else { return .failed }
    return .ready(MemoryPayload(reply.bytes), typeName: reply.propertyType)
  }

  private func deferred(
    _ target: SelectionFormats.AdvertisedTarget, _ ticket: ProductionTicket
  ) -> Offer.Production {
    let task = Task.detached { [self] in
      do {
        let (payload, typeName) = try await payload(of: target)
        ticket.succeed(payload, typeName: typeName)
      } catch {
        ticket.fail()
      }
    }
    return .pending(cancel: { task.cancel() })
  }

  private func payload(
    of target: SelectionFormats.AdvertisedTarget
  ) async throws -> (any Payload, String?) {
    let index = target.representation ?? 0
    let deadline = ContinuousClock.now + Self.exportDeadline
    let bytes: [UInt8]
    switch sources[index] {
    case .bytes(let known):
      bytes = known
    case .export(let exportable):
      if target.encoder.isIdentity {
        if case .file = exportable.kind {
          return (
            try await HeldFilePayload(exportable.loadFile(for: .reading, until: deadline)), nil
          )
        }
        return (DataPayload(try await exportable.loadData(until: deadline)), nil)
      }
      bytes = Array(try await exportable.loadData(until: deadline))
    case .fileURI(let exportable):
      bytes = Array(try await uri(of: exportable, index, until: deadline).utf8)
    }
    let reply = try target.reply(encoding: bytes)
    return (MemoryPayload(reply.bytes), reply.propertyType)
  }

  /// The URI under which the file of a representation is handed out; the same one for all who ask.
  private func uri(
    of exportable: ExportableRepresentation, _ index: Int, until deadline: ContinuousClock.Instant
  ) async throws -> String {
    if let file = handedOut.withLock({ $0[index] }) { return try Self.uri(file) }
    let file = try await exportable.loadFile(for: .handingOver, until: deadline)
    let kept = handedOut.withLock { files in
      // Somebody else may have been faster; everybody gets one and the same file.
      if let first = files[index] { return first }
      files[index] = file
      return file
    }
    return try Self.uri(kept)
  }

  private static func uri(_ file: TransferFile) throws -> String {
    try FileURI.uri(path: file.url.path(percentEncoded: false))
  }
}

/// Bytes of a `Data`, without a copy.
struct DataPayload: Payload {
  private let data: Data

  init(_ data: Data) { self.data = data }

  var byteCount: Int { data.count }

  func withBytes(
    in range: Range<Int>, scratch: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    data.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}

/// A file that has to be kept while it is sent.
struct HeldFilePayload: Payload {
  private let file: TransferFile
  private let payload: FilePayload

  init(_ file: TransferFile) throws {
    self.file = file
    payload = try FilePayload(path: file.url.path(percentEncoded: false))
  }

  var byteCount: Int { payload.byteCount }

  func withBytes(
    in range: Range<Int>, scratch: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws {
    try payload.withBytes(in: range, scratch: scratch, body)
  }
}
