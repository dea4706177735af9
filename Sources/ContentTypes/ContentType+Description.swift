internal import Glibc

extension ContentType {
  /// What people call the type, in the user's language where the database has it.
  ///
  /// From this program's declaration, else the shared MIME database, else a supertype. A dynamic type has only what the
  /// database says about it, mostly nothing.
  public var typeDescription: String? {
    typeDescription(database: .shared, languages: Self.languages)
  }

  func typeDescription(database: SharedMIMEDatabase, languages: [String]) -> String? {
    if isDynamic { return ownDescription(database, languages) }
    var queue = [self]
    var index = 0
    while index < queue.count {
      let type = queue[index]
      if let found = type.ownDescription(database, languages) { return found }
      for parent in type.parents(database: database) where !queue.contains(parent) {
        queue.append(parent)
      }
      index += 1
    }
    return nil
  }

  private func ownDescription(_ database: SharedMIMEDatabase, _ languages: [String]) -> String? {
    if let declared = declaration?.typeDescription { return declared }
    if let plain = Self.plainDescriptions.first(where: { $0.0 == self }) { return plain.1 }
    var names = freedesktopMIMETypes(database: database)
    if isDynamic, names.isEmpty { names = mimeTypes(database: database) }
    for name in names.prefix(1) {
      if let found = database.description(of: name, languages: languages) { return found }
    }
    return nil
  }

  /// What the types are called that no file has alone.
  private static let plainDescriptions: [(ContentType, String)] = [
    (.utf8PlainText, "UTF-8 text"), (.utf16PlainText, "UTF-16 text"),
    (.utf16ExternalPlainText, "UTF-16 text"), (.url, "URL"), (.fileURL, "file URL"),
    (.image, "image"), (.movie, "movie"), (.video, "video"), (.audio, "audio"),
    (.audiovisualContent, "audio or video"), (.sourceCode, "source code"), (.script, "script"),
    (.archive, "archive"), (.diskImage, "disk image"), (.font, "font"), (.message, "message"),
    (.contact, "contact"), (.calendarEvent, "calendar event"), (.database, "database"),
    (.spreadsheet, "spreadsheet"), (.presentation, "presentation"), (.playlist, "playlist"),
    (.threeDContent, "3D content"), (.application, "application"), (.package, "package"),
    (.bundle, "bundle"), (.executable, "executable"), (.text, "text"), (.data, "data"),
    (.content, "content"), (.item, "item"),
  ]

  /// The user's languages, most wanted first, for example `["de_AT", "de"]`.
  static var languages: [String] {
    func value(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
    }
    guard let locale = value("LC_ALL") ?? value("LC_MESSAGES") ?? value("LANG"), locale != "C",
      locale != "POSIX", !locale.hasPrefix("C.")
    else { return [] }
    let wanted = (value("LANGUAGE") ?? "").split(separator: ":") + [locale[...]]
    return wanted.flatMap { entry -> [String] in
      let name = entry.prefix { $0 != "." && $0 != "@" }
      let language = name.prefix { $0 != "_" }
      return language == name ? [String(name)] : [String(name), String(language)]
    }
  }

  /// The version of the declaration.
  public var version: Int? { declaration?.version }

  /// Where the type is described, as the declaration says.
  public var referenceURL: String? { declaration?.referenceURL }

  /// The spellings this type has on freedesktop systems: the shared MIME database's canonical one first, then aliases.
  ///
  /// Offer them beside `mimeTypes`; other programs may know only these. Spellings that a different type declares as its
  /// own are left out.
  public var freedesktopMIMETypes: [String] { freedesktopMIMETypes(database: .shared) }

  func freedesktopMIMETypes(database: SharedMIMEDatabase) -> [String] {
    var result: [String] = []
    var seeds = mimeTypes(database: database)
    if case .system(let row) = storage {
      seeds = SystemTypes.freedesktopMIMETypes(row) + seeds
      // The table's first spelling counts even where several types share it.
      if let first = seeds.first, SystemTypes.freedesktopMIMETypes(row).first == first {
        result.append(database.canonicalName(first))
      }
    }
    for seed in seeds {
      guard let name = MIMEType(seed)?.name else { continue }
      let canonical = database.canonicalName(name)
      for spelling in [canonical, name] + database.aliases(of: canonical) {
        if result.contains(spelling) { continue }
        let owner = Self.declaredTypes(mimeType: spelling).first
        if owner == nil || owner == self { result.append(spelling) }
      }
    }
    return result
  }
}
