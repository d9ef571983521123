"""`python -m dungeon_tui` and the console script."""

import gc
import os
import signal
import sys


def main() -> None:
    """Runs the command line; without arguments, on a terminal, the menu at once. Ctrl-C ends it quietly."""
    gc.set_threshold(50_000, 20, 100)  # modules and kernels are no garbage: looking for some took a fifth of a start
    from dungeon_tui.cli.interrupts import EndedError, heard

    try:
        with heard():
            _run()
    except KeyboardInterrupt:
        sys.exit(130)
    except EndedError as ended:
        sys.exit(ended.exit_status)
    finally:
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)  # from now on Ctrl-C ends Python without a traceback


def _run() -> None:
    for stream, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, stream) is None:  # it was closed before we began: as if it led nowhere
            setattr(sys, stream, os.fdopen(os.open(os.devnull, os.O_RDWR), mode))
    for side in ("COLUMNS", "LINES"):
        if len(os.environ.get(side, "").strip().lstrip("0")) > 3:  # toolkits would believe it, and fill such a line
            del os.environ[side]
    if len(sys.argv) == 1:
        from dungeon_tui.cli.app import has_screen, open_app

        if has_screen():
            open_app()
    from dungeon_tui.cli.main import run

    run()


if __name__ == "__main__":
    main()
