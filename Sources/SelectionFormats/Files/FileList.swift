/// Files on a clipboard: which ones, and whether pasting moves them.
public struct FileList: Sendable, Hashable {
  /// What pasting does with the files.
  public enum Operation: Sendable, Hashable {
    /// The files are copied.
    case copy
    /// The files are moved: they were cut.
    case cut
  }

  /// What pasting does with the files.
  public var operation: Operation
  /// The files, in order, as URIs.
  public var uris: [String]

  /// Makes a list.
  ///
  /// - Parameters:
  ///   - uris: The files' URIs.
  ///   - operation: What pasting does with them.
  public init(uris: [String], operation: Operation = .copy) {
    self.uris = uris
    self.operation = operation
  }

  /// Makes a list from absolute paths.
  ///
  /// - Parameters:
  ///   - paths: The bytes of the paths.
  ///   - operation: What pasting does with them.
  /// - Throws: `SelectionFormatError` with `.invalidURI` for a path that has no file URI.
  public init(paths: [[UInt8]], operation: Operation = .copy) throws(SelectionFormatError) {
    uris = []
    for path in paths { uris.append(try FileURI.uri(path: path)) }
    self.operation = operation
  }

  /// Reads the local paths out of the list.
  ///
  /// - Parameter hostNames: The names of this machine.
  /// - Returns: The bytes of each path, in order.
  /// - Throws: `SelectionFormatError` with `.invalidURI` for the first URI that is no local file,
  ///   `.empty` for an empty list.
  public func paths(hostNames: [String] = []) throws(SelectionFormatError) -> [[UInt8]] {
    guard !uris.isEmpty else {
      throw SelectionFormatError(.empty, message: "the list names no file")
    }
    var paths: [[UInt8]] = []
    for uri in uris { paths.append(try FileURI.path(of: uri, hostNames: hostNames)) }
    return paths
  }

  /// What a text field gets: the paths, one a line, without a final line end.
  ///
  /// A URI stands for itself where a path would be misread: on another machine, not UTF-8, or with
  /// a line end in it.
  public var text: String {
    uris.map { uri in
      guard let path = try? FileURI.path(of: uri), !path.contains(0x0A), !path.contains(0x0D),
        path.withUnsafeBytes({ UTF8Validator.isValid($0) })
      else { return uri }
      return String(decoding: path, as: UTF8.self)
    }.joined(separator: "\n")
  }

  private static let nautilusMark = "x-special/nautilus-clipboard"

  /// Whether a text is a list of files: Nautilus 3.30 to 3.36 had no target for one, and put it there.
  ///
  /// - Parameter bytes: The text in UTF-8.
  public static func isList(text bytes: [UInt8]) -> Bool {
    bytes.starts(with: (nautilusMark + "\n").utf8)
  }

  /// Reads `x-special/gnome-copied-files` and its MATE twin.
  ///
  /// The first line is `copy` or `cut`; another word there means copy, and a URI there means a list
  /// without a first line. The line some versions of Nautilus put before it is skipped.
  ///
  /// - Parameter bytes: The list.
  public init(gnome bytes: some Sequence<UInt8>) {
    var lines = URIList.parse(bytes)
    if lines.first == Self.nautilusMark { lines.removeFirst() }
    operation = .copy
    if let first = lines.first, !first.contains(":") {
      if first == "cut" { operation = .cut }
      lines.removeFirst()
    }
    uris = lines
  }

  /// The bytes of `x-special/gnome-copied-files`: no line end after the last URI, or Nautilus
  /// refuses the whole list.
  public var gnomeBytes: [UInt8] {
    Array(([operation == .cut ? "cut" : "copy"] + uris).joined(separator: "\n").utf8)
  }

  /// The bytes of `application/x-kde-cutselection`.
  public var kdeCutBytes: [UInt8] { [UInt8(ascii: operation == .cut ? "1" : "0")] }

  /// Reads `application/x-kde-cutselection`.
  ///
  /// - Parameter bytes: The flag.
  /// - Returns: `.cut` when it begins with `1`.
  public static func operation(kdeCut bytes: some Sequence<UInt8>) -> Operation {
    bytes.first(where: { _ in true }) == UInt8(ascii: "1") ? .cut : .copy
  }
}
