/// Reads `SystemTypeText` in place.
///
/// All unchecked access to that text is in this file; its shape is pinned by tests.
enum SystemTypes {
  private static let bar = UInt8(ascii: "|")
  private static let comma = UInt8(ascii: ",")
  private static let newline = UInt8(ascii: "\n")

  // MARK: Finding

  /// The row of a type, by its identifier in any case.
  static func row(identifier: some StringProtocol) -> Int? {
    find(identifier, in: SystemTypeText.rows)
  }

  /// The rows that claim a tag, preferred ones first.
  static func rows(filenameExtension tag: some StringProtocol) -> [Int] {
    numbers(
      after: find(tag, in: SystemTypeText.filenameExtensions), SystemTypeText.filenameExtensions)
  }

  /// The rows that claim a MIME type (without parameters), preferred ones first.
  static func rows(mimeType tag: some StringProtocol) -> [Int] {
    numbers(after: find(tag, in: SystemTypeText.mimeTypes), SystemTypeText.mimeTypes)
  }

  // MARK: Reading a row

  static func identifier(_ row: Int) -> String {
    let text = SystemTypeText.rows.utf8Start
    var start = row - 1
    while start > 0, text[start - 1] != newline { start -= 1 }
    return string(text, start, row - 1)
  }

  /// Calls `body` with each parent's row until it answers true.
  static func containsParent(_ row: Int, where body: (Int) -> Bool) -> Bool {
    let text = SystemTypeText.rows.utf8Start
    var position = row
    while text[position] != bar {
      if body(number(text, position)) { return true }
      position += 5
      if text[position] == comma { position += 1 }
    }
    return false
  }

  static func parents(_ row: Int) -> [Int] {
    var result: [Int] = []
    _ = containsParent(row) {
      result.append($0)
      return false
    }
    return result
  }

  static func conforms(_ row: Int, to other: Int) -> Bool {
    row == other || containsParent(row) { conforms($0, to: other) }
  }

  static func filenameExtensions(_ row: Int) -> [String] { list(row, field: 1) }
  static func mimeTypes(_ row: Int) -> [String] { list(row, field: 2) }

  /// The shared MIME database's spellings, its canonical one first.
  static func freedesktopMIMETypes(_ row: Int) -> [String] { list(row, field: 3) }

  /// All rows, in the order of their identifiers.
  static var allRows: [Int] {
    let text = SystemTypeText.rows
    var rows: [Int] = []
    var position = 0
    while position < text.utf8CodeUnitCount {
      while text.utf8Start[position] != bar { position += 1 }
      rows.append(position + 1)
      while text.utf8Start[position] != newline { position += 1 }
      position += 1
    }
    return rows
  }

  // MARK: Text

  /// The offset just after the key of the line that starts with `key`.
  private static func find(_ key: some StringProtocol, in text: StaticString) -> Int? {
    if let found = key.utf8.withContiguousStorageIfAvailable({ find($0, in: text) }) {
      return found
    }
    var copy = String(key)
    return copy.withUTF8 { find($0, in: text) }
  }

  private static func find(_ key: UnsafeBufferPointer<UInt8>, in text: StaticString) -> Int? {
    let start = text.utf8Start
    var low = 0
    var high = text.utf8CodeUnitCount
    while low < high {
      var line = low + (high - low) / 2
      while line > low, start[line - 1] != newline { line -= 1 }
      var index = 0
      var order = 0
      while true {
        let theirs = start[line + index]
        if theirs == bar {
          order = index == key.count ? 0 : 1
          break
        }
        if index == key.count {
          order = -1
          break
        }
        let mine = key[index].asciiLowercased
        let folded = theirs.asciiLowercased
        if mine != folded {
          order = mine < folded ? -1 : 1
          break
        }
        index += 1
      }
      if order == 0 { return line + index + 1 }
      if order < 0 {
        high = line
      } else {
        var next = line + index
        while start[next] != newline { next += 1 }
        low = next + 1
      }
    }
    return nil
  }

  private static func number(_ text: UnsafePointer<UInt8>, _ position: Int) -> Int {
    var value = 0
    for index in position..<(position + 5) { value = value * 10 + Int(text[index] & 15) }
    return value
  }

  private static func numbers(after position: Int?, _ text: StaticString) -> [Int] {
    guard var position else { return [] }
    var result: [Int] = []
    while text.utf8Start[position] != newline {
      result.append(number(text.utf8Start, position))
      position += 5
      if text.utf8Start[position] == comma { position += 1 }
    }
    return result
  }

  private static func list(_ row: Int, field: Int) -> [String] {
    let text = SystemTypeText.rows.utf8Start
    var position = row
    for _ in 0..<field {
      while text[position] != bar { position += 1 }
      position += 1
    }
    var result: [String] = []
    var start = position
    while true {
      let byte = text[position]
      if byte == comma || byte == bar || byte == newline {
        if position > start { result.append(string(text, start, position)) }
        if byte != comma { return result }
        start = position + 1
      }
      position += 1
    }
  }

  private static func string(_ text: UnsafePointer<UInt8>, _ start: Int, _ end: Int) -> String {
    String(decoding: UnsafeBufferPointer(start: text + start, count: end - start), as: UTF8.self)
  }
}

extension UInt8 {
  /// Tags and identifiers compare without regard to case, in ASCII only.
  var asciiLowercased: UInt8 { self >= 0x41 && self <= 0x5A ? self | 0x20 : self }
}

extension StringProtocol {
  /// The text with the letters A to Z in lower case, whatever the locale says.
  var asciiLowercased: String {
    String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self)
  }
}
