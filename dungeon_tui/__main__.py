"""`python -m dungeon_tui` and the console script."""

from __future__ import annotations


def main() -> None:
    """Runs the command line."""
    from dungeon_tui.cli import run

    run()


if __name__ == "__main__":
    main()
