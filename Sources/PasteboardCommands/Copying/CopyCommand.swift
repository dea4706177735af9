internal import Glibc

/// `pasteboard copy`: makes content the selection.
enum CopyCommand {
  static func run(_ options: CopyOptions) throws(CommandFailure) {
    let content = try CopyGathering(options: options).content()
    if options.serving.isForeground {
      try ServingProcess.runHere(content, options.serving)
    } else {
      try ServingProcess.detach(content, options.serving)
    }
  }
}
