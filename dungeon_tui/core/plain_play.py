"""Plain-text play: one loop for all games. Lines that are words, such as `look`, are answered in sentences."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Generic, TextIO, cast

from dungeon_tui.core.catalogue import PlainEnd
from dungeon_tui.core.guide import Guide
from dungeon_tui.core.plain import FAREWELL, Console, TextAhead, read_command
from dungeon_tui.core.rules import IllegalActionError, StateT
from dungeon_tui.core.turns import Turn, TurnController
from dungeon_tui.core.words import sentence

NEAR = "near"
WORDS = ("look", "who", NEAR, "hint", "undo", "restart", "quiet", "map", "help")
HELP = (
    "Words, one a line: look, your surroundings; who, your hunters; near WORD, the way to"
    " the nearest; hint; undo; restart; quiet, no maps and no prompts; map, both again; help."
)
QUIT = "q"
AGAIN = "Type undo or restart to continue, anything else to end: "
NOT_UNDERSTOOD = "I did not understand your command."

Text = str | Iterable[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Script(Generic[StateT]):
    """The plain text of one game."""

    guide: Guide[StateT]
    opening: Text
    board: Callable[[StateT], Text]
    turn: Callable[[Turn[StateT, Any], str | None], Text]
    """The text of a turn that was played; a str stands in the board's place."""
    read_action: Callable[[StateT, str], Any]
    """The action of a command. Raises ValueError: there is none."""
    not_understood: str = NOT_UNDERSTOOD  # empty: the ValueError says it
    prompt: str | Callable[[StateT], str] = ""
    closing: Callable[[StateT, bool], Text] = lambda state, has_left: FAREWELL if has_left else ""
    read: Callable[[TextIO], str] = read_command  # the next of the input; empty at its end
    split: Callable[[StateT, str], Sequence[str]] = lambda state, text: [text]  # into commands
    others: Mapping[str, Callable[[str | None], Text]] = field(default_factory=dict)
    """Commands that are no actions; called with the text in place of the board."""
    letters: str = ""  # the commands, if each is a character
    choose: Callable[[StateT], Any] = lambda state: None  # the action of a strategy; None: a person moves
    is_persons_move: Callable[[StateT], bool] = lambda state: True  # True if a person moves
    is_taken: Callable[[StateT, str], bool] = lambda state, line: False
    """True for a word that means something else: a room of that name."""
    is_final: Callable[[StateT], bool] = lambda state: False  # True if moves are final


def play(
    script: Script[StateT],
    game: TurnController[Any, StateT, Any],
    console: Console,
    players: Mapping[str, str] | None = None,
) -> PlainEnd:
    """Plays a game from its current turn until it ends, the player quits, or the input ends.

    A lost game continues after `undo` or `restart`. The exit status is 130 after Ctrl-C, else 0.

    A line is a word if it is nothing else, or follows a `?`. Characters of an incomplete line wait only while they may
    become a word and are no commands. After the first word, a line with anything but commands is a mistyped word.
    """
    loop = _Loop(script, game, console, players or {})
    try:
        loop.run()
    except KeyboardInterrupt:  # the result has the turns played
        return PlainEnd(130, game, players or {})
    return PlainEnd(0, game, players or {})


class _Loop(Generic[StateT]):
    def __init__(
        self,
        script: Script[StateT],
        game: TurnController[Any, StateT, Any],
        console: Console,
        players: Mapping[str, str],
    ) -> None:
        source = console.source
        self._ahead = source if isinstance(source, TextAhead) else TextAhead(source.readline)
        self._script, self._game, self._out = script, game, console.out
        self._is_quiet, self._has_prompted = console.is_quiet, False
        self._is_terminal = source.isatty()  # a program that plays gets the prescribed text and no more
        self._mark_helped = console.begin(game, players)

    def run(self) -> None:
        for text in self._script.opening:  # players prepare meanwhile
            self._write("" if self._is_quiet else text)
        self._play_on()
        while self._is_taken_back():
            self._play_on()

    def _play_on(self) -> None:
        script, game, has_left = self._script, self._game, False
        while game.outcome is None and not has_left:
            if (action := script.choose(game.state)) is not None:
                self._apply(action)
                continue
            if self._is_quiet and not self._has_prompted:
                self._has_prompted = True
                self._write(self._look())
            prompt = "" if self._is_quiet else script.prompt
            self._write(prompt if isinstance(prompt, str) else prompt(game.state))
            self._out.flush()
            if self._has_answered():
                continue
            text = script.read(cast(TextIO, self._ahead))
            has_left = not text
            for command in script.split(game.state, text) if text else ():
                has_left = command == QUIT and not script.is_taken(game.state, command)
                if has_left or game.outcome is not None:
                    break
                self._play(command)
        self._write(script.closing(game.state, has_left))

    def _is_taken_back(self) -> bool:
        """True if the player takes a lost game back: at a terminal with the next line, else with any later one."""
        outcome = self._game.outcome
        if outcome is None or outcome.is_win or self._script.is_final(self._game.state):
            return False
        self._write(AGAIN if self._is_terminal or self._has_prompted else "")
        self._out.flush()
        if not self._ahead.is_line_start:
            self._ahead.readline()
        while line := self._ahead.readline():
            if (word := line.strip().lower().removeprefix("?")) in ("undo", "restart"):
                self._write(self._take_back(word))
                return True
            if self._is_terminal:
                break
        return False

    def _write(self, text: Text) -> None:
        self._out.writelines([text] if isinstance(text, str) else text)

    def _play(self, command: str) -> None:
        script, state = self._script, self._game.state
        try:
            if other := script.others.get(command):
                self._write(other(self._instead_of_board()))
            else:
                self._apply(script.read_action(state, command))
        except IllegalActionError as error:
            self._write(f"{sentence(str(error))}\n")
        except ValueError as error:
            self._write(f"{script.not_understood or sentence(str(error))}\n")

    def _apply(self, action: Any) -> None:
        self._write(self._script.turn(self._game.apply(action), self._instead_of_board()))

    def _instead_of_board(self) -> str | None:
        """None if the board is to be printed; else a line about hunters, which may be empty."""
        if not self._is_quiet:
            return None
        script, state = self._script, self._game.state
        who = script.guide.who(state) if self._game.outcome is None and script.is_persons_move(state) else ""
        return f"{who}\n" if who else ""

    # -- words

    def _has_answered(self) -> bool:
        word, _, rest = self._word().partition(" ")
        if word:
            self._has_prompted = True
            self._write(self._answer(word.lower(), rest.strip()))
        return bool(word)

    def _word(self) -> str:
        """The next line, without its `?`, if it is a word; else empty."""
        source, is_all = self._ahead, False
        while source.peek()[:1].isspace():
            source.read(1)
        if not source.is_line_start:
            return ""
        while True:
            text, newline, _ = source.peek().partition("\n")
            line = text.strip().removeprefix("?")
            if newline or is_all:
                word, _, rest = line.lower().partition(" ")
                is_word = word == NEAR or (word in WORDS and not rest)
                if not (is_word or self._is_mistyped(line)) or self._script.is_taken(self._game.state, text.strip()):
                    return ""
                source.readline()
                return line
            if not (_may_become_word(line.lower()) or self._is_mistyped(line)) or self._is_played(text):
                return ""
            is_all = not source.wait()

    def _is_played(self, text: str) -> bool:
        return {*"".join(text.split())} <= {*self._script.letters}

    def _is_mistyped(self, line: str) -> bool:
        return self._has_prompted and bool(self._script.letters) and not self._is_played(line)

    def _answer(self, word: str, rest: str) -> Text:
        guide, state = self._script.guide, self._game.state
        match word:
            case "look":
                text = guide.look(state)
            case "who":
                text = guide.who(state) or "Nobody sees or hunts you."
            case "near":
                text = guide.near(state, rest)
            case "hint":
                self._mark_helped()
                try:
                    text = guide.hint(state)
                except ValueError as error:
                    text = sentence(str(error))
            case "undo" | "restart":
                return self._take_back(word)
            case "quiet":
                self._is_quiet, text = True, "Quiet: map ends it."
            case "map":
                self._is_quiet = False
                return self._script.board(state)
            case "help":
                text = f"{guide.commands} {HELP}"
            case _:
                meant = get_close_matches(word, WORDS, 1)
                text = f"There is no word {word}. "
                text += f"Did you mean {meant[0]}?" if meant else f"{guide.commands} {HELP}"
        return f"{text}\n"

    def _take_back(self, word: str) -> Text:
        game, script = self._game, self._script
        if script.is_final(game.state):
            return "You have one life: nothing is taken back.\n"
        moved = [turn.ply for turn in game.turn.line()[:-1] if script.is_persons_move(turn.state)]
        if not moved or not (game.restart() if word == "restart" else game.undo(game.turn.ply - moved[-1])):
            return "You are at the start.\n"
        while not script.is_persons_move(game.state) and game.redo():
            pass
        self._write("You are back at the start.\n" if word == "restart" else "Taken back.\n")
        return self._look() if self._is_quiet else script.board(game.state)

    def _look(self) -> str:
        return f"{self._script.guide.look(self._game.state)}\n"


def _may_become_word(text: str) -> bool:
    return text.startswith(f"{NEAR} ") or any(word.startswith(text) for word in WORDS)
