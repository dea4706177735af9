import CoreTransferable
import Foundation
import XlibTransport

/// Bytes of a `Data`, without a copy.
struct DataPayload: Payload {
  private let data: Data

  init(_ data: Data) { self.data = data }

  var byteCount: Int { data.count }

  func withBytes(
    in range: Range<Int>, scratch: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    data.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }
}

/// A file that has to be kept while it is sent.
struct HeldFilePayload: Payload {
  private let file: TransferFile
  private let payload: FilePayload

  /// - Throws: `FilePayload.Failure`, for a folder too: it has no bytes of its own.
  init(_ file: TransferFile) throws {
    self.file = file
    payload = try FilePayload(path: file.url.path(percentEncoded: false))
  }

  var byteCount: Int { payload.byteCount }

  func withBytes(
    in range: Range<Int>, scratch: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) throws {
    try payload.withBytes(in: range, scratch: scratch, body)
  }
}
