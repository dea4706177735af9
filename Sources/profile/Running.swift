import BackgroundProcess
import CoreTransferable
import Foundation
import Synchronization
import X11Pasteboard

/// How a command runs and ends.
enum Running {
  /// Offers an item from a process that goes on when this one returns.
  ///
  /// Everything up to here runs on the one thread that the program begins with, since it forks.
  static func offer<Item: Transferable & Sendable>(_ item: Item, on selection: Selection) -> Never {
    do {
      let answer = try BackgroundProcess.start { reporter in
        let serving = Mutex<Ownership?>(nil)
        park {
          do {
            let ownership = try await Pasteboard.named(selection).copy(item)
            serving.withLock { $0 = ownership }
            // Nobody listens where the command was interrupted: then the copy is not wanted.
            guard reporter.send(.init()) else { exit(1) }
            try await ownership.untilReplaced()
            await ownership.untilServed()
            exit(0)
          } catch {
            let failure = Failure(error)
            reporter.send(.init(status: failure.status, message: failure.message))
            exit(failure.status)
          }
        } onSignal: {
          // The session may be ending, and with it the only process that has the content.
          let ownership = serving.withLock { $0 }
          _ = try? await ownership?.handOver(within: .seconds(3))
        }
      }
      guard answer.status == 0 else {
        end(Failure(status: answer.status, message: answer.message))
      }
      exit(0)
    } catch {
      end(Failure(status: 4, message: error.description))
    }
  }

  /// Does something, prints what it says, and ends.
  static func perform(_ body: @escaping @Sendable () async throws -> String?) -> Never {
    park {
      do {
        if let text = try await body() { try write(text + "\n") }
        exit(0)
      } catch {
        end(Failure(error))
      }
    }
  }

  /// Says why on standard error, in one line, and ends.
  static func end(_ failure: Failure) -> Never {
    if failure.status == 0 {
      do { try write(failure.message + "\n") } catch { end(Failure(error)) }
    } else {
      let line = failure.message.split(whereSeparator: \.isNewline).joined(separator: " ")
      FileHandle.standardError.write(Data("profile: \(line)\n".utf8))
    }
    exit(failure.status)
  }

  private static func write(_ text: String) throws {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      throw Failure(
        status: 4, message: "standard output cannot be written: \(Files.reason(error))")
    }
  }

  /// Waits on the first thread until the work ends the process, or a signal does.
  ///
  /// A signal ends it by `exit`, which removes its temporary files; the signal's own way would leave them. The first
  /// thread waits for it itself: it blocks the signals, and all threads that come after it do as well.
  ///
  /// - Parameters:
  ///   - work: What the process does.
  ///   - body: What is still to be done on a signal; a second signal does not wait for it.
  private static func park(
    doing work: @escaping @Sendable () async -> Never,
    onSignal body: @escaping @Sendable () async -> Void = {}
  ) -> Never {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGQUIT] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    Task { await work() }
    let first = next(of: signals)
    Task {
      await body()
      exit(128 + first)
    }
    exit(128 + next(of: signals))
  }

  private static func next(of signals: sigset_t) -> CInt {
    var number: CInt = 0
    var signals = signals
    while sigwait(&signals, &number) != 0 {}
    return number
  }
}
