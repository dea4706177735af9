import BackgroundProcess
import CoreTransferable
import Foundation
import X11Pasteboard

// Everything up to `BackgroundProcess.start` runs on the one thread that the program begins with.

func report(_ failure: Failure) -> Never {
  if failure.status == 0 {
    print(failure.message)
  } else {
    FileHandle.standardError.write(Data("profile: \(failure.message)\n".utf8))
  }
  exit(failure.status)
}

/// Offers an item from a process that goes on when this one returns.
func offer<Item: Transferable & Sendable>(_ item: Item, on selection: Selection) -> Never {
  do {
    let answer = try BackgroundProcess.start { reporter in
      Task {
        do {
          let ownership = try await Pasteboard.named(selection).copy(item)
          reporter.send(.init())
          try await ownership.untilReplaced()
          await ownership.untilServed()
          exit(0)
        } catch {
          let failure = Failure(error)
          reporter.send(.init(status: failure.status, message: failure.message))
          exit(failure.status)
        }
      }
      dispatchMain()
    }
    if answer.status != 0 { report(Failure(status: answer.status, message: answer.message)) }
    exit(0)
  } catch {
    report(Failure(status: 4, message: error.description))
  }
}

/// Does something, prints what it says, and ends.
func perform(_ body: @escaping @Sendable () async throws -> String?) -> Never {
  Task {
    do {
      if let text = try await body() { print(text) }
      exit(0)
    } catch {
      report(Failure(error))
    }
  }
  dispatchMain()
}

do {
  let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
  let selection = arguments.selection
  let commands = Commands(selection: selection)
  let words = arguments.words
  switch (words.first, words.dropFirst().first, Array(words.dropFirst())) {
  case ("copy", let path?, let rest) where rest.count == 1:
    offer(try Commands.profile(path), on: selection)
  case ("paste", nil, _):
    perform { try await commands.paste() }
  case ("add-facts", let path?, let rest) where rest.count == 1:
    perform { try await commands.addFacts(to: path) }
  case ("archive", "copy", let rest) where rest.count > 1:
    let profiles = try rest.dropFirst().map(Commands.profile)
    offer(ProfilesArchive(profiles: profiles), on: selection)
  case ("archive", "paste", let rest) where rest.count == 1:
    perform { try await commands.pasteArchive() }
  case ("note", "copy", let rest) where rest.count == 2:
    offer(Note(text: rest[1]), on: selection)
  case ("note", "paste", let rest) where rest.count == 1:
    perform { try await commands.pasteNote() }
  case ("video", "copy", let rest) where rest.count == 2:
    let file = URL(filePath: rest[1]).standardizedFileURL
    guard FileManager.default.isReadableFile(atPath: file.path(percentEncoded: false)) else {
      throw Failure(status: 4, message: "\(rest[1]) cannot be read")
    }
    offer(Video(file: file), on: selection)
  case ("video", "paste", let rest) where rest.count == 2:
    perform { try await commands.pasteVideo(into: rest[1]) }
  case ("clear", nil, _):
    perform {
      try await commands.clear()
      return nil
    }
  default:
    throw Failure.usage(
      words.isEmpty
        ? "say what to do; see profile --help"
        : "\(words.joined(separator: " ")): not understood; see profile --help")
  }
} catch {
  report(Failure(error))
}
