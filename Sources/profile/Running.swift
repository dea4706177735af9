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
        let signals = exitOnSignals {
          // The session may be ending, and with it the only process that has the content.
          let ownership = serving.withLock { $0 }
          _ = try? await ownership?.handOver(within: .seconds(3))
        }
        Task {
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
        }
        withExtendedLifetime(signals) { dispatchMain() }
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
    let signals = exitOnSignals()
    Task {
      do {
        if let text = try await body() { try write(text + "\n") }
        exit(0)
      } catch {
        end(Failure(error))
      }
    }
    withExtendedLifetime(signals) { dispatchMain() }
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

  /// A signal ends the process by `exit`, which removes its temporary files; a signal's own way would leave them.
  private static func exitOnSignals(
    after body: @escaping @Sendable () async -> Void = {}
  ) -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM, SIGQUIT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        Task {
          await body()
          exit(128 + number)
        }
      }
      source.activate()
      return source
    }
  }
}
