internal import CLinux
internal import ContentTypes
internal import Glibc
internal import SelectionProtocol
internal import XlibTransport

/// A button in a window: enabled while the selection has an accepted type, and no command runs.
final class PasteButtonLoop {
  private let options: PasteButtonOptions
  private let reader: SelectionReader
  private let endsAfterPress: Bool
  private var isPressed = false
  private var isClosed = false
  private var hasChanged = true
  private var child: pid_t?
  /// What went wrong with the last press, shown until the next one or a change.
  private var trouble: String?

  /// Milliseconds between looks at a command that runs.
  private static let lookInterval: Int64 = 50

  init(_ options: PasteButtonOptions, _ reader: SelectionReader, endsAfterPress: Bool) {
    self.options = options
    self.reader = reader
    self.endsAfterPress = endsAfterPress
  }

  func run(_ show: PasteButtonTool.Show) throws(CommandFailure) {
    let face: PasteButtonTool.Face
    do {
      face = try show(
        reader.connection, options.label, { [unowned self] in isPressed = true },
        { [unowned self] in isClosed = true })
    } catch {
      throw .failed("\(error)")
    }
    let watch = reader.connection.watch(reader.selection) { [unowned self] _ in
      hasChanged = true
      trouble = nil
    }
    defer { reader.connection.unwatch(watch) }
    while true {
      if hasChanged, child == nil {
        hasChanged = false
        let state = try PasteButtonState(reader, options.types)
        let type = state.type.map { ContentType($0)?.typeDescription ?? $0 }
        face.update(state.isEnabled, trouble ?? type ?? "nothing to paste")
      }
      if isPressed { try press(face) }
      if let ended = try look() {
        hasChanged = true
        if ended != 0 {
          let failure = PasteButtonTool.commandFailure(options, ended)
          if endsAfterPress { throw failure }
          Console.complain("paste-button", failure.message)
          trouble = "failed (status \(ended))"
        } else if endsAfterPress {
          return
        }
      }
      if isClosed { return }
      try wait()
    }
  }

  private func press(_ face: PasteButtonTool.Face) throws(CommandFailure) {
    isPressed = false
    guard child == nil else { return }
    trouble = nil
    // Whatever is on offer at the moment of the press counts.
    let state = try PasteButtonState(reader, options.types)
    guard state.isEnabled else {
      hasChanged = true
      return
    }
    do throws(CommandFailure) {
      child = try state.start(options.command, reader)
      face.update(false, "pasting…")
    } catch {
      guard error.status != .noDisplay, !endsAfterPress else { throw error }
      Console.complain("paste-button", error.message)
      trouble = "could not be pasted"
      hasChanged = true
    }
  }

  /// - Returns: The status of a command that ended just now.
  private func look() throws(CommandFailure) -> Int32? {
    guard let running = child, let status = Child.status(of: running, waits: false) else {
      return nil
    }
    child = nil
    return status
  }

  private func wait() throws(CommandFailure) {
    cl_die_after(0)
    let deadline = child == nil ? Instant.distantFuture : .now + Self.lookInterval
    do throws(DisplayError) {
      try reader.connection.turn(until: deadline) {
        !isPressed && !isClosed && !(hasChanged && child == nil)
      }
    } catch {
      throw CommandFailure(.noDisplay, error.description)
    }
  }
}
