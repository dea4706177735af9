import Testing

@testable import ContentTypes

@Suite struct DynamicIdentifierTests {
  struct Vector: Sendable, CustomStringConvertible {
    var identifier: String
    var supertype: String?
    var tagClass: String
    var tag: String
    var description: String { identifier }
  }

  static let vectors: [Vector] = [
    Vector(identifier: "dyn.age81e62", tagClass: "public.filename-extension", tag: "rs"),
    Vector(
      identifier: "dyn.ah62d4sb4ge81e62", supertype: "public.plain-text",
      tagClass: "public.filename-extension", tag: "rs"),
    Vector(
      identifier: "dyn.ah62d4rv4ge81g6pq", supertype: "public.data",
      tagClass: "public.filename-extension", tag: "sql"),
    Vector(identifier: "dyn.age80s52", tagClass: "public.filename-extension", tag: "go"),
    Vector(
      identifier: "dyn.ah62d4rv4ge80s52", supertype: "public.data",
      tagClass: "public.filename-extension", tag: "go"),
    Vector(identifier: "dyn.age8u", tagClass: "public.filename-extension", tag: ""),
    Vector(identifier: "dyn.agq8u", tagClass: "public.mime-type", tag: ""),
    Vector(
      identifier: "dyn.agq80k3p0f3z0c8pbf71g87df", tagClass: "public.mime-type",
      tag: "dev.kaya/note"),
    Vector(
      identifier: "dyn.ah62d4rv4gq80k3p0f3z0c8pbf71g87df", supertype: "public.data",
      tagClass: "public.mime-type", tag: "dev.kaya/note"),
    Vector(
      identifier: "dyn.ah62d4rv4gu80k3p0f3z0c8pbf71g87df", supertype: "public.data",
      tagClass: "com.apple.nspboard-type", tag: "dev.kaya/note"),
    Vector(
      identifier: "dyn.agq80c6durvy0g2pyrf106p5rsa4a", tagClass: "public.mime-type",
      tag: "application/mp4"),
    Vector(
      identifier: "dyn.agq80c6durvy0g2pyrf106p52fz01a3phsz3g2", tagClass: "public.mime-type",
      tag: "application/x-mpegurl"),
    Vector(
      identifier: "dyn.agq80w5pbq7ww88brrfv085u", tagClass: "public.mime-type", tag: "image/x-icon"),
    Vector(identifier: "dyn.agq80w5pbq7ww8nu", tagClass: "public.mime-type", tag: "image/*"),
    Vector(
      identifier: "dyn.ah62d4uv4ge804550", supertype: "public.image",
      tagClass: "public.filename-extension", tag: "mov"),
    Vector(
      identifier: "dyn.ah62d4rv4gk81g7d3ru", supertype: "public.data", tagClass: "com.apple.ostype",
      tag: "styl"),
    Vector(
      identifier: "dyn.ah62d4rv4gk8zuxnxnq", supertype: "public.data", tagClass: "com.apple.ostype",
      tag: "XMSS"),
    Vector(
      identifier: "dyn.ah62d4rv4gu8y6y4grf0gn5xbrzw1gydcr7u1e3cytf2gn", supertype: "public.data",
      tagClass: "com.apple.nspboard-type", tag: "NSFilenamesPboardType"),
    Vector(
      identifier: "dyn.ah62d4rv4gu8yc6durvwwaznwmuuha2pxsvw0e55bsmwca7d3sbwu",
      supertype: "public.data", tagClass: "com.apple.nspboard-type",
      tag: "Apple URL pasteboard type"),
    Vector(
      identifier: "dyn.ah62d4rv4gu8zs3pcnzme2641rf4guzdmsv0gn64uqm10c6xenv61a3k",
      supertype: "public.data", tagClass: "com.apple.nspboard-type",
      tag: "WebURLsWithTitlesPboardType"),
    Vector(
      identifier:
        "dyn.ah62d46dzqm0gw23srf4gn5m4ge8068dytf2gn3dgrf0gn25tr34gn5xysr2ge55bsmwhk8puqzsdy4xuq6",
      supertype: "public.item", tagClass: "public.filename-extension",
      tag: "nxtypedfilecontentspboardtype:jpg"),
    Vector(identifier: "dyn.age80n8ddqz0a", tagClass: "public.filename-extension", tag: "excel"),
    Vector(
      identifier: "dyn.age80k551r30g82pe", tagClass: "public.filename-extension", tag: "download"),
    Vector(identifier: "dyn.age80835h", tagClass: "public.filename-extension", tag: "ogg"),
    Vector(
      identifier: "dyn.ah62d4rv4ge81k2p4", supertype: "public.data",
      tagClass: "public.filename-extension", tag: "taz"),
    Vector(
      identifier: "dyn.ah62d4rv4ge8xaqbv", supertype: "public.data",
      tagClass: "public.filename-extension", tag: "001"),
    Vector(
      identifier: "dyn.ah62d4rv4ge80w5xequ", supertype: "public.data",
      tagClass: "public.filename-extension", tag: "indd"),
    Vector(
      identifier: "dyn.ah62d4rv4ge81s55wrrxg2551", supertype: "public.data",
      tagClass: "public.filename-extension", tag: "workflow"),
  ]

  @Test(arguments: vectors) func publishedIdentifiersAreReadAndWritten(_ vector: Vector) throws {
    let tagClass = TagClass(rawValue: vector.tagClass)
    let written = DynamicIdentifier(
      tag: vector.tag, tagClass: tagClass, supertype: vector.supertype)
    #expect(written.identifier == vector.identifier)
    let read = try #require(DynamicIdentifier(vector.identifier))
    #expect(read == written)
    let type = try #require(ContentType(vector.identifier))
    #expect(type.isDynamic)
    #expect(!type.isDeclared)
    #expect(!type.isPublic)
    #expect(type.identifier == vector.identifier)
    #expect(type.tags[tagClass] == [vector.tag])
    if let supertype = vector.supertype.flatMap({ ContentType($0) }) {
      #expect(type.conforms(to: supertype))
    }
  }

  @Test(arguments: [
    ("dyn.ah62d4qmxhk2x465vru", "public.filename-extension", "sql"),
    ("dyn.ah62d4qmuhk2x43dts71g255bqu", "public.filename-extension", "download"),
  ]) func twoDigitSupertypesAreItems(identifier: String, tagClass: String, tag: String) throws {
    let type = try #require(ContentType(identifier))
    #expect(type.identifier == identifier)
    #expect(type.tags[TagClass(rawValue: tagClass)] == [tag])
    #expect(type.conforms(to: .item, database: .none))
    #expect(!type.conforms(to: .data, database: .none))
  }

  @Test(arguments: [
    "dyn.ah62d4rv4gu8y", "dyn.", "dyn.a", "dyn.aa", "dyn.age81e6i", "dyn.age81e6l", "dyn.age81e6o",
    "dyn.age81e62a", "dyn.age81e62é", "dyn.age81e63", "dyn.bge81e62", "dyn.age81e6 ",
    "dyn.age81e62=",
    "dyn.ah62d4rv", "dyn.aaaaaaaa",
  ]) func malformedIdentifiersAreRefused(_ identifier: String) {
    #expect(ContentType(identifier) == nil)
    #expect(ContentType(validating: identifier) == nil)
  }

  @Test func aClassThatLooksLikeAListOfSupertypesSurvives() {
    for supertype in [nil, "public.data"] {
      let written = DynamicIdentifier(
        tag: "x", tagClass: TagClass(rawValue: "?0"), supertype: supertype)
      #expect(DynamicIdentifier(written.identifier) == written)
    }
  }

  @Test func anyTagSurvives() throws {
    for tag in [":", "\\", "a,b", "a=b", "\\:,=", "ünïcode", "?0=6", "6", "x\u{1F600}"] {
      for supertype in [nil, "public.data", "com.example.x", "public.text"] {
        let written = DynamicIdentifier(
          tag: tag, tagClass: TagClass(rawValue: "com.example.class:=,"), supertype: supertype)
        #expect(DynamicIdentifier(written.identifier) == written)
      }
    }
  }

  @Test func mutatedIdentifiersAreRefusedOrReadExactly() {
    var random = Seeded(state: 7)
    let letters = Array("abcdefghkmnpqrstuvwxyz0123456789ilo.A".utf8)
    for _ in 0..<20_000 {
      guard let vector = Self.vectors.randomElement(using: &random) else { return }
      var bytes = Array(vector.identifier.utf8)
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let index = Int.random(in: 5..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = letters[Int.random(in: 0..<letters.count, using: &random)]
        case 1 where bytes.count > 7: bytes.remove(at: index)
        default: bytes.insert(letters[Int.random(in: 0..<letters.count, using: &random)], at: index)
        }
      }
      let identifier = String(decoding: bytes, as: UTF8.self)
      guard let type = ContentType(identifier) else { continue }
      #expect(type.identifier == identifier.lowercased())
      _ = type.supertypes
      _ = type.tags
    }
  }
}

/// Random numbers that are the same in every run.
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}
