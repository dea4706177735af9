import SelectionProtocol
import Testing

@testable import SessionHelper

/// The numbers are those of the invariants of `KeepingState`.
@Suite struct KeepingStateTests {
  private let owner = Window(0x400001)
  private let other = Window(0x600001)
  private let wish = SaveID(rawValue: 1)

  private func at(_ milliseconds: Int64) -> Instant { Instant(milliseconds: 10_000 + milliseconds) }

  /// What is asked for, in words that can be compared at a glance.
  private func words(_ actions: [KeepingAction]) -> [String] {
    actions.compactMap { action in
      switch action {
      case .list: "list"
      case .readHint: "hint"
      case .readSizes: "sizes"
      case .kept: "kept"
      case .read(_, let target, _): "read \(target)"
      case .cancelReads: "cancel"
      case .acquire(_, let targets, _, let from, _):
        "acquire \(targets.joined(separator: " ")) from \(from == .none ? "nobody" : "owner")"
      case .forget: "forget"
      case .answer(_, let isKept): isKept ? "yes" : "no"
      case .settled: "settled"
      case .note: nil
      }
    }
  }

  /// A state with a copy that offers `targets`, listed by the early look.
  private func listed(
    _ targets: [String], _ limits: KeepingLimits = KeepingLimits()
  ) throws -> (state: KeepingState, id: CopyID, actions: [KeepingAction]) {
    // Side by side, so that each order of events can be tried.
    var limits = limits
    limits.readsAtOnce = 4
    var state = KeepingState(limits: limits)
    #expect(words(state.newOwner(owner, now: at(0))).isEmpty)
    #expect(state.deadline == at(40))
    #expect(words(state.deadlinePassed(now: at(40))) == ["list"])
    let id = try #require(state.copy?.id)
    let actions = state.listed(id, .targets(targets), now: at(41))
    return (state, id, actions)
  }

  private func took(
    _ state: inout KeepingState, _ id: CopyID, target: String, byteCount: Int
  ) -> Bool {
    state.received(id, target: target, byteCount: byteCount, stored: byteCount)
  }

  private func deliver(
    _ state: inout KeepingState, _ id: CopyID, _ target: String, _ byteCount: Int = 10,
    at now: Int64 = 50
  ) -> [String] {
    #expect(took(&state, id, target: target, byteCount: byteCount))
    return words(state.read(id, target: target, .whole, now: at(now)))
  }

  @Test func cheapTargetsAreReadEarlyOneAfterTheOther() throws {
    var (state, id, actions) = try listed([
      "TARGETS", "image/png", "STRING", "UTF8_STRING", "text/html", "text/plain", "text/uri-list",
    ])
    #expect(words(actions) == ["read UTF8_STRING"])
    #expect(deliver(&state, id, "UTF8_STRING") == ["read text/html"])
    #expect(deliver(&state, id, "text/html") == ["read text/uri-list"])
    #expect(deliver(&state, id, "text/uri-list") == ["settled"])
    #expect(state.standing == .covered(things: 3, bytes: 30, offered: 4))
    #expect(state.deadline == nil)
  }

  @Test(arguments: ["UTF8_STRING", "text/plain;charset=utf-8", "text/plain", "STRING", "TEXT"])
  func anyTextWillDo(target: String) throws {
    let (_, _, actions) = try listed(["TARGETS", target])
    #expect(words(actions) == ["read \(target)"])
  }

  @Test func contentThatIsNotCheapIsLeftAlone() throws {
    let (state, _, actions) = try listed(["image/png", "application/x-cad", "SAVE_TARGETS"])
    #expect(words(actions) == ["settled"])
    #expect(state.standing == .notKept(.notReadEarly))
  }

  @Test func changesInQuickSuccessionAreAskedOnce() {
    var state = KeepingState()
    for step in 0..<200 {
      _ = state.newOwner(owner, now: at(Int64(step) * 10))
      #expect(words(state.deadlinePassed(now: at(Int64(step) * 10 + 9))).isEmpty)
    }
    #expect(state.deadline == at(1_990 + 150))
    #expect(words(state.deadlinePassed(now: at(1_990 + 150))) == ["list"])
  }

  // 1
  @Test(arguments: [
    "x-kde-passwordManagerHint=secret", "x-kde-passwordManagerHint=1", "x-kde-passwordManagerHint=",
    "x-kde-passwordManagerHint", "X-KDE-PasswordManagerHint=yes",
  ])
  func ofAHintedSecretOnlyTheHintIsRead(hint: String) throws {
    let parts = hint.split(separator: "=", omittingEmptySubsequences: false).map(String.init)
    var (state, id, actions) = try listed(["UTF8_STRING", parts[0]])
    #expect(words(actions) == ["hint"])
    let value = parts.count > 1 ? Array(parts[1].utf8) : nil
    #expect(words(state.hintRead(id, value: value, now: at(60))) == ["forget"])
    #expect(state.standing == .notKept(.secret))
    #expect(words(state.saveRequested(wish, targets: nil, now: at(70))) == ["no"])
    #expect(words(state.ownerGone(now: at(80)) + state.deadlinePassed(now: at(200))) == ["forget"])
    #expect(state.standing == .empty)
  }

  @Test(
    arguments: [
      ("CanIncludeInClipboardHistory", [0, 0, 0, 0]), ("CanUploadToCloudClipboard", []),
      ("CanIncludeInClipboardHistory", Array("0".utf8)), ("CanUploadToCloudClipboard", nil),
    ] as [(String, [UInt8]?)])
  func aHintOfWindowsIsASecretUnlessItSaysOne(hint: String, value: [UInt8]?) throws {
    var (state, id, _) = try listed(["UTF8_STRING", hint])
    #expect(state.standing == .pending)
    #expect(words(state.hintRead(id, value: value, now: at(60))) == ["forget"])
    #expect(state.standing == .notKept(.secret))
  }

  @Test func everyHintIsReadBeforeTheContent() throws {
    let hints = ["CanIncludeInClipboardHistory", "X-KDE-PasswordManagerHint"]
    var (state, id, _) = try listed(["UTF8_STRING"] + hints)
    #expect(words(state.hintRead(id, value: [1, 0, 0, 0], now: at(60))) == ["hint"])
    var other = state
    #expect(words(state.hintRead(id, value: Array("secret".utf8), now: at(61))) == ["forget"])
    #expect(
      words(other.hintRead(id, value: Array("public".utf8), now: at(61))) == ["read UTF8_STRING"])
  }

  @Test func aSaveReadsFirstWhatIsCheap() throws {
    var state = KeepingState()
    _ = state.newOwner(Window(7), now: at(0))
    _ = state.saveRequested(SaveID(rawValue: 1), targets: nil, now: at(1))
    let id = try #require(state.copy?.id)
    let offered = ["image/png", "image/tiff", "text/html", "UTF8_STRING"]
    #expect(words(state.listed(id, .targets(offered), now: at(2))) == ["read text/html"])
    #expect(deliver(&state, id, "text/html", at: 3) == ["read UTF8_STRING"])
    #expect(deliver(&state, id, "UTF8_STRING", at: 4) == ["read image/png"])
    // Its program is killed in the middle of the picture.
    _ = state.ownerGone(now: at(5))
    _ = state.read(id, target: "image/png", .failed, now: at(6))
    let restored = state.deadlinePassed(now: at(1_000))
    #expect(words(restored) == ["acquire text/html UTF8_STRING from nobody"])
  }

  @Test func aPublicHintIsNoSecret() throws {
    var (state, id, _) = try listed(["x-kde-passwordManagerHint", "UTF8_STRING"])
    #expect(
      words(state.hintRead(id, value: Array("public".utf8), now: at(60))) == ["read UTF8_STRING"])
  }

  @Test(arguments: [
    "org.nspasteboard.ConcealedType", "org.nspasteboard.TransientType",
    "org.nspasteboard.AutoGeneratedType", "ExcludeClipboardContentFromMonitorProcessing",
    "Clipboard Viewer Ignore",
  ])
  func markersAreSecretsByTheirNameAlone(marker: String) throws {
    let (state, _, actions) = try listed(["UTF8_STRING", marker])
    #expect(words(actions) == ["forget"])
    #expect(state.standing == .notKept(.secret))
  }

  @Test func aMarkerThatOnlyTheSavedListNamesCounts() throws {
    var (state, id, _) = try listed(["UTF8_STRING"])
    #expect(deliver(&state, id, "UTF8_STRING") == ["settled"])
    let list = ["UTF8_STRING", "x-kde-passwordManagerHint"]
    #expect(words(state.saveRequested(wish, targets: list, now: at(90))) == ["hint"])
    #expect(
      words(state.hintRead(id, value: Array("secret".utf8), now: at(91))) == ["no", "forget"])
  }

  @Test func aSaveSearchesForMarkersBeforeAnythingIsRead() throws {
    var state = KeepingState()
    _ = state.newOwner(owner, now: at(0))
    #expect(words(state.saveRequested(wish, targets: ["UTF8_STRING"], now: at(1))) == ["list"])
    let id = try #require(state.copy?.id)
    let names = ["UTF8_STRING", "org.nspasteboard.ConcealedType"]
    #expect(words(state.listed(id, .targets(names), now: at(2))) == ["no", "forget"])
  }

  // 2
  @Test func atTheStartAndWhileTheOwnerLivesNothingIsTaken() throws {
    var (state, id, actions) = try listed(["UTF8_STRING"])
    actions += state.read(id, target: "UTF8_STRING", .whole, now: at(50))
    for step in 0..<100 { actions += state.deadlinePassed(now: at(Int64(step) * 1_000)) }
    #expect(!words(actions).contains { $0.hasPrefix("acquire") })
  }

  @Test func contentComesBackAfterTheOwnersEnd() throws {
    var (state, id, _) = try listed(["UTF8_STRING"])
    #expect(deliver(&state, id, "UTF8_STRING") == ["settled"])
    #expect(words(state.ownerGone(now: at(100))).isEmpty)
    #expect(state.deadline == at(125))
    #expect(
      words(state.deadlinePassed(now: at(125))) == ["acquire UTF8_STRING from nobody"])
    let after = state.acquired(id, targets: ["UTF8_STRING"], isOurs: true)
    #expect(words(after) == ["forget"])
    #expect(state.standing == .held(targets: 1, bytes: 10))
    #expect(state.deadline == nil)
  }

  @Test func whoCopiesAgainWithinTheGraceWins() throws {
    var (state, id, _) = try listed(["UTF8_STRING"])
    #expect(deliver(&state, id, "UTF8_STRING") == ["settled"])
    _ = state.ownerGone(now: at(100))
    #expect(words(state.newOwner(other, now: at(110))) == ["forget"])
    #expect(words(state.deadlinePassed(now: at(125))).isEmpty)
  }

  @Test func aReadUnderWayAtTheOwnersEndIsWaitedFor() throws {
    var (state, id, _) = try listed(["UTF8_STRING", "text/html"])
    _ = state.ownerGone(now: at(50))
    #expect(words(state.deadlinePassed(now: at(80))).isEmpty)
    #expect(took(&state, id, target: "UTF8_STRING", byteCount: 3))
    #expect(
      words(state.read(id, target: "UTF8_STRING", .whole, now: at(90)))
        == ["acquire UTF8_STRING from nobody"])
  }

  @Test func aReadThatNeverEndsDoesNotHoldTheRestBack() throws {
    var (state, id, _) = try listed(["UTF8_STRING", "text/html"])
    #expect(deliver(&state, id, "UTF8_STRING") == ["read text/html"])
    _ = state.ownerGone(now: at(50))
    #expect(state.deadline == at(375))
    #expect(
      words(state.deadlinePassed(now: at(375))) == ["cancel", "acquire UTF8_STRING from nobody"])
  }

  @Test func aTakeOverNeedsSomethingToOffer() throws {
    var (state, id, _) = try listed(["UTF8_STRING"])
    let (_, refusal) = state.takeOver(now: at(50))
    #expect(refusal == .nothingKept)
    #expect(deliver(&state, id, "UTF8_STRING") == ["settled"])
    let (actions, _) = state.takeOver(now: at(60))
    #expect(words(actions) == ["acquire UTF8_STRING from owner"])
  }

  // 3
  @Test func aClearIsFinal() throws {
    var (state, id, _) = try listed(["UTF8_STRING"])
    #expect(deliver(&state, id, "UTF8_STRING") == ["settled"])
    #expect(words(state.cleared()) == ["forget"])
    #expect(words(state.ownerGone(now: at(100))).isEmpty)
    #expect(words(state.deadlinePassed(now: at(1_000))).isEmpty)
    #expect(state.standing == .empty)
  }

  // 4
  @Test func aNewCopyEndsASave() throws {
    var (state, id, _) = try listed(["UTF8_STRING", "image/png"])
    #expect(words(state.saveRequested(wish, targets: nil, now: at(60))) == ["read image/png"])
    #expect(words(state.newOwner(other, now: at(61))) == ["cancel", "no", "forget"])
    #expect(words(state.read(id, target: "image/png", .whole, now: at(62))).isEmpty)
    #expect(!took(&state, id, target: "image/png", byteCount: 1))
  }

  @Test func whatIsHeldIsDroppedForANewCopy() throws {
    var (state, id, _) = try listed(["UTF8_STRING"])
    _ = deliver(&state, id, "UTF8_STRING")
    _ = state.ownerGone(now: at(100)) + state.deadlinePassed(now: at(125))
    _ = state.acquired(id, targets: ["UTF8_STRING"], isOurs: true)
    _ = state.newOwner(other, now: at(200))
    #expect(state.held == nil)
    #expect(state.standing == .pending)
  }

  // 5
  @Test func aSaveTakesTheListInItsOrderAndReusesWhatWasRead() throws {
    var (state, id, _) = try listed(["image/png", "text/html", "UTF8_STRING"])
    // The early look has begun with the first cheap target.
    #expect(deliver(&state, id, "text/html") == ["read UTF8_STRING"])
    #expect(deliver(&state, id, "UTF8_STRING") == ["settled"])
    let list = ["UTF8_STRING", "TIMESTAMP", "image/png", "UTF8_STRING", "text/html"]
    #expect(words(state.saveRequested(wish, targets: list, now: at(60))) == ["read image/png"])
    #expect(
      deliver(&state, id, "image/png", 1_000)
        == ["acquire UTF8_STRING image/png text/html from owner"])
    let after = state.acquired(
      id, targets: ["UTF8_STRING", "image/png", "text/html"], isOurs: true)
    #expect(words(after) == ["yes", "kept", "forget"])
    #expect(state.standing == .held(targets: 3, bytes: 1_020))
  }

  @Test func anOwnerOnItsWayOutIsAskedForOneThingAtATime() throws {
    var state = KeepingState()
    _ = state.newOwner(owner, now: at(0))
    _ = state.saveRequested(wish, targets: ["a/b", "c/d"], now: at(1))
    let id = try #require(state.copy?.id)
    #expect(words(state.listed(id, .targets(["a/b", "c/d"]), now: at(2))) == ["read a/b"])
    #expect(deliver(&state, id, "a/b") == ["read c/d"])
    #expect(deliver(&state, id, "c/d") == ["acquire a/b c/d from owner"])
  }

  @Test func aTargetThatFailsIsLeftOut() throws {
    var (state, id, _) = try listed(["a/b", "c/d"])
    #expect(
      words(state.saveRequested(wish, targets: nil, now: at(60))) == ["read a/b", "read c/d"])
    #expect(words(state.read(id, target: "a/b", .failed, now: at(61))).isEmpty)
    #expect(deliver(&state, id, "c/d", 0) == ["acquire c/d from owner"])
  }

  @Test func aSaveOfNothingIsRefused() throws {
    var (state, id, _) = try listed(["a/b"])
    _ = state.saveRequested(wish, targets: nil, now: at(60))
    #expect(words(state.read(id, target: "a/b", .failed, now: at(61))) == ["no"])
    var empty = KeepingState()
    #expect(words(empty.saveRequested(wish, targets: nil, now: at(0))) == ["no"])
  }

  @Test func aSlowOwnerGetsItsAnswerInTimeWithWhatIsThere() throws {
    var (state, id, _) = try listed(["a/b", "c/d"])
    _ = state.saveRequested(wish, targets: nil, now: at(60))
    _ = deliver(&state, id, "a/b")
    #expect(state.deadline == at(4_560))
    #expect(
      words(state.deadlinePassed(now: at(4_560))) == ["cancel", "acquire a/b from owner"])
    #expect(words(state.acquired(id, targets: ["a/b"], isOurs: true)) == ["yes", "kept", "forget"])
  }

  @Test func anOwnerThatTellsNothingGetsANo() throws {
    var state = KeepingState()
    _ = state.newOwner(owner, now: at(0))
    #expect(words(state.saveRequested(wish, targets: ["a/b"], now: at(1))) == ["list"])
    let id = try #require(state.copy?.id)
    #expect(words(state.listed(id, .silent, now: at(2_001))) == ["no"])
    // The next wish tries again.
    #expect(
      words(state.saveRequested(SaveID(rawValue: 2), targets: nil, now: at(3_000))) == ["list"])
    #expect(words(state.deadlinePassed(now: at(7_500))) == ["no"])
  }

  @Test func anOwnerWithoutTargetsIsSavedByItsList() throws {
    var state = KeepingState()
    _ = state.newOwner(owner, now: at(0))
    _ = state.saveRequested(wish, targets: ["a/b"], now: at(1))
    let id = try #require(state.copy?.id)
    #expect(words(state.listed(id, .refused, now: at(2))) == ["read a/b"])
  }

  @Test func wishesForOneCopyAreAnsweredTogetherAndNotForEver() throws {
    var (state, id, _) = try listed(["a/b"])
    var answers: [String] = []
    for number in 1...10 {
      answers += words(
        state.saveRequested(SaveID(rawValue: number), targets: nil, now: at(60)))
    }
    #expect(answers == ["read a/b", "no", "no"])
    #expect(deliver(&state, id, "a/b") == ["acquire a/b from owner"])
    let after = words(state.acquired(id, targets: ["a/b"], isOurs: true))
    #expect(after == Array(repeating: "yes", count: 8) + ["kept", "forget"])
  }

  @Test func aClipboardLostToAnotherIsNotSaved() throws {
    var (state, id, _) = try listed(["a/b"])
    _ = state.saveRequested(wish, targets: nil, now: at(60))
    _ = deliver(&state, id, "a/b")
    #expect(words(state.acquired(id, targets: ["a/b"], isOurs: false)) == ["no"])
  }

  // 7
  @Test func whatIsTooLargeIsDroppedAlone() throws {
    var limits = KeepingLimits()
    limits.target = 100
    limits.copy = 150
    var (state, id, _) = try listed(["a/a", "b/b", "c/c"], limits)
    _ = state.saveRequested(wish, targets: nil, now: at(60))
    #expect(took(&state, id, target: "a/a", byteCount: 60))
    #expect(!took(&state, id, target: "a/a", byteCount: 41))
    #expect(words(state.read(id, target: "a/a", .failed, now: at(61))).isEmpty)
    #expect(took(&state, id, target: "b/b", byteCount: 100))
    #expect(!took(&state, id, target: "c/c", byteCount: 51))
    #expect(took(&state, id, target: "c/c", byteCount: 50))
    #expect(words(state.read(id, target: "b/b", .whole, now: at(62))).isEmpty)
    #expect(
      words(state.read(id, target: "c/c", .whole, now: at(63)))
        == ["acquire b/b c/c from owner"])
  }

  @Test func whatWasTooLargeEarlyIsReadByASave() throws {
    var limits = KeepingLimits()
    limits.earlyText = 5
    var (state, id, _) = try listed(["UTF8_STRING"], limits)
    #expect(!took(&state, id, target: "UTF8_STRING", byteCount: 6))
    #expect(
      words(state.read(id, target: "UTF8_STRING", .failed, now: at(50))) == ["settled"])
    #expect(words(state.saveRequested(wish, targets: nil, now: at(60))) == ["read UTF8_STRING"])
    #expect(deliver(&state, id, "UTF8_STRING", 6) == ["acquire UTF8_STRING from owner"])
  }

  @Test func noMoreThanSoManyTargetsAreKept() {
    let many = (0..<10_000).map { "type/\($0)" }
    #expect(KeepingRules.keepable(many) == Array(many.prefix(256)))
  }

  @Test(arguments: [
    "TARGETS", "MULTIPLE", "TIMESTAMP", "TARGET_SIZES", "SAVE_TARGETS", "DELETE",
    "INSERT_SELECTION", "INSERT_PROPERTY", "PIXMAP", "BITMAP", "DRAWABLE", "COLORMAP",
    "FOREGROUND", "BACKGROUND", "WINDOW", "CLIENT_WINDOW", "OWNER_OS", "HOST_NAME", "USER",
    "PROCESS", "TASK", "NULL", "application/x-krita-node-internal-pointer",
    "GTK_TEXT_BUFFER_CONTENTS", "chromium/x-internal-data", "application/vnd.portal.filetransfer",
    "application/vnd.portal.files", "", "a\u{FFFD}b", "a\nb",
  ])
  func whatIsNoContentIsNeverKept(target: String) {
    #expect(!KeepingRules.isKeepable(target))
    #expect(KeepingRules.early([target]).isEmpty)
  }

  // Pauses
  @Test func whilePausedNothingIsRead() throws {
    var (state, id, _) = try listed(["UTF8_STRING", "text/html"])
    _ = deliver(&state, id, "UTF8_STRING")
    #expect(words(state.pause(until: at(60_000), now: at(60))) == ["cancel", "forget"])
    #expect(words(state.saveRequested(wish, targets: nil, now: at(61))) == ["no"])
    #expect(words(state.newOwner(other, now: at(70))) == ["forget"])
    #expect(words(state.deadlinePassed(now: at(59_999))).isEmpty)
    #expect(state.standing == .notKept(.paused))
    #expect(words(state.deadlinePassed(now: at(60_000))).isEmpty)
    #expect(!state.isPaused)
    _ = state.newOwner(owner, now: at(61_000))
    #expect(words(state.deadlinePassed(now: at(62_000))) == ["list"])
  }

  @Test func ignoringTheNextCopyEndsWithIt() {
    var state = KeepingState()
    state.ignoreNext(now: at(0))
    _ = state.newOwner(owner, now: at(10))
    #expect(state.standing == .notKept(.ignored))
    #expect(state.deadline == nil)
    _ = state.newOwner(other, now: at(5_000))
    #expect(state.standing == .pending)
    state.ignoreNext(now: at(5_000))
    _ = state.newOwner(other, now: at(65_001))
    #expect(state.standing == .pending)
  }

  @Test func withoutEarlyReadsTheHelperIsSilentUntilASave() {
    var limits = KeepingLimits()
    limits.readsEarly = false
    var state = KeepingState(limits: limits)
    _ = state.newOwner(owner, now: at(0))
    #expect(state.deadline == nil)
    #expect(state.standing == .notKept(.notReadEarly))
    #expect(words(state.saveRequested(wish, targets: nil, now: at(1))) == ["list"])
  }

  // MARK: Sizes

  @Test func whatTheOwnerCallsTooLargeIsNotAskedFor() throws {
    var (state, id, actions) = try listed(["UTF8_STRING", "text/html", "TARGET_SIZES"])
    #expect(words(actions) == ["sizes"])
    #expect(
      words(state.sized(id, ["UTF8_STRING": 700 << 20, "text/html": 3], now: at(42)))
        == ["read text/html"])
    #expect(deliver(&state, id, "text/html") == ["settled"])
    #expect(state.standing == .covered(things: 1, bytes: 10, offered: 2))
  }

  @Test func aSmallNumberProvesNothing() throws {
    var (state, id, _) = try listed(["text/html", "TARGET_SIZES"])
    #expect(words(state.sized(id, ["text/html": 1], now: at(42))) == ["read text/html"])
    #expect(took(&state, id, target: "text/html", byteCount: 200_000))
    #expect(!took(&state, id, target: "text/html", byteCount: 100_000))
  }

  @Test func sizesThatAreNotToldAreDoneWithout() throws {
    var (state, id, _) = try listed(["UTF8_STRING", "TARGET_SIZES"])
    #expect(words(state.sized(id, [:], now: at(42))) == ["read UTF8_STRING"])
    #expect(words(state.sized(id, [:], now: at(43))).isEmpty)
  }

  @Test func whatIsTooLargeToBeReadEarlySaysSo() throws {
    var (state, id, _) = try listed(["UTF8_STRING"])
    #expect(!took(&state, id, target: "UTF8_STRING", byteCount: state.limits.earlyText + 1))
    _ = state.read(id, target: "UTF8_STRING", .tooLarge, now: at(60))
    #expect(state.standing == .notKept(.tooLargeEarly))
  }

  @Test func aSaveThatFailedDoesNotSayThatNobodyAsked() throws {
    var (state, id, _) = try listed(["a/b"])
    _ = state.saveRequested(wish, targets: nil, now: at(60))
    #expect(words(state.read(id, target: "a/b", .failed, now: at(61))).contains("no"))
    #expect(state.standing == .notKept(.nothingKept))
  }

  @Test func aSaveOfWhatIsTooLargeSaysSo() throws {
    var (state, id, _) = try listed(["image/png", "TARGET_SIZES"])
    _ = state.sized(id, ["image/png": 33 << 20], now: at(42))
    let actions = state.saveRequested(wish, targets: nil, now: at(50))
    #expect(actions == [.answer(wish, isKept: false), .note(.notSaved(.tooLarge))])
  }

  @Test func aTypeMayHaveALimitOfItsOwn() throws {
    var (state, id, _) = try listed(["image/png", "a/b"])
    var choice = KeepingChoice()
    choice.sizes = [.init(pattern: TypePattern("image/*"), bytes: 100)]
    state.choice = choice
    // From the next copy on.
    _ = state.newOwner(other, now: at(60))
    id = try #require(state.copy?.id)
    #expect(words(state.saveRequested(wish, targets: nil, now: at(70))) == ["list"])
    let reads = state.listed(id, .targets(["image/png", "a/b"]), now: at(80))
    #expect(words(reads) == ["read image/png", "read a/b"])
    #expect(!took(&state, id, target: "image/png", byteCount: 101))
    #expect(words(state.read(id, target: "image/png", .tooLarge, now: at(81))).isEmpty)
    #expect(deliver(&state, id, "a/b") == ["acquire a/b from owner"])
    let after = state.acquired(id, targets: ["a/b"], isOurs: true)
    #expect(after.last == .note(.saved(targets: 1, bytes: 10, left: 1, tooLarge: 1)))
  }

  // MARK: Pictures

  private func withPictures(_ targets: [String]) throws -> (KeepingState, CopyID, [String]) {
    var choice = KeepingChoice()
    choice.readsPictures = true
    var state = KeepingState(choice: choice)
    _ = state.newOwner(owner, now: at(0))
    _ = state.deadlinePassed(now: at(40))
    let id = try #require(state.copy?.id)
    let actions = words(state.listed(id, .targets(targets), now: at(41)))
    return (state, id, actions)
  }

  @Test func aCopyOfPicturesIsReadEarlyOnDemand() throws {
    var (state, id, actions) = try withPictures(["image/bmp", "image/png"])
    #expect(actions.isEmpty)
    #expect(state.standing == .pending)
    #expect(state.deadline == at(2_000))
    #expect(words(state.deadlinePassed(now: at(2_000))) == ["read image/png"])
    #expect(took(&state, id, target: "image/png", byteCount: 16 << 20))
    #expect(!took(&state, id, target: "image/png", byteCount: 1))
    #expect(words(state.read(id, target: "image/png", .whole, now: at(2_100))) == ["settled"])
    _ = state.ownerGone(now: at(3_000))
    #expect(words(state.deadlinePassed(now: at(3_025))) == ["acquire image/png from nobody"])
  }

  @Test(arguments: [
    ["image/png", "text/html"], ["image/bmp"], ["image/png", "application/x-cad"],
  ])
  func onlyPurePicturesAreReadEarly(targets: [String]) throws {
    let (state, _, actions) = try withPictures(targets)
    #expect(!actions.contains("read image/png"))
    if case .waitingForPicture = state.copy?.early { Issue.record("a picture is waited for") }
  }

  // MARK: Rules

  @Test func aRuleEndsEverythingAboutACopy() throws {
    var (state, id, _) = try listed(["UTF8_STRING"])
    _ = state.saveRequested(wish, targets: nil, now: at(42))
    #expect(words(state.ruled(id, keepsMarked: false)) == ["cancel", "no", "forget"])
    #expect(state.standing == .notKept(.ruledOut))
    #expect(words(state.saveRequested(wish, targets: nil, now: at(50))) == ["no"])
    #expect(state.takeOver(now: at(51)).refusal == .ruledOut)
  }

  @Test func aRuleMayKeepWhatIsMarked() throws {
    var state = KeepingState()
    _ = state.newOwner(owner, now: at(0))
    _ = state.deadlinePassed(now: at(40))
    let id = try #require(state.copy?.id)
    #expect(words(state.ruled(id, keepsMarked: true)).isEmpty)
    let targets = ["UTF8_STRING", "x-kde-passwordManagerHint"]
    #expect(words(state.listed(id, .targets(targets), now: at(41))) == ["read UTF8_STRING"])
  }

  @Test func moreMarkersAndTypesThatAreNeverKept() throws {
    var choice = KeepingChoice()
    choice.markers = [TypePattern("application/x-mine*")]
    choice.never = [TypePattern("image/*")]
    #expect(KeepingRules.marking(of: ["Application/X-Mine-Secret"], choice) == .secret)
    #expect(KeepingRules.marking(of: ["application/x-other"], choice) == .open)
    #expect(KeepingRules.keepable(["image/png", "a/b"], choice) == ["a/b"])
    choice.early = [TypePattern("a/*")]
    #expect(
      KeepingRules.early(["text/html", "a/b", "UTF8_STRING", "TARGETS"], choice)
        == ["a/b", "UTF8_STRING"])
  }
}
