import Foundation
import Synchronization
import UniformTypeIdentifiers

/// One content type that an item provider offers.
struct ItemRegistration: Sendable {
  typealias DataHandler =
    @Sendable (@escaping @Sendable (Data?, (any Error)?) -> Void) -> Progress?
  typealias FileHandler =
    @Sendable (@escaping @Sendable (URL?, Bool, (any Error)?) -> Void) -> Progress?

  enum Loader: Sendable {
    case data(DataHandler)
    case file(FileHandler)
    case transferable(@Sendable () throws -> ExportableRepresentation)
  }

  let contentType: UTType
  let visibility: NSItemProviderRepresentationVisibility
  let opensInPlace: Bool
  let loader: Loader

  /// Makes the data.
  func data(counting progress: ItemProgress) async throws -> Data {
    let data: Data
    switch loader {
    case .data(let handler):
      data = try await Self.answer(of: handler, counting: progress)
    case .file(let handler):
      data = try await Self.answer(of: handler, counting: progress) {
        try FileContents.data(of: $0, isPrivate: false)
      }
    case .transferable(let representation):
      data = try await waiting(until: nil) { try representation() }.loadData()
    }
    progress.finish(bytes: Int64(data.count))
    return data
  }

  /// Makes the file.
  /// - Parameters:
  ///   - inPlace: Whether the provider's own file is wanted, if it may be handed over.
  ///   - suggestedName: The name a copy gets.
  func file(
    inPlace: Bool, suggestedName: String?, counting progress: ItemProgress
  ) async throws -> TransferFile {
    let file: TransferFile
    switch loader {
    case .data(let handler):
      let data = try await Self.answer(of: handler, counting: progress)
      file = try await waiting(until: nil) {
        let file = try emptyFile(suggestedName)
        try file.write(data)
        return file
      }
    case .file(let handler):
      file = try await Self.answer(of: handler, counting: progress) { original in
        if inPlace, opensInPlace { return TransferFile(original: original) }
        return try copy(
          of: original, suggestedName: suggestedName ?? original.lastPathComponent,
          counting: progress)
      }
    case .transferable(let representation):
      var exportable = try await waiting(until: nil) { try representation() }
      if let suggestedName { exportable.suggestedFileName = suggestedName }
      let loaded = try await exportable.loadFile(for: .handingOver) {
        progress.count(done: $0, total: $1)
      }
      // Access to the sender's own file is granted, but was not asked for.
      file =
        loaded.isOriginal && !inPlace
        ? try await waiting(until: nil) { [exportable] in
          try copy(
            of: loaded.url,
            suggestedName: suggestedName ?? exportable.suggestedFileName
              ?? loaded.url.lastPathComponent,
            counting: progress)
        } : loaded
    }
    progress.finish(bytes: file.size)
    return file
  }

  private func emptyFile(_ suggestedName: String?) throws -> TransferFile {
    try TransferFile(suggestedName: suggestedName, fallback: "Item", contentType: contentType)
  }

  private func copy(
    of original: URL, suggestedName: String, counting progress: ItemProgress
  ) throws -> TransferFile {
    let copy = try emptyFile(suggestedName)
    let total = FileCopy.size(of: original)
    var done: Int64 = 0
    try FileCopy.copy(original, to: copy.url) {
      // This may run on a thread of the load handler, which knows of no task.
      if progress.progress.isCancelled { throw CancellationError() }
      done += $0
      progress.count(done: done, total: total)
    }
    return copy
  }

  private static func answer(
    of handler: @escaping DataHandler, counting progress: ItemProgress
  ) async throws -> Data {
    try await waiting(until: nil) {
      try await withCheckedThrowingContinuation { continuation in
        let answer = Answer(continuation)
        progress.follow(handler { data, error in answer.give(data, error) })
      }
    }
  }

  /// - Parameter take: Makes what is wanted of the file before the handler goes on, which may then remove its file.
  private static func answer<Value: Sendable>(
    of handler: @escaping FileHandler, counting progress: ItemProgress,
    _ take: @escaping @Sendable (URL) throws -> Value
  ) async throws -> Value {
    try await waiting(until: nil) {
      try await withCheckedThrowingContinuation { continuation in
        let answer = Answer(continuation)
        progress.follow(
          handler { file, _, error in
            guard answer.isAwaited else { return }
            guard let file, error == nil else {
              answer.give(nil, error)
              return
            }
            answer.give(Result { try take(Self.checked(file)) })
          })
      }
    }
  }

  private static func checked(_ file: URL) throws -> URL {
    guard file.isFileURL else {
      throw NSItemProvider.error(
        .itemUnavailableError, "\(file.absoluteString) was given as a file, but is none")
    }
    return file
  }
}

/// What a load handler answers, once. A handler that forgets its completion handler answers with an
/// error as soon as it lets go of it.
final class Answer<Value: Sendable>: Sendable {
  private let continuation: Mutex<CheckedContinuation<Value, any Error>?>

  init(_ continuation: CheckedContinuation<Value, any Error>) {
    self.continuation = Mutex(continuation)
  }

  deinit {
    give(nil, NSItemProvider.error(.itemUnavailableError, "The load handler gave no answer"))
  }

  /// Whether nothing was answered yet.
  var isAwaited: Bool { continuation.withLock { $0 != nil } }

  func give(_ result: Result<Value, any Error>) {
    switch result {
    case .success(let value): give(value, nil)
    case .failure(let error): give(nil, error)
    }
  }

  func give(_ value: Value?, _ error: (any Error)?) {
    let continuation = continuation.withLock { continuation in
      let first = continuation
      continuation = nil
      return first
    }
    if let value, error == nil {
      continuation?.resume(returning: value)
    } else {
      continuation?.resume(
        throwing: error
          ?? NSItemProvider.error(
            .itemUnavailableError, "The load handler gave neither a value nor an error"))
    }
  }
}
