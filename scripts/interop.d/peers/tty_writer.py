"""Shows a file's content on the terminal, and says so in a file when the terminal has taken all of it."""

import os
import sys
import termios
import tty

source, ready = sys.argv[1:]
tty.setcbreak(0)
settings = termios.tcgetattr(1)
with open(source, "rb") as file:
    data = file.read()
place = 0
while place < len(data):
    place += os.write(1, data[place:place + 4096])
# The terminal answers in the order it reads: its answer means that the rest is on the screen.
os.write(1, b"\033[c")
answer = b""
while not answer.endswith(b"c"):
    answer += os.read(0, 16)
open(ready, "w").close()
while os.read(0, 1024):
    pass
