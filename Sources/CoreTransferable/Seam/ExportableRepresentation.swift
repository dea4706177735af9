import Foundation
package import UniformTypeIdentifiers

/// One way in which one value can be exported now.
///
/// Conditions have been evaluated and proxies replaced by what they stand for. Each request runs the
/// exporting closure once, on threads that nothing else waits for; several requests may run at once.
package struct ExportableRepresentation: Sendable {
  /// What the item's type produces.
  package enum Kind: Sendable, Equatable {
    case data
    /// - Parameter allowsOpenInPlace: The type's wish; whether the file may be handed over is known
    ///   only once it has been exported.
    case file(allowsOpenInPlace: Bool)
  }

  /// What an exported file is wanted for.
  package enum FileUse: Sendable {
    /// Only its bytes leave the process: the sender's own file will do, so nothing is copied.
    case reading
    /// Its path leaves the process: a copy, unless the sender allows access to its own file.
    case handingOver
  }

  enum Source: Sendable {
    case data(@Sendable @concurrent () async throws -> Data)
    case file(@Sendable @concurrent () async throws -> SentTransferredFile)
  }

  /// The content type the representation is offered as.
  package let contentType: UTType
  /// Who may see it.
  package let visibility: TransferRepresentationVisibility
  /// The name the item suggests for a file, as suggested: not yet made safe.
  package var suggestedFileName: String?
  /// Whether data or a file is produced. Either can be asked for.
  package let kind: Kind

  let source: Source
  let failures: TransferFailures

  /// What was asked for, where that is a supertype of the content type; errors name it.
  var requestedType: UTType?

  /// Exports data. Bytes of a large file are mapped, not read.
  /// - Parameter deadline: When to stop waiting, even for a closure that never returns.
  /// - Returns: The data.
  /// - Throws: ``TransferError``.
  package func loadData(until deadline: ContinuousClock.Instant? = nil) async throws -> Data {
    let source = source
    return try await failures.exporting(requestedType ?? contentType) {
      try await waiting(until: deadline) {
        switch source {
        case .data(let data):
          return try await data()
        case .file(let file):
          return try FileContents.data(of: try Self.file(of: try await file()), isPrivate: false)
        }
      }
    }
  }

  /// Exports a file. Its bytes never pass through memory unless the type itself produces data.
  /// - Parameters:
  ///   - use: What the file is wanted for.
  ///   - deadline: When to stop waiting, even for a closure that never returns.
  ///   - progress: Called with the bytes written so far and in all, as a copy is made.
  /// - Returns: The file, which must be kept as long as it is in use.
  /// - Throws: ``TransferError``.
  package func loadFile(
    for use: FileUse = .handingOver, until deadline: ContinuousClock.Instant? = nil,
    progress: @escaping @Sendable (_ done: Int64, _ total: Int64) -> Void = { _, _ in }
  ) async throws -> TransferFile {
    try await failures.exporting(requestedType ?? contentType) {
      try await waiting(until: deadline) {
        switch source {
        case .data(let data):
          let data = try await data()
          let file = try TransferFile(
            suggestedName: suggestedFileName, fallback: failures.itemName, contentType: contentType)
          try file.write(data)
          progress(Int64(data.count), Int64(data.count))
          return file
        case .file(let file):
          let sent = try await file()
          let original = try Self.file(of: sent)
          if use == .reading || sent.allowAccessingOriginalFile {
            return TransferFile(original: original)
          }
          let copy = try TransferFile(
            suggestedName: suggestedFileName ?? original.lastPathComponent,
            fallback: failures.itemName, contentType: contentType)
          let total = FileCopy.size(of: original)
          var done: Int64 = 0
          try FileCopy.copy(original, to: copy.url) {
            done += $0
            progress(done, total)
          }
          return copy
        }
      }
    }
  }

  static func file(of sent: SentTransferredFile) throws -> URL {
    try FileContents.checkReadable(sent.file)
    return sent.file
  }
}

extension Transferable {
  /// What this value can be exported as now, in order of preference; of several representations with
  /// one content type only the first. Representations limited to the own process are included: look
  /// at their visibility before anything leaves the process.
  package func exportableRepresentations() -> [ExportableRepresentation] {
    exportables(from: RepresentationDescription<Self>.all())
  }

  func exportables(
    from descriptions: [RepresentationDescription<Self>]
  ) -> [ExportableRepresentation] {
    var seen = Set<UTType>()
    let offered = descriptions.filter { description in
      guard description.exporter != nil, !seen.contains(description.contentType),
        description.condition?(self) ?? true
      else { return false }
      seen.insert(description.contentType)
      return true
    }
    let failures = TransferFailures(item: Self.self, available: offered.map(\.contentType))
    let fileName = fileName(from: descriptions)
    return offered.compactMap { description in
      guard let exporter = description.exporter else { return nil }
      let (kind, source): (ExportableRepresentation.Kind, ExportableRepresentation.Source) =
        switch exporter {
        case .data(let data): (.data, .data { try await data(self) })
        case .file(let allowsOpenInPlace, let file):
          (.file(allowsOpenInPlace: allowsOpenInPlace), .file { try await file(self) })
        }
      return ExportableRepresentation(
        contentType: description.contentType, visibility: description.visibility,
        suggestedFileName: fileName, kind: kind, source: source, failures: failures)
    }
  }

  /// The last name the type itself suggests, else the last one a proxied type suggests.
  func fileName(from descriptions: [RepresentationDescription<Self>]) -> String? {
    for suggestion in [\RepresentationDescription<Self>.fileName, \.proxiedFileName] {
      for description in descriptions.reversed() where description.exporter != nil {
        if let name = description[keyPath: suggestion]?(self) { return name }
      }
    }
    return nil
  }
}
