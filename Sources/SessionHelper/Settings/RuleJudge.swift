internal import SelectionProtocol
internal import XlibTransport

/// Finds out who is behind a copy, as far as the rules ask for it.
///
/// Owners of selections are windows that nobody sees and that bear no name. So the windows of the same process count,
/// as the server tells it (X-Resource); where it does not, only the owner's own window does.
final class RuleJudge {
  private let connection: SelectionConnection
  private let rules: [CopyRule]
  /// Who is behind the copy that is being looked at.
  private var last: (owner: Window, subject: CopyRule.Subject)?

  init(_ connection: SelectionConnection, _ rules: [CopyRule]) {
    self.connection = connection
    self.rules = rules
  }

  /// The verdict of the first rule that fits; rules about types wait for the targets.
  func verdict(_ owner: Window, _ targets: [String]?) -> CopyRule.Verdict? {
    // Asked without targets it is about a new copy, whose program may show other windows than before.
    if targets == nil { last = nil }
    let ready = rules.filter { targets != nil || !$0.needsTargets }
    guard !ready.isEmpty else { return nil }
    var subject: CopyRule.Subject
    if targets != nil, let last, last.owner == owner {
      subject = last.subject
    } else {
      subject = look(at: owner)
      last = (owner, subject)
    }
    subject.targets = targets
    return ready.first { $0.matches(subject) }?.verdict
  }

  private func look(at owner: Window) -> CopyRule.Subject {
    let process = connection.process(of: owner)
    var subject = CopyRule.Subject(program: process.flatMap(ProcessName.of))
    guard rules.contains(where: \.needsWindows) else { return subject }
    var windows = [owner]
    if let process {
      windows += connection.shownWindowsOfAll().filter { connection.process(of: $0) == process }
    }
    for window in windows {
      let facts = connection.facts(of: window)
      subject.classes += facts.classes
      if !facts.title.isEmpty { subject.titles.append(facts.title) }
    }
    return subject
  }
}
