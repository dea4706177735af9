import CoreTransferable
import Foundation
import UniformTypeIdentifiers
import X11Pasteboard

/// What the command does, one function for each.
struct Commands: Sendable {
  let selection: Selection

  func pasteboard() async throws -> Pasteboard { try await Pasteboard.named(selection) }

  // MARK: Files

  static func read(_ path: String) throws(Failure) -> Data {
    do {
      return try Data(contentsOf: URL(filePath: path))
    } catch {
      throw Failure(status: 4, message: "\(path) cannot be read: \(reason(error))")
    }
  }

  static func profile(_ path: String) throws(Failure) -> Profile {
    let data = try read(path)
    do {
      return try JSONDecoder().decode(Profile.self, from: data)
    } catch {
      throw Failure(status: 4, message: "\(path) is no profile: \(reason(error))")
    }
  }

  static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  /// One line of what a system error says.
  private static func reason(_ error: any Error) -> String {
    switch error {
    case DecodingError.dataCorrupted(let context), DecodingError.keyNotFound(_, let context),
      DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      let path = context.codingPath.map(\.stringValue).joined(separator: ".")
      return (path.isEmpty ? "" : "\(path): ") + context.debugDescription
    case let error as CocoaError where error.code == .fileReadNoSuchFile:
      return "there is no such file"
    case let error as CocoaError where error.code == .fileReadNoPermission:
      return "this user may not read it"
    default:
      return "\(error)".split(separator: "\n").first.map(String.init) ?? "unknown error"
    }
  }

  // MARK: Pasting

  func paste() async throws -> String {
    try Self.json(try await first(Profile.self))
  }

  func pasteArchive() async throws -> String {
    try Self.json(try await first(ProfilesArchive.self).profiles)
  }

  func pasteNote() async throws -> String { try await first(Note.self).text }

  /// What a paste button does that takes strings.
  func addFacts(to path: String) async throws -> String {
    var profile = try Self.profile(path)
    let facts = try await pasteboard().paste(String.self)
    profile.funFacts += facts
    let text = try Self.json(profile) + "\n"
    do {
      try Self.replace(path, with: Data(text.utf8))
    } catch {
      throw Failure(status: 4, message: "\(path) cannot be written: \(Self.reason(error))")
    }
    return facts.joined(separator: "\n")
  }

  func pasteVideo(into directory: String) async throws -> String {
    let video = try await first(Video.self)
    let folder = URL(filePath: directory, directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      var destination = folder.appending(path: video.file.lastPathComponent)
      var number = 2
      while FileManager.default.fileExists(atPath: destination.path(percentEncoded: false)) {
        let name = video.file.deletingPathExtension().lastPathComponent
        destination = folder.appending(path: "\(name) \(number).\(video.file.pathExtension)")
        number += 1
      }
      let place = video.file.deletingLastPathComponent()
      defer { try? FileManager.default.removeItem(at: place) }
      try FileManager.default.moveItem(at: video.file, to: destination)
      return destination.path(percentEncoded: false)
    } catch {
      throw Failure(
        status: 4, message: "the film cannot be put into \(directory): \(Self.reason(error))")
    }
  }

  func clear() async throws { try await pasteboard().clear() }

  private func first<Item: Transferable & Sendable>(_ type: Item.Type) async throws -> Item {
    guard let item = try await pasteboard().paste(type).first else {
      throw Failure(status: 1, message: "nothing is on \(selection)")
    }
    return item
  }

  /// Replaces a file whole or not at all, with the old one's permissions.
  private static func replace(_ path: String, with data: Data) throws {
    let target = URL(filePath: path).resolvingSymlinksInPath()
    let permissions =
      try FileManager.default.attributesOfItem(atPath: target.path(percentEncoded: false))[
        .posixPermissions]
    let beside = target.deletingLastPathComponent()
      .appending(path: ".\(target.lastPathComponent).\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: beside) }
    try data.write(to: beside, options: .withoutOverwriting)
    if let permissions {
      try FileManager.default.setAttributes(
        [.posixPermissions: permissions], ofItemAtPath: beside.path(percentEncoded: false))
    }
    guard
      rename(beside.path(percentEncoded: false), target.path(percentEncoded: false)) == 0
    else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}
