import Foundation
import Glibc

/// A run of one target over many inputs.
struct FuzzRun {
  let target: FuzzTarget
  let seed: UInt64
  /// Inputs that were tried.
  private(set) var tried = 0

  init(_ target: FuzzTarget, seed: UInt64) {
    self.target = target
    self.seed = seed
  }

  /// Tries inputs until there were `count`, or the time is up.
  ///
  /// The input at hand lies in a file while it is read (`FUZZ_INPUT_FILE`, where that is set), so that one that ends
  /// the process can be found afterwards.
  mutating func run(count: Int, until deadline: ContinuousClock.Instant? = nil) throws {
    var mutator = Mutator(target, seed: seed)
    let trace = ProcessInfo.processInfo.environment["FUZZ_INPUT_FILE"].map {
      open($0, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    }
    defer { if let trace { close(trace) } }
    for input in target.corpus { try check(input, trace) }
    while tried < count {
      if let deadline, tried % 64 == 0, ContinuousClock.now >= deadline { return }
      try check(mutator.next(), trace)
    }
  }

  private mutating func check(_ input: [UInt8], _ trace: CInt?) throws {
    if let trace {
      _ = pwrite(trace, input, input.count, 0)
      _ = ftruncate(trace, off_t(input.count))
    }
    tried += 1
    do throws(BrokenLaw) {
      try target.check(input)
    } catch {
      throw FuzzFinding(target: target.name, seed: seed, input: input, law: error.description)
    }
  }
}

/// An input that breaks a law.
struct FuzzFinding: Error, CustomStringConvertible {
  let target: String
  let seed: UInt64
  let input: [UInt8]
  let law: String

  var description: String {
    "\(target), seed \(seed): \(law)\ninput: \(Data(input).base64EncodedString())"
  }
}
