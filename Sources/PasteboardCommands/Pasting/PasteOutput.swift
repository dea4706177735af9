internal import Glibc

/// Where pasted bytes go: standard output, or a file that appears whole.
final class PasteOutput {
  enum Destination {
    case standardOutput
    case file(RawText)
    /// An open descriptor, which stays the caller's.
    case open(CInt)
    case memory
  }

  private var destination: Destination
  private var file: OutputFile?
  private let standard = PatientOutput(1)
  private let trimsNewline: Bool
  private var holdsNewline = false
  /// Whether CR and LF together become LF.
  var convertsLineEnds = false
  /// Whether the last byte was a CR that an LF may follow.
  private var holdsReturn = false
  private var isOpen = false
  private(set) var byteCount = 0
  /// The name that was chosen, where the caller gave a directory.
  private var chosenName: RawText?
  /// What was written to memory.
  private(set) var memory: [UInt8] = []

  /// - Parameter trimsNewline: Whether one newline at the very end is dropped.
  init(_ destination: Destination, trimsNewline: Bool = false) {
    self.destination = destination
    self.trimsNewline = trimsNewline
  }

  var hasBegun: Bool { byteCount > 0 || holdsNewline || holdsReturn }

  /// Whether bytes would appear on a terminal.
  var isTerminal: Bool {
    if case .standardOutput = destination { Console.outputIsTerminal } else { false }
  }

  /// Makes the file, where it is one. Until then nothing shows that there was a paste.
  func open() throws(CommandFailure) {
    guard !isOpen else { return }
    if case .file(let path) = destination { file = try OutputFile(path: path) }
    isOpen = true
  }

  /// Chooses another place; nothing has been written yet.
  func redirect(to path: RawText) {
    destination = .file(path)
    chosenName = path
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
    guard convertsLineEnds, holdsReturn || bytes.contains(0x0D) else { return try trim(bytes) }
    var converted: [UInt8] = []
    converted.reserveCapacity(bytes.count + 1)
    for byte in bytes {
      if holdsReturn, byte != 0x0A { converted.append(0x0D) }
      holdsReturn = byte == 0x0D
      if !holdsReturn { converted.append(byte) }
    }
    try Self.lend(converted, to: trim)
  }

  private func trim(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
    guard trimsNewline else { return try pass(bytes) }
    guard let last = bytes.last else { return }
    if holdsNewline { try pass([0x0A]) }
    holdsNewline = last == 0x0A
    try pass(UnsafeRawBufferPointer(rebasing: bytes[..<(bytes.count - (holdsNewline ? 1 : 0))]))
  }

  func write(_ bytes: [UInt8]) throws(CommandFailure) { try Self.lend(bytes, to: write) }

  /// Everything was written: the file takes its place.
  func finish() throws(CommandFailure) {
    if holdsReturn {
      if holdsNewline { try pass([0x0A]) }
      holdsNewline = false
      holdsReturn = false
      try pass([0x0D])
    }
    try open()
    if let file = file.take() { try file.finish() }
    if case .standardOutput = destination { try check(standard.finish()) }
    if let chosenName { try Console.write(chosenName.bytes + [0x0A]) }
  }

  private func pass(_ bytes: [UInt8]) throws(CommandFailure) { try Self.lend(bytes, to: pass) }

  private func pass(_ bytes: UnsafeRawBufferPointer) throws(CommandFailure) {
    try open()
    byteCount += bytes.count
    switch destination {
    case .file: try file?.write(bytes)
    case .memory: memory += bytes
    case .open(let descriptor):
      let code = Descriptor.write(descriptor, bytes)
      guard code == 0 else {
        throw .failed(
          "cannot keep the content in \(InputSpool.directory): \(Descriptor.reason(code))")
      }
    case .standardOutput: try check(standard.write(bytes))
    }
  }

  /// `withUnsafeBytes` would forget which error the taker throws.
  private static func lend(
    _ bytes: [UInt8], to take: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    let result: Result<Void, CommandFailure> = bytes.withUnsafeBytes { raw in
      do throws(CommandFailure) {
        return .success(try take(raw))
      } catch {
        return .failure(error)
      }
    }
    try result.get()
  }

  private func check(_ code: CInt) throws(CommandFailure) {
    guard code == 0 else { throw Console.outputFailure(code) }
  }
}
