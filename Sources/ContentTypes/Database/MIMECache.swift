internal import Synchronization

/// Reads a `mime.cache` in place.
///
/// Source: the Shared MIME-info Database specification, "The mime.cache files" (versions 1.1 and 1.2). Numbers are
/// big-endian, places are offsets from the start of the file, texts end with a zero byte, lists are sorted by bytes.
///
/// The file may hold anything. Every offset and count is checked when it is used; the first that is wrong makes the whole
/// directory unusable, with one warning.
final class MIMECache: MIMESource {
  struct Damage: Error {}

  let directory: String
  private let file: FileBytes
  private let damaged = Atomic(false)
  /// The patterns by their types, made when first needed: the file has them by their texts only.
  let patternIndex = Mutex<[String: [String]]?>(nil)

  /// The lists, in the order of the header.
  enum List: Int, CaseIterable {
    case aliases, parents, literals, suffixes, globs, magic, namespaces, icons, genericIcons
  }

  /// Opens a cache.
  /// - Returns: nil when the header is not that of a cache.
  init?(file: FileBytes, directory: String) {
    self.file = file
    self.directory = directory
    guard file.bytes.count >= 40, let major = try? half(at: 0), let minor = try? half(at: 2),
      major == 1, minor == 1 || minor == 2
    else { return nil }
    for list in List.allCases {
      guard let offset = try? start(of: list), (try? number(at: offset)) != nil else { return nil }
    }
  }

  var isUsable: Bool { !damaged.load(ordering: .relaxed) }

  /// Runs a look-up; what is wrong with the file ends here.
  func reading<Result>(else fallback: Result, _ body: () throws(Damage) -> Result) -> Result {
    guard isUsable else { return fallback }
    do {
      return try body()
    } catch {
      if !damaged.exchange(true, ordering: .relaxed) {
        DatabaseWarning.write("mime.cache is damaged", about: directory)
      }
      return fallback
    }
  }

  // MARK: Numbers and texts

  var count: Int { file.bytes.count }

  func start(of list: List) throws(Damage) -> Int { try number(at: 4 + 4 * list.rawValue) }

  func number(at offset: Int) throws(Damage) -> Int {
    guard offset >= 0, offset <= count - 4 else { throw Damage() }
    return Int(UInt32(bigEndian: file.bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self)))
  }

  private func half(at offset: Int) throws(Damage) -> Int {
    guard offset >= 0, offset <= count - 2 else { throw Damage() }
    return Int(UInt16(bigEndian: file.bytes.loadUnaligned(fromByteOffset: offset, as: UInt16.self)))
  }

  /// Some bytes of the file.
  func slice(at offset: Int, count length: Int) throws(Damage) -> UnsafeRawBufferPointer {
    guard offset >= 0, length >= 0, offset <= count, length <= count - offset else {
      throw Damage()
    }
    return UnsafeRawBufferPointer(rebasing: file.bytes[offset..<(offset + length)])
  }

  /// A text of at most 4,096 bytes.
  func text(at offset: Int) throws(Damage) -> String {
    guard offset > 0, offset < count else { throw Damage() }
    let rest = file.bytes[offset..<min(count, offset + 4097)]
    guard let end = rest.firstIndex(of: 0) else { throw Damage() }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  /// Whether a text has a letter from A to Z.
  func hasCapital(textAt offset: Int) throws(Damage) -> Bool {
    guard offset > 0, offset < count else { throw Damage() }
    for position in offset..<min(count, offset + 4097) {
      let byte = file.bytes[position]
      if byte == 0 { return false }
      if byte != byte.asciiLowercased { return true }
    }
    throw Damage()
  }

  /// Whether the text at an offset is equal to `key`, and which comes first if not.
  func order(_ key: UnsafeBufferPointer<UInt8>, textAt offset: Int) throws(Damage) -> Int {
    guard offset > 0, offset < count else { throw Damage() }
    var position = offset
    for byte in key {
      guard position < count else { throw Damage() }
      let theirs = file.bytes[position]
      if byte != theirs { return byte < theirs ? -1 : 1 }
      position += 1
    }
    guard position < count else { throw Damage() }
    return file.bytes[position] == 0 ? 0 : -1
  }

  // MARK: Lists

  /// The start and number of the records of a list that starts with its count.
  func records(_ list: List, size: Int) throws(Damage) -> (start: Int, count: Int) {
    let offset = try start(of: list)
    return try (offset + 4, checked(number(at: offset), records: size, at: offset + 4))
  }

  /// A number of records that fit into the file.
  func checked(_ number: Int, records size: Int, at offset: Int) throws(Damage) -> Int {
    guard offset >= 0, offset <= count, number <= (count - offset) / size else { throw Damage() }
    return number
  }

  /// The first record of a sorted list whose first field is the text `key`.
  func firstRecord(_ list: List, size: Int, key: String) throws(Damage) -> Int? {
    let (start, count) = try records(list, size: size)
    var low = 0
    var high = count
    var copy = key
    // Typed errors do not pass through the standard library's closures here.
    let found = copy.withUTF8 { key -> Result<Int?, Damage> in
      do throws(Damage) {
        while low < high {
          let middle = low + (high - low) / 2
          if try order(key, textAt: number(at: start + middle * size)) > 0 {
            low = middle + 1
          } else {
            high = middle
          }
        }
        guard low < count, try order(key, textAt: number(at: start + low * size)) == 0 else {
          return .success(nil)
        }
        return .success(low)
      } catch {
        return .failure(error)
      }
    }
    return try found.get()
  }
}
