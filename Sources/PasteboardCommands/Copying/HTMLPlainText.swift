/// The text of an HTML document or fragment as a person reads it: without tags, comments, scripts and styles, character
/// references resolved, white space as a browser shows it.
///
/// It is for programs that take no HTML, so it follows what `innerText` (HTML Standard, 3.2.7) gives, without a style
/// sheet: blocks begin on lines of their own, paragraphs and headings have an empty line between them, the cells of a
/// row have tabs. Every document has a text; what is no markup is text.
struct HTMLPlainText {
  private let source: [UInt8]
  private var position = 0
  private var output: [UInt8] = []
  /// Line ends that are due before the next character.
  private var lines = 0
  private var hasSpace = false
  /// How many `pre` elements are open.
  private var depth = 0
  private var isFirstCell = true

  /// Reads a document.
  ///
  /// - Parameter html: The document in UTF-8.
  /// - Returns: Its text in UTF-8.
  static func text(of html: [UInt8]) -> [UInt8] {
    var reader = HTMLPlainText(source: html)
    reader.run()
    return reader.output
  }

  private init(source: [UInt8]) {
    self.source = source
    output.reserveCapacity(source.count / 2)
  }

  private mutating func run() {
    while position < source.count {
      switch source[position] {
      case UInt8(ascii: "<") where beginsMarkup: skipMarkup()
      case UInt8(ascii: "&"): appendReference()
      default:
        append(source[position])
        position += 1
      }
    }
  }

  // MARK: Characters

  private mutating func append(_ byte: UInt8) {
    if depth > 0, byte == 0x0A || byte == 0x20 || byte == 0x09 || byte == 0x0D {
      if byte == 0x0D { return }
      breakLines()
      return output.append(byte)
    }
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0C, 0x0D: hasSpace = true
    case 0: break
    default:
      breakLines()
      output.append(byte)
    }
  }

  /// Writes the line ends or the space that are due.
  private mutating func breakLines() {
    let atStart = output.isEmpty
    if lines > 0 {
      while let last = output.last, last == 0x20 { output.removeLast() }
      if !atStart {
        var present = 0
        for byte in output.reversed() where present < lines {
          guard byte == 0x0A else { break }
          present += 1
        }
        output += [UInt8](repeating: 0x0A, count: lines - present)
      }
    } else if hasSpace, !atStart, output.last != 0x0A, output.last != 0x09 {
      output.append(0x20)
    }
    (lines, hasSpace) = (0, false)
  }

  private mutating func append(scalar: UInt32) {
    // A space that does not break is a space where there are no lines to break.
    let scalar = scalar == 0xA0 ? 0x20 : scalar
    guard let character = Unicode.Scalar(scalar), scalar != 0 else {
      breakLines()
      output += "\u{FFFD}".utf8
      return
    }
    breakLines()
    output += UTF8.encode(character).map(Array.init) ?? []
  }

  private mutating func appendReference() {
    let start = position + 1
    if start < source.count, source[start] == UInt8(ascii: "#"), appendNumber(start + 1) { return }
    let name = source[start...].prefix(32, while: Self.isLetterOrDigit)
    let end = start + name.count
    let isTerminated = end < source.count && source[end] == UInt8(ascii: ";")
    // Without a semicolon the longest name that begins there counts.
    for length in stride(from: name.count, to: 1, by: -1) {
      let candidate = String(decoding: name.prefix(length), as: UTF8.self)
      guard let scalar = HTMLEntities.scalar(candidate) else { continue }
      let isWhole = length == name.count && isTerminated
      guard isWhole || !HTMLEntities.needsSemicolon(candidate) else { continue }
      append(scalar: scalar)
      position = start + length + (isWhole ? 1 : 0)
      return
    }
    append(UInt8(ascii: "&"))
    position = start
  }

  /// - Parameter start: Behind the number sign.
  private mutating func appendNumber(_ start: Int) -> Bool {
    var index = start
    var radix: UInt32 = 10
    if index < source.count, source[index] | 0x20 == UInt8(ascii: "x") {
      radix = 16
      index += 1
    }
    var value: UInt32 = 0
    let first = index
    while index < source.count, let digit = Self.digit(source[index]), digit < radix {
      value = min(value * radix + digit, 0x11_0000)
      index += 1
    }
    guard index > first else { return false }
    if index < source.count, source[index] == UInt8(ascii: ";") { index += 1 }
    let isControl = (0x80...0x9F).contains(value)
    append(scalar: isControl ? HTMLEntities.windows1252[Int(value) - 0x80] : value)
    position = index
    return true
  }

  // MARK: Markup

  /// Whether a tag, a comment or a declaration begins here, and not just a sign.
  private var beginsMarkup: Bool {
    guard position + 1 < source.count else { return false }
    let next = source[position + 1]
    if next == UInt8(ascii: "/") {
      return position + 2 < source.count && Self.isLetter(source[position + 2])
    }
    return Self.isLetter(next) || next == UInt8(ascii: "!") || next == UInt8(ascii: "?")
  }

  private mutating func skipMarkup() {
    let next = source[position + 1]
    if next == UInt8(ascii: "!") || next == UInt8(ascii: "?") { return skipDeclaration() }
    let isEnd = next == UInt8(ascii: "/")
    position += isEnd ? 2 : 1
    let name = source[position...].prefix(16, while: Self.isLetterOrDigit)
    let element = String(decoding: name.map(Self.lowered), as: UTF8.self)
    position += name.count
    skipAttributes()
    if !isEnd, Self.hidden.contains(element) {
      skip(to: element)
    } else {
      format(element, isEnd: isEnd)
    }
  }

  private mutating func skipDeclaration() {
    let isComment = source[position...].starts(with: Array("<!--".utf8))
    guard isComment else {
      while position < source.count, source[position] != UInt8(ascii: ">") { position += 1 }
      position += 1
      return
    }
    // "<!-->" is a whole comment.
    position += 2
    while position < source.count {
      if source[position] == UInt8(ascii: ">"), source[position - 1] == UInt8(ascii: "-"),
        source[position - 2] == UInt8(ascii: "-")
      {
        break
      }
      position += 1
    }
    position += 1
  }

  /// Skips to behind the sign that ends the tag; one in quotes does not.
  private mutating func skipAttributes() {
    var quote: UInt8?
    while position < source.count {
      let byte = source[position]
      position += 1
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        // Quotes count only where a value begins.
        let before = source[..<(position - 1)].last { $0 != 0x20 && $0 != 0x0A && $0 != 0x09 }
        if before == UInt8(ascii: "=") { quote = byte }
      }
    }
  }

  /// Skips what an element holds that nobody reads.
  private mutating func skip(to element: String) {
    let end = Array("</\(element)".utf8)
    while position < source.count {
      if source[position] == UInt8(ascii: "<"), source.count - position >= end.count,
        zip(source[position...], end).allSatisfy({ Self.lowered($0) == $1 })
      {
        position += end.count
        return skipAttributes()
      }
      position += 1
    }
  }

  private mutating func format(_ element: String, isEnd: Bool) {
    switch element {
    case "br":
      if lines > 0 || hasSpace { breakWithoutSpace() }
      output.append(0x0A)
    case "pre", "textarea":
      depth = max(0, depth + (isEnd ? -1 : 1))
      lines = max(lines, 1)
    case "tr":
      isFirstCell = true
      lines = max(lines, 1)
    case "td", "th":
      guard !isEnd else { return }
      if !isFirstCell {
        hasSpace = false
        breakLines()
        output.append(0x09)
      }
      isFirstCell = false
    default:
      if Self.paragraphs.contains(element) {
        lines = max(lines, 2)
      } else if Self.blocks.contains(element) {
        lines = max(lines, 1)
      }
    }
  }

  private mutating func breakWithoutSpace() {
    hasSpace = false
    breakLines()
  }

  private static let hidden: Set<String> = [
    "script", "style", "title", "template", "noscript", "iframe", "object", "svg", "math",
  ]
  private static let paragraphs: Set<String> = ["p", "h1", "h2", "h3", "h4", "h5", "h6"]
  private static let blocks: Set<String> = [
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details",
    "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
    "head", "header", "hgroup", "hr", "html", "legend", "li", "main", "menu", "nav", "ol", "option",
    "search", "section", "summary", "table", "tbody", "tfoot", "thead", "ul",
  ]

  // MARK: Bytes

  private static func lowered(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lowered(byte))
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func digit(_ byte: UInt8) -> UInt32? {
    switch lowered(byte) {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(lowered(byte) - UInt8(ascii: "a")) + 10
    default: nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// The longest start, of at most so many bytes, that fulfils a condition.
  fileprivate func prefix(_ most: Int, while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    prefix(most).prefix(while: condition)
  }
}
