internal import SelectionFormats

extension RawText {
  /// Safe to print on one line, and short enough for it.
  var printable: String {
    let most = 300
    guard bytes.count > most else { return TargetName.escaped(text) }
    return TargetName.escaped(RawText(bytes: Array(bytes.prefix(most))).text) + "…"
  }

  /// Reads seconds, with a fraction perhaps, as milliseconds.
  ///
  /// - Parameter option: The option's name for the error.
  func milliseconds(_ option: String) throws(CommandFailure) -> Int64 {
    var text = text
    if text.hasSuffix("ms"), let value = Int64(text.dropLast(2)), value > 0, value < 1 << 40 {
      return value
    }
    if text.hasSuffix("s") { text.removeLast() }
    guard let first = text.utf8.first, first != UInt8(ascii: "-"), let seconds = Double(text),
      seconds.isFinite, seconds > 0, seconds < 1e9
    else {
      throw .usage("\(option) wants seconds above zero, such as 5 or 0.5, not \"\(printable)\"")
    }
    return max(1, Int64(seconds * 1_000))
  }

  /// Reads a count of at least one.
  func count(_ option: String) throws(CommandFailure) -> Int {
    guard let value = Int(text), value > 0 else {
      throw .usage("\(option) wants a whole number above zero, not \"\(printable)\"")
    }
    return value
  }

  /// Reads a type to offer, which has to mean something: a misspelt one would be offered to nobody.
  func offeredType() throws(CommandFailure) -> TypeRequest {
    let request = try typeRequest()
    guard !request.isUnknownWord else {
      throw .usage(
        "unknown type \"\(printable)\": no content type, MIME type or filename extension; "
          + "for a raw target of that name write target:\(printable)")
    }
    return request
  }

  /// Reads a type.
  func typeRequest() throws(CommandFailure) -> TypeRequest {
    guard let request = TypeRequest(text), bytes == Array(text.utf8) else {
      throw .usage("\"\(printable)\" can be neither a content type nor a target")
    }
    return request
  }
}
