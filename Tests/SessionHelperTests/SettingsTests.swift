import Foundation
import Testing

@testable import SessionHelper

/// The settings file: what it can say, and that it is never half understood.
@Suite struct SettingsTests {
  private func parsed(_ text: String) throws -> HelperSettings {
    var settings = HelperSettings()
    try SettingsFile.parse(text, path: "helper.conf", into: &settings)
    return settings
  }

  @Test func everySettingIsUnderstood() throws {
    let settings = try parsed(
      """
      # What is kept
      early-copy = off
        early-images=pure
      early-types = text/uri-list  application/x-mine
      early-text = 1M
      early-type = 64K
      early-total = 2M
      marker = application/x-secret
      marker = a/b c/*
      never = image/x-xcf
      limit-type = 8M
      limit-copy = 16M
      limit-memory = 1G
      limit.image/* = 512K

      sync = both
      sync-clears = off
      sync-limit = 100
      xwayland = on
      history-age = 12h
      history-age.image/* = 10m
      history-items = 7
      history-size = 3M
      history-type = 2M
      history-storage = runtime
      history-wipe = lock logout
      """)
    #expect(!settings.limits.readsEarly)
    #expect(settings.choice.readsPictures)
    #expect(
      settings.choice.early == [TypePattern("text/uri-list"), TypePattern("application/x-mine")])
    #expect(settings.limits.earlyText == 1 << 20)
    #expect(settings.limits.earlyTarget == 64 << 10)
    #expect(settings.limits.earlyCopy == 2 << 20)
    #expect(settings.choice.markers.count == 3)
    #expect(settings.choice.never == [TypePattern("image/x-xcf")])
    #expect(settings.limits.target == 8 << 20)
    #expect(settings.limits.copy == 16 << 20)
    #expect(settings.limits.memory == 1 << 30)
    #expect(settings.choice.size(of: "image/png") == 512 << 10)
    #expect(settings.sync.direction == .both)
    #expect(!settings.sync.clears)
    #expect(settings.sync.limit == 100)
    #expect(settings.servesXwayland)
    #expect(settings.history.limits.age == 12 * 3_600_000)
    #expect(
      settings.history.limits.ages == [
        .init(pattern: TypePattern("image/*"), milliseconds: 600_000)
      ])
    #expect(settings.history.limits.items == 7)
    #expect(settings.history.limits.bytes == 3 << 20)
    #expect(settings.history.limits.representation == 2 << 20)
    #expect(settings.history.storage == .runtime)
    #expect(settings.history.wipes == [.lock, .logout])
  }

  @Test(arguments: [
    "early-copy", "early-copy = perhaps", "early-images = all", "early-text = -1",
    "early-text = 1T",
    "limit-copy = 99999999999999999999", "limit.image/* = much", "sync = sideways",
    "history-age = 0",
    "history-age = 5y", "history-items = 0", "history-storage = cloud", "history-wipe = sometimes",
    "colour = blue", "ignore", "ignore class", "ignore class=", "ignore colour=blue",
    "ignore title=\"(\"", "ignore title=\"open", "keep-marked", "= 5",
  ])
  func aLineThatIsNotUnderstoodIsNamed(line: String) {
    #expect {
      try parsed("# first\n\n\(line)\n")
    } throws: { error in
      (error as? SettingsFile.Misuse)?.line == 3
    }
  }

  @Test func rulesDescribePrograms() throws {
    let settings = try parsed(
      """
      ignore class=Bitwarden
      ignore program=keepassxc title="(Pass\\.|\\"Secret\\") [0-9]+"
      ignore type=application/x-private*
      keep-marked class=firefox
      """)
    let rules = settings.rules
    #expect(rules.map(\.verdict) == [.ignore, .ignore, .ignore, .keepMarked])
    #expect(rules[0].matches(.init(classes: ["bitwarden", "x"])))
    #expect(!rules[0].matches(.init(classes: ["bitwardens"])))
    #expect(rules[1].matches(.init(program: "KeePassXC", titles: ["other", "my \"Secret\" 12"])))
    #expect(rules[1].matches(.init(program: "keepassxc", titles: ["Pass. 3"])))
    #expect(!rules[1].matches(.init(program: "keepassxc", titles: ["Passx 3"])))
    #expect(!rules[1].matches(.init(program: "other", titles: ["Pass. 3"])))
    #expect(rules[2].needsTargets)
    #expect(rules[2].matches(.init(targets: ["a/b", "application/x-PRIVATE-data"])))
    #expect(!rules[2].matches(.init()))
  }

  @Test func aFileThatOthersCanWriteIsRefused() throws {
    let path = FileManager.default.temporaryDirectory.appending(path: "pb-" + UUID().uuidString)
      .path
    defer { try? FileManager.default.removeItem(atPath: path) }
    var settings = HelperSettings()
    try SettingsFile.read(path, isWanted: false, into: &settings)
    #expect(throws: SettingsFile.Misuse.self) {
      try SettingsFile.read(path, isWanted: true, into: &settings)
    }
    try "sync = both".write(toFile: path, atomically: false, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    try SettingsFile.read(path, isWanted: true, into: &settings)
    #expect(settings.sync.direction == .both)
    try FileManager.default.setAttributes([.posixPermissions: 0o622], ofItemAtPath: path)
    #expect(throws: SettingsFile.Misuse.self) {
      try SettingsFile.read(path, isWanted: true, into: &settings)
    }
  }

  @Test func commentsMayFollow() throws {
    let settings = try parsed(
      """
      sync = both # as on the old machine
      \t# nothing else
      never = a#b # c
      ignore title="^# \\"x" # quotes protect it
      """)
    #expect(settings.sync.direction == .both)
    #expect(settings.choice.never == [TypePattern("a#b")])
    let rule = try #require(settings.rules.first)
    #expect(rule.matches(CopyRule.Subject(titles: ["# \"x"])))
    #expect(!rule.matches(CopyRule.Subject(titles: ["x"])))
  }

  @Test func aPlaceThatIsNoFileIsRefused() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let pipe = folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, folder.path, "/dev/null"] {
      var settings = HelperSettings()
      #expect(throws: SettingsFile.Misuse.self) {
        try SettingsFile.read(path, isWanted: true, into: &settings)
      }
    }
  }

  @Test func nonsenseIsNoHarm() {
    var seed: UInt64 = 7
    func random() -> UInt64 {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return seed >> 33
    }
    let words = [
      "ignore", "keep-marked", "class", "title", "=", "\"", "\\", " ", "[", "(", "*",
      "history-age", ".", "9", "G", "limit.", "é", "\t", "sync", "both", "#",
    ]
    var refused = 0
    for _ in 0..<20_000 {
      let line = (0..<(random() % 9)).map { _ in words[Int(random()) % words.count] }.joined()
      var settings = HelperSettings()
      do {
        try SettingsFile.parse(line, path: "x", into: &settings)
      } catch {
        refused += 1
      }
    }
    #expect((1..<20_000).contains(refused))
  }
}
