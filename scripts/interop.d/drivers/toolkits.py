"""Tk, GTK and Qt."""

from drivers.program import PYTHON, Toolkit, peer

TEXT_ONLY = "carries text only"


TK_SPLITS = (
    "Tk cuts a large text into pieces wherever it is, and a character beyond the BMP that a cut hits becomes four Latin-1 "
    "characters, with xclip and xsel too. Have Tk save such texts to files")
GTK4_LARGE = (
    "GTK 4.8 never ends a transfer above 262,100 bytes, to xclip neither: save to a file, or use a newer GTK")


class Tk(Toolkit):
    name = "Tk"
    packages = ("python3-tk",)
    program = (PYTHON, peer("tk.py"))
    cannot = {(None, "html"): TEXT_ONLY, (None, "png"): TEXT_ONLY, (None, "files"): TEXT_ONLY}
    faults = {
        ("theirs", "5MB"): TK_SPLITS,
        ("theirs", "64MB"): TK_SPLITS,
    }
    versioned = "libtk8.6"


class Gtk3(Toolkit):
    name = "GTK 3"
    packages = ("gir1.2-gtk-3.0", "python3-gi")
    program = (PYTHON, peer("gtk3.py"))


class Gtk4(Toolkit):
    name = "GTK 4"
    packages = ("gir1.2-gtk-4.0", "python3-gi")
    program = (PYTHON, peer("gtk4.py"))
    faults = {("theirs", "5MB"): GTK4_LARGE, ("theirs", "64MB"): GTK4_LARGE}

    def __init__(self, rig):
        super().__init__(rig)
        self.environment["GSK_RENDERER"] = "cairo"


class Qt5(Toolkit):
    name = "Qt 5"
    packages = ("python3-pyqt5",)
    program = (PYTHON, peer("qt.py"), "PyQt5")
    versioned = "libqt5gui5"


class Qt6(Toolkit):
    name = "Qt 6"
    packages = ("python3-pyqt6",)
    program = (PYTHON, peer("qt.py"), "PyQt6")
    versioned = "libqt6gui6"
