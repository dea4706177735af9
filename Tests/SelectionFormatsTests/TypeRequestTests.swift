import ContentTypes
import SelectionFormats
import Testing

@Suite("Types on a command line")
struct TypeRequestTests {
  @Test(
    "A word means a content type, a MIME type, an extension or a target",
    arguments: [
      ("public.png", "public.png", nil), ("PUBLIC.PNG", "public.png", nil),
      ("image/png", "public.png", "image/png"), ("IMAGE/PNG", "public.png", "IMAGE/PNG"),
      ("png", "public.png", nil), (".png", "public.png", nil), ("PNG", "public.png", nil),
      ("txt", "public.plain-text", nil), ("text", "public.plain-text", nil),
      ("TEXT", "public.utf8-plain-text", "TEXT"),
      ("UTF8_STRING", "public.utf8-plain-text", "UTF8_STRING"),
      ("STRING", "public.utf8-plain-text", "STRING"),
      ("com.example.profile", "com.example.profile", nil),
      ("TARGETS", nil, "TARGETS"), ("MY_TARGET", nil, "MY_TARGET"),
      ("nosuchextension", nil, "nosuchextension"),
      ("text/plain;charset=utf-8", "public.utf8-plain-text", "text/plain;charset=utf-8"),
      ("text/uri-list", "public.file-url", "text/uri-list"),
      ("json", "public.json", nil), ("html", "public.html", nil),
      ("image", "public.image", nil), ("Image", "public.image", nil),
      ("movie", "public.movie", nil), ("target:png", nil, "png"),
      ("target:UTF8_STRING", "public.utf8-plain-text", "UTF8_STRING"),
    ] as [(String, String?, String?)])
  func meaning(word: String, identifier: String?, target: String?) throws {
    let request = try #require(TypeRequest(word))
    #expect(request.contentType?.identifier == identifier)
    #expect(request.targetName == target)
    #expect(request.spelling == word)
  }

  @Test(
    "A word in small letters that means nothing is told from a target's name",
    arguments: [
      ("nosuchtype", true), ("no such type!", true), ("pgn", true), ("MY_TARGET", false),
      ("target:pgn", false), ("png", false), ("com.example.profile", false),
      ("application/x-nobody", false), ("TIMESTAMP", false),
    ])
  func unknownWords(word: String, isUnknown: Bool) throws {
    #expect(try #require(TypeRequest(word)).isUnknownWord == isUnknown)
  }

  @Test("What cannot be a name is refused", arguments: ["", "a\nb", "None", "target:"])
  func refused(word: String) { #expect(TypeRequest(word) == nil) }

  @Test("Side effects are told")
  func sideEffects() throws {
    #expect(try #require(TypeRequest("DELETE")).hasSideEffect)
    #expect(try #require(TypeRequest("SAVE_TARGETS")).hasSideEffect)
    #expect(!(try #require(TypeRequest("TARGETS")).hasSideEffect))
    #expect(try #require(TypeRequest("TARGETS")).isProtocolTarget)
  }

  @Test("The exact target is asked for first, then the same type under other names")
  func candidates() throws {
    let offered = OfferedTargets([
      "image/jpeg", "image/JPG", "image/jpg", "UTF8_STRING", "STRING", "MY_TARGET",
    ])
    func names(_ word: String) throws -> [String] {
      offered.candidates(for: try #require(TypeRequest(word))).map(\.name)
    }
    #expect(try names("image/jpg") == ["image/jpg", "image/JPG", "image/jpeg"])
    #expect(try names("STRING") == ["STRING", "UTF8_STRING"])
    #expect(try names("MY_TARGET") == ["MY_TARGET"])
    #expect(try names("jpg") == ["image/jpeg", "image/JPG", "image/jpg"])
    #expect(try names("public.image") == ["image/jpeg", "image/JPG", "image/jpg"])
    #expect(try names("OTHER").isEmpty)
  }
}
