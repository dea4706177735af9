import ContentTypes
import CoreTransferable
import Foundation
import SelectionFormats
import UniformTypeIdentifiers
import XlibTransport

/// What is offered: representations, what is known of them, and how their bytes come about.
///
/// Text is exported when it is copied, if that is quick: only then is it known which of the older text targets can
/// carry it. Short text is kept and answered at once. Everything else is exported when somebody asks, anew for each
/// who asks, and never on the connection's thread.
///
/// It is kept by the connection until it is replaced and the last transfer of it is over; files that were handed out
/// by name go with it.
final class ItemOffer: Sendable {
  let representations: [Representation]
  let sources: [OfferSource]
  private let files = HandedOutFiles()

  /// Whether files are offered by their names.
  var namesFiles: Bool { representations.contains { $0.contentType == .fileURL } }

  /// How long the export of text may hold up a copy.
  private static let textDeadline = Duration.milliseconds(200)
  /// How long an exporter may take at all.
  static let exportDeadline = Duration.seconds(60)
  /// The most bytes of text that are kept.
  private static let mostKept = 1 << 20
  /// The most bytes of text that are encoded on the connection's thread.
  private static let mostEncodedAtOnce = 65_536

  /// One item.
  ///
  /// - Parameter exportables: What may leave the process, best first.
  init(_ exportables: [ExportableRepresentation]) async {
    var list = OfferList()
    let deadline = ContinuousClock.now + Self.textDeadline
    for exportable in exportables {
      let type = exportable.contentType.contentType
      await list.append(type, .export(exportable), isText: Self.isText(exportable), by: deadline)
    }
    // The file itself comes last, so that its path is the item's text only where the item has no other.
    if !exportables.contains(where: { $0.contentType == .fileURL }),
      let file = exportables.first(where: \.isFile)
    {
      await list.append(.fileURL, .fileURI(file, place: 0), isText: false, by: deadline)
    }
    (representations, sources) = (list.representations, list.sources)
  }

  /// Several items as one: a list of files, of links, or lines of text; whatever all of them can be.
  init(joining items: [[ExportableRepresentation]]) async {
    var list = OfferList()
    let deadline = ContinuousClock.now + Self.textDeadline
    func each(_ type: ContentType) -> [ExportableRepresentation]? {
      let parts = items.compactMap { item in
        item.first { $0.contentType.contentType == type && $0.kind == .data }
      }
      return parts.count == items.count && !parts.isEmpty ? parts : nil
    }
    let files = items.enumerated().compactMap { place, item -> OfferSource? in
      if let named = item.first(where: { $0.contentType == .fileURL }) { return .export(named) }
      return item.first(where: \.isFile).map { .fileURI($0, place: place) }
    }
    if files.count == items.count, !files.isEmpty {
      let areNamed = files.allSatisfy { if case .export = $0 { true } else { false } }
      await list.append(
        .fileURL, .joined(files, separator: "\n"), isText: areNamed, by: deadline)
    } else if let links = each(.url) {
      let sources = links.map { OfferSource.export($0) }
      list.append(
        Representation(nil, targetName: "text/uri-list"), .joined(sources, separator: "\r\n"))
      await list.append(
        .utf8PlainText, .joined(sources, separator: "\n"), isText: true, by: deadline)
    }
    if let texts = each(.utf8PlainText) {
      await list.append(
        .utf8PlainText, .joined(texts.map { .export($0) }, separator: "\n"), isText: true,
        by: deadline)
    }
    (representations, sources) = (list.representations, list.sources)
  }

  private static func isText(_ exportable: ExportableRepresentation) -> Bool {
    let type = exportable.contentType.contentType
    return exportable.kind == .data
      && (type.conforms(to: .plainText) || type == .url || type == .fileURL)
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
    let source = target.representation.map { sources[$0] } ?? .bytes([])
    if case .bytes(let bytes) = source {
      if target.encoder.isIdentity {
        return .ready(MemoryPayload(bytes), typeName: target.propertyType)
      }
      // Encoding a long text takes time that other requests would wait for.
      if bytes.count <= Self.mostEncodedAtOnce {
        guard let reply = try? target.reply(encoding: bytes) else { return .failed }
        return .ready(MemoryPayload(reply.bytes), typeName: reply.propertyType)
      }
    }
    // Not on the shared threads: a program that blocks them, perhaps waiting for the one that pastes, still serves.
    let task = Task.detached(executorPreference: TransferExecutor.shared) { [self] in
      do {
        let (payload, typeName) = try await payload(of: target, source)
        ticket.succeed(payload, typeName: typeName)
      } catch {
        ticket.fail()
      }
    }
    return .pending(cancel: { task.cancel() })
  }

  private func payload(
    of target: SelectionFormats.AdvertisedTarget, _ source: OfferSource
  ) async throws -> (any Payload, String?) {
    let deadline = ContinuousClock.now + Self.exportDeadline
    if target.encoder.isIdentity, case .export(let exportable) = source {
      if exportable.isFile {
        let file = try await exportable.loadFile(for: .reading, until: deadline)
        return (try HeldFilePayload(file), target.propertyType)
      }
      return (DataPayload(try await exportable.loadData(until: deadline)), target.propertyType)
    }
    let bytes = try await source.bytes(keeping: files, until: deadline)
    let reply = try target.reply(encoding: bytes)
    return (MemoryPayload(reply.bytes), reply.propertyType)
  }

  /// Representations with their sources under construction.
  private struct OfferList {
    var representations: [Representation] = []
    var sources: [OfferSource] = []

    mutating func append(_ representation: Representation, _ source: OfferSource) {
      representations.append(representation)
      sources.append(source)
    }

    /// Looks at the text of a representation, where it is there in time.
    mutating func append(
      _ type: ContentType, _ source: OfferSource, isText: Bool, by deadline: ContinuousClock.Instant
    ) async {
      guard isText, let bytes = try? await source.bytes(keeping: nil, until: deadline) else {
        append(Representation(type), source)
        return
      }
      append(
        Representation(type, bytes: bytes),
        bytes.count <= ItemOffer.mostKept ? .bytes(bytes) : source)
    }
  }
}

extension ExportableRepresentation {
  var isFile: Bool { if case .file = kind { true } else { false } }
}
