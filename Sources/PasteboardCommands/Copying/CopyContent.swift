internal import Glibc
internal import SelectionFormats
internal import XlibTransport

/// What is copied: representations in order, each with its bytes.
struct CopyContent {
  struct Item {
    var representation: Representation
    var source: ContentSource
    /// Whether the caller said what the content is.
    var typeIsNamed = false
  }

  var items: [Item] = []
  var isSensitive = false
  /// What the selection held before, and goes on holding beside the items (`--add`).
  var kept: SelectionSnapshot?

  /// The descriptors that the serving process needs.
  var descriptors: [CInt] {
    items.compactMap { item in
      switch item.source {
      case .memory: nil
      case .file(let file): file.descriptor
      case .followed(let input): input.descriptor
      }
    }
  }

  /// Bytes of all representations.
  var byteCount: Int {
    items.reduce(0) { sum, item in
      switch item.source {
      case .memory(let bytes): sum + bytes.count
      case .file(let file): sum + file.byteCount
      case .followed(let input): sum + input.text.count
      }
    } + (kept?.targets.reduce(0) { $0 + $1.bytes.count } ?? 0)
  }

  /// What grows while it is served.
  var followed: FollowedInput? {
    for case .followed(let input) in items.map(\.source) { return input }
    return nil
  }

  /// The targets of the items.
  private var advertised: [SelectionFormats.AdvertisedTarget] {
    let representations = items.map { item in
      guard case .followed(let input) = item.source else { return item.representation }
      return input.representation
    }
    let all = TargetTable.advertised(for: representations, isSensitive: isSensitive)
    // What only stands for text does not replace a text that is there.
    guard kept?.hasText == true, !hasPlainText else { return all }
    return all.filter { !OfferedTarget(name: $0.name).isPlainText }
  }

  /// The names of the targets that will be offered.
  var targetNames: [String] {
    let names = advertised.map(\.name)
    return keptTargets(besides: names).map(\.name) + names
  }

  private func keptTargets(besides names: [String]) -> [Offer.Target] {
    (kept?.offer.targets ?? []).filter { !names.contains($0.name) }
  }

  /// What a selection's owner offers.
  ///
  /// - Parameter mailbox: The connection's, for work that is done piece by piece.
  func offer(mailbox: Mailbox) -> Offer {
    let advertised = advertised
    let targets = advertised.map { target in
      Offer.Target(
        name: target.name, typeName: target.propertyType, format: target.format,
        produce: producer(target, mailbox))
    }
    return Offer(
      targets: keptTargets(besides: targets.map(\.name)) + targets,
      isStorable: !isSensitive && kept?.isSensitive != true && followed == nil)
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
    case .followed(let input):
      return { _ in Self.encoded(target, input.text) }
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
