"""Loads and compiles kernels behind the first frame; imports nothing heavy itself."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

from dungeon_tui.ui.background import in_background

COMPILING_ALL = "Compiling, first time only (about 20 s): {} of {}, {}"


async def warm_up(first: str, leaving: Event, report: Callable[[str], None]) -> None:
    """Loads all kernels in a thread. Kernels that were never compiled are first compiled in another process."""

    def progress(done: int, total: int, name: str) -> None:
        report(COMPILING_ALL.format(done + 1, total, name) if done < total else "")

    try:
        if await in_background(has_few_kernels):
            await compile_elsewhere(first, progress)
            report("")
        await in_background(load_kernels, leaving)
    except ValueError as error:
        report(f"The engine can't be compiled: {error}")


def has_few_kernels() -> bool:
    """True if most kernels have yet to be compiled."""
    import dungeon_tui
    from dungeon_tui.engine.kernel_cache import cached_kernels

    return cached_kernels(Path(dungeon_tui.__file__).parent).are_few


async def compile_elsewhere(first: str, tell: Callable[[int, int, str], object]) -> None:
    """Compiles all kernels in another process, those of the game `first` first. Raises ValueError."""
    from dungeon_tui.workers import ProcessError, in_process

    try:
        async for _ in in_process(compile_kernels, first, tell=tell):
            pass
    except ProcessError as error:
        raise ValueError(str(error)) from None


def compile_kernels(first: str, tell: Callable[[int, int, str], None]) -> Iterator[bool]:
    """The task of the other process; reports its progress to `tell`."""
    yield load_kernels(Event(), tell, first)


def load_kernels(leaving: Event, tell: Callable[[int, int, str], None] | None = None, first: str = "") -> bool:
    """Loads or compiles the kernels of the engine and the games; True unless `leaving` was set before the end."""
    from dungeon_tui.core.catalogue import find_games
    from dungeon_tui.engine.warmup import warm_up

    return warm_up(tell, leaving, {game.title: game.compile_kernels for game in find_games()}, first)
