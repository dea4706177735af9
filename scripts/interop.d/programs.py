"""Which programs there are, in the order of the table."""

import sys

from drivers.applications import Gimp, Pcmanfm, Thunar, Writer, WriterGtk
from drivers.browsers import Chromium, Firefox
from drivers.commandline import Xclip, Xsel
from drivers.editors import Emacs, Nedit, Neovim, Pyperclip, PyperclipXsel, Tmux
from drivers.java import Java
from drivers.motif import Motif
from drivers.surroundings import MANAGERS, SERVERS
from drivers.terminal import Xterm
from drivers.toolkits import Gtk3, Gtk4, Qt5, Qt6, Tk

PROGRAMS = [
    Xclip, Xsel, Xterm, Tk, Gtk3, Qt5, Emacs, Gtk4, Qt6, Java, Motif, Nedit, Neovim, Tmux, Pyperclip, PyperclipXsel,
    Pcmanfm, Thunar, Firefox, Chromium, Writer, WriterGtk, Gimp,
]
ALL = PROGRAMS + SERVERS + MANAGERS

TABLES = [
    ("Programs", "What they copy and we paste, and what we copy and they paste.", ("copies", "pastes"), PROGRAMS),
    ("X servers", "The same with xclip as the other program.", ("copies", "pastes"), SERVERS),
    ("Clipboard managers",
     "Kept: we copy, our program ends, and we paste what the manager kept. Beside: we copy, and xclip pastes at once "
     "while the manager fetches too.", ("kept", "beside"), MANAGERS),
]


def key(name):
    return name.lower().replace(" ", "")


def chosen(names):
    known = {key(kind.name): kind for kind in ALL}
    unknown = [name for name in names if key(name) not in known]
    if unknown:
        sys.exit(f"interop: unknown program {', '.join(unknown)}; known: {', '.join(known)}")
    return [known[key(name)] for name in names] if names else ALL
