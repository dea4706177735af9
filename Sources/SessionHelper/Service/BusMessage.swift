/// As much of the D-Bus wire format as it takes to call the bus and to hear signals.
///
/// Source: the D-Bus specification, sections "Message Protocol" and "Marshaling".
struct BusMessage: Equatable {
  static let longest = 1 << 20

  var type: UInt8
  var path = ""
  var interface = ""
  var member = ""
  var body: [UInt8] = []
  private(set) var isLittleEndian = true

  static let signal: UInt8 = 4

  // MARK: Writing

  /// A call of the bus itself, with at most one string.
  static func call(_ member: String, _ argument: String? = nil, serial: UInt32) -> [UInt8] {
    var body: [UInt8] = []
    if let argument { append(argument, to: &body) }
    var fields: [UInt8] = []
    let texts: [(code: UInt8, type: Character, text: String)] = [
      (1, "o", "/org/freedesktop/DBus"), (2, "s", "org.freedesktop.DBus"), (3, "s", member),
      (6, "s", "org.freedesktop.DBus"),
    ]
    for field in texts {
      pad(&fields, to: 8)
      fields += [field.code, 1] + Array(String(field.type).utf8) + [0]
      append(field.text, to: &fields)
    }
    if argument != nil {
      pad(&fields, to: 8)
      fields += [8, 1, UInt8(ascii: "g"), 0, 1, UInt8(ascii: "s"), 0]
    }
    var message: [UInt8] = [UInt8(ascii: "l"), 1, 0, 1]
    message += bytes(UInt32(body.count)) + bytes(serial) + bytes(UInt32(fields.count))
    message += fields
    pad(&message, to: 8)
    return message + body
  }

  private static func bytes(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func pad(_ bytes: inout [UInt8], to size: Int) {
    while bytes.count % size != 0 { bytes.append(0) }
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    pad(&bytes, to: 4)
    bytes += Self.bytes(UInt32(text.utf8.count)) + Array(text.utf8) + [0]
  }

  // MARK: Reading

  enum Parsed: Equatable {
    case incomplete
    case broken
    case message(BusMessage, byteCount: Int)
  }

  static func parse(_ bytes: [UInt8]) -> Parsed {
    guard bytes.count >= 16 else { return .incomplete }
    guard bytes[0] == UInt8(ascii: "l") || bytes[0] == UInt8(ascii: "B") else { return .broken }
    var reader = Reader(bytes: bytes, isLittleEndian: bytes[0] == UInt8(ascii: "l"))
    reader.offset = 4
    guard let bodySize = reader.number(), reader.number() != nil, let fieldsSize = reader.number(),
      bodySize <= longest, fieldsSize <= longest
    else { return .broken }
    let fieldsEnd = 16 + Int(fieldsSize)
    let bodyStart = (fieldsEnd + 7) & ~7
    let total = bodyStart + Int(bodySize)
    guard bytes.count >= total else { return .incomplete }
    var message = BusMessage(type: bytes[1], isLittleEndian: reader.isLittleEndian)
    while reader.offset < fieldsEnd {
      reader.align(8)
      guard reader.offset < fieldsEnd else { break }
      guard let code = reader.byte(), let signature = reader.signature() else { return .broken }
      switch signature {
      case "s", "o":
        guard let text = reader.text() else { return .broken }
        switch code {
        case 1: message.path = text
        case 2: message.interface = text
        case 3: message.member = text
        default: break
        }
      case "g": guard reader.signature() != nil else { return .broken }
      case "u": guard reader.number() != nil else { return .broken }
      default: return .broken
      }
    }
    message.body = Array(bytes[bodyStart..<total])
    return .message(message, byteCount: total)
  }

  private init(type: UInt8, isLittleEndian: Bool) {
    self.type = type
    self.isLittleEndian = isLittleEndian
  }

  /// The first argument, where that is a truth value.
  var flag: Bool? {
    var reader = Reader(bytes: body, isLittleEndian: isLittleEndian)
    return reader.number().map { $0 != 0 }
  }

  /// A truth value among changed properties (`PropertiesChanged`).
  func changedFlag(_ name: String) -> Bool? {
    let key = Array(name.utf8) + [0, 1, UInt8(ascii: "b"), 0]
    guard body.count > key.count else { return nil }
    for start in 0...(body.count - key.count) where body[start...].starts(with: key) {
      var reader = Reader(bytes: body, isLittleEndian: isLittleEndian)
      reader.offset = start + key.count
      return reader.number().map { $0 != 0 }
    }
    return nil
  }

  private struct Reader {
    let bytes: [UInt8]
    let isLittleEndian: Bool
    var offset = 0

    init(bytes: [UInt8], isLittleEndian: Bool) {
      self.bytes = bytes
      self.isLittleEndian = isLittleEndian
    }

    mutating func align(_ size: Int) { offset = (offset + size - 1) / size * size }

    mutating func byte() -> UInt8? {
      guard offset < bytes.count else { return nil }
      defer { offset += 1 }
      return bytes[offset]
    }

    mutating func number() -> UInt32? {
      align(4)
      guard offset + 4 <= bytes.count else { return nil }
      defer { offset += 4 }
      return (0..<4).reduce(0) { sum, index in
        sum | UInt32(bytes[offset + index]) << (8 * (isLittleEndian ? index : 3 - index))
      }
    }

    mutating func text() -> String? {
      guard let count = number().map({ Int($0) }), offset + count < bytes.count else { return nil }
      defer { offset += count + 1 }
      return String(validating: bytes[offset..<(offset + count)], as: UTF8.self)
    }

    mutating func signature() -> String? {
      guard let count = byte().map({ Int($0) }), offset + count < bytes.count else { return nil }
      defer { offset += count + 1 }
      return String(validating: bytes[offset..<(offset + count)], as: UTF8.self)
    }
  }
}
