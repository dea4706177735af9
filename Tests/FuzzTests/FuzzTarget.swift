/// A reader of bytes that somebody else wrote, and what has to hold whatever they are.
///
/// A reader that traps ends the process: which input it was is printed before (`FuzzRun`), or kept by the fuzzer.
struct FuzzTarget: Sendable {
  /// What the target is called on a command line.
  let name: String
  /// Well-formed inputs, which others are made of.
  let corpus: [[UInt8]]
  /// Words that inputs are made of.
  let words: [[UInt8]]
  /// The share of inputs in a run of all targets; slow ones have less.
  let weight: Double
  /// Reads an input; throws where a law does not hold.
  let check: @Sendable ([UInt8]) throws(BrokenLaw) -> Void

  init(
    _ name: String, corpus: [[UInt8]], words: [String] = [], weight: Double = 1,
    check: @escaping @Sendable ([UInt8]) throws(BrokenLaw) -> Void
  ) {
    self.name = name
    self.corpus = corpus
    self.words = words.map { Array($0.utf8) }
    self.weight = weight
    self.check = check
  }

  /// Every reader of foreign bytes that can be reached without a display.
  static let all: [FuzzTarget] =
    textTargets + listTargets + nameTargets + typeTargets + helperTargets + transferTargets
}

/// What did not hold.
struct BrokenLaw: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// Demands that a law holds.
func hold(_ law: Bool, _ name: @autoclosure () -> String) throws(BrokenLaw) {
  guard law else { throw BrokenLaw(name()) }
}

/// The bytes of a text.
func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

/// Splits an input into parts at bytes 0xFF, so that one input can be several values.
func parts(_ input: [UInt8]) -> [[UInt8]] {
  input.split(separator: 0xFF, omittingEmptySubsequences: false).map { Array($0) }
}

/// Numbers of four bytes in host order.
func words(_ input: [UInt8]) -> [UInt32] {
  input.withUnsafeBytes { raw in
    (0..<(raw.count / 4)).map { raw.loadUnaligned(fromByteOffset: 4 * $0, as: UInt32.self) }
  }
}

/// The bytes of such numbers.
func bytes(_ numbers: [UInt32]) -> [UInt8] {
  numbers.flatMap { withUnsafeBytes(of: $0, Array.init) }
}
