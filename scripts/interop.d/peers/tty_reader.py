"""Takes what is typed or pasted at the terminal, without line editing, into a file."""

import os
import select
import sys
import termios
import tty

ready, output, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
tty.setcbreak(0)
settings = termios.tcgetattr(0)
settings[3] &= ~(termios.ECHO | termios.ISIG | termios.IEXTEN)
# A terminal sends carriage returns for line ends; the tty driver turns them back, as in any shell.
settings[0] |= termios.ICRNL
settings[0] &= ~(termios.IXON | termios.IXOFF)
termios.tcsetattr(0, termios.TCSADRAIN, settings)
os.write(1, b"ready\r\n\033[c")
answer = b""
while not answer.endswith(b"c"):
    answer += os.read(0, 1)
open(ready, "w").close()
got = 0
with open(output + ".part", "wb", buffering=0) as file:
    while True:
        # More than is wanted would be wrong too, so it listens a little longer.
        if got >= size and not select.select([0], [], [], 0.3)[0]:
            break
        piece = os.read(0, 65536)
        file.write(piece)
        got += len(piece)
os.rename(output + ".part", output)
