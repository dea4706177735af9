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
      "TARGETS", as: nil, limits: limits, offered: [], receive: { collected.append($0) })
    guard reply.format == 32, reply.typeName == "ATOM" || reply.typeName == "TARGETS" else {
      throw await invalid(
        "answered TARGETS with \(TargetName.escaped(reply.typeName)) of \(reply.format) bits, which is no list",
        "TARGETS", nil, reply, offered: [])
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
      target.name, as: target.contentType.map { UTType($0) }, limits: limits.forContent,
      offered: offered, receive: { collected.append($0) })
    return reply.holding(collected.take())
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
        target.name, as: UTType(wanted), limits: limits.forContent, offered: offered,
        receive: { collected.append($0) })
      // The bytes are the content; only what they were sent as has to be looked at.
      _ = try await decoded(reply, [], of: target, as: wanted, offered: offered)
      return collected.take()
    }
    let collected = Collected<[UInt8]>([])
    let received = try await convert(
      target.name, as: UTType(wanted), limits: limits.forContent, offered: offered,
      receive: { collected.append($0) })
    let bytes = collected.take()
    // A list in UTF-16 is left to the decoder.
    if target.codec == .uriList, takesLinks(), !bytes.contains(0) {
      let links = URIList.parse(bytes)
      if !links.isEmpty, wanted == .url || !links.contains(where: FileURI.isFileURI) {
        return Data(links.joined(separator: "\n").utf8)
      }
    }
    return try await decoded(received, bytes, of: target, as: wanted, offered: offered)
  }

  private func decoded(
    _ reply: Reply, _ bytes: [UInt8], of target: OfferedTarget, as wanted: ContentType,
    offered: [UTType]
  ) async throws -> Data {
    do {
      return Data(try TargetDecoder().content(reply.holding(bytes), of: target, as: wanted))
    } catch {
      throw await invalid(
        "sent what cannot be read: \(oneLine(error))", target.name, UTType(wanted), reply,
        offered: offered, underlying: error)
    }
  }

  /// The owner answered, but not with what was asked for.
  private func invalid(
    _ what: String, _ target: String, _ type: UTType?, _ reply: Reply, offered: [UTType],
    underlying: (any Error)? = nil
  ) async -> PasteboardError {
    let owner = await owner(behind: reply.owner)
    let who = "the owner of \(selection)" + (owner.map { " (\($0.described))" } ?? "")
    return PasteboardError(
      .invalidContent, selection, "\(who) \(what)", contentType: type,
      target: TargetName.escaped(target), owner: owner, offered: offered, underlying: underlying)
  }

  /// Who owns a window, as far as that is found out in a moment: the X server may be what does not answer.
  private func owner(behind window: Window) async -> PasteboardOwner? {
    guard window != .none else { return nil }
    let found = try? await bridge.run(within: .milliseconds(200)) { PasteboardOwner(window, $0) }
    return found ?? PasteboardOwner(window)
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
      target.name, as: type, limits: limits.forContent, offered: types,
      receive: { try writer.write($0) })
    guard reply.format == 8 else {
      throw await invalid(
        "sent \(TargetName.escaped(target.name)) in items of \(reply.format) bits, where bytes belong",
        target.name, type, reply, offered: types)
    }
    return file
  }

  struct Reply: Sendable {
    var typeName: String
    var format: Int
    var owner: Window

    func holding(_ bytes: [UInt8]) -> TargetReply {
      TargetReply(bytes: bytes, type: typeName, format: format)
    }
  }

  /// Converts the selection, and hands the bytes over on the connection's thread as they come.
  private func convert(
    _ target: String, as type: UTType?, limits: TransferLimits, offered: [UTType],
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
              result.finish(
                .success(Reply(typeName: name, format: reply.format, owner: reply.owner)))
            case .failure(let failure):
              result.finish(.failure(failure))
            }
          })
      }
      return try await result.value {
        guard let token else { return }
        bridge.post { $0.cancel(token) }
      }
    } catch let failure as ConversionFailure {
      let owner = await owner(behind: failure.owner)
      throw PasteboardError(
        failure, selection, target: target, as: type, of: owner, offered: offered)
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
