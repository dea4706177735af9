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
  /// The content type that was being received or made, where there was one.
  public let contentType: UTType?
  /// The target that was asked for, safe to print, where one was.
  public let target: String?
  /// Who was asked, where somebody was and the X server still knew.
  public let owner: PasteboardOwner?
  /// The content types on offer, in the owner's order, where they are known.
  public let offered: [UTType]
  /// What happened, to what, and what may cause it, for people.
  public let message: String
  /// The error that caused this one.
  public let underlyingError: (any Error)?

  init(
    _ code: Code, _ selection: Selection, _ message: String, contentType: UTType? = nil,
    target: String? = nil, owner: PasteboardOwner? = nil, offered: [UTType] = [],
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.selection = selection
    self.contentType = contentType
    self.target = target
    self.owner = owner
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
  ///
  /// - Parameters:
  ///   - target: What was asked for.
  ///   - type: What it was to become, if that is content.
  ///   - owner: Who was asked.
  init(
    _ failure: ConversionFailure, _ selection: Selection, target: String, as type: UTType?,
    of owner: PasteboardOwner?, offered: [UTType]
  ) {
    let target = TargetName.escaped(target)
    let what = type.map { "\(target) (\($0.shownName))" } ?? target
    let who = "the owner of \(selection)" + (owner.map { " (\($0.described))" } ?? "")
    let received = failure.byteCount > 0 ? " after \(failure.byteCount) bytes" : ""
    let (code, message): (Code, String) =
      switch failure.code {
      case .noOwner:
        (.empty, Self.empty(selection).message)
      case .connectionLost:
        (
          .connectionLost,
          "the connection to the X server was lost while \(what) was asked of \(who)\(received); the server "
            + "ended or closed it"
        )
      case .receiver:
        (
          .cannotStore,
          "what \(who) sent of \(what) could not be kept\(received): "
            + (failure.underlying.map { oneLine($0) } ?? "the reason is not known")
        )
      case .transfer(.refused):
        (
          .refused,
          "\(who) refused \(what); it may list what it cannot give, and some compositors refuse while none of "
            + "their X11 windows has the focus"
        )
      case .transfer(.missingProperty):
        (
          .refused,
          "\(who) answered \(what) but sent nothing; it may have failed to make it, or the X server may be "
            + "short of memory"
        )
      case .transfer(.noAnswer):
        (
          .timedOut,
          "\(who) did not answer for \(what) in time; the program may be busy, stopped or hung"
        )
      case .transfer(.stalled):
        (
          .timedOut,
          "\(who) stopped sending \(what)\(received); the program may be busy, stopped or hung"
        )
      case .transfer(.ownerGone):
        (
          .ownerGone,
          "\(who) went away while \(what) was asked of it\(received); the program ended or crashed"
        )
      case .transfer(.tooLarge):
        (.tooLarge, "\(what) from \(who) is larger than the limit that was set\(received)")
      case .transfer(.inconsistent):
        (
          .invalidContent,
          "\(what) from \(who) came changed or with a part missing\(received); it breaks the protocol, or another "
            + "program interfered"
        )
      case .transfer(.cancelled):
        (.cancelled, "the paste of \(what) was cancelled\(received)")
      }
    self.init(
      code, selection, message, contentType: type, target: target, owner: owner, offered: offered,
      underlying: failure.underlying)
  }

  /// Why an item could not be made of what was received, or of this process's own copy.
  init(
    importing type: any Transferable.Type, _ error: any Error, _ selection: Selection,
    from contentType: UTType? = nil, target: String? = nil, offered: [UTType] = []
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
    let shown = target.map { TargetName.escaped($0) }
    let what =
      switch (contentType, shown) {
      case (let type?, let target?): "\(type.shownName) (sent as \(target))"
      case (let type?, nil): type.shownName
      case (nil, let target?): target
      case (nil, nil): "what is"
      }
    self.init(
      code, selection,
      code == .cancelled
        ? "the paste was cancelled"
        : "no \(type) can be made of \(what) on \(selection): \(reason)",
      contentType: contentType, target: shown, offered: offered, underlying: error)
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
    let shown = prefix(12).map(\.shownName).joined(separator: ", ")
    return count > 12 ? "\(shown) and \(count - 12) more" : shown
  }
}
