internal import CLinux
internal import ContentTypes
internal import Glibc
internal import SelectionFormats

/// Collects what is to be copied, before anything else happens: bad input changes no selection.
struct CopyGathering {
  let options: CopyOptions

  func content() throws(CommandFailure) -> CopyContent {
    var content = CopyContent(isSensitive: options.isSensitive)
    if options.adds {
      content.kept = try kept()
      if content.kept?.isSensitive == true { content.isSensitive = true }
    }
    if !options.representations.isEmpty {
      content.items = try namedRepresentations()
    } else if options.files.isEmpty || options.files == [RawText("-")] {
      content.items = [try item(try standardInput(), options.type)]
    } else {
      content.items = try files()
    }
    content.deriveText()
    return content
  }

  /// What the selection holds now, for `--add`.
  private func kept() throws(CommandFailure) -> SelectionSnapshot? {
    var watchdog = Watchdog(program: options.serving.program, milliseconds: nil)
    watchdog.rearm()
    let selection = options.serving.selections[0]
    let connection = try Display.connect(options.serving.display, atoms: [selection.atomName])
    let snapshot = try SelectionSnapshot(SelectionReader(connection, selection, watchdog))
    cl_die_after(0)
    return snapshot
  }

  // MARK: Standard input

  private func standardInput() throws(CommandFailure) -> LoadedContent {
    if isatty(0) == 1 {
      Console.complain(options.serving.program, "copying what you type; end with Ctrl-D")
    }
    var loaded = try InputSpool.load(
      0, name: RawText("standard input"), headLength: ContentRecognition.headLength,
      trimsNewline: options.trimsNewline, progress: Progress("reading"))
    loaded = try checked(loaded)
    return options.appends ? try appended(loaded) : loaded
  }

  /// The text that is there, with the input behind it.
  private func appended(_ loaded: LoadedContent) throws(CommandFailure) -> LoadedContent {
    let more: [UInt8]? =
      switch loaded.source {
      case .memory(let bytes): bytes
      case .file(let file): file.whole(atMost: 1 << 30)
      case .followed: nil
      }
    guard let more else { throw .failed("the input is too large to be appended") }
    var watchdog = Watchdog(program: options.serving.program, milliseconds: nil)
    watchdog.rearm()
    let selection = options.serving.selections[0]
    let connection = try Display.connect(options.serving.display, atoms: [selection.atomName])
    let before = try FetchedContent.text(SelectionReader(connection, selection, watchdog))
    cl_die_after(0)
    let text = (before ?? []) + more
    return LoadedContent(
      source: .memory(text), repertoire: TextRepertoire.scan(text),
      head: Array(text.prefix(ContentRecognition.headLength)))
  }

  private func checked(_ loaded: LoadedContent) throws(CommandFailure) -> LoadedContent {
    if options.refusesEmpty, loaded.isEmpty {
      throw CommandFailure(
        .nothing, "the input is empty; the selection stays as it is (--no-empty)")
    }
    return loaded
  }

  private func item(
    _ loaded: LoadedContent, _ type: TypeRequest?, typeOfName: ContentType? = nil
  ) throws(CommandFailure) -> CopyContent.Item {
    let representation =
      if let type {
        try ContentRecognition.representation(loaded, as: type)
      } else {
        ContentRecognition.representation(loaded, typeOfName: typeOfName)
      }
    return CopyContent.Item(
      representation: representation, source: loaded.source, typeIsNamed: type != nil)
  }

  // MARK: --as

  private func namedRepresentations() throws(CommandFailure) -> [CopyContent.Item] {
    var items: [CopyContent.Item] = []
    var input: LoadedContent?
    for (type, path) in options.representations {
      let loaded: LoadedContent
      if path == RawText("-") {
        if let input { loaded = input } else { loaded = try standardInput() }
        input = loaded
      } else {
        loaded = try checked(try load(path, as: type).loaded)
      }
      items.append(try item(loaded, type))
    }
    return items
  }

  // MARK: Files

  private func files() throws(CommandFailure) -> [CopyContent.Item] {
    var items: [CopyContent.Item] = []
    var paths: [[UInt8]] = []
    for file in options.files {
      paths.append(try Self.absolute(file).bytes)
    }
    if options.files.count == 1 {
      let (loaded, typeOfName, kind) = try load(options.files[0], as: options.type)
      if kind != S_IFDIR {
        items.append(try item(try checked(loaded), options.type, typeOfName: typeOfName))
      } else if options.type != nil || !options.offersFile {
        throw .usage("\(options.files[0].printable) is a directory: it has no content of a type")
      }
      // A pipe has no name that would mean anything later.
      if kind != S_IFREG, kind != S_IFDIR {
        if options.isCut { throw .usage("--cut: \(options.files[0].printable) is no file") }
        return items
      }
    }
    guard options.offersFile else { return items }
    let list: FileList
    do throws(SelectionFormatError) {
      list = try FileList(paths: paths)
    } catch {
      throw .failed(error.description)
    }
    let bytes = Array(list.uris.joined(separator: "\n").utf8)
    items.append(
      CopyContent.Item(
        representation: Representation(
          .fileURL, bytes: bytes, operation: options.isCut ? .cut : .copy),
        source: .memory(bytes)))
    return items
  }

  /// Reads a file, or opens a large one to be served from disk.
  ///
  /// - Parameter request: The type that the caller named; `nil` where the file tells.
  private func load(
    _ path: RawText, as request: TypeRequest?
  ) throws(CommandFailure) -> (loaded: LoadedContent, typeOfName: ContentType?, kind: mode_t) {
    let descriptor = path.withCString { open($0, O_RDONLY | O_CLOEXEC | O_NOCTTY) }
    guard descriptor >= 0 else { throw Self.failure(path, errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      close(descriptor)
      throw Self.failure(path, code)
    }
    let kind = status.st_mode & S_IFMT
    if kind == S_IFDIR {
      close(descriptor)
      let empty = LoadedContent(
        source: .memory([]), repertoire: TextRepertoire(.invalid), head: [])
      return (empty, nil, kind)
    }
    let type =
      kind == S_IFREG && request == nil ? ContentType.ofFile(atPath: path.text) : nil
    let isLarge = kind == S_IFREG && Int(status.st_size) > ContentSource.mostInMemory
    guard isLarge, !options.trimsNewline else {
      defer { close(descriptor) }
      let loaded = try InputSpool.load(
        descriptor, name: path, headLength: ContentRecognition.headLength,
        trimsNewline: options.trimsNewline)
      return (loaded, type, kind)
    }
    let file = try FileSource(takingOver: descriptor, name: path)
    let named = request?.contentType ?? type
    let mayBeText = named.map { $0 == .data || $0.conforms(to: .text) } ?? true
    let repertoire =
      mayBeText ? try file.scan(Progress("reading", of: file.byteCount)) : TextRepertoire(.invalid)
    let head = try file.head(ContentRecognition.headLength)
    return (LoadedContent(source: .file(file), repertoire: repertoire, head: head), type, kind)
  }

  private static func failure(_ path: RawText, _ code: CInt) -> CommandFailure {
    let name = path.isEmpty ? "\"\"" : path.printable
    return .failed("cannot read \(name): \(Descriptor.reason(code)); nothing was copied")
  }

  /// The absolute path of a file that exists; a link at its end stays one.
  private static func absolute(_ path: RawText) throws(CommandFailure) -> RawText {
    var status = stat()
    guard path.withCString({ lstat($0, &status) }) == 0 else { throw failure(path, errno) }
    let last = path.lastComponent
    let isWhole =
      path.bytes.last == UInt8(ascii: "/") || last == RawText(".") || last == RawText("..")
    guard let resolved = (isWhole ? path : path.directory).withCString({ realpath($0, nil) })
    else { throw failure(path, errno) }
    defer { free(resolved) }
    var bytes = RawText(resolved).bytes
    if !isWhole {
      if bytes.last != UInt8(ascii: "/") { bytes.append(UInt8(ascii: "/")) }
      bytes += last.bytes
    }
    return RawText(bytes: bytes)
  }
}
