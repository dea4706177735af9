import Foundation
package import UniformTypeIdentifiers

/// One way in which items of a type can be imported.
package struct ImportableRepresentation<Item: Transferable>: Sendable {
  /// What the item's type wants.
  package enum Kind: Sendable, Equatable {
    case data
    case file(shouldAttemptToOpenInPlace: Bool)
  }

  /// The content type that is taken.
  package let contentType: UTType

  /// Whether data or a file is wanted. Either can be given.
  package var kind: Kind {
    switch importer.action {
    case .data: .data
    case .file(let inPlace, _): .file(shouldAttemptToOpenInPlace: inPlace)
    }
  }

  let importer: Importer<Item>
  let failures: TransferFailures

  /// Whether content of a type is taken.
  /// - Parameter offered: The content's type.
  package func accepts(_ offered: UTType) -> Bool {
    offered == contentType || (importer.takesConforming && offered.conforms(to: contentType))
  }

  /// Imports an item from data.
  /// - Parameters:
  ///   - data: The data.
  ///   - offered: The content type the data was offered as; text is decoded by it.
  ///   - charset: The text encoding, if the sender names one that the content type does not tell:
  ///     an IANA name such as `iso-8859-15`.
  ///   - suggestedFileName: What the sender calls the data, for a type that wants a file.
  ///   - deadline: When to stop waiting, even for a closure that never returns.
  /// - Returns: The item.
  /// - Throws: ``TransferError``.
  package func importing(
    data: Data, offeredAs offered: UTType? = nil, charset: String? = nil,
    suggestedFileName: String? = nil,
    until deadline: ContinuousClock.Instant? = nil
  ) async throws -> Item {
    let offered = offered ?? contentType
    return try await failures.importing(offered) {
      try await waiting(until: deadline) {
        switch importer.action {
        case .data(let item):
          return try await item(data, OfferedContent(contentType: offered, charset: charset))
        case .file(_, let item):
          let file = try TransferFile(
            suggestedName: suggestedFileName, fallback: failures.itemName, contentType: offered)
          // Removed as soon as the closure ends in any way, however long that takes.
          defer { file.remove() }
          try file.write(data)
          return try await item(ReceivedTransferredFile(file: file.url, isOriginalFile: false))
        }
      }
    }
  }

  /// Imports an item from a file that was received into a place of its own. The file is removed when
  /// the importing closure ends, unless it is the sender's own.
  /// - Parameters:
  ///   - received: The file.
  ///   - offered: The content type the file was offered as.
  ///   - deadline: When to stop waiting, even for a closure that never returns.
  /// - Returns: The item.
  /// - Throws: ``TransferError``.
  package func importing(
    received: TransferFile, offeredAs offered: UTType? = nil,
    until deadline: ContinuousClock.Instant? = nil
  ) async throws -> Item {
    try await importing(
      file: received.url, isOriginal: received.isOriginal, offeredAs: offered, until: deadline,
      owner: received)
  }

  /// Imports an item from a file.
  /// - Parameters:
  ///   - file: The file. If it is not the sender's own, it is the caller's, who keeps it until this
  ///     returns and lets the importing closure move or change it.
  ///   - isOriginal: Whether this is the sender's own file. It is handed on only to a type that wants
  ///     to open files in place; others get a private copy.
  ///   - offered: The content type the file was offered as.
  ///   - deadline: When to stop waiting, even for a closure that never returns.
  /// - Returns: The item.
  /// - Throws: ``TransferError``.
  package func importing(
    file: URL, isOriginal: Bool, offeredAs offered: UTType? = nil,
    until deadline: ContinuousClock.Instant? = nil
  ) async throws -> Item {
    try await importing(
      file: file, isOriginal: isOriginal, offeredAs: offered, until: deadline, owner: nil)
  }

  private func importing(
    file: URL, isOriginal: Bool, offeredAs offered: UTType?,
    until deadline: ContinuousClock.Instant?, owner: TransferFile?
  ) async throws -> Item {
    let offered = offered ?? contentType
    return try await failures.importing(offered) {
      try await waiting(until: deadline) {
        defer { owner?.remove() }
        try FileContents.checkReadable(file)
        switch importer.action {
        case .data(let item):
          let isPrivate = owner.map { !$0.isOriginal } ?? false
          return try await item(
            try FileContents.data(of: file, isPrivate: isPrivate),
            OfferedContent(contentType: offered))
        case .file(let inPlace, let item):
          guard isOriginal, !inPlace else {
            return try await item(
              ReceivedTransferredFile(file: file, isOriginalFile: isOriginal))
          }
          let copy = try TransferFile(
            suggestedName: file.lastPathComponent, fallback: failures.itemName,
            contentType: nil)
          defer { copy.remove() }
          try FileCopy.copy(file, to: copy.url)
          return try await item(ReceivedTransferredFile(file: copy.url, isOriginalFile: false))
        }
      }
    }
  }
}

/// A representation that can import a content type somebody offers.
package struct ImportCandidate<Item: Transferable>: Sendable {
  /// How to import.
  package let representation: ImportableRepresentation<Item>

  /// The content type to ask for: one of those offered.
  package let contentType: UTType
}

extension Transferable {
  /// How items of this type can be imported, in order of preference.
  ///
  /// Some are not among the imported content types: text in other encodings than UTF-8, for instance,
  /// which `String` and everything that goes through it takes.
  package static func importableRepresentations() -> [ImportableRepresentation<Self>] {
    let importing = RepresentationDescription<Self>.all().filter { $0.importer != nil }
    let failures = TransferFailures(
      item: Self.self, available: listed(importing.filter { $0.importer?.isListed ?? false }))
    return importing.compactMap { description in
      description.importer.map {
        ImportableRepresentation(
          contentType: description.contentType, importer: $0, failures: failures)
      }
    }
  }

  /// What to ask an owner for, the best first; if one attempt fails, the next may succeed.
  ///
  /// The order is the type's own: for each representation that imports, first the offered type that
  /// equals its content type, then those that conform to it in the owner's order.
  /// - Parameter offered: The content types on offer, in the owner's order.
  /// - Returns: The candidates; empty if nothing on offer can be imported.
  package static func importCandidates(offered: [UTType]) -> [ImportCandidate<Self>] {
    importableRepresentations().flatMap { representation in
      let equal = offered.filter { $0 == representation.contentType }
      let conforming = offered.filter {
        $0 != representation.contentType && representation.accepts($0)
      }
      return (equal + conforming).map {
        ImportCandidate(representation: representation, contentType: $0)
      }
    }
  }

  /// The content types of representations, each once, in order.
  static func listed(_ descriptions: [RepresentationDescription<Self>]) -> [UTType] {
    var seen = Set<UTType>()
    return descriptions.map(\.contentType).filter { seen.insert($0).inserted }
  }
}
