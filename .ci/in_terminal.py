"""Runs a command in a terminal of its own: in_terminal.py COMMAND TEXT KEYS presses the keys once the text is shown."""

import fcntl
import os
import pty
import signal
import struct
import sys
import termios

command, text, keys = sys.argv[1:]
signal.alarm(600)  # seconds; should the text never come
process, terminal = pty.fork()
if process == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execlp("bash", "bash", "-euc", command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
print("$", command, flush=True)
shown = b""
while text.encode() not in shown:
    shown += os.read(terminal, 65536)
os.write(terminal, keys.encode())
try:
    while os.read(terminal, 65536):
        pass
except OSError:  # the end of a terminal that nobody holds any more
    pass
_, status = os.waitpid(process, 0)
sys.exit(os.waitstatus_to_exitcode(status))
