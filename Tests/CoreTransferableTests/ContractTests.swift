import CoreTransferable
import CoreTransferableTesting
import Foundation
import Testing
import UniformTypeIdentifiers

@Suite("The contract of transferable types")
struct ContractTests {
  @Test func `the standard types keep it`() async throws {
    for text in ["", "Ada", "é中🙂\r\n\0", String(repeating: "long ", count: 10_000)] {
      #expect(await TransferContract<String>().violations(for: text).isEmpty)
      #expect(await TransferContract<Data>().violations(for: Data(text.utf8)).isEmpty)
      #expect(
        await TransferContract<AttributedString>().violations(for: AttributedString(text)).isEmpty)
    }
    for url in [URL(filePath: "/tmp/a b#c"), try #require(URL(string: "https://a.b/?c=d#e"))] {
      #expect(await TransferContract<URL>().violations(for: url).map(\.description) == [])
    }
  }

  @Test func `models keep it`() async throws {
    let profile = Profile(name: "Ada", bio: "Counts", funFacts: ["a", "b"])
    #expect(await TransferContract<Profile>().violations(for: profile).isEmpty)
    for isOffered in [true, false] {
      let archive = ProfilesArchive(rows: ["a,b", "c,d"], supportsCSV: isOffered)
      let contract = TransferContract<ProfilesArchive> { $0.rows == $1.rows }
      #expect(await contract.violations(for: archive).isEmpty)
    }
    #expect(
      await TransferContract<Note>().violations(for: Note(title: "a", body: "b\nc")).isEmpty)
  }

  @Test func `folders keep it`() async throws {
    let directory = try TemporaryDirectory()
    _ = try directory.file("page", Data("1".utf8))
    let contract = TransferContract<Album> { $0.pages == $1.pages }
    let album = Album(folder: directory.url, pages: try Album.pages(in: directory.url))
    #expect(await contract.violations(for: album).map(\.description) == [])
  }

  @Test func `a type that breaks it is found out`() async {
    var contract = TransferContract<Broken>()
    // Long enough for what does end, on a busy machine.
    contract.timeLimit = 2
    let found = await contract.violations(for: Broken(text: "a/b"))
    let promises = found.map { "\($0.promise) \($0.contentType?.identifier ?? "-")" }
    #expect(
      Set(promises) == [
        "order public.json", "fileName -", "export public.png", "roundTrip public.json",
        "refusal public.json",
      ])
  }
}

private struct Broken: Transferable, Equatable {
  var text: String

  static var transferRepresentation: some TransferRepresentation {
    ProxyRepresentation(exporting: \.text)
    DataRepresentation(exportedContentType: .png) { _ in throw NoteError.empty }
    DataRepresentation(contentType: .json) {
      Data($0.text.utf8)
    } importing: { data in
      if data.isEmpty { await Gate().passage() }
      return Broken(text: String(decoding: data, as: UTF8.self).uppercased())
    }
    .suggestedFileName { $0.text }
  }
}

private struct Album: Transferable {
  var folder: URL
  var pages: [String: Data]

  static func pages(in folder: URL) throws -> [String: Data] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    return Dictionary(
      uniqueKeysWithValues: try names.map {
        ($0, try Data(contentsOf: folder.appending(path: $0)))
      })
  }

  static var transferRepresentation: some TransferRepresentation {
    FileRepresentation(contentType: .folder) {
      SentTransferredFile($0.folder)
    } importing: { received in
      Album(folder: received.file, pages: try pages(in: received.file))
    }
  }
}
