public import Foundation
import Synchronization
public import UniformTypeIdentifiers

extension NSItemProvider {
  /// Loads a transferable value.
  ///
  /// The type's importing representations are tried in their order, each with what is on offer of the
  /// same content type or of one that conforms to it, until one succeeds.
  /// - Parameters:
  ///   - transferableType: The type of the value.
  ///   - completionHandler: Called once, on any thread, with the value or a ``TransferError``.
  /// - Returns: A progress that counts bytes and cancels.
  @discardableResult
  public func loadTransferable<T>(
    type transferableType: T.Type,
    completionHandler: @escaping @Sendable (Result<T, any Error>) -> Void
  ) -> Progress where T: Transferable {
    load { progress in
      try await self.transferable(T.self, counting: progress)
    } cancelled: {
      TransferError(
        .cancelled, item: T.self, contentType: nil, reason: "its progress was cancelled",
        isImport: true)
    } completion: { result in
      completionHandler(result)
    }
  }

  /// Loads data.
  /// - Parameters:
  ///   - contentType: The content type, or one that something on offer conforms to.
  ///   - completionHandler: Called once, on any thread, with the data or an error.
  /// - Returns: A progress that counts bytes and cancels.
  @discardableResult
  public func loadDataRepresentation(
    for contentType: UTType,
    completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress {
    load { progress in
      try await self.registration(for: contentType).data(counting: progress)
    } completion: { (result: Result<Data, any Error>) in
      switch result {
      case .success(let data): completionHandler(data, nil)
      case .failure(let error): completionHandler(nil, error)
      }
    }
  }

  /// Loads a file.
  /// - Parameters:
  ///   - contentType: The content type, or one that something on offer conforms to.
  ///   - openInPlace: Whether the provider's own file is wanted, if it may be handed over.
  ///   - completionHandler: Called once, on any thread, with the file, whether it is the provider's
  ///     own, and an error. A copy is removed when the handler returns.
  /// - Returns: A progress that counts bytes and cancels.
  @discardableResult
  public func loadFileRepresentation(
    for contentType: UTType, openInPlace: Bool = false,
    completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
  ) -> Progress {
    let name = suggestedName
    return load { progress in
      try await self.registration(for: contentType)
        .file(inPlace: openInPlace, suggestedName: name, counting: progress)
    } completion: { (result: Result<TransferFile, any Error>) in
      switch result {
      case .success(let file):
        completionHandler(file.url, file.isOriginal, nil)
        file.remove()
      case .failure(let error):
        completionHandler(nil, false, error)
      }
    }
  }

  /// Loads data. The corresponding method by content type is preferred.
  /// - Parameters:
  ///   - typeIdentifier: The identifier of the content type.
  ///   - completionHandler: Called once, on any thread, with the data or an error.
  /// - Returns: A progress that counts bytes and cancels.
  @discardableResult
  public func loadDataRepresentation(
    forTypeIdentifier typeIdentifier: String,
    completionHandler: @escaping @Sendable (Data?, (any Error)?) -> Void
  ) -> Progress {
    loadDataRepresentation(
      for: Self.contentType(typeIdentifier), completionHandler: completionHandler)
  }

  /// Loads a copy of a file. The corresponding method by content type is preferred.
  /// - Parameters:
  ///   - typeIdentifier: The identifier of the content type.
  ///   - completionHandler: Called once, on any thread, with the file, which is removed when the
  ///     handler returns, or an error.
  /// - Returns: A progress that counts bytes and cancels.
  @discardableResult
  public func loadFileRepresentation(
    forTypeIdentifier typeIdentifier: String,
    completionHandler: @escaping @Sendable (URL?, (any Error)?) -> Void
  ) -> Progress {
    loadFileRepresentation(for: Self.contentType(typeIdentifier)) { file, _, error in
      completionHandler(file, error)
    }
  }

  /// Loads the provider's own file if it may be handed over, else a copy.
  /// - Parameters:
  ///   - typeIdentifier: The identifier of the content type.
  ///   - completionHandler: Called once, on any thread, with the file, whether it is the provider's
  ///     own, and an error. A copy is removed when the handler returns.
  /// - Returns: A progress that counts bytes and cancels.
  @discardableResult
  public func loadInPlaceFileRepresentation(
    forTypeIdentifier typeIdentifier: String,
    completionHandler: @escaping @Sendable (URL?, Bool, (any Error)?) -> Void
  ) -> Progress {
    loadFileRepresentation(
      for: Self.contentType(typeIdentifier), openInPlace: true,
      completionHandler: completionHandler)
  }

  func registration(for contentType: UTType) throws -> ItemRegistration {
    let registrations = registrations
    if let match = registrations.first(where: { $0.contentType == contentType })
      ?? registrations.first(where: { $0.contentType.conforms(to: contentType) })
    {
      return match
    }
    let offered = registrations.map(\.contentType.shownName).joined(separator: ", ")
    throw Self.error(
      .itemUnavailableError,
      "Nothing is offered as \(contentType.shownName). On offer: "
        + "\(offered.isEmpty ? "nothing" : offered).")
  }

  private func transferable<T: Transferable>(
    _ type: T.Type, counting progress: ItemProgress
  ) async throws -> T {
    let registrations = registrations
    let offered = registrations.map(\.contentType)
    var failure: (any Error)?
    for candidate in T.importCandidates(offered: offered) {
      guard
        let registration = registrations.first(where: { $0.contentType == candidate.contentType })
      else { continue }
      do {
        return try await item(of: candidate, from: registration, counting: progress)
      } catch let error where !(error is CancellationError) && !Task.isCancelled {
        failure = failure ?? error
      }
    }
    let failures = TransferFailures(item: T.self, available: T.importedContentTypes())
    if let failure = failure as? TransferError { throw failure }
    if let failure { throw failures.transferError(for: failure, .importFailed, nil) }
    let identifiers = offered.map(\.shownName).joined(separator: ", ")
    throw TransferError(
      .notImportable, item: T.self, contentType: nil, available: failures.available,
      reason: "the item provider offers \(identifiers.isEmpty ? "nothing" : identifiers)")
  }

  private func item<T: Transferable>(
    of candidate: ImportCandidate<T>, from registration: ItemRegistration,
    counting progress: ItemProgress
  ) async throws -> T {
    let representation = candidate.representation
    switch representation.kind {
    case .data:
      return try await representation.importing(
        data: try await registration.data(counting: progress), offeredAs: candidate.contentType)
    case .file(let inPlace):
      let file = try await registration.file(
        inPlace: inPlace, suggestedName: suggestedName, counting: progress)
      return try await representation.importing(received: file, offeredAs: candidate.contentType)
    }
  }

  /// Runs a load and calls its completion handler once.
  private func load<Value: Sendable>(
    _ operation: @escaping @Sendable (ItemProgress) async throws -> Value,
    cancelled: @escaping @Sendable () -> any Error = { CocoaError(.userCancelled) },
    completion: @escaping @Sendable (Result<Value, any Error>) -> Void
  ) -> Progress {
    let progress = ItemProgress()
    let task = Task(executorPreference: TransferExecutor.shared) {
      let result: Result<Value, any Error>
      do {
        result = .success(try await operation(progress))
      } catch is CancellationError {
        result = .failure(cancelled())
      } catch let error as FileFailure {
        let message = error.errorDescription ?? ""
        result = .failure(
          Self.error(.itemUnavailableError, message, underlying: error))
      } catch {
        result = .failure(error)
      }
      progress.stopFollowing()
      completion(result)
    }
    // The progress must not keep itself alive through its own handler. The task does as long as it runs,
    // so the handlers' own progresses come first.
    progress.progress.cancellationHandler = { [weak progress] in
      progress?.cancelFollowed()
      task.cancel()
    }
    return progress.progress
  }
}
