// PasteboardCommands
