import CoreTransferable
import Foundation
import X11Pasteboard

do {
  try Declarations.declare()
  let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
  let selection = arguments.selection
  let commands = Commands(selection: selection)
  let words = arguments.words
  let rest = Array(words.dropFirst())
  switch (words.first, rest.first, rest.count) {
  case ("copy", let path?, 1):
    Running.offer(try Commands.profile(path), on: selection)
  case ("paste", nil, _):
    Running.perform { try await commands.paste() }
  case ("add-facts", let path?, 1):
    Running.perform { try await commands.addFacts(to: path) }
  case ("archive", "copy", 2...):
    let profiles = try rest.dropFirst().map(Commands.profile)
    Running.offer(ProfilesArchive(profiles: profiles), on: selection)
  case ("archive", "paste", 1):
    Running.perform { try await commands.pasteArchive() }
  case ("note", "copy", 2):
    Running.offer(Note(text: rest[1]), on: selection)
  case ("note", "paste", 1):
    Running.perform { try await commands.pasteNote() }
  case ("video", "copy", 2):
    Running.offer(try Commands.video(rest[1]), on: selection)
  case ("video", "paste", 2):
    Running.perform { try await commands.pasteVideo(into: rest[1]) }
  case ("clear", nil, _):
    Running.perform {
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
  Running.end(Failure(error))
}
