import Foundation
import UniformTypeIdentifiers

/// Turns whatever goes wrong with an item into a ``TransferError`` that names the item's type.
struct TransferFailures: Sendable {
  let item: any Transferable.Type
  let available: [UTType]

  /// What a file of this item is called when nothing suggests a name.
  var itemName: String {
    switch ObjectIdentifier(item) {
    case ObjectIdentifier(String.self), ObjectIdentifier(AttributedString.self): "Text"
    case ObjectIdentifier(URL.self): "Link"
    default: String(String(describing: item).prefix { $0 != "<" })
    }
  }

  /// Runs an export.
  func exporting<Result: Sendable>(
    _ contentType: UTType?, _ operation: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await operation()
    } catch {
      throw transferError(for: error, .exportFailed, contentType)
    }
  }

  /// Runs an import.
  func importing<Result: Sendable>(
    _ contentType: UTType?, _ operation: () async throws -> Result
  ) async throws -> Result {
    do {
      return try await operation()
    } catch {
      throw transferError(for: error, .importFailed, contentType)
    }
  }

  func transferError(
    for error: any Error, _ code: TransferError.Code, _ contentType: UTType?
  ) -> TransferError {
    let isImport = code == .importFailed
    let (code, reason, underlying): (TransferError.Code, String, (any Error)?) =
      switch error {
      case is DeadlineExceeded:
        (
          .timedOut,
          "it took longer than the time given; \(item) may be waiting for something or never return",
          nil
        )
      case is CancellationError:
        (.cancelled, "the transfer was cancelled", nil)
      case is UnmetCondition:
        (.conditionFalse, "this value does not meet the representation's exporting condition", nil)
      case is FileFailure:
        (.fileUnreadable, "a file is missing or cannot be used", error)
      default:
        (
          code,
          code == .exportFailed
            ? "the exporting closure or encoder of \(item) threw an error"
            : "what was given may be damaged or not of that content type",
          error
        )
      }
    return TransferError(
      code, item: item, contentType: contentType, available: available, reason: reason,
      underlying: underlying, isImport: isImport)
  }
}
