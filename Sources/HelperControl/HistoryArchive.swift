internal import Glibc

/// Writes the history to a file, and reads it from one: one JSON object a line (NDJSON).
///
/// ```
/// {"pinned":false,"used":1700000000000,"representations":[
///   {"target":"UTF8_STRING","type":"UTF8_STRING","format":8,"base64":"aGVsbG8="}]}
/// ```
/// `used` is in milliseconds since 1970. Oldest items come first. Every item is asked for by itself, so that neither
/// end holds more than one in memory.
struct HistoryArchive {
  let display: String?
  let program: String

  private static let patience: Int64 = 30_000
  private static let longestLine = 140 << 20

  func run(_ verb: String, _ arguments: [String]) -> Int32 {
    guard arguments.count <= 1 else {
      HelperCommand.complain(program, "history \(verb): too many arguments")
      return HelperCode.usage.rawValue
    }
    let path = arguments.first.flatMap { $0 == "-" ? nil : $0 }
    do throws(HelperClient.Failure) {
      let client = try HelperClient(display: display)
      return try verb == "export" ? export(client, to: path) : bringIn(client, from: path)
    } catch {
      HelperCommand.complain(program, error.description)
      return error.code.rawValue
    }
  }

  // MARK: Export

  private func export(
    _ client: HelperClient, to path: String?
  ) throws(HelperClient.Failure) -> Int32 {
    let list = try client.ask(
      "history", ["list", "--limit", "1000000"], milliseconds: Self.patience)
    guard list.code == .done else {
      HelperCommand.complain(program, list.text)
      return list.code.rawValue
    }
    var descriptor = STDOUT_FILENO
    if let path {
      // Never over something that is there, and for this user only.
      descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return complain(path) }
    }
    defer { if path != nil { close(descriptor) } }
    for line in list.text.split(separator: "\n").reversed() {
      let id = String(line.prefix { $0 != "\t" })
      let reply = try client.ask("history", ["pack", id], milliseconds: Self.patience)
      // What was deleted meanwhile is gone.
      if reply.code == .nothing { continue }
      guard reply.code == .done, let item = PackedItem(encoded: reply.bytes) else {
        HelperCommand.complain(program, reply.code == .done ? "item \(id) is damaged" : reply.text)
        return max(reply.code.rawValue, HelperCode.refused.rawValue)
      }
      guard HelperCommand.write(Self.line(item), to: descriptor) else {
        return complain(path ?? "standard output")
      }
    }
    if path != nil, fsync(descriptor) != 0 { return complain(path ?? "") }
    return 0
  }

  private func complain(_ path: String) -> Int32 {
    HelperCommand.complain(program, "\(path): " + String(cString: strerror(errno)))
    return HelperCode.refused.rawValue
  }

  private static func line(_ item: PackedItem) -> [UInt8] {
    var line = Array(
      "{\"pinned\":\(item.isPinned),\"used\":\(item.used),\"representations\":[".utf8)
    line.reserveCapacity(item.parts.reduce(256) { $0 + $1.bytes.count * 4 / 3 + 256 })
    for (index, part) in item.parts.enumerated() {
      if index > 0 { line.append(UInt8(ascii: ",")) }
      line += Array("{\"target\":".utf8)
      line += JSONValue.quoted(part.target)
      line += Array(",\"type\":".utf8)
      line += JSONValue.quoted(part.typeName)
      line += Array(",\"format\":\(part.format),\"base64\":\"".utf8)
      Base64.encode(part.bytes, onto: &line)
      line += Array("\"}".utf8)
    }
    return line + Array("]}\n".utf8)
  }

  // MARK: Import

  private func bringIn(
    _ client: HelperClient, from path: String?
  ) throws(HelperClient.Failure) -> Int32 {
    let descriptor = path.map { open($0, O_RDONLY | O_CLOEXEC) } ?? STDIN_FILENO
    guard descriptor >= 0 else { return complain(path ?? "") }
    defer { if path != nil { close(descriptor) } }
    var lines = LineReader(descriptor: descriptor, longest: Self.longestLine)
    var number = 0
    var (added, left) = (0, 0)
    while true {
      let bytes: [UInt8]?
      do {
        bytes = try lines.next()
      } catch {
        HelperCommand.complain(
          program,
          "line \(number + 1): \(error == .tooLong ? "too long" : "cannot be read"); "
            + "\(added) added before it")
        return HelperCode.refused.rawValue
      }
      guard let bytes else { break }
      number += 1
      guard !bytes.allSatisfy({ $0 <= 0x20 }) else { continue }
      guard let item = Self.item(bytes), let body = item.encoded else {
        HelperCommand.complain(
          program, "line \(number): not an item of a history; \(added) added before it")
        return HelperCode.usage.rawValue
      }
      let reply = try client.ask(
        "history", ["unpack", String(body.count)], body: body, milliseconds: Self.patience)
      switch reply.code {
      case .done: added += 1
      case .nothing: left += 1
      default:
        let reason = reply.text.last == "\n" ? String(reply.text.dropLast()) : reply.text
        HelperCommand.complain(program, "line \(number): \(reason); \(added) added before it")
        return reply.code.rawValue
      }
    }
    HelperCommand.write(
      Array("\(added) added\(left > 0 ? ", \(left) left out" : "")\n".utf8), to: STDOUT_FILENO)
    return left > 0 ? HelperCode.partly.rawValue : 0
  }

  static func item(_ line: [UInt8]) -> PackedItem? {
    guard case .object(let members) = JSONValue(line),
      case .number(let used) = members["used"], case .array(let parts) = members["representations"]
    else { return nil }
    var item = PackedItem(isPinned: false, used: used, parts: [])
    if let pinned = members["pinned"] {
      guard case .flag(let isPinned) = pinned else { return nil }
      item.isPinned = isPinned
    }
    for part in parts {
      guard case .object(let members) = part, case .text(let target) = members["target"],
        case .text(let typeName) = members["type"], case .number(let format) = members["format"],
        case .text(let encoded) = members["base64"], let bytes = Base64.decode(encoded)
      else { return nil }
      item.parts.append(
        PackedItem.Part(
          target: String(decoding: target, as: UTF8.self),
          typeName: String(decoding: typeName, as: UTF8.self),
          format: Int(truncatingIfNeeded: format), bytes: bytes))
    }
    return item
  }
}
