internal import CLinux
internal import Glibc

extension ContentType {
  /// Finds the type of a file: by what it is, its extended attribute, its name, and last by its content.
  ///
  /// 1. A directory is a folder, or what its extension means among directories (`.app`, `.rtfd`). A symbolic link that is
  ///    not followed, or leads nowhere, is a `symbolicLink`. Pipes, sockets and devices have types of their own.
  /// 2. The extended attribute `user.mime_type` is believed.
  /// 3. Extensions this program declares come first. Then a pattern of the database that says more than an extension
  ///    (`Makefile`, `*.tar.gz`) beats the extension, and the system's declared extensions beat the database's.
  /// 4. Content is read only when the name means nothing or several things. A type the name may mean wins if it is the
  ///    sniffed one or conforms to it. A file without any sign is plain text or data; an empty one is data.
  ///
  /// Source: the Shared MIME-info Database specification, "Recommended checking order".
  /// - Parameters:
  ///   - path: The file.
  ///   - followsLinks: Whether a symbolic link stands for the file it leads to.
  /// - Returns: nil when there is nothing at the path or it cannot be examined.
  public static func ofFile(atPath path: String, followingSymbolicLinks followsLinks: Bool = true)
    -> ContentType?
  {
    ofFile(atPath: path, followingSymbolicLinks: followsLinks, database: .shared)
  }

  static func ofFile(
    atPath path: String, followingSymbolicLinks followsLinks: Bool, database: SharedMIMEDatabase
  ) -> ContentType? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    var isLink = false
    if status.st_mode & S_IFMT == S_IFLNK {
      if !followsLinks || stat(path, &status) != 0 { return .symbolicLink }
      isLink = true
    }
    var name = lastComponent(of: path)
    switch status.st_mode & S_IFMT {
    case S_IFREG: break
    case S_IFDIR: return ofDirectory(named: name)
    case S_IFIFO: return ContentType("public.named-pipe")
    case S_IFSOCK: return ContentType("public.socket")
    case S_IFCHR: return ContentType("public.character-special")
    case S_IFBLK: return ContentType("public.block-special")
    default: return .item
    }
    if let type = ofAttribute(path: path, database: database) { return type }
    // A link often has no extension where its target has one.
    if isLink, typesOfName(name, database: database).isEmpty, let target = resolved(path) {
      name = lastComponent(of: target)
    }
    return ofRegularFile(named: name, database: database) { length in
      contents(ofFile: path, length: length)
    }
  }

  /// Finds the type of a regular file by its name and, if that leaves a doubt, its content.
  static func ofRegularFile(
    named name: String, database: SharedMIMEDatabase, read: (_ length: Int) -> [UInt8]?
  ) -> ContentType {
    let candidates = typesOfName(name, database: database)
    if let only = candidates.first, candidates.count == 1 { return only }
    guard let head = read(max(database.magicExtent, 512)) else { return candidates.first ?? .data }
    return head.withUnsafeBytes { bytes in
      if bytes.isEmpty { return candidates.first ?? .data }
      let sniffed =
        sniff(bytes, database: database) ?? (looksLikeText(bytes) ? .plainText : .data)
      if candidates.isEmpty { return sniffed }
      return candidates.first { $0.conforms(to: sniffed, database: database) }
        ?? candidates[0]
    }
  }

  /// The types a file name may mean; several when it leaves a doubt.
  static func typesOfName(_ name: String, database: SharedMIMEDatabase) -> [ContentType] {
    var tag = ""
    if let period = name.utf8.lastIndex(of: UInt8(ascii: ".")) {
      tag = String(name[name.index(after: period)...])
    }
    let declared = TypeRegistry.shared.types(tag: tag, tagClass: .filenameExtension)
      .first { !$0.conforms(to: .directory, database: database) }
    if let declared { return [declared] }
    let matches = database.matches(forFileName: name)
    let fromDatabase = matches.map { ofDatabase(mimeType: $0.mimeType, database: database) }
    // "*." and the extension.
    let saysMore = matches.first.map { $0.length > tag.unicodeScalars.count + 2 } ?? false
    let isCaseSensitive =
      matches.count == 1
      && database.types(forFileName: name.asciiLowercased) != [matches[0].mimeType]
    if matches.count == 1, saysMore || isCaseSensitive { return fromDatabase }
    let fromSystem = SystemTypes.rows(filenameExtension: tag).map(ContentType.init(systemRow:))
      .filter { $0.conforms(to: .data) }
    if fromSystem.isEmpty { return unique(fromDatabase) }
    if matches.count > 1 { return unique(fromSystem + fromDatabase) }
    // Of several declared types, the one the database means.
    return [fromSystem.first { fromDatabase.contains($0) } ?? fromSystem[0]]
  }

  private static func unique(_ types: [ContentType]) -> [ContentType] {
    var result: [ContentType] = []
    for type in types where !result.contains(type) { result.append(type) }
    return result
  }

  private static func ofDirectory(named name: String) -> ContentType {
    if let period = name.utf8.lastIndex(of: UInt8(ascii: ".")), period != name.startIndex {
      let tag = String(name[name.index(after: period)...])
      if let declared = declaredTypes(filenameExtension: tag).first(where: {
        $0.conforms(to: .directory)
      }) {
        return declared
      }
    }
    return .folder
  }

  private static func ofAttribute(path: String, database: SharedMIMEDatabase) -> ContentType? {
    let value = [UInt8](unsafeUninitializedCapacity: 256) { buffer, count in
      count = max(0, cl_getxattr(path, "user.mime_type", buffer.baseAddress, buffer.count))
    }
    guard let mimeType = MIMEType(String(decoding: value.prefix { $0 != 0 }, as: UTF8.self)) else {
      return nil
    }
    return types(
      tag: mimeType.name, tagClass: .mimeType, conformingTo: .data, database: database
    ).first
  }

  private static func resolved(_ path: String) -> String? {
    guard let target = realpath(path, nil) else { return nil }
    defer { free(target) }
    return String(cString: target)
  }

  private static func lastComponent(of path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? ""
  }

  private static func contents(ofFile path: String, length: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    return [UInt8](unsafeUninitializedCapacity: length) { buffer, filled in
      while filled < length {
        let count = read(descriptor, buffer.baseAddress.map { $0 + filled }, length - filled)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        filled += count
      }
    }
  }
}
