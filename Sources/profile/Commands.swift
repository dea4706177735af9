import CoreTransferable
import Foundation
import UniformTypeIdentifiers
import X11Pasteboard

/// What the command does, one function for each.
struct Commands: Sendable {
  let selection: Selection

  static func profile(_ path: String) throws(Failure) -> Profile {
    let data = try Files.read(path)
    do {
      return try JSONDecoder().decode(Profile.self, from: data)
    } catch {
      throw Failure(status: 4, message: "\(path) is no profile: \(Files.reason(error))")
    }
  }

  /// A film that can be read, by a name that holds in any directory.
  static func video(_ path: String) throws(Failure) -> Video {
    let file = URL(filePath: path).standardizedFileURL
    let name = file.path(percentEncoded: false)
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: name, isDirectory: &isDirectory) else {
      throw Failure(status: 4, message: "\(path) cannot be read: there is no such file")
    }
    guard !isDirectory.boolValue else {
      throw Failure(status: 4, message: "\(path) cannot be read: it is a folder")
    }
    guard FileManager.default.isReadableFile(atPath: name) else {
      throw Failure(status: 4, message: "\(path) cannot be read: this user may not read it")
    }
    return Video(file: file)
  }

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
    try Files.replace(path, with: Data((try Self.json(profile) + "\n").utf8))
    return facts.joined(separator: "\n")
  }

  func pasteVideo(into directory: String) async throws -> String {
    let video = try await first(Video.self)
    // What came is a copy of our own; it lies in a directory that was made for it.
    defer { try? FileManager.default.removeItem(at: video.file.deletingLastPathComponent()) }
    let folder = URL(filePath: directory, directoryHint: .isDirectory)
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let file = try await video.export(to: folder, contentType: .mpeg4Movie)
      Files.openToOthers(file)
      return file.path(percentEncoded: false)
    } catch {
      throw Failure(
        status: 4, message: "the film cannot be put into \(directory): \(Files.reason(error))")
    }
  }

  func clear() async throws { try await pasteboard().clear() }

  private func pasteboard() async throws -> Pasteboard { try await Pasteboard.named(selection) }

  private func first<Item: Transferable & Sendable>(_ type: Item.Type) async throws -> Item {
    guard let item = try await pasteboard().paste(type).first else {
      throw Failure(status: 1, message: "nothing is on \(selection)")
    }
    return item
  }

  private static func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
