"""Which programs there are, in the order of the table."""

import sys

from drivers.commandline import Xclip, Xsel
from drivers.editors import Emacs, Neovim, Pyperclip, PyperclipXsel, Tmux
from drivers.java import Java
from drivers.motif import Motif
from drivers.terminal import Xterm
from drivers.toolkits import Gtk3, Gtk4, Qt5, Qt6, Tk

ALL = [Xclip, Xsel, Xterm, Tk, Gtk3, Qt5, Emacs, Gtk4, Qt6, Java, Motif, Neovim, Tmux, Pyperclip, PyperclipXsel]


def key(name):
    return name.lower().replace(" ", "")


def chosen(names):
    known = {key(kind.name): kind for kind in ALL}
    unknown = [name for name in names if key(name) not in known]
    if unknown:
        sys.exit(f"interop: unknown program {', '.join(unknown)}; known: {', '.join(known)}")
    return [known[key(name)] for name in names] if names else ALL
