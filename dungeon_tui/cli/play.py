"""`GAME play` and `GAME edit`, on a screen or in plain text, with the game's own options and the common ones."""

import io
import select
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from time import monotonic
from typing import Annotated, Any, NoReturn, TextIO, cast

import typer

from dungeon_tui.cli.app import has_screen, open_app, write_recording
from dungeon_tui.cli.interrupts import EndingStream, ends_by
from dungeon_tui.cli.recordings import REPLAYING, replay
from dungeon_tui.core.catalogue import YOU, Game, Opening, Play
from dungeon_tui.core.options import Given
from dungeon_tui.core.plain import Console, fail, tell
from dungeon_tui.core.rules import Outcome
from dungeon_tui.core.session import Seats, Session
from dungeon_tui.core.turns import TurnController
from dungeon_tui.storage.folders import home
from dungeon_tui.storage.journal import Journal
from dungeon_tui.storage.library import NAME, Library, LibraryError, Resumed
from dungeon_tui.ui import command_line as shell

PlainOption = Annotated[bool, typer.Option("--plain", help="Play in plain text, with commands from standard input.")]
QuietOption = Annotated[
    bool, typer.Option("--quiet", help="As --plain, in sentences alone: no maps, no prompts; rows and columns from 1.")
]
RecordOption = Annotated[Path | None, shell.written("--record", "recording", "Write a recording at the end")]
RecordingOption = Annotated[
    Path | None, shell.option("--recording", "FILE", "Replay a recording; you can play on from any turn.")
]
_MAX_SAVING_DELAY_S = 1.0  # of a turn while more commands wait
_KEYS = """Keys on the screen: move with the arrows, the number pad, w a s d or h j k l (y u b n for diagonals, if there
are any); stay with e; backspace takes a move back, / gives a hint, ? shows all rules and keys, q quits."""
AsciiOption = Annotated[bool, typer.Option("--ascii", help="Draw the screen with ASCII characters only.")]


def command(game: Game) -> Callable[..., None]:
    """The function behind `GAME play`, with the options of the game's levels and the common ones."""
    table = game.commands().OPTIONS

    def play(
        given: Given,
        context: typer.Context,
        plain: PlainOption = False,
        quiet: QuietOption = False,
        record: RecordOption = None,
        force: shell.ForceOption = False,
        recording: RecordingOption = None,
        ascii_only: AsciiOption = False,
    ) -> None:
        if recording is not None and given:
            raise typer.BadParameter("a recording can't be combined with a level", param_hint="--recording")
        wanted = _wanted(game, given) if recording is None else replay(game, recording)
        if shell.is_standard_output(record):
            fail("--record needs a file: standard output (-) is for the game")
        is_ascii = ascii_only or context.find_root().params["ascii_only"]
        run(game, wanted, plain=plain, quiet=quiet, record=record, ascii_only=is_ascii)

    play.__doc__ = f"{table.summary}\n\n{game.rules_text}\n\n{_KEYS}"
    return shell.takes_level(table)(play)


def _wanted(game: Game, given: Given) -> Play:
    """Plays a level; a generated level without a seed gets a random one."""
    if not given:
        return game.commands().opened(None)
    note = ""
    if given.lacks_seed:
        given = given.combined(seed=shell.seed_by_chance())
        note = shell.seed_note(given["seed"])
    with shell.one_line_errors(), shell.wrong_usage():
        opening = game.levels().opening(given)
    return replace(game.commands().opened(opening), note=note)


def run(
    game: Game,
    wanted: Play,
    *,
    plain: bool = False,
    quiet: bool = False,
    record: Path | None = None,
    ascii_only: bool = False,
    resumed: Resumed | None = None,
) -> NoReturn:
    """Plays on a screen, or in plain text if `plain`, `quiet` or without a screen; ends the process.

    In plain text it continues `resumed`, a game of the library; on a screen the opening does.
    """
    # Play on a screen if there is one.
    plain = plain or quiet
    if not plain and not has_screen():
        plain = True
        print(f"No terminal to draw on: {wanted.what} in plain text (--plain).", file=sys.stderr)
    if not plain and record is not None and wanted.opening is None:
        raise typer.BadParameter("name a level: games from the menu are not recorded", param_hint="--record")
    if not plain:
        opening, asks = wanted.opening and _titled(game, wanted.opening), wanted.what != REPLAYING and record is None
        open_app(game, opening, record, ascii_only, asks=asks)
    # Otherwise play in plain text: the arguments name the level in the library.
    arguments = wanted.plain_arguments
    if arguments is None:
        arguments = "" if wanted.opening is None else wanted.opening.arguments
    opening = wanted.opening or Opening(game.title, lambda: None)
    if resumed is None:
        opening = _titled(game, replace(opening, arguments=arguments))
    if wanted.what != REPLAYING and sys.stdin.isatty():
        print("Type help for a list of words.", file=sys.stderr)
    # Save the turns played so far before each command is read.
    keeper = Keeper(game, opening, resumed)
    if isinstance(sys.stdin, io.TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    stream = EndingStream(sys.stdin, sys.stdout)
    stream.before_reading = keeper.keep

    def begin(controller: TurnController[Any, Any, Any], players: Mapping[str, str]) -> Callable[[], object]:
        if wanted.note:
            print(wanted.note, file=sys.stderr)
        return keeper.begin(controller, players)

    # Play to the end, then write the recording.
    with ends_by(stream.end):
        try:
            end = wanted.plain(Console(cast(TextIO, stream), cast(TextIO, stream), sys.stderr, begin, is_quiet=quiet))
            stream.flush()
        finally:
            keeper.close()
        if record is not None and end.controller is not None:
            write_recording(record, end.controller, game.name, end.players, arguments)
    raise typer.Exit(stream.exit_status or end.exit_status)


def _titled(game: Game, opening: Opening) -> Opening:
    """The opening with the title that the menu has for its level."""
    if not opening.arguments:
        return opening
    with suppress(ValueError):
        offered = {each.arguments: each for each in game.levels().openings()}
        known = offered.get(opening.arguments) or game.levels().named(opening.arguments)
        return replace(opening, title=known.title)
    return opening


def edit_command(game: Game) -> Callable[..., None]:
    """The function behind `GAME edit [FILE]`."""

    def edit(
        context: typer.Context,
        file: Annotated[
            str, shell.argument("[FILE]", "A level file; a new one if it doesn't exist.", show_default=False)
        ] = "",
        ascii_only: AsciiOption = False,
    ) -> None:
        """Draw a level, with the solver's verdict as you draw."""
        from dungeon_tui.ui.editor.opening import editor_opening

        opening = editor_opening(game, file)
        level = opening.load()  # now, so that errors in the file appear in the shell
        if not has_screen():
            print("No terminal to draw on: an editor needs one.", file=sys.stderr)
            raise typer.Exit(2)
        open_app(
            game, replace(opening, load=lambda: level), None, ascii_only or context.find_root().params["ascii_only"]
        )

    return edit


class Keeper:
    """Saves a plain-text game; reports problems on standard error, and the game continues."""

    def __init__(self, game: Game, opening: Opening, resumed: Resumed | None = None) -> None:
        self._game, self._opening, self._resumed = game, opening, resumed
        self._library: Library | None = None
        self._journal: Journal | None = None
        self._session: Session | None = None
        self._saved_at = 0.0

    def begin(self, controller: TurnController[Any, Any, Any], players: Mapping[str, str]) -> Callable[[], object]:
        """Follows a game from its current turn on; returns the function to call when a player gets help."""

        def is_won(_: Any, outcome: Outcome) -> bool:
            return self._judged(controller, players)[0] if players else outcome.is_win

        # Follow the game as a session, as the screen does.
        opening, resumed = self._opening, self._resumed
        person = next((seat for seat, player in players.items() if player == YOU), next(iter(players), ""))
        seats = Seats(dict.fromkeys(players, ()), lambda _: person) if players else None
        self._session = session = Session(controller, seats, players, arguments=opening.arguments)
        # A resumed game keeps the numbers of its turns in the library.
        if resumed is not None:
            known = zip(controller.turn.line(), resumed.controller.turn.line(), strict=True)
            numbers = {turn: resumed.numbers[old] for turn, old in known}
            resumed = Resumed(resumed.stored, controller, numbers)
        # Write it into the library; without one the game goes on unsaved.
        try:
            self._library = Library(home() / NAME)
            if self._library.notice:
                tell(self._library.notice)
            if self._library.is_readonly:
                return bool
            self._journal = Journal(
                self._library,
                self._game,
                session,
                is_won,
                resumed=resumed,
                title=opening.title,
                arguments=opening.arguments,
                daily="" if opening.day is None else opening.day.isoformat(),
                is_helped=bool(opening.actions),
            )
        except (LibraryError, OSError) as error:
            tell(f"This game is not saved: {error}")
            return bool
        self._journal.is_at_once = False
        self._journal.on_trouble = self._journal.on_behind = tell
        return partial(self._journal.mark_helped, "a hint")

    def keep(self) -> None:
        """Saves played turns before the next command is read, unless the command has arrived already."""
        if self._journal is not None and (_waits() or monotonic() - self._saved_at > _MAX_SAVING_DELAY_S):
            self._journal.keep()
            self._saved_at = monotonic()

    def close(self) -> None:
        if self._journal is not None and self._session is not None:
            session = self._session
            self._journal.keep()
            if session.outcome is not None:
                _, scores = self._judged(session.controller, session.players)
                self._journal.add_end(session.turn, session.outcome, scores)
            self._journal.close()
        if self._library is not None:
            self._library.close()

    def _judged(self, controller: TurnController[Any, Any, Any], players: Mapping[str, str]) -> Any:
        from dungeon_tui.ui.snapshot import judged  # here: it loads Textual

        return judged(self._game.name, controller, players)


def _waits() -> bool:
    """True if the next command hasn't arrived yet."""
    try:
        return sys.stdin.isatty() or not select.select([sys.stdin], [], [], 0)[0]
    except (OSError, ValueError):  # it is no file, or the system can't tell
        return True
