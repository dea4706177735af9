internal import ContentTypes
internal import Glibc
internal import SelectionFormats
internal import XlibTransport

/// Text that grows while it is served: what an input has brought so far.
///
/// `@unchecked Sendable`: it belongs to the connection's thread. The thread that waits for the input only reads the
/// constants, and hands over what it read through the mailbox.
final class FollowedInput: @unchecked Sendable {
  let descriptor: CInt
  /// Whether a NUL empties what came before it.
  private let restartsAtNUL: Bool
  private var bytes: [UInt8] = []
  private var mailbox: Mailbox?
  private var onGrowth: (() -> Void)?

  /// - Parameters:
  ///   - descriptor: The input, from 3 on: it goes to the serving process.
  ///   - restartsAtNUL: Whether a NUL empties what came before it.
  init(_ descriptor: CInt, restartsAtNUL: Bool) {
    self.descriptor = descriptor
    self.restartsAtNUL = restartsAtNUL
  }

  /// Puts something before what comes.
  func begin(with text: [UInt8]) { bytes = text }

  /// What came, up to the last whole character.
  var text: [UInt8] {
    let tail = bytes.suffix(3)
    // A character that is not whole yet begins with a byte that announces more than there is.
    for (index, byte) in tail.enumerated().reversed() where byte >= 0xC0 {
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      let present = tail.count - index
      return present < length ? Array(bytes.dropLast(present)) : bytes
    }
    return bytes
  }

  /// What it is offered as.
  var representation: Representation {
    let repertoire = TextRepertoire.scan(text)
    return Representation(repertoire.isText ? .utf8PlainText : .data, repertoire: repertoire)
  }

  /// Takes what is there without waiting.
  func takeAvailable() {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&wait, 1, 0) > 0, wait.revents & Int16(POLLIN) != 0 else { return }
      let count = buffer.withUnsafeMutableBytes { Descriptor.read(descriptor, into: $0) }
      guard count > 0 else { return }
      append(buffer[..<count])
    }
  }

  /// Takes what comes from now on, to the end of the input.
  ///
  /// - Parameter onGrowth: Called on the connection's thread after each time.
  func follow(_ mailbox: Mailbox, onGrowth: @escaping () -> Void) {
    self.mailbox = mailbox
    self.onGrowth = onGrowth
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<FollowedInput>.fromOpaque(context).takeRetainedValue().wait()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    guard code == 0 else { return Unmanaged.passUnretained(self).release() }
    pthread_detach(thread)
  }

  /// Runs on a thread of its own.
  private func wait() {
    guard let mailbox else { return }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = buffer.withUnsafeMutableBytes { Descriptor.read(descriptor, into: $0) }
      guard count > 0 else { return }
      let more = Array(buffer[..<count])
      let accepted = mailbox.post { [self] _ in
        append(more[...])
        onGrowth?()
      }
      guard accepted else { return }
    }
  }

  private func append(_ more: ArraySlice<UInt8>) {
    guard restartsAtNUL, let last = more.lastIndex(of: 0) else {
      bytes += more
      return
    }
    bytes = Array(more[(last + 1)...])
  }
}
