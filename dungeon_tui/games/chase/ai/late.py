"""The engine, for strategies that use it."""

from __future__ import annotations


def warm_up() -> None:
    """Loads the engine's kernels, so that a strategy's clock does not run meanwhile."""
    from dungeon_tui.engine.warmup import warm_up

    warm_up()
