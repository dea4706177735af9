public import Foundation

/// The file an item is exported as.
public struct SentTransferredFile: Sendable {
  /// The file, or a folder.
  public let file: URL

  /// Whether a receiver may get this very file; otherwise it gets a copy.
  public let allowAccessingOriginalFile: Bool

  /// Names the file an item is exported as.
  /// - Parameters:
  ///   - file: The file. It stays the sender's: nothing here moves or removes it.
  ///   - allowAccessingOriginalFile: Whether a receiver may get this very file.
  public init(_ file: URL, allowAccessingOriginalFile: Bool = false) {
    self.file = file
    self.allowAccessingOriginalFile = allowAccessingOriginalFile
  }
}

/// A file an item is imported from.
public struct ReceivedTransferredFile: Sendable {
  /// The file. A copy lies in a private directory and is gone once the importing closure returns or
  /// throws: move it, copy it or read it inside.
  public let file: URL

  /// Whether this is the sender's own file rather than a copy.
  public let isOriginalFile: Bool
}
