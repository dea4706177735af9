public import Foundation
import Synchronization
public import UniformTypeIdentifiers

/// Offers one item in several content types, each made when it is asked for.
///
/// The corresponding Apple class is Foundation's `NSItemProvider`. Completion handlers run on any
/// thread. The cancellation of a returned `Progress` ends a load at once, even if what makes the
/// content goes on; the completion handler is then called with the error.
open class NSItemProvider: NSObject, NSCopying, @unchecked Sendable {
  // Safe to share: what changes is in the mutex.
  private struct State {
    var registrations: [ItemRegistration] = []
    var suggestedName: String?
    var previewHandler: LoadHandler?
  }

  private let state = Mutex(State())

  /// Makes a provider that offers nothing yet.
  public override init() {
    super.init()
  }

  /// Makes a provider for a file or folder, whose content type follows from its name.
  /// - Parameter fileURL: The file; `nil`, or what is no file URL, makes no provider.
  public convenience init?(contentsOf fileURL: URL?) {
    guard let fileURL, fileURL.isFileURL else { return nil }
    self.init(contentsOf: fileURL, contentType: nil)
  }

  /// Makes a provider for a file.
  /// - Parameters:
  ///   - fileURL: The file. Its name without extension becomes the suggested name.
  ///   - contentType: Its content type; with `nil` it follows from the name.
  ///   - openInPlace: Whether the file itself may be handed over.
  ///   - coordinated: Has no effect, since Linux has no file coordination.
  ///   - visibility: Who may see the file.
  public convenience init(
    contentsOf fileURL: URL, contentType: UTType?, openInPlace: Bool = false,
    coordinated: Bool = false, visibility: NSItemProviderRepresentationVisibility = .all
  ) {
    self.init()
    suggestedName = fileURL.deletingPathExtension().lastPathComponent
    registerFileRepresentation(
      for: contentType ?? UTType(nameOf: fileURL) ?? .data, visibility: visibility,
      openInPlace: openInPlace
    ) { completion in
      completion(fileURL, coordinated, nil)
      return nil
    }
  }

  /// The name a file made of the item gets, with or without extension.
  open var suggestedName: String? {
    get { state.withLock { $0.suggestedName } }
    set { state.withLock { $0.suggestedName = newValue } }
  }

  /// Copies the provider; what is offered is shared, what is added later is not.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSItemProvider()
    let state = state.withLock { $0 }
    copy.state.withLock { $0 = state }
    return copy
  }

  var previewHandler: LoadHandler? {
    get { state.withLock { $0.previewHandler } }
    set { state.withLock { $0.previewHandler = newValue } }
  }

  var registrations: [ItemRegistration] { state.withLock { $0.registrations } }

  /// Adds a representation. One more of the same content type is ignored: the first is preferred.
  func add(_ registration: ItemRegistration) {
    state.withLock { state in
      guard !state.registrations.contains(where: { $0.contentType == registration.contentType })
      else { return }
      state.registrations.append(registration)
    }
  }
}

/// Who may see a representation of an item provider.
public enum NSItemProviderRepresentationVisibility: Int, Sendable {
  /// Every program.
  case all = 0
  /// Programs of the same team.
  case team = 1
  /// Programs of the same app group.
  case group = 2
  /// Only the program that offers it.
  case ownProcess = 3

  init(_ visibility: TransferRepresentationVisibility) {
    self =
      switch visibility {
      case .all: .all
      case .team: .team
      case .group: .group
      default: .ownProcess
      }
  }
}

/// How a file representation may be used.
public struct NSItemProviderFileOptions: OptionSet, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes options of bits.
  /// - Parameter rawValue: The bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The file itself may be handed over.
  public static let openInPlace = NSItemProviderFileOptions(rawValue: 1)
}

extension NSItemProvider {
  /// The domain of the errors of item providers.
  public static let errorDomain = "NSItemProviderErrorDomain"

  /// The codes of ``errorDomain``.
  public enum ErrorCode: Int, Sendable {
    /// Something else.
    case unknownError = -1
    /// Nothing was offered in the content type, or it could not be made.
    case itemUnavailableError = -1000
    /// What was made has another class.
    case unexpectedValueClassError = -1100
    /// What was made cannot be turned into what was asked for.
    case unavailableCoercionError = -1200
  }

  static func error(
    _ code: ErrorCode, _ message: String, underlying: (any Error)? = nil
  ) -> NSError {
    var information: [String: Any] = [NSLocalizedDescriptionKey: message]
    information[NSUnderlyingErrorKey] = underlying
    return NSError(domain: errorDomain, code: code.rawValue, userInfo: information)
  }
}
