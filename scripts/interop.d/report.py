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
PRIMARY; and the text through the library (`profile`).

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
            file.write("".join(parts) + "## Notes\n\n" + notes.text())

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
