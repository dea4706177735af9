internal import Glibc

/// The other programs' names that `pasteboard` answers to, by its own name or as its first word.
enum CompatibleCommand: String {
  case xclip
  case xsel
  case pbcopy
  case pbpaste

  typealias Words = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

  /// Does what that program does.
  ///
  /// - Parameters:
  ///   - words: Its name, then its arguments.
  /// - Returns: The status to end with.
  func run(_ count: CInt, _ words: Words) -> Int32 {
    do throws(CommandFailure) {
      switch self {
      case .xclip: try XclipCommand(count, words).run()
      case .xsel: try XselCommand(count, words).run()
      case .pbcopy: try PbCommand.copy(count, words)
      case .pbpaste: try PbCommand.paste(count, words)
      }
      return 0
    } catch {
      if !error.message.isEmpty { complain(error) }
      // None of these programs knows any other status.
      return error.status == .done ? 0 : 1
    }
  }

  private func complain(_ failure: CommandFailure) {
    // These words of xclip are what programs look for.
    let isXclipError = self == .xclip && failure.status != .usage
    if isXclipError {
      _ = Descriptor.write(2, Array("Error: \(failure.message)\n".utf8))
    } else {
      Console.complain(rawValue, failure.message)
    }
  }
}
