import PasteboardCommands

PasteboardTool.main()
