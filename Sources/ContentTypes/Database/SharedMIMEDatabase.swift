internal import Glibc
internal import Synchronization

/// The shared MIME database: what the machine and the user know about types.
///
/// Source: the Shared MIME-info Database specification and the XDG Base Directory specification. The user's directory
/// comes first; it wins for aliases, adds to parents and patterns, and may cancel patterns and magic rules of the others.
///
/// Files are opened when first asked for. A long-lived program sees changes: at most every few seconds a look-up compares
/// the files on disk with those in use. Everything in them is untrusted: a damaged directory is left out, with one warning
/// on standard error; circles of aliases and parents end where they begin.
public final class SharedMIMEDatabase: Sendable {
  /// The database of this process's environment.
  public static let shared = SharedMIMEDatabase(
    directories: standardDirectories { getenv($0).map { String(cString: $0) } })

  /// The `mime` directories, most important first.
  public let directories: [String]
  /// How long files are taken to be unchanged, in nanoseconds.
  private let interval: UInt64
  private let state = Mutex(State())

  private struct State {
    var contents: Contents?
    var checked: UInt64 = 0
  }

  /// Makes a database of some directories.
  /// - Parameters:
  ///   - directories: Each a `mime` directory, most important first.
  ///   - checkInterval: How often to look for changes, in seconds.
  public init(directories: [String], checkInterval: Double = 3) {
    self.directories = directories
    interval = UInt64(max(0, min(checkInterval, 1e6)) * 1e9)
  }

  /// The `mime` directories an environment asks for, most important first.
  /// - Parameter environment: Answers the value of a variable.
  /// - Returns: Those of `XDG_DATA_HOME` (`~/.local/share`) and `XDG_DATA_DIRS` (`/usr/local/share:/usr/share`). Relative
  ///   entries are left out.
  public static func standardDirectories(
    environment: (String) -> String?
  ) -> [String] {
    var roots: [String] = []
    if let home = environment("XDG_DATA_HOME"), home.hasPrefix("/") {
      roots.append(home)
    } else if let home = environment("HOME"), home.hasPrefix("/") {
      roots.append(home + "/.local/share")
    }
    let list = environment("XDG_DATA_DIRS").flatMap { $0.isEmpty ? nil : $0 }
    let entries = (list ?? "/usr/local/share:/usr/share").split(separator: ":")
    roots += entries.filter { $0.hasPrefix("/") }.map(String.init)
    var result: [String] = []
    for root in roots {
      let directory = (root.hasSuffix("/") ? root : root + "/") + "mime"
      if !result.contains(directory) { result.append(directory) }
    }
    return result
  }

  /// What the files on disk say now.
  var contents: Contents {
    state.withLock { state in
      let now = Self.now()
      if let contents = state.contents {
        if now - state.checked < interval { return contents }
        state.checked = now
        if contents.identities == Contents.identities(of: directories) { return contents }
      }
      let contents = Contents(directories: directories)
      state.contents = contents
      state.checked = now
      return contents
    }
  }

  /// Whether no directory can be used.
  var isEmpty: Bool { contents.sources.isEmpty }

  /// Coarse is enough, and costs no more than reading memory.
  private static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// One state of the files.
  final class Contents: Sendable {
    private let all: [(directory: String, source: any MIMESource)]
    let identities: [FileBytes.Identity?]
    /// Spellings with capitals by their lower-cased form, made when first needed.
    private let spellings = Mutex<[String: String]?>(nil)
    let canonicalNames = Memory<String>()
    let aliasLists = Memory<[String]>()
    let relations = Memory<ContentType.Relation>()
    let dynamicParents = Memory<[ContentType]>()
    let directories: [String]

    init(directories: [String]) {
      self.directories = directories
      identities = Self.identities(of: directories)
      all = directories.enumerated().compactMap { index, directory in
        Self.source(of: directory, isUsers: index == 0).map { (directory, $0) }
      }
    }

    private static func source(of directory: String, isUsers: Bool) -> (any MIMESource)? {
      let path = directory + "/mime.cache"
      guard let file = FileBytes(path: path, limit: 1 << 30, mapped: !isUsers) else {
        return MIMETextFiles(directory: directory)
      }
      if let cache = MIMECache(file: file, directory: directory) { return cache }
      DatabaseWarning.write("mime.cache is not a cache of version 1", about: directory)
      return nil
    }

    /// The directories that can be used, most important first.
    var sources: [any MIMESource] { all.map(\.source).filter(\.isUsable) }

    /// The directories whose own patterns of a type are all there are.
    func directoriesCancellingGlobs(of name: String) -> [String] {
      all.filter { $0.source.isUsable && $0.source.typesWithoutInheritedGlobs.contains(name) }
        .map(\.directory)
    }

    /// The states of the files that make a directory's contents.
    static func identities(of directories: [String]) -> [FileBytes.Identity?] {
      directories.flatMap { directory -> [FileBytes.Identity?] in
        if let cache = FileBytes.Identity(path: directory + "/mime.cache") { return [cache] }
        return ["aliases", "subclasses", "globs2", "magic"].map {
          FileBytes.Identity(path: directory + "/" + $0)
        }
      }
    }

    /// The database's spelling of a type name given in lower case.
    func spelling(ofFolded name: String) -> String? {
      spellings.withLock { known in
        if known == nil {
          var names: [String: String] = [:]
          for source in sources {
            names.merge(source.typeNamesWithCapitals.map { ($0.asciiLowercased, $0) }) { one, _ in
              one
            }
          }
          known = names
        }
        return known?[name]
      }
    }
  }
}

extension SharedMIMEDatabase {
  /// Answers given before, by name. Bounded: names come from outside.
  final class Memory<Answer: Sendable>: Sendable {
    private struct State {
      var generation = 0
      var answers: [String: Answer] = [:]
    }

    private let state = Mutex(State())

    /// The answer for a name, found by `body` if it was not given before.
    /// - Parameters:
    ///   - name: The name.
    ///   - generation: Answers of another generation are forgotten.
    ///   - body: Finds the answer; runs outside the lock.
    func answer(for name: String, generation: Int = 0, _ body: () -> Answer) -> Answer {
      if name.utf8.count > 256 { return body() }
      let known = state.withLock { state in
        state.generation == generation ? state.answers[name] : nil
      }
      if let known { return known }
      let answer = body()
      state.withLock { state in
        if state.generation != generation || state.answers.count >= 8192 { state.answers = [:] }
        state.generation = generation
        state.answers[name] = answer
      }
      return answer
    }
  }
}
