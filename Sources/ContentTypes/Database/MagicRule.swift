/// A rule of a database's `magic` file.
///
/// Source: the Shared MIME-info Database specification, "The magic files": sections `[priority:type]` of lines
/// `indent>start=value[&mask][~word size][+places]`, where the value starts with its length in two bytes.
struct MagicRule: Sendable {
  var mimeType: String
  var priority: Int
  private var lines: [Line] = []

  private struct Line: Sendable {
    var indent: Int
    var start: Int
    var value: [UInt8]
    var mask: [UInt8]?
    var wordSize = 1
    var places = 1
  }

  /// Reads a whole file, as far as it can be read.
  static func all(in bytes: UnsafeRawBufferPointer) -> [MagicRule] {
    var reader = Reader(bytes: bytes)
    guard reader.skip(Array("MIME-Magic\0\n".utf8)) else { return [] }
    var rules: [MagicRule] = []
    while !reader.isAtEnd {
      if reader.skip([UInt8(ascii: "[")]) {
        guard let priority = reader.number(), reader.skip([UInt8(ascii: ":")]),
          let name = reader.text(until: UInt8(ascii: "]")), reader.skip([0x0A])
        else { break }
        rules.append(MagicRule(mimeType: name, priority: priority))
      } else {
        guard !rules.isEmpty, let line = line(&reader) else { break }
        rules[rules.count - 1].lines.append(line)
      }
    }
    return rules
  }

  private static func line(_ reader: inout Reader) -> Line? {
    let indent = reader.number() ?? 0
    guard reader.skip([UInt8(ascii: ">")]), let start = reader.number(),
      reader.skip([UInt8(ascii: "=")]), let high = reader.byte(), let low = reader.byte()
    else { return nil }
    let length = Int(high) << 8 | Int(low)
    guard let value = reader.bytes(length) else { return nil }
    var line = Line(indent: indent, start: start, value: value)
    if reader.skip([UInt8(ascii: "&")]) {
      guard let mask = reader.bytes(length) else { return nil }
      line.mask = mask
    }
    if reader.skip([UInt8(ascii: "~")]) {
      guard let size = reader.number() else { return nil }
      line.wordSize = size == 2 || size == 4 ? size : 1
    }
    if reader.skip([UInt8(ascii: "+")]) {
      guard let places = reader.number() else { return nil }
      line.places = places
    }
    // What a later version adds to a line is skipped.
    return reader.text(until: 0x0A) == nil ? nil : line
  }

  /// Whether the rule only says that rules of less important directories do not count.
  var cancels: Bool {
    lines.first.map { $0.value.elementsEqual(CancellingMark.magic.utf8) } ?? false
  }

  /// How far into a file the rule looks, in bytes.
  var extent: Int {
    lines.map { line in
      let end = line.start.addingReportingOverflow(line.places).partialValue
      return end.addingReportingOverflow(line.value.count).partialValue
    }.max() ?? 0
  }

  /// Whether the start of a file satisfies one of the lines and one of its indented lines, if it has any.
  func matches(_ data: UnsafeRawBufferPointer, _ comparison: inout MagicComparison) -> Bool {
    /// The deepest indent at which lines may still be tried.
    var open = 0
    for (index, line) in lines.enumerated() {
      if line.indent > open { continue }
      open = line.indent
      guard matches(line, data, &comparison) else { continue }
      let next = index + 1
      if next == lines.count || lines[next].indent <= line.indent { return true }
      open = line.indent + 1
    }
    return false
  }

  private func matches(
    _ line: Line, _ data: UnsafeRawBufferPointer, _ comparison: inout MagicComparison
  ) -> Bool {
    line.value.withUnsafeBytes { value in
      guard let mask = line.mask else {
        return comparison.matches(
          data, start: line.start, places: line.places, value: value, mask: nil,
          wordSize: line.wordSize)
      }
      return mask.withUnsafeBytes { mask in
        comparison.matches(
          data, start: line.start, places: line.places, value: value, mask: mask,
          wordSize: line.wordSize)
      }
    }
  }

  private init(mimeType: String, priority: Int) {
    self.mimeType = mimeType
    self.priority = priority
  }

  private struct Reader {
    let bytes: UnsafeRawBufferPointer
    var position = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position >= bytes.count }

    mutating func byte() -> UInt8? {
      guard position < bytes.count else { return nil }
      defer { position += 1 }
      return bytes[position]
    }

    mutating func skip(_ expected: [UInt8]) -> Bool {
      guard bytes.count - position >= expected.count,
        bytes[position..<(position + expected.count)].elementsEqual(expected)
      else { return false }
      position += expected.count
      return true
    }

    mutating func bytes(_ count: Int) -> [UInt8]? {
      guard bytes.count - position >= count else { return nil }
      defer { position += count }
      return Array(bytes[position..<(position + count)])
    }

    mutating func number() -> Int? {
      let start = position
      var value = 0
      while position < bytes.count, (0x30...0x39).contains(bytes[position]) {
        value = value * 10 + Int(bytes[position] & 15)
        if value > Int(UInt32.max) { return nil }
        position += 1
      }
      return position > start ? value : nil
    }

    mutating func text(until end: UInt8) -> String? {
      guard let found = bytes[position...].firstIndex(of: end) else { return nil }
      defer { position = found + 1 }
      return String(decoding: bytes[position..<found], as: UTF8.self)
    }
  }
}
