public import Foundation
public import UniformTypeIdentifiers

/// Why an item could not be exported or imported.
public struct TransferError: Error, Sendable {
  /// The kind of failure.
  public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let rawValue: String

    /// Makes a code of its name.
    /// - Parameter rawValue: The name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The name of the code.
    public var description: String { rawValue }

    /// No exported representation has the content type asked for.
    public static let notExportable = Code(rawValue: "notExportable")
    /// No imported representation takes the content type.
    public static let notImportable = Code(rawValue: "notImportable")
    /// A representation has the content type, but its exporting condition is false for this value.
    public static let conditionFalse = Code(rawValue: "conditionFalse")
    /// The item's type failed to export the value.
    public static let exportFailed = Code(rawValue: "exportFailed")
    /// The item's type failed to import what it was given.
    public static let importFailed = Code(rawValue: "importFailed")
    /// A file could not be found, read, copied or made.
    public static let fileUnreadable = Code(rawValue: "fileUnreadable")
    /// The task or the progress was cancelled.
    public static let cancelled = Code(rawValue: "cancelled")
    /// The time the caller gave ran out.
    public static let timedOut = Code(rawValue: "timedOut")
  }

  /// The kind of failure.
  public let code: Code
  /// The Swift type of the item.
  public let itemType: String
  /// The content type that was asked for or given, if any.
  public let contentType: UTType?
  /// The content types the item does offer or take.
  public let availableContentTypes: [UTType]
  /// What happened and what may have caused it, for people.
  public let message: String
  /// The error that caused this one.
  public let underlyingError: (any Error)?
}

extension TransferError: LocalizedError, CustomStringConvertible {
  /// What happened and what may have caused it.
  public var errorDescription: String? { message }

  /// The code and the message.
  public var description: String { "\(code): \(message)" }
}

extension TransferError {
  package init(
    _ code: Code, item: any Transferable.Type, contentType: UTType?,
    available: [UTType] = [], reason: String, underlying: (any Error)? = nil,
    isImport: Bool? = nil
  ) {
    self.code = code
    itemType = String(describing: item)
    self.contentType = contentType
    availableContentTypes = available
    underlyingError = underlying
    message = Self.sentence(
      code, item: String(describing: item), contentType: contentType, available: available,
      reason: reason, underlying: underlying,
      isImport: isImport ?? [.notImportable, .importFailed].contains(code))
  }

  private static func sentence(
    _ code: Code, item: String, contentType: UTType?, available: [UTType], reason: String,
    underlying: (any Error)?, isImport: Bool
  ) -> String {
    let type = contentType?.shownName
    let direction = isImport ? "imported from" : "exported as"
    let noType = isImport ? "what was given" : "any content type"
    var text = "\(item) could not be \(direction) \(type ?? noType): \(reason)"
    if let underlying {
      text += " (\(described(underlying)))"
    }
    text += "."
    switch code {
    case .notExportable, .conditionFalse:
      text += " On offer: \(list(available))."
    case .notImportable, .importFailed:
      text += " \(item) takes: \(list(available))."
    default: break
    }
    return text
  }

  private static func list(_ types: [UTType]) -> String {
    types.isEmpty ? "nothing" : types.map(\.shownName).joined(separator: ", ")
  }

  private static func described(_ error: any Error) -> String {
    if let error = error as? TransferError { return error.message }
    if let described = (error as? any LocalizedError)?.errorDescription { return described }
    // Foundation's own errors say for people what is wrong; their description is for developers.
    if error is any CustomNSError || type(of: error) is NSError.Type {
      var sentence = error.localizedDescription
      if sentence.hasSuffix(".") { sentence.removeLast() }
      return sentence
    }
    return String(describing: error)
  }
}

extension UTType {
  /// What a message calls the type: an identifier made from a tag says nothing to people, its tag does.
  package var shownName: String {
    guard isDynamic else { return identifier }
    return preferredMIMEType ?? preferredFilenameExtension.map { ".\($0)" } ?? identifier
  }
}
