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
    let mostArguments =
      switch request.verb {
      case "sync": 2
      case "status", "pause", "wait-kept": 1
      default: 0
      }
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
      request.reply(.done, Doctor(self).report)
    case "pause":
      let seconds = HelperCommand.seconds(argument)
      guard argument == nil || seconds.map({ $0 > 0 }) == true else {
        return request.reply(.usage, "pause: not a time\n")
      }
      keeper.pause(milliseconds: seconds.map { $0 * 1_000 })
      request.reply(.done, "paused\(seconds.map { " for \($0) s" } ?? "")\n")
    case "resume":
      keeper.resume()
      request.reply(.done, "resumed: the next copy is kept\n")
    case "ignore-next":
      keeper.ignoreNext()
      request.reply(.done, "the next copy is ignored, if it comes within a minute\n")
    case "sync": sync(request)
    case "reload":
      do {
        try reload()
        request.reply(.done, "the settings are read anew\n")
      } catch {
        request.reply(.usage, "the settings stay as they were: \(error.description)\n")
      }
    case "takeover":
      if let refusal = keeper.takeOver() {
        request.reply(
          refusal == .nothingThere ? .nothing : .refused, "not taken over: \(refusal.rawValue)\n")
      } else {
        request.reply(.done, "the clipboard is offered by the helper\n")
      }
    case "wait-kept":
      guard let seconds = argument == nil ? 10 : HelperCommand.seconds(argument) else {
        return request.reply(.usage, "wait-kept: not a time\n")
      }
      waiters.append(Waiter(deadline: .now + seconds * 1_000, reply: request.reply))
    default:
      request.reply(.usage, "\(request.verb): no such verb\n")
    }
  }

  private func sync(_ request: ControlServer.Request) {
    let isOnce = request.arguments.first == "--once"
    guard let word = isOnce ? request.arguments.dropFirst().first : request.arguments.first else {
      guard !isOnce else {
        return request.reply(.usage, "sync --once: primary-to-clipboard or clipboard-to-primary?\n")
      }
      return request.reply(.done, "\(synchronizer.state.settings.direction.rawValue)\n")
    }
    guard let direction = SyncDirection(rawValue: word), isOnce || request.arguments.count == 1
    else { return request.reply(.usage, "sync: not a direction\n") }
    guard isOnce else {
      var changed = synchronizer.state.settings
      changed.direction = direction
      synchronizer.apply(changed)
      return request.reply(.done, "\(direction.rawValue)\n")
    }
    guard direction == .primaryToClipboard || direction == .clipboardToPrimary else {
      return request.reply(.usage, "sync --once: primary-to-clipboard or clipboard-to-primary?\n")
    }
    let source = direction == .primaryToClipboard ? SyncSelection.primary : .clipboard
    synchronizer.once(from: source) { result in
      switch result {
      case .done, .same: request.reply(.done, "taken over\n")
      case .nothing: request.reply(.nothing, "there is no text to take over\n")
      case .refused(let reason): request.reply(.refused, "not taken over: \(reason)\n")
      case .silent: request.reply(.timedOut, "the owner does not answer\n")
      }
    }
  }

  func answerWaiters(now: Instant) {
    guard waiters.contains(where: { !$0.isNew }) else { return }
    let verdict = HelperVerb.verdict(keeper.state.standing)
    let answered = waiters.filter { !$0.isNew && (verdict != nil || $0.deadline <= now) }
    waiters.removeAll { !$0.isNew && (verdict != nil || $0.deadline <= now) }
    // What is said to be kept is also remembered, where anything is.
    if !answered.isEmpty { history.flush() }
    for waiter in answered {
      if let verdict {
        waiter.reply(verdict.code, verdict.text + "\n")
      } else {
        waiter.reply(.timedOut, "not kept in time\n")
      }
    }
  }

  // MARK: Reports

  var standingText: String {
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
      sync: \(synchronizer.state.settings.direction.rawValue)
      history: \(history.summary)
      since start: \(log.saved) saved, \(log.restored) restored, \(log.refused) refused, \
      \(log.secrets) secrets left alone, \(log.ruledOut) ignored by rules, \(log.lost) lost, \
      \(log.tooLarge) types too large, \(log.missing) types not to be had, \
      \(synchronizer.followed) texts taken over

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
      "secrets":\(log.secrets),"ruledOut":\(log.ruledOut),"lost":\(log.lost),\
      "tooLarge":\(log.tooLarge),"missing":\(log.missing),\
      "sync":\(Self.quoted(synchronizer.state.settings.direction.rawValue)),\
      "followed":\(synchronizer.followed),"history":\(history.isOn)}

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
}
