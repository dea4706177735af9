internal import Glibc

/// What the user says of the copies of some programs.
///
/// A program can pretend to be another one, so a rule is good for leaving things alone. The one that keeps what is
/// marked as a secret has to be asked for in so many words.
public struct CopyRule: Sendable, Equatable {
  public enum Verdict: Hashable, Sendable {
    case ignore
    /// Keep copies of it although they are marked as secrets.
    case keepMarked
  }

  /// All conditions have to hold.
  enum Condition: Sendable, Equatable {
    /// WM_CLASS of one of the program's windows; case does not count.
    case className(String)
    /// Name of the process; case does not count.
    case program(String)
    /// A title of one of the program's windows.
    case title(TitlePattern)
    /// A target that the copy offers.
    case type(TypePattern)
  }

  var verdict: Verdict
  var conditions: [Condition]

  /// What is known of the program behind a copy.
  struct Subject {
    var program: String?
    var classes: [String] = []
    var titles: [String] = []
    var targets: [String]?
  }

  func matches(_ subject: Subject) -> Bool {
    conditions.allSatisfy { condition in
      switch condition {
      case .className(let name):
        subject.classes.contains { $0.lowercased() == name.lowercased() }
      case .program(let name): subject.program?.lowercased() == name.lowercased()
      case .title(let pattern): subject.titles.contains(where: pattern.matches)
      case .type(let pattern): subject.targets?.contains(where: pattern.matches) == true
      }
    }
  }

  /// Whether it can be decided only when the copy's targets are known.
  var needsTargets: Bool {
    conditions.contains { if case .type = $0 { true } else { false } }
  }

  var needsWindows: Bool {
    conditions.contains { condition in
      switch condition {
      case .className, .title: true
      case .program, .type: false
      }
    }
  }
}

/// An extended regular expression (POSIX) for titles of windows.
public struct TitlePattern: Sendable, Equatable {
  private final class Compiled: @unchecked Sendable {
    // Safe: it is written by its initialiser only, and `regexec` may be called from many threads.
    var expression = regex_t()

    init?(_ text: String) {
      guard regcomp(&expression, text, REG_EXTENDED | REG_NOSUB) == 0 else { return nil }
    }

    deinit { regfree(&expression) }
  }

  let text: String
  private let compiled: Compiled

  /// - Returns: `nil` where the text is no regular expression.
  init?(_ text: String) {
    guard let compiled = Compiled(text) else { return nil }
    self.text = text
    self.compiled = compiled
  }

  func matches(_ title: String) -> Bool {
    regexec(&compiled.expression, title, 0, nil, 0) == 0
  }

  public static func == (left: TitlePattern, right: TitlePattern) -> Bool {
    left.text == right.text
  }
}
