import ContentTypes
import CoreTransferable
import Foundation
import SelectionFormats
import SelectionProtocol
import Synchronization
import UniformTypeIdentifiers
import XlibTransport

/// The answer to TARGETS.
struct ReceivedList: Sendable {
  var names: [String]
}

extension Pasteboard {
  /// The names that the owner answers TARGETS with.
  func targetList(limits: TransferLimits) async throws -> ReceivedList {
    let collected = Collected()
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
    return ReceivedList(names: try await run { $0.names(of: atoms) }.compactMap(\.self))
  }

  /// Receives a target into memory.
  func receiveBytes(
    _ target: OfferedTarget, offered: [UTType], limits: Limits
  ) async throws -> TargetReply {
    let collected = Collected()
    let reply = try await convert(
      target.name, limits: limits.forContent, offered: offered, receive: { collected.append($0) })
    return TargetReply(bytes: collected.take(), type: reply.typeName, format: reply.format)
  }

  /// Receives a target into a private file, through no memory.
  func receiveFile(
    _ target: OfferedTarget, as type: UTType, fallback: String, offered: [UTType], limits: Limits
  ) async throws -> TransferFile {
    let file = try TransferFile(suggestedName: nil, fallback: fallback, contentType: type)
    let writer = try FileWriter(path: file.url.path(percentEncoded: false))
    let reply = try await convert(
      target.name, limits: limits.forContent, offered: offered, receive: { try writer.write($0) })
    try writer.close()
    guard reply.format == 8 else {
      throw PasteboardError(
        .invalidContent, selection,
        "the owner of \(selection) sent \(TargetName.escaped(target.name)) in items of \(reply.format) bits",
        offered: offered)
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
    let running = Running()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isAccepted = bridge.post { connection in
          let token = connection.convert(
            Conversion(
              selection: connection.atom(selection.name), target: connection.atom(target),
              limits: limits),
            receive: { bytes, _, _ in try receive(bytes) },
            completion: { [unowned connection] result in
              switch result {
              case .success(let reply):
                let name = connection.names(of: [reply.type]).first.flatMap(\.self) ?? ""
                continuation.resume(returning: Reply(typeName: name, format: reply.format))
              case .failure(let failure):
                continuation.resume(
                  throwing: PasteboardError(
                    failure, selection, target: TargetName.escaped(target), offered: offered))
              }
            })
          if let token, !running.started(token) { connection.cancel(token) }
        }
        if !isAccepted {
          let failure = ConversionFailure(code: .connectionLost)
          continuation.resume(
            throwing: PasteboardError(failure, selection, target: target, offered: offered))
        }
      }
    } onCancel: {
      guard let token = running.cancel() else { return }
      bridge.post { $0.cancel(token) }
    }
  }
}

/// A conversion that may be cancelled before it has begun.
private final class Running: Sendable {
  private struct State {
    var token: ConversionToken?
    var isCancelled = false
  }

  private let state = Mutex(State())

  func started(_ token: ConversionToken) -> Bool {
    state.withLock { state in
      state.token = token
      return !state.isCancelled
    }
  }

  func cancel() -> ConversionToken? {
    state.withLock { state in
      state.isCancelled = true
      return state.token
    }
  }
}

/// Bytes that arrive on the connection's thread.
private final class Collected: Sendable {
  private let bytes = Mutex<[UInt8]>([])

  func append(_ more: UnsafeRawBufferPointer) { bytes.withLock { $0.append(contentsOf: more) } }

  func take() -> [UInt8] {
    bytes.withLock { bytes in
      defer { bytes = [] }
      return bytes
    }
  }
}

/// A file that is written as bytes arrive.
private final class FileWriter: Sendable {
  private let handle: FileHandle

  init(path: String) throws {
    let url = URL(filePath: path)
    if !FileManager.default.fileExists(atPath: path) {
      try Data().write(to: url, options: .withoutOverwriting)
    }
    handle = try FileHandle(forWritingTo: url)
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try handle.write(contentsOf: Data(bytes))
  }

  func close() throws { try handle.close() }
}
