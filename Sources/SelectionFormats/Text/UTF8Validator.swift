/// Checks UTF-8 that comes in pieces (RFC 3629: no overlong forms, no surrogates, nothing above
/// U+10FFFF).
struct UTF8Validator: Sendable {
  /// The offset of the first sequence that is not UTF-8, or nil.
  private(set) var firstInvalidOffset: Int?
  /// 0 for ASCII, 1 for characters up to U+00FF, 2 for any.
  private(set) var widest: UInt8 = 0
  /// Whether a control character other than TAB, LF and CR has occurred.
  private(set) var hasControls = false
  /// Whether a CR has occurred.
  private(set) var hasReturns = false

  private var offset = 0
  private var sequenceStart = 0
  private var remaining: UInt8 = 0
  private var lower: UInt8 = 0x80
  private var upper: UInt8 = 0xBF
  private var leadIsC2 = false

  /// How many bytes of an unfinished sequence have been seen.
  var pendingCount: Int { remaining == 0 ? 0 : offset - sequenceStart }

  /// Checks the next piece.
  ///
  /// - Parameter bytes: The piece.
  mutating func consume(_ bytes: UnsafeRawBufferPointer) {
    guard firstInvalidOffset == nil else { return }
    var index = 0
    let count = bytes.count
    while index < count {
      if remaining == 0 {
        index = skipASCII(bytes, from: index)
        if index == count { break }
      }
      let byte = bytes[index]
      if remaining == 0 {
        sequenceStart = offset + index
        guard start(byte) else {
          firstInvalidOffset = sequenceStart
          return
        }
      } else {
        guard byte >= lower, byte <= upper else {
          firstInvalidOffset = sequenceStart
          return
        }
        if leadIsC2, byte < 0xA0 { hasControls = true }
        leadIsC2 = false
        lower = 0x80
        upper = 0xBF
        remaining -= 1
      }
      index += 1
    }
    offset += count
  }

  /// Ends the text: an unfinished sequence is invalid.
  mutating func finish() {
    if remaining != 0, firstInvalidOffset == nil { firstInvalidOffset = sequenceStart }
  }

  /// Whether the bytes are UTF-8 throughout.
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var validator = UTF8Validator()
    validator.consume(bytes)
    validator.finish()
    return validator.firstInvalidOffset == nil
  }

  private mutating func start(_ byte: UInt8) -> Bool {
    lower = 0x80
    upper = 0xBF
    leadIsC2 = false
    switch byte {
    case 0xC2:
      leadIsC2 = true
      remaining = 1
    case 0xC3...0xDF: remaining = 1
    case 0xE0...0xEF:
      remaining = 2
      if byte == 0xE0 { lower = 0xA0 }
      if byte == 0xED { upper = 0x9F }
    case 0xF0...0xF4:
      remaining = 3
      if byte == 0xF0 { lower = 0x90 }
      if byte == 0xF4 { upper = 0x8F }
    default: return false
    }
    widest = max(widest, byte <= 0xC3 ? 1 : 2)
    return true
  }

  /// The index of the first byte above 0x7F, eight bytes a step.
  private mutating func skipASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    let high: UInt64 = 0x8080_8080_8080_8080
    let ones: UInt64 = 0x0101_0101_0101_0101
    var index = start
    while index <= bytes.count - 8 {
      let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word & high != 0 { break }
      if !(hasControls && hasReturns) {
        let belowSpace = (word &- ones &* 0x20) & ~word & high
        let deletes = word ^ (ones &* 0x7F)
        let isDelete = (deletes &- ones) & ~deletes & high
        if belowSpace | isDelete != 0 {
          for byte in bytes[index..<index + 8] { note(byte) }
        }
      }
      index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 {
      note(bytes[index])
      index += 1
    }
    return index
  }

  private mutating func note(_ byte: UInt8) {
    guard byte < 0x20 || byte == 0x7F, byte != 0x09, byte != 0x0A else { return }
    if byte == 0x0D { hasReturns = true } else { hasControls = true }
  }
}
