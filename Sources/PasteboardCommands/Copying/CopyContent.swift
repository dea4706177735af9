internal import Glibc
internal import SelectionFormats
internal import XlibTransport

/// What is copied: representations in order, each with its bytes.
struct CopyContent {
  struct Item {
    var representation: Representation
    var source: ContentSource
  }

  var items: [Item] = []
  var isSensitive = false

  /// The descriptors that the serving process needs.
  var descriptors: [CInt] {
    items.compactMap { item in
      if case .file(let file) = item.source { file.descriptor } else { nil }
    }
  }

  /// Bytes of all representations.
  var byteCount: Int {
    items.reduce(0) { sum, item in
      switch item.source {
      case .memory(let bytes): sum + bytes.count
      case .file(let file): sum + file.byteCount
      }
    }
  }

  /// The names of the targets that will be offered.
  var targetNames: [String] {
    TargetTable.advertised(for: items.map(\.representation), isSensitive: isSensitive).map(\.name)
  }

  /// What a selection's owner offers.
  ///
  /// - Parameter mailbox: The connection's, for work that is done piece by piece.
  func offer(mailbox: Mailbox) -> Offer {
    let advertised = TargetTable.advertised(
      for: items.map(\.representation), isSensitive: isSensitive)
    let targets = advertised.map { target in
      Offer.Target(
        name: target.name, typeName: target.propertyType, format: target.format,
        produce: producer(target, mailbox))
    }
    return Offer(targets: targets, isStorable: !isSensitive)
  }

  private func producer(
    _ target: SelectionFormats.AdvertisedTarget, _ mailbox: Mailbox
  ) -> (ProductionTicket) -> Offer.Production {
    let source = target.representation.map { items[$0].source } ?? .memory([])
    switch source {
    case .memory(let bytes):
      if target.encoder.isIdentity {
        let payload = MemoryPayload(bytes)
        return { _ in .ready(payload) }
      }
      return { _ in Self.encoded(target, bytes) }
    case .file(let file):
      let isText = OfferedTarget(name: target.name).isPlainText
      if target.encoder.isIdentity {
        return { _ in
          guard let payload = file.payload(asText: isText) else { return .failed }
          return .ready(payload)
        }
      }
      guard target.encoder.isStreamable else {
        return { _ in
          guard let bytes = file.whole(atMost: 256 << 20) else { return .failed }
          return Self.encoded(target, bytes)
        }
      }
      return { ticket in
        let encoding = StreamedEncoding(
          file, target.encoder, typeName: target.propertyType ?? target.name, ticket: ticket,
          mailbox: mailbox)
        guard let encoding else { return .failed }
        return .pending(cancel: { encoding.cancel() })
      }
    }
  }

  private static func encoded(
    _ target: SelectionFormats.AdvertisedTarget, _ bytes: [UInt8]
  ) -> Offer.Production {
    guard let reply = try? target.reply(encoding: bytes) else { return .failed }
    return .ready(MemoryPayload(reply.bytes), typeName: reply.propertyType)
  }
}
