import Foundation
import Glibc
import Testing

/// Readers of foreign bytes over mutated inputs, the same in every run.
///
/// `FUZZ_COUNT` tries more inputs of each target, `FUZZ_SEED` others. `scripts/fuzz` goes on for as long as it is told:
/// then `FUZZ_SECONDS` is the time for each target, with fresh seeds.
@Suite(.serialized) struct FuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["FUZZ_COUNT"].flatMap { Int($0) } ?? 2_000
  private static let seed = environment["FUZZ_SEED"].flatMap { UInt64($0) }
  private static let seconds = environment["FUZZ_SECONDS"].flatMap { Double($0) }
  private static let names = FuzzTarget.all.map(\.name).filter {
    environment["FUZZ_TARGET"] == nil || environment["FUZZ_TARGET"] == $0
  }

  @Test("no input breaks a reader, or a law of what it reads", arguments: names)
  func everyInput(name: String) throws {
    let target = try #require(FuzzTarget.all.first { $0.name == name })
    guard let seconds = Self.seconds else {
      var run = FuzzRun(target, seed: Self.seed ?? 1)
      try run.run(count: max(20, Int(Double(Self.count) * target.weight)))
      return print("fuzz: \(name), seed \(run.seed): \(run.tried) inputs")
    }
    let seed = Self.seed ?? .random(in: 0 ... .max / 2)
    var run = FuzzRun(target, seed: seed)
    try run.run(count: .max, until: .now + .seconds(seconds))
    print("fuzz: \(name), seed \(seed): \(run.tried) inputs in \(seconds) s")
  }
}
