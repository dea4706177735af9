/// One line of the settings file.
enum SettingsLine {
  struct Misuse: Error, Equatable {
    var problem: String
  }

  static func apply(_ line: String, to settings: inout HelperSettings) throws(Misuse) {
    let line = trimmed(withoutComment(line))
    guard !line.isEmpty else { return }
    let word = String(line.prefix { !$0.isWhitespace && $0 != "=" })
    let rest = trimmed(String(line.dropFirst(word.count)))
    switch word {
    case "ignore": settings.rules.append(try rule(.ignore, rest))
    case "keep-marked": settings.rules.append(try rule(.keepMarked, rest))
    default:
      guard rest.hasPrefix("=") else { throw Misuse(problem: "\(word): a value is missing") }
      try set(word, trimmed(String(rest.dropFirst())), &settings)
    }
  }

  private static func trimmed(_ text: String) -> String {
    var slice = text[...]
    while slice.first?.isWhitespace == true { slice.removeFirst() }
    while slice.last?.isWhitespace == true { slice.removeLast() }
    return String(slice)
  }

  /// What stands before a comment, which begins a word and is not in quotes.
  private static func withoutComment(_ line: String) -> String {
    var isQuoted = false
    var last: Character = " "
    for (place, character) in zip(line.indices, line) {
      if character == "\"", last != "\\" { isQuoted.toggle() }
      if character == "#", !isQuoted, last.isWhitespace { return String(line[..<place]) }
      // A backslash that another one precedes says nothing of what follows.
      last = character == "\\" && last == "\\" ? " " : character
    }
    return line
  }

  // MARK: Rules

  /// Words of the form KEY=VALUE, where a value with spaces stands in quotes.
  private static func rule(
    _ verdict: CopyRule.Verdict, _ text: String
  ) throws(Misuse) -> CopyRule {
    var conditions: [CopyRule.Condition] = []
    for (key, value) in try pairs(text) {
      switch key {
      case "class": conditions.append(.className(value))
      case "program": conditions.append(.program(String(value.prefix(15))))
      case "type": conditions.append(.type(TypePattern(value)))
      case "title":
        guard let pattern = TitlePattern(value) else {
          throw Misuse(problem: "title: not a regular expression")
        }
        conditions.append(.title(pattern))
      default: throw Misuse(problem: "\(key): not class, program, title or type")
      }
    }
    guard !conditions.isEmpty else { throw Misuse(problem: "a rule needs a condition") }
    return CopyRule(verdict: verdict, conditions: conditions)
  }

  private static func pairs(_ text: String) throws(Misuse) -> [(key: String, value: String)] {
    var all: [(key: String, value: String)] = []
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        continue
      }
      let key = String(rest.prefix { $0 != "=" && !$0.isWhitespace })
      rest = rest.dropFirst(key.count)
      guard rest.popFirst() == "=" else { throw Misuse(problem: "\(key): a value is missing") }
      var value = ""
      if rest.first == "\"" {
        rest.removeFirst()
        var isClosed = false
        while let next = rest.popFirst() {
          if next == "\"" {
            isClosed = true
            break
          }
          // A quote needs a backslash; every other one belongs to the regular expression.
          if next == "\\", let escaped = rest.first, escaped == "\"" || escaped == "\\" {
            if escaped == "\\" { value.append("\\") }
            value.append(rest.removeFirst())
            continue
          }
          value.append(next)
        }
        guard isClosed else { throw Misuse(problem: "\(key): a quote is missing") }
      } else {
        value = String(rest.prefix { !$0.isWhitespace })
        rest = rest.dropFirst(value.count)
      }
      guard !value.isEmpty else { throw Misuse(problem: "\(key): a value is missing") }
      all.append((key, value))
    }
    return all
  }

  // MARK: Settings

  private static func set(
    _ key: String, _ value: String, _ settings: inout HelperSettings
  ) throws(Misuse) {
    switch key {
    case "early-copy": settings.limits.readsEarly = try isOn(key, value)
    case "early-types":
      settings.choice.early = words(value).map { TypePattern($0) }
    case "early-text": settings.limits.earlyText = try size(key, value)
    case "early-type": settings.limits.earlyTarget = try size(key, value)
    case "early-total": settings.limits.earlyCopy = try size(key, value)
    case "early-images":
      guard ["off", "pure"].contains(value) else { throw Misuse(problem: "\(key) is off or pure") }
      settings.choice.readsPictures = value == "pure"
    case "marker": settings.choice.markers += words(value).map { TypePattern($0) }
    case "never": settings.choice.never += words(value).map { TypePattern($0) }
    case "limit-type": settings.limits.target = try size(key, value)
    case "limit-copy": settings.limits.copy = try size(key, value)
    case "limit-memory": settings.limits.memory = try size(key, value)
    case "sync": settings.sync.direction = try direction(key, value)
    case "sync-clears": settings.sync.clears = try isOn(key, value)
    case "sync-limit": settings.sync.limit = try size(key, value)
    case "xwayland": settings.servesXwayland = try isOn(key, value)
    case let key where key.hasPrefix("limit."):
      settings.choice.sizes.append(
        .init(pattern: try pattern(key, after: 6), bytes: try size(key, value)))
    default: try setHistory(key, value, &settings.history)
    }
  }

  private static func setHistory(
    _ key: String, _ value: String, _ history: inout HistorySettings
  ) throws(Misuse) {
    switch key {
    case "history-age": history.limits.age = try milliseconds(key, value)
    case let key where key.hasPrefix("history-age."):
      history.limits.ages.append(
        .init(
          pattern: try pattern(key, after: 12),
          milliseconds: try milliseconds(key, value)))
    case "history-items":
      guard let number = Int(value), (1...1_000_000).contains(number) else {
        throw Misuse(problem: "\(key): not a number of items")
      }
      history.limits.items = number
    case "history-size": history.limits.bytes = try size(key, value)
    case "history-type": history.limits.representation = try size(key, value)
    case "history-storage":
      guard let storage = HistorySettings.Storage(rawValue: value) else {
        throw Misuse(problem: "\(key) is disk, runtime or memory")
      }
      history.storage = storage
    case "history-wipe":
      for word in words(value) {
        guard let wipe = HistorySettings.Wipe(rawValue: word) else {
          throw Misuse(problem: "\(key) is made of logout, lock and suspend")
        }
        history.wipes.insert(wipe)
      }
    default: throw Misuse(problem: "\(key): no such setting")
    }
  }

  /// The type that a setting's name ends with.
  private static func pattern(_ key: String, after count: Int) throws(Misuse) -> TypePattern {
    guard key.count > count else { throw Misuse(problem: "\(key): a type is missing") }
    return TypePattern(String(key.dropFirst(count)))
  }

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  private static func isOn(_ key: String, _ value: String) throws(Misuse) -> Bool {
    switch value {
    case "on": return true
    case "off": return false
    default: throw Misuse(problem: "\(key) is on or off")
    }
  }

  static func direction(_ key: String, _ value: String) throws(Misuse) -> SyncDirection {
    guard let direction = SyncDirection(rawValue: value) else {
      let all = SyncDirection.allCases.map(\.rawValue).joined(separator: ", ")
      throw Misuse(problem: "\(key) is one of \(all)")
    }
    return direction
  }

  /// A number of bytes; K, M and G are powers of 1,024.
  private static func size(_ key: String, _ value: String) throws(Misuse) -> Int {
    let units: [Character: Int] = ["K": 10, "M": 20, "G": 30]
    let shift = value.last.flatMap { units[$0] }
    guard let number = Int(shift == nil ? value[...] : value.dropLast()), number >= 0,
      number <= (1 << 40) >> (shift ?? 0)
    else { throw Misuse(problem: "\(key): not a size") }
    return number << (shift ?? 0)
  }

  /// A time in seconds, or in minutes, hours and days.
  static func milliseconds(_ key: String, _ value: String) throws(Misuse) -> Int64 {
    let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400]
    let unit = value.last.flatMap { units[$0] }
    guard let number = Int64(unit == nil ? value[...] : value.dropLast()), number > 0,
      number <= 3_153_600_000 / (unit ?? 1)
    else { throw Misuse(problem: "\(key): not a time") }
    return number * (unit ?? 1) * 1_000
  }
}
