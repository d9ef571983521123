"""The signals that end the program."""

import signal

ENDS = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that end the program as leaving does, with exit status 128 + n; SIGHUP comes when a terminal is closed."""
