import CoreTransferable
public import Foundation
import SelectionFormats
import SelectionProtocol
public import UniformTypeIdentifiers
import XlibTransport

/// Why copying, pasting or looking at a selection failed.
public struct PasteboardError: Error, Sendable {
  /// The kind of failure.
  public enum Code: String, Hashable, Sendable {
    /// What was given cannot be the name of a selection.
    case invalidName
    /// There is no X server, or it refused the connection.
    case cannotConnect
    /// The X server ended, or closed the connection.
    case connectionLost
    /// Nobody offers anything on the selection.
    case empty
    /// What is on offer is of no use for what was asked for.
    case notOnOffer
    /// The owner offers it, but refused to give it.
    case refused
    /// The owner did not answer, or stopped in the middle.
    case timedOut
    /// The owner went away in the middle.
    case ownerGone
    /// The owner broke the protocol, or sent what it had not announced.
    case invalidContent
    /// More than the caller's limit.
    case tooLarge
    /// Another program took the selection in the same moment.
    case ownershipRefused
    /// The item has no representation that may leave the process.
    case nothingToOffer
    /// The item could not be made of what was received; see `underlyingError`.
    case importFailed
    /// What was received could not be kept; see `underlyingError`.
    case cannotStore
    /// The task was cancelled.
    case cancelled
  }

  /// The kind of failure.
  public let code: Code
  /// The selection it is about.
  public let selection: Selection
  /// The content types on offer, in the owner's order, where they are known.
  public let offered: [UTType]
  /// What happened, to what, and what may cause it, for people.
  public let message: String
  /// The error that caused this one.
  public let underlyingError: (any Error)?

  init(
    _ code: Code, _ selection: Selection, _ message: String, offered: [UTType] = [],
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.selection = selection
    self.offered = offered
    self.message = message
    underlyingError = underlying
  }

  /// What went wrong on the way to the connection's thread, or there.
  init(_ error: any Error, _ selection: Selection) {
    switch error {
    case let error as PasteboardError:
      self = error
    case let error as DisplayError:
      self.init(
        error.code == .connectionLost ? .connectionLost : .cannotConnect, selection,
        error.description, underlying: error)
    case AcquisitionFailure.connectionLost(let error):
      self.init(error, selection)
    case is ServerDoesNotAnswer:
      self.init(
        .timedOut, selection, "the X server does not answer; it may be stopped or out of reach",
        underlying: error)
    case is CancellationError:
      self.init(
        .cancelled, selection, "the work on \(selection) was cancelled", underlying: error)
    default:
      self.init(.cannotStore, selection, oneLine(error), underlying: error)
    }
  }

  /// Nobody owns the selection.
  static func empty(_ selection: Selection) -> PasteboardError {
    PasteboardError(.empty, selection, "nothing is on \(selection): no program owns it")
  }

  /// Why a conversion brought nothing.
  init(
    _ failure: ConversionFailure, _ selection: Selection, target: String, offered: [UTType]
  ) {
    let owner = "the owner of \(selection) (window 0x\(String(failure.owner.rawValue, radix: 16)))"
    let received = failure.byteCount > 0 ? " after \(failure.byteCount) bytes" : ""
    let (code, message): (Code, String) =
      switch failure.code {
      case .noOwner:
        (.empty, Self.empty(selection).message)
      case .connectionLost:
        (.connectionLost, "the connection to the X server was lost\(received)")
      case .receiver:
        (.cannotStore, "what was received of \(target) could not be kept\(received)")
      case .transfer(.refused):
        (
          .refused,
          "\(owner) refused \(target); some compositors refuse while their window has no focus"
        )
      case .transfer(.missingProperty):
        (.refused, "\(owner) answered \(target) but sent nothing")
      case .transfer(.noAnswer):
        (.timedOut, "\(owner) did not answer for \(target); the program may be busy or stopped")
      case .transfer(.stalled):
        (.timedOut, "\(owner) stopped sending \(target)\(received)")
      case .transfer(.ownerGone):
        (.ownerGone, "\(owner) went away while it sent \(target)\(received)")
      case .transfer(.tooLarge):
        (.tooLarge, "\(target) is larger than the limit\(received)")
      case .transfer(.inconsistent):
        (.invalidContent, "\(owner) changed the type of \(target) in the middle\(received)")
      case .transfer(.cancelled):
        (.cancelled, "the paste of \(target) was cancelled")
      }
    self.init(code, selection, message, offered: offered, underlying: failure.underlying)
  }

  /// Why an item could not be made of what was received, or of this process's own copy.
  init(
    importing type: any Transferable.Type, _ error: any Error, _ selection: Selection,
    offered: [UTType] = []
  ) {
    if let error = error as? PasteboardError {
      self = error
      return
    }
    let code: Code =
      switch (error as? TransferError)?.code {
      case .cancelled?: .cancelled
      case .timedOut?: .timedOut
      default: error is CancellationError ? .cancelled : .importFailed
      }
    let reason = oneLine(error)
    self.init(
      code, selection,
      code == .cancelled
        ? "the paste was cancelled"
        : "no \(type) can be made of what is on \(selection): \(reason)",
      offered: offered, underlying: error)
  }

  /// Whether another target of the same owner may still do.
  var allowsAnotherTarget: Bool {
    switch code {
    case .refused, .invalidContent, .importFailed: true
    case .invalidName, .cannotConnect, .connectionLost, .empty, .notOnOffer, .timedOut, .ownerGone,
      .tooLarge, .ownershipRefused, .nothingToOffer, .cannotStore, .cancelled:
      false
    }
  }
}

extension PasteboardError: LocalizedError, CustomStringConvertible {
  /// What happened, to what, and what may cause it.
  public var errorDescription: String? { message }
  /// What happened, to what, and what may cause it.
  public var description: String { message }
}

/// One line of what an error says of itself, safe to print.
func oneLine(_ error: any Error) -> String {
  let text = (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
  return TargetName.escaped(text.split(whereSeparator: \.isNewline).joined(separator: " "))
}

extension [UTType] {
  /// What is on offer, for people; a long list is cut.
  var listed: String {
    let shown = prefix(12).map(\.identifier).joined(separator: ", ")
    return count > 12 ? "\(shown) and \(count - 12) more" : shown
  }
}
