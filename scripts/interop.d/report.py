"""Results, kept as JSON, and the table made of them."""

import json
import os

from samples import COLUMNS

HEAD = """\
# Which programs copy and paste with this package

Made by `scripts/interop`; do not edit. Debian 12, one program at a time on an X server of its own. Every program has
two lines: it copies and we paste, and we copy and it pastes.

- **pass**: every byte, pixel or file name as it was.
- **cannot**: the program has no such thing.
- **theirs**: a fault of the program itself; the note says what users can do.
- **FAIL**: ours until shown otherwise.

The columns: ASCII, text with characters of all 17 planes, HTML, a PNG picture, three files with difficult names, 5 MB
and 64 MB (of text, or of PNG where a program takes no text) and text with `pasteboard` on CLIPBOARD; the text on
PRIMARY; and the text through the library (`profile`). File managers also cut files and move what we cut.

"""

ADVICE = """\
## What to do about it

- **xclip and xsel can return before they own the selection.** A script that pastes at once may get what was copied
  before, whoever pastes. `pasteboard copy` returns when the server has confirmed it; after xclip or xsel, have
  `pasteboard watch` tell of the change, or ask `pasteboard inspect` whose it is.
- **xclip serves one reader at a time.** While a large copy of it is on its way to one program, such as a clipboard
  manager or a Wayland compositor, it answers nobody else, or never again. Copy large things with `pasteboard copy`.
- **`ssh -X` makes a program untrusted.** The X server then hides most extensions from it, lets it paste what any
  program copied, and lets it answer nobody but other untrusted programs: what it copies cannot be pasted outside.
  `pasteboard paste` outside says after 2 s that the owner did not answer; nothing hangs. Use `ssh -Y` to copy.
- **Under a Wayland compositor** copies between X programs work as on any X server. What reaches Wayland programs is
  the compositor's work, and not tried here.
- **Tk and GTK 4.8 damage or never finish large texts** that they copy themselves, to any program: save such texts to a
  file. What we copy reaches both whole; text of ours is cut between characters only, since Tk decodes each piece.
- **Firefox gives a page only the first of several pasted files**: drop them, or choose them in a file dialogue.
- **Programs older than UTF-8**, such as NEdit, ask for Latin-1 and get text that has other characters not at all,
  rather than with holes.
- **PCManFM gives cut files once**, to the first program that asks; after that nobody owns the clipboard.
- **CopyQ keeps what was copied, and gives it back only when it is chosen** in its window; autocutsel keeps text only,
  in a cut buffer.

"""

WORDS = {"pass": "pass", "cannot": "cannot", "fault": "theirs", "FAIL": "**FAIL**"}


class Results:
    def __init__(self, path):
        self.path = path
        self.rows = {}
        if path and os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                self.rows = {row["name"]: row for row in json.load(file)}

    def put(self, row):
        old = self.rows.get(row["name"])
        if old:
            row["cells"] = {**old["cells"], **row["cells"]}
        self.rows[row["name"]] = row

    def save(self):
        if self.path:
            with open(self.path, "w", encoding="utf-8") as file:
                json.dump(list(self.rows.values()), file, indent=1, ensure_ascii=False)

    def failures(self, names):
        return [
            (name, place) for name in names for place, cell in self.rows[name]["cells"].items()
            if cell["state"] == "FAIL"]

    def write_table(self, path, tables):
        """tables: (heading, text, the words for the two directions, kinds)."""
        notes, parts = Notes(), [HEAD]
        for heading, text, ways, kinds in tables:
            lines = ["| program | | " + " | ".join(COLUMNS.values()) + " |", "|---|---|" + "---|" * len(COLUMNS)]
            for kind in kinds:
                row = self.rows.get(kind.name)
                for direction, way in zip(("theirs", "ours"), ways):
                    title = f"{kind.name} {row['version']}" if row else kind.name
                    cells = [notes.cell(self.cell(row, f"{direction} {column}")) for column in COLUMNS]
                    lines.append(f"| {title} | {way} | " + " | ".join(cells) + " |")
            parts.append(f"## {heading}\n\n{text}\n\n" + "\n".join(lines) + "\n\n")
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(parts) + ADVICE + "## Notes\n\n" + notes.text())

    @staticmethod
    def cell(row, place):
        return row["cells"].get(place, NOT_RUN) if row else NOT_RUN


NOT_RUN = {"state": "FAIL", "note": "not run"}


class Notes:
    """Numbered remarks below a table, each once."""

    def __init__(self):
        self.numbers = {}

    def cell(self, cell):
        word = WORDS[cell["state"]]
        if not cell["note"]:
            return word
        note = cell["note"].replace("|", "\\|").replace("\n", " ").rstrip(".")
        number = self.numbers.setdefault(note, len(self.numbers) + 1)
        return f"{word} [{number}]"

    def text(self):
        return "".join(f"{number}. {note}.\n" for note, number in self.numbers.items())
