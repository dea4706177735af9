import Testing
import UniformTypeIdentifiers

@Test func constantsLookUpsAndCoding() throws {
  #expect(UTType.png.identifier == "public.png")
  #expect(UTType("PUBLIC.PNG") == .png)
  #expect(UTType("com.example.nobody") == nil)
  #expect(UTType(mimeType: "image/jpeg") == .jpeg)
  #expect(UTType(mimeType: "text/plain;charset=utf-8") == .utf8PlainText)
  #expect(UTType(filenameExtension: "mp4") == .mpeg4Movie)
  #expect(UTType.png.conforms(to: .item))
  #expect(!UTType.png.conforms(to: .text))
  #expect(UTType(filenameExtension: "sql")?.identifier == "dyn.ah62d4rv4ge81g6pq")
  let data = try JSONEncoder().encode([UTType.png])
  #expect(String(decoding: data, as: UTF8.self) == "[\"public.png\"]")
  #expect(try JSONDecoder().decode([UTType].self, from: data) == [.png])
}
