/// Makes inputs out of well-formed ones: the same seed makes the same inputs.
struct Mutator {
  private var random: SplitMix
  private let corpus: [[UInt8]]
  private let words: [[UInt8]]
  private static let longest = 65_536
  private static let borders: [UInt8] = [0, 1, 9, 10, 13, 27, 32, 127, 128, 0xA0, 0xC2, 0xFE, 0xFF]

  init(_ target: FuzzTarget, seed: UInt64) {
    random = SplitMix(seed: seed)
    corpus = target.corpus.isEmpty ? [[]] : target.corpus
    words = target.words
  }

  /// The next input.
  mutating func next() -> [UInt8] {
    var input = corpus.randomElement(using: &random) ?? []
    switch Int.random(in: 0..<16, using: &random) {
    case 0: return input
    case 1: return noise(Int.random(in: 0..<96, using: &random))
    default: break
    }
    for _ in 0..<(1 << Int.random(in: 0..<4, using: &random)) { change(&input) }
    return input.count > Self.longest ? Array(input[..<Self.longest]) : input
  }

  private mutating func noise(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
  }

  private mutating func change(_ input: inout [UInt8]) {
    let place = Int.random(in: 0...input.count, using: &random)
    let isInside = place < input.count
    switch Int.random(in: 0..<12, using: &random) {
    case 0 where isInside: input[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where isInside: input[place] = Self.borders.randomElement(using: &random) ?? 0
    case 2 where isInside: input[place] = UInt8.random(in: 0...255, using: &random)
    case 3 where isInside: input.removeSubrange(place..<span(from: place, in: input))
    case 4 where isInside: input.removeSubrange(place...)
    case 5 where isInside:
      let repeated = Array(input[place..<span(from: place, in: input)])
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        input.insert(contentsOf: repeated, at: place)
      }
    case 6: input.insert(Self.borders.randomElement(using: &random) ?? 0, at: place)
    case 7, 8:
      if let word = words.randomElement(using: &random) {
        input.insert(contentsOf: word, at: place)
      }
    case 9:
      let other = corpus.randomElement(using: &random) ?? []
      let cut = Int.random(in: 0...other.count, using: &random)
      input.replaceSubrange(place..., with: other[cut...])
    case 10 where place + 4 <= input.count:
      let numbers: [UInt32] = [
        0, 1, 4, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFF, UInt32(input.count),
      ]
      let number = numbers.randomElement(using: &random) ?? 0
      let isBig = Bool.random(using: &random)
      withUnsafeBytes(of: isBig ? number.bigEndian : number.littleEndian) { raw in
        input.replaceSubrange(place..<place + 4, with: raw)
      }
    default: input.insert(contentsOf: noise(Int.random(in: 1..<5, using: &random)), at: place)
    }
  }

  private mutating func span(from place: Int, in input: [UInt8]) -> Int {
    min(input.count, place + (1 << Int.random(in: 0..<7, using: &random)))
  }
}

/// Random numbers that a seed repeats.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }
}
