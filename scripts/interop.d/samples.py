"""What is copied. Each direction has content of its own, so that an old copy cannot look like a new one."""

import os

import pictures


class Content:
    """One column.

    kind: text, html, png or files. data: the bytes, or for files the paths.
    """

    def __init__(self, column, kind, data, text=None, selection="CLIPBOARD", seconds=20, library=False):
        self.column = column
        self.kind = kind
        self.data = data
        self.text = text
        self.selection = selection
        self.seconds = seconds
        self.library = library
        self.path = None


COLUMNS = {
    "ascii": "ASCII",
    "unicode": "Unicode",
    "html": "HTML",
    "png": "PNG",
    "files": "files",
    "5MB": "5 MB",
    "64MB": "64 MB",
    "primary": "PRIMARY",
    "library": "library",
}


def every_plane():
    """Characters of all 17 planes, with what breaks programs: marks, joiners, right-to-left, lone widths."""
    lines = [
        "Größe Ærø Žluťoučký kůň ẞ ﬁ",
        "e\u0301 \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627 \u0e2a\u0e27\u0e31 \u4f60\u597d \ud55c\uae00 \ufb01",
        "\U0001f600 \U0001f469\u200d\U0001f4bb \U0001f1f3\U0001f1f4 \U0001d11e",
        "\U00020000 \U0002a6a5 \U00030000 \U000e0041\U000e007f",
        " ".join(chr((plane << 16) + 0x1234) for plane in range(4, 14)),
        "\ue000 \U000f0000 \U0010fffd",
    ]
    return "\n".join(lines)


def large_text(label, size):
    """Lines that all differ, so that a lost, doubled or moved piece is seen."""
    lines, length, number = [], 0, 0
    while length < size:
        line = f"{number:08d} {label} Größe \u4f60\u597d \U0001f600 abcdefghijklmnopqrstuvwxyz\n".encode()
        lines.append(line)
        length += len(line)
        number += 1
    return b"".join(lines)[:size - 8].decode("utf-8", "ignore").encode() + b" the end"


class Samples:
    """The contents of one direction, made when they are first asked for."""

    def __init__(self, directory, label):
        self.directory = os.path.join(directory, label)
        self.label = label
        self.made = {}
        os.makedirs(self.directory, exist_ok=True)

    def get(self, column, large_kind="text", slowness=1, repertoire="utf-8"):
        """repertoire: the encoding that has all characters of the text; the others are left out."""
        key = (column, large_kind if column.endswith("MB") else None)
        if key not in self.made:
            content = self._make(column, large_kind)
            if content.kind == "text":
                content.data = content.data.decode().encode(repertoire, "ignore").decode(repertoire).encode()
            content.seconds *= slowness
            if content.kind != "files":
                content.path = os.path.join(self.directory, f"{column}-{content.kind}")
                if content.kind == "png":
                    content.path += ".png"
                with open(content.path, "wb") as file:
                    file.write(content.data)
            self.made[key] = content
        return self.made[key]

    def _make(self, column, large_kind):
        label = self.label
        ascii_text = f"{label}\t" + "".join(map(chr, range(32, 127))) + "\nsecond line"
        unicode_text = f"{label}\n{every_plane()}\nend"
        if column == "ascii":
            return Content(column, "text", ascii_text.encode())
        if column == "unicode":
            return Content(column, "text", unicode_text.encode())
        if column == "primary":
            data = f"PRIMARY {unicode_text}".encode()
            return Content(column, "text", data, selection="PRIMARY")
        if column == "library":
            return Content(column, "text", f"library {unicode_text}".encode(), library=True)
        if column == "html":
            html = f"<p>{label} <b>bold</b> Größe \u4f60\u597d \U0001f600 &amp; &lt;</p>"
            return Content(column, "html", html.encode(), text=f"{label} bold".encode())
        if column == "png":
            return Content(column, "png", pictures.noise(64, 48, label))
        if column == "files":
            return Content(column, "files", self._files())
        size, seconds = (5_000_000, 30) if column == "5MB" else (64_000_000, 90)
        if large_kind == "png":
            side = int((size / 3) ** 0.5)
            return Content(column, "png", pictures.noise(side, side, label), seconds=seconds)
        return Content(column, "text", large_text(label, size), seconds=seconds)

    def _files(self):
        folder = os.path.join(self.directory, "files")
        os.makedirs(folder, exist_ok=True)
        names = ["plain.txt", "with space & 100% #1.txt", "Größe \u4f60\u597d \U0001f600.txt"]
        paths = []
        for name in names:
            path = os.path.join(folder, f"{self.label} {name}")
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"content of {name}")
            paths.append(path)
        return paths


def difference(content, got):
    """None when it is the same; else what went wrong, short enough for a table."""
    if content.kind == "files":
        wanted, found = sorted(content.data), sorted(got)
        return None if wanted == found else f"{len(found)} of {len(wanted)} files: {found}"[:200]
    if content.kind == "png" and got != content.data:
        try:
            wanted, found = pictures.pixels(content.data), pictures.pixels(got)
        except ValueError as error:
            return str(error)
        if wanted == found:
            return None
        if wanted[:2] != found[:2]:
            return f"a picture of {found[0]}x{found[1]} instead of {wanted[0]}x{wanted[1]}"
        wrong = sum(1 for one, other in zip(wanted[2], found[2]) if one != other)
        return f"{wrong} of {len(wanted[2])} samples of the picture differ"
    wanted = content.data
    if got == wanted:
        return None
    if not got:
        return "nothing arrived"
    first = next(
        (at for at, (one, other) in enumerate(zip(wanted, got)) if one != other),
        min(len(wanted), len(got)))
    return (
        f"{len(got):,} instead of {len(wanted):,} bytes, different from byte {first:,}: "
        f"{wanted[first:first + 16].decode('utf-8', 'replace')!r} became "
        f"{got[first:first + 16].decode('utf-8', 'replace')!r}")
