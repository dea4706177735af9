internal import SelectionProtocol

/// Names one ownership of a selection: its window and the server time of its acquisition.
///
/// The server refuses an acquisition that is older than the last one; whoever acquires with the time in the token
/// therefore replaces this ownership, and nothing newer.
struct OwnershipToken: Hashable {
  var window: Window
  var time: ServerTime

  init(window: Window, time: ServerTime) {
    self.window = window
    self.time = time
  }

  /// Reads what `text` writes.
  init(_ word: RawText) throws(CommandFailure) {
    let parts = word.text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, let window = UInt32(parts[0], radix: 16), window != 0,
      let time = UInt32(parts[1]), time != 0
    else {
      throw .usage("--if-owner wants what copy --token printed, not \"\(word.printable)\"")
    }
    self.window = Window(window)
    self.time = ServerTime(time)
  }

  var text: String { String(window.rawValue, radix: 16) + "@\(time.rawValue)" }
}
