internal import Glibc
internal import HelperControl
internal import SelectionProtocol
internal import XlibTransport

/// What the helper does when it is asked over its socket.
enum HelperVerb {
  /// How the present copy stands; `nil` while that is not known yet.
  static func verdict(_ standing: KeepingState.Standing) -> HelperReply? {
    switch standing {
    case .pending: return nil
    case .empty: return HelperReply(code: .nothing, text: "nothing is on the clipboard")
    case .held(let targets, let bytes):
      return HelperReply(code: .done, text: "kept: \(targets) types, \(bytes) bytes")
    case .covered(let things, let bytes, let offered) where things < offered:
      return HelperReply(
        code: .partly, text: "partly kept: \(things) of \(offered) kinds, \(bytes) bytes")
    case .covered(let things, let bytes, _):
      return HelperReply(code: .done, text: "kept: \(things) kinds, \(bytes) bytes")
    case .notKept(let reason):
      return HelperReply(code: .refused, text: "not kept: \(reason.rawValue)")
    }
  }
}

extension RunningHelper {
  func handle(_ request: ControlServer.Request) {
    if request.verb == "history" { return history.handle(request) }
    let argument = request.arguments.first
    let mostArguments = ["status", "pause", "wait-kept"].contains(request.verb) ? 1 : 0
    guard request.arguments.count <= mostArguments else {
      return request.reply(.usage, "\(request.verb): too many arguments\n")
    }
    switch request.verb {
    case "status":
      guard argument == nil || argument == "--json" else {
        return request.reply(.usage, "status: the only argument is --json\n")
      }
      request.reply(
        keeper.state.isPaused ? .nothing : .done, argument == nil ? statusText : statusJSON)
    case "doctor":
      request.reply(.done, doctorText)
    case "pause":
      let seconds = HelperCommand.seconds(argument)
      guard argument == nil || seconds.map({ $0 > 0 }) == true else {
        return request.reply(.usage, "pause: not a number of seconds\n")
      }
      keeper.pause(milliseconds: seconds.map { $0 * 1_000 })
      request.reply(.done, "paused\(seconds.map { " for \($0) s" } ?? "")\n")
    case "resume":
      keeper.resume()
      request.reply(.done, "resumed: the next copy is kept\n")
    case "ignore-next":
      keeper.ignoreNext()
      request.reply(.done, "the next copy is ignored, if it comes within a minute\n")
    case "takeover":
      if let refusal = keeper.takeOver() {
        request.reply(
          refusal == .nothingThere ? .nothing : .refused, "not taken over: \(refusal.rawValue)\n")
      } else {
        request.reply(.done, "the clipboard is offered by the helper\n")
      }
    case "wait-kept":
      guard let seconds = argument == nil ? 10 : HelperCommand.seconds(argument) else {
        return request.reply(.usage, "wait-kept: not a number of seconds\n")
      }
      waiters.append(Waiter(deadline: .now + seconds * 1_000, reply: request.reply))
    default:
      request.reply(.usage, "\(request.verb): no such verb\n")
    }
  }

  func answerWaiters(now: Instant) {
    guard waiters.contains(where: { !$0.isNew }) else { return }
    let verdict = HelperVerb.verdict(keeper.state.standing)
    let answered = waiters.filter { !$0.isNew && (verdict != nil || $0.deadline <= now) }
    waiters.removeAll { !$0.isNew && (verdict != nil || $0.deadline <= now) }
    for waiter in answered {
      if let verdict {
        waiter.reply(verdict.code, verdict.text + "\n")
      } else {
        waiter.reply(.timedOut, "not kept in time\n")
      }
    }
  }

  // MARK: Reports

  private var standingText: String {
    switch keeper.state.standing {
    case .pending: "being read"
    case .held(let targets, let bytes):
      "offered by the helper: \(targets) types, \(bytes) bytes"
    case .covered(let things, let bytes, let offered):
      "its program lives; \(things) of \(offered) kinds would outlive it, \(bytes) bytes"
    case .empty, .notKept: HelperVerb.verdict(keeper.state.standing)?.text ?? ""
    }
  }

  private var statusText: String {
    let state = keeper.state
    return """
      state: \(state.isPaused ? "paused" : state.isIgnoringNext(now: .now) ? "ignoring the next copy" : "running")
      display: \(connection.displayName)
      clipboard: \(standingText)
      memory: \(KeptBytes.totalInUse) of \(state.limits.memory) bytes
      since start: \(log.saved) saved, \(log.restored) restored, \(log.refused) refused, \
      \(log.secrets) secrets left alone, \(log.lost) lost

      """
  }

  private var statusJSON: String {
    let state = keeper.state
    var word = ""
    var targets = 0
    var bytes = 0
    switch state.standing {
    case .empty: word = "empty"
    case .pending: word = "pending"
    case .held(let count, let size): (word, targets, bytes) = ("held", count, size)
    case .covered(let things, let size, let offered):
      (word, targets, bytes) = (things < offered ? "partly" : "covered", things, size)
    case .notKept: word = "not-kept"
    }
    return """
      {"paused":\(state.isPaused),"ignoringNext":\(state.isIgnoringNext(now: .now)),\
      "display":\(Self.quoted(connection.displayName)),"clipboard":"\(word)","types":\(targets),\
      "bytes":\(bytes),"memory":\(KeptBytes.totalInUse),"memoryLimit":\(state.limits.memory),\
      "saved":\(log.saved),"restored":\(log.restored),"refused":\(log.refused),\
      "secrets":\(log.secrets),"lost":\(log.lost)}

      """
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\u{0}"..."\u{1F}":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private var doctorText: String {
    let isTold = connection.watched(connection.atoms.clipboard)?.isPolling == false
    var lines = [
      "display: \(connection.displayName)",
      "XFixes: "
        + (isTold
          ? "yes" : "no: ends of owners cannot be told from clears, so nothing is restored"),
      "CLIPBOARD: \(describe(connection.currentOwner(of: connection.atoms.clipboard)))",
      "PRIMARY: \(describe(connection.currentOwner(of: .primary)))",
      "CLIPBOARD_MANAGER: \(describe(connection.currentOwner(of: manager)))",
      "early copy: \(keeper.state.limits.readsEarly ? "on" : "off")",
      "clipboard: \(standingText)",
      "running for \((Instant.now.milliseconds - started.milliseconds) / 1_000) s as process \(getpid())",
    ]
    lines.append("history: " + history.summary)
    let decisions = log.lines(now: .now)
    lines.append(decisions.isEmpty ? "no decisions yet" : "last decisions:")
    return (lines + decisions.map { "  " + $0 }).joined(separator: "\n") + "\n"
  }
}
