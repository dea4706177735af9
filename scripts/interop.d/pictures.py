"""PNG files, written and read without libraries: toolkits encode anew, so pixels are compared."""

import random
import struct
import zlib


def _chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def noise(width, height, seed):
    """An opaque picture that cannot be compressed: its file is about 3 * width * height bytes long."""
    source = random.Random(seed)
    rows = b"".join(b"\0" + source.randbytes(3 * width) for _ in range(height))
    return (
        b"\x89PNG\r\n\x1a\n"
        + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
        + _chunk(b"IDAT", zlib.compress(rows, 0))
        + _chunk(b"IEND", b""))


def _unfilter(kind, row, above, step):
    if kind == 0:
        return row
    for index in range(len(row)):
        left = row[index - step] if index >= step else 0
        up = above[index]
        if kind == 1:
            guess = left
        elif kind == 2:
            guess = up
        elif kind == 3:
            guess = (left + up) // 2
        else:
            corner = above[index - step] if index >= step else 0
            value = left + up - corner
            near = (abs(value - left), abs(value - up), abs(value - corner))
            guess = (left, up, corner)[near.index(min(near))]
        row[index] = (row[index] + guess) & 255
    return row


def pixels(data):
    """(width, height, RGB bytes) of an 8-bit true-colour picture; ValueError for anything else."""
    if data[:8] != b"\x89PNG\r\n\x1a\n":
        raise ValueError(f"not a PNG file: {len(data)} bytes beginning {data[:16]!r}")
    place, packed, header = 8, [], None
    while place + 8 <= len(data):
        length, name = struct.unpack(">I4s", data[place:place + 8])
        body = data[place + 8:place + 8 + length]
        if name == b"IHDR":
            header = struct.unpack(">IIBBBBB", body)
        elif name == b"IDAT":
            packed.append(body)
        place += 12 + length
    if header is None or header[2] != 8 or header[3] not in (2, 6) or header[6]:
        raise ValueError(f"a PNG of another kind: {header}")
    width, height, step = header[0], header[1], 3 if header[3] == 2 else 4
    raw = zlib.decompress(b"".join(packed))
    size = width * step
    rows, above = [], bytearray(size)
    for number in range(height):
        start = number * (size + 1)
        above = _unfilter(raw[start], bytearray(raw[start + 1:start + 1 + size]), above, step)
        rows.append(above)
    if step == 4:
        rows = [b"".join(bytes(row[at:at + 3]) for at in range(0, size, 4)) for row in rows]
    return width, height, b"".join(map(bytes, rows))
