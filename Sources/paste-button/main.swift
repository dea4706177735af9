import PasteButtonWindow
import PasteboardCommands

PasteButtonTool.main { connection, label, onPress, onClose in
  let window = try PasteButtonWindow(on: connection, label: label)
  window.onPress = onPress
  window.onClose = onClose
  return PasteButtonTool.Face { isEnabled, detail in
    window.update(isEnabled: isEnabled, detail: detail)
  }
}
