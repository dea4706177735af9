import ContentTypes
import CoreTransferable
import Foundation
import SelectionFormats
import SelectionProtocol
import Synchronization
import UniformTypeIdentifiers
import XlibTransport

extension Pasteboard {
  /// The names that the owner answers TARGETS with.
  func targetNames(limits: TransferLimits) async throws -> [String] {
    let collected = Collected<[UInt8]>([])
    let reply = try await convert(
      "TARGETS", limits: limits, offered: [], receive: { collected.append($0) })
    guard reply.format == 32, reply.typeName == "ATOM" || reply.typeName == "TARGETS" else {
      throw PasteboardError(
        .invalidContent, selection,
        "the owner of \(selection) answered TARGETS with \(TargetName.escaped(reply.typeName)) of \(reply.format) bits"
      )
    }
    let atoms = collected.take().withUnsafeBytes { raw in
      (0..<min(raw.count / 4, TargetName.maximumOffered)).map {
        Atom(raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self))
      }
    }
    return try await run { $0.names(of: atoms) }.compactMap(\.self)
  }

  /// Receives a target as it is, into memory.
  func receiveReply(
    _ target: OfferedTarget, offered: [UTType], limits: Limits
  ) async throws -> TargetReply {
    let collected = Collected<[UInt8]>([])
    let reply = try await convert(
      target.name, limits: limits.forContent, offered: offered, receive: { collected.append($0) })
    return TargetReply(bytes: collected.take(), type: reply.typeName, format: reply.format)
  }

  /// Receives a target as the bytes of a content type, into memory.
  ///
  /// - Parameter takesLinks: Whether links will do where a list that should name files does not.
  func receiveData(
    _ target: OfferedTarget, as wanted: ContentType, offered: [UTType], limits: Limits,
    orLinks takesLinks: () -> Bool = { false }
  ) async throws -> Data {
    if target.codec == .bytes, !wanted.conforms(to: .plainText) {
      let collected = Collected<Data>(Data())
      let reply = try await convert(
        target.name, limits: limits.forContent, offered: offered, receive: { collected.append($0) })
      // The bytes are the content; only what they were sent as has to be looked at.
      let empty = TargetReply(bytes: [], type: reply.typeName, format: reply.format)
      _ = try decoded(empty, of: target, as: wanted, offered: offered)
      return collected.take()
    }
    let reply = try await receiveReply(target, offered: offered, limits: limits)
    if target.codec == .uriList, takesLinks() {
      let links = URIList.parse(reply.bytes)
      if !links.isEmpty, !links.contains(where: FileURI.isFileURI) {
        return Data(links.joined(separator: "\n").utf8)
      }
    }
    return try decoded(reply, of: target, as: wanted, offered: offered)
  }

  private func decoded(
    _ reply: TargetReply, of target: OfferedTarget, as wanted: ContentType, offered: [UTType]
  ) throws -> Data {
    do {
      return Data(try TargetDecoder().content(reply, of: target, as: wanted))
    } catch {
      throw PasteboardError(
        .invalidContent, selection, oneLine(error), offered: offered, underlying: error)
    }
  }

  /// Receives a target into a private file, through no memory.
  func receiveFile(
    _ target: OfferedTarget, as type: UTType, from offered: OfferedTargets, fallback: String,
    limits: Limits
  ) async throws -> TransferFile {
    let types = offered.contentTypes.map { UTType($0) }
    let name = await suggestedFileName(in: offered, limits: limits)
    let file: TransferFile
    let writer: ReceivedFileWriter
    do {
      file = try TransferFile(suggestedName: name, fallback: fallback, contentType: type)
      writer = try ReceivedFileWriter(path: file.url.path(percentEncoded: false))
    } catch {
      throw PasteboardError(
        .cannotStore, selection,
        "what is on \(selection) cannot be kept in a file: \(oneLine(error))", offered: types,
        underlying: error)
    }
    let reply = try await convert(
      target.name, limits: limits.forContent, offered: types, receive: { try writer.write($0) })
    guard reply.format == 8 else {
      throw PasteboardError(
        .invalidContent, selection,
        "the owner of \(selection) sent \(TargetName.escaped(target.name)) in items of \(reply.format) bits",
        offered: types)
    }
    return file
  }

  struct Reply: Sendable {
    var typeName: String
    var format: Int
  }

  /// Converts the selection, and hands the bytes over on the connection's thread as they come.
  private func convert(
    _ target: String, limits: TransferLimits, offered: [UTType],
    receive: @escaping @Sendable (UnsafeRawBufferPointer) throws -> Void
  ) async throws -> Reply {
    let selection = selection
    let bridge = bridge
    let result = PendingResult<Reply>()
    do {
      let token = try await bridge.run { connection -> ConversionToken? in
        let conversion = Conversion(
          selection: connection.atom(selection.name), target: connection.atom(target),
          limits: limits)
        return connection.convert(
          conversion,
          receive: { bytes, _, _ in
            // Nobody waits any more: no more is wanted.
            guard !result.isOver else { throw CancellationError() }
            try receive(bytes)
          },
          completion: { [unowned connection] outcome in
            switch outcome {
            case .success(let reply):
              let name = connection.names(of: [reply.type]).first.flatMap(\.self) ?? ""
              result.finish(.success(Reply(typeName: name, format: reply.format)))
            case .failure(let failure):
              result.finish(
                .failure(
                  PasteboardError(
                    failure, selection, target: TargetName.escaped(target), offered: offered)))
            }
          })
      }
      return try await result.value {
        guard let token else { return }
        bridge.post { $0.cancel(token) }
      }
    } catch {
      // A conversion that was begun in the moment of the cancellation ends with its first bytes.
      result.finish(.failure(error))
      throw PasteboardError(error, selection)
    }
  }
}

/// Bytes that arrive on the connection's thread.
private final class Collected<Bytes: RangeReplaceableCollection & Sendable>: Sendable
where Bytes.Element == UInt8 {
  private let bytes: Mutex<Bytes>

  init(_ empty: Bytes) { bytes = Mutex(empty) }

  func append(_ more: UnsafeRawBufferPointer) { bytes.withLock { $0.append(contentsOf: more) } }

  func take() -> Bytes {
    bytes.withLock { bytes in
      defer { bytes = Bytes() }
      return bytes
    }
  }
}
