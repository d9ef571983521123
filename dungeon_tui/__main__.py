"""`python -m dungeon_tui` and the console script."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line; without arguments, on a terminal, the menu at once."""
    if len(sys.argv) == 1:
        from dungeon_tui.launch import has_screen, open_app

        if has_screen():
            open_app()
    from dungeon_tui.cli import run

    run()


if __name__ == "__main__":
    main()
