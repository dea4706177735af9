import CoreTransferable
import UniformTypeIdentifiers

/// A film in a file, which may be too large for memory.
struct Video: Sendable {
  let file: URL
}

extension Video: Transferable {
  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(contentType: .mpeg4Movie) { video in
      SentTransferredFile(video.file, allowAccessingOriginalFile: true)
    } importing: { received in
      // The received file is gone when this returns.
      Video(file: try keep(received.file))
    }
    ProxyRepresentation(exporting: \.file)
  }

  /// Moves a received file to a place of our own.
  private static func keep(_ received: URL) throws -> URL {
    let directory = FileManager.default.temporaryDirectory
      .appending(path: "video-" + UUID().uuidString, directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    let kept = directory.appending(path: received.lastPathComponent)
    do {
      try FileManager.default.moveItem(at: received, to: kept)
    } catch {
      try FileManager.default.copyItem(at: received, to: kept)
    }
    return kept
  }
}
