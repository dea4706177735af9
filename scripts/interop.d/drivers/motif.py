"""Motif: a small program with its text field, compiled here."""

import os

from drivers.program import PlainToolkit, peer
from processes import run

TEXT_ONLY = "Motif's text field takes and gives text only"


class Motif(PlainToolkit):
    name = "Motif"
    # It takes more than a minute to put 64 MB on its clipboard.
    slowness = 2
    packages = ("libmotif-dev", "gcc", "libc6-dev")
    cannot = {(None, "html"): TEXT_ONLY, (None, "png"): TEXT_ONLY, (None, "files"): TEXT_ONLY}

    def start(self):
        binary = os.path.join(self.directory, "motif")
        run(["gcc", "-O1", "-o", binary, peer("motif.c"), "-lXm", "-lXt", "-lX11"], self.environment, 60, check=True)
        self.program = (binary,)
        super().start()
