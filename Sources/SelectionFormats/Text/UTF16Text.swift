/// UTF-16 in either byte order, and UTF-8.
enum UTF16Text {
  enum Order: Sendable, Hashable {
    case little, big

    static var native: Order { UInt16(1).littleEndian == 1 ? .little : .big }
  }

  /// The order a byte order mark at the start names, or nil without one.
  static func order(markedIn bytes: some Collection<UInt8>) -> Order? {
    let start = Array(bytes.prefix(2))
    return start == [0xFF, 0xFE] ? .little : start == [0xFE, 0xFF] ? .big : nil
  }

  /// The order without a mark: the side of the zero bytes that Latin letters leave, else the
  /// machine's own.
  static func likelyOrder(of bytes: some Collection<UInt8>) -> Order {
    var even = 0
    var odd = 0
    for (index, byte) in bytes.prefix(4096).enumerated() where byte == 0 {
      if index % 2 == 0 { even += 1 } else { odd += 1 }
    }
    return even == odd ? .native : even > odd ? .big : .little
  }

  /// Reads a whole text; a mark is dropped and, with `order` nil, decides.
  static func decode(
    _ bytes: [UInt8], order: Order? = nil
  ) throws(SelectionFormatError) -> [UInt8] {
    var decoder = Decoder(order: order)
    var text: [UInt8] = []
    try bytes.withRawBytes { raw throws(SelectionFormatError) in
      try decoder.decode(raw, into: &text)
    }
    try decoder.finish(into: &text)
    return text
  }

  /// Writes a whole text in the machine's own order.
  ///
  /// - Parameters:
  ///   - text: Valid UTF-8.
  ///   - mark: Whether a byte order mark leads.
  static func encode(_ text: [UInt8], mark: Bool) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count * 2 + 2)
    if mark { append(0xFEFF, to: &bytes) }
    for unit in String(decoding: text, as: UTF8.self).utf16 { append(unit, to: &bytes) }
    return bytes
  }

  static func append(_ unit: UInt16, to bytes: inout [UInt8]) {
    switch Order.native {
    case .little:
      bytes.append(UInt8(truncatingIfNeeded: unit))
      bytes.append(UInt8(truncatingIfNeeded: unit >> 8))
    case .big:
      bytes.append(UInt8(truncatingIfNeeded: unit >> 8))
      bytes.append(UInt8(truncatingIfNeeded: unit))
    }
  }

  /// Reads UTF-16 that comes in pieces.
  struct Decoder: Sendable {
    private var order: Order?
    private var atStart = true
    private var held: [UInt8] = []
    private var highSurrogate: UInt16?
    private let guessesAfter = 1024

    /// - Parameter order: The byte order where no mark says otherwise; nil decides by the bytes.
    init(order: Order?) { self.order = order }

    mutating func decode(
      _ bytes: UnsafeRawBufferPointer, into text: inout [UInt8]
    ) throws(SelectionFormatError) {
      if atStart {
        held += bytes
        guard held.count >= (order == nil ? guessesAfter : 2) else { return }
        try start(into: &text)
      } else {
        try convert(held + bytes, into: &text)
      }
    }

    mutating func finish(into text: inout [UInt8]) throws(SelectionFormatError) {
      if atStart { try start(into: &text) }
      guard held.isEmpty else {
        throw SelectionFormatError(
          .invalidBytes, message: "the UTF-16 text has an odd number of bytes; it may be cut off")
      }
      if highSurrogate != nil { throw Self.lone }
    }

    private mutating func start(into text: inout [UInt8]) throws(SelectionFormatError) {
      atStart = false
      let marked = UTF16Text.order(markedIn: held)
      if marked != nil { held.removeFirst(2) }
      order = marked ?? order ?? UTF16Text.likelyOrder(of: held)
      try convert(held, into: &text)
    }

    private mutating func convert(
      _ bytes: [UInt8], into text: inout [UInt8]
    ) throws(SelectionFormatError) {
      text.reserveCapacity(text.count + bytes.count)
      let isBig = order == .big
      var index = 0
      while index + 1 < bytes.count {
        let first = UInt16(bytes[index])
        let second = UInt16(bytes[index + 1])
        try append(isBig ? first << 8 | second : second << 8 | first, to: &text)
        index += 2
      }
      held = Array(bytes[index...])
    }

    private mutating func append(
      _ unit: UInt16, to text: inout [UInt8]
    ) throws(SelectionFormatError) {
      if let high = highSurrogate {
        guard unit >= 0xDC00, unit <= 0xDFFF else { throw Self.lone }
        highSurrogate = nil
        let value = 0x10000 + (UInt32(high & 0x3FF) << 10) + UInt32(unit & 0x3FF)
        text.append(UInt8(truncatingIfNeeded: 0xF0 | value >> 18))
        text.append(UInt8(truncatingIfNeeded: 0x80 | value >> 12 & 0x3F))
        text.append(UInt8(truncatingIfNeeded: 0x80 | value >> 6 & 0x3F))
        text.append(UInt8(truncatingIfNeeded: 0x80 | value & 0x3F))
      } else if unit < 0x80 {
        text.append(UInt8(truncatingIfNeeded: unit))
      } else if unit < 0x800 {
        text.append(UInt8(truncatingIfNeeded: 0xC0 | unit >> 6))
        text.append(UInt8(truncatingIfNeeded: 0x80 | unit & 0x3F))
      } else if unit >= 0xD800, unit < 0xDC00 {
        highSurrogate = unit
      } else if unit >= 0xDC00, unit < 0xE000 {
        throw Self.lone
      } else {
        text.append(UInt8(truncatingIfNeeded: 0xE0 | unit >> 12))
        text.append(UInt8(truncatingIfNeeded: 0x80 | unit >> 6 & 0x3F))
        text.append(UInt8(truncatingIfNeeded: 0x80 | unit & 0x3F))
      }
    }

    private static let lone = SelectionFormatError(
      .invalidBytes, message: "the UTF-16 text has half a surrogate pair; it may be cut off")
  }

  /// Writes UTF-8 that comes in pieces as UTF-16 in the machine's own order.
  struct Encoder: Sendable {
    private var atStart: Bool
    private var held: [UInt8] = []
    private var validator = UTF8Validator()

    /// - Parameter mark: Whether a byte order mark leads.
    init(mark: Bool) { atStart = mark }

    mutating func encode(
      _ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]
    ) throws(SelectionFormatError) {
      validator.consume(bytes)
      guard validator.firstInvalidOffset == nil else { throw Self.broken }
      var piece = held + bytes
      let pending = validator.pendingCount
      held = Array(piece.suffix(pending))
      piece.removeLast(pending)
      output += UTF16Text.encode(piece, mark: atStart)
      atStart = false
    }

    mutating func finish() throws(SelectionFormatError) {
      guard held.isEmpty else { throw Self.broken }
    }

    private static let broken = SelectionFormatError(
      .invalidBytes, message: "the text is not valid UTF-8")
  }
}
