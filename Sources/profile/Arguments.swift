import CoreTransferable
import Foundation
import X11Pasteboard

/// Why the command ends without having done what it was asked for.
struct Failure: Error {
  var status: Int32
  var message: String

  static func usage(_ message: String) -> Failure { Failure(status: 2, message: message) }

  init(status: Int32, message: String) {
    self.status = status
    self.message = message
  }

  init(_ error: any Error) {
    switch error {
    case let failure as Failure:
      self.init(status: failure.status, message: failure.message)
    case let error as PasteboardError:
      let status: Int32 =
        switch error.code {
        case .cannotConnect, .connectionLost: 3
        case .empty, .notOnOffer: 1
        case .invalidName: 2
        case .refused, .timedOut, .ownerGone, .invalidContent, .tooLarge, .ownershipRefused,
          .nothingToOffer, .importFailed, .cannotStore, .cancelled:
          4
        }
      self.init(status: status, message: error.message)
    case let error as TransferError:
      self.init(status: 4, message: error.message)
    default:
      self.init(status: 4, message: "\(error)")
    }
  }
}

/// What was asked for.
struct Arguments {
  var words: [String] = []
  var selection = Selection.clipboard

  static let help = """
    usage: profile copy FILE.json          offer a profile; other programs paste its name
           profile paste                   print the profile on offer as JSON
           profile add-facts FILE.json     paste text into the profile's fun facts
           profile archive copy FILE.json… offer several profiles, as a table where that is possible
           profile archive paste           print the profiles on offer as JSON
           profile note copy TEXT          offer a text
           profile note paste              print the text on offer
           profile video copy FILE.mp4     offer a film
           profile video paste DIRECTORY   put the film on offer into a directory
           profile clear                   take what is on offer away

    options: -p, --primary                 use PRIMARY instead of CLIPBOARD
             -s, --selection NAME          use another selection

    exit: 0 done; 1 nothing there, or not on offer; 2 usage; 3 no display, or connection lost;
          4 refused, failed or timed out
    """

  init(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      switch word {
      case "-h", "--help": throw Failure(status: 0, message: Self.help)
      case "-p", "--primary": selection = .primary
      case "-s", "--selection":
        guard let name = rest.popFirst(), !name.isEmpty else {
          throw .usage("\(word) needs the name of a selection")
        }
        selection =
          switch name.lowercased() {
          case "clipboard": .clipboard
          case "primary": .primary
          case "secondary": .secondary
          default: Selection(name)
          }
      case "--":
        words += rest
        rest = []
      case _ where word.hasPrefix("-") && word != "-":
        throw .usage("unknown option \(word); see profile --help")
      default: words.append(word)
      }
    }
  }
}
