"""Recordings: a level, a seed and actions as text. Reading one runs nothing but the game's own rules.

One JSON object a line: a header, a line per action, a closing line. A line of every `HASH_EVERY`-th turn carries a
hash of the state, so that a re-execution that goes another way says where.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dungeon_tui.core.catalogue import Levels, find_game
from dungeon_tui.core.json_places import parsed
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.turns import Turn, TurnController

FORMAT = "dungeon-tui recording"
FORMAT_VERSION = 1
HASH_EVERY = 16  # turns
MOST_TURNS = 500_000
UNFINISHED = "unfinished"
CUT_OFF = "the closing line with the outcome is missing: the recording was cut off"
UNNAMED = "<recording>"  # the file of a recording that was not read from one, and of errors that are its own
_KINDS = {int: "a whole number", str: "a text", list: "a list", dict: "an object"}


class RecordingError(LevelError):
    """A recording's text is not what it should be; says in which line."""


class RecordingDivergedError(ValueError):
    """A recording, re-executed, went another way than it says; names the turn and the line of the file."""

    def __init__(self, turn: int, message: str, line: int | None = None) -> None:
        super().__init__(f"turn {turn}: {message}")
        self.turn = turn
        self.line = turn + 1 if line is None else line  # the header comes first


@dataclass(frozen=True, slots=True)
class Recording:
    """A game as it was played, re-executable on every machine."""

    game: str
    rules_version: int
    level: PackedLevel
    seed: int
    actions: tuple[str, ...]
    hashes: Mapping[int, str]  # turn (0: before the first action) -> fingerprint of the state after it
    outcome: str  # the outcome's name, or "unfinished"
    last_hash: str
    strategies: Mapping[str, str] = field(default_factory=dict)
    title: str = ""  # of what was played
    saved: str = ""  # when: "2025-03-01 20:15"
    arguments: str = ""  # of `GAME play`, which open the level, too; empty: it has no name there
    opens_at: int = 0  # the turn that is shown first
    file: str = field(default=UNNAMED, compare=False)  # where it was read
    level_hash: str | None = field(default=None, compare=False)  # as recorded; None: the level's own
    turns: int | None = field(default=None, compare=False)  # as recorded; None: as many as there are actions


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of verifying a recording."""

    is_ok: bool
    turns: int
    outcome: str
    diverged_at: int | None  # turn
    message: str
    line: int | None = None  # of the file, where it diverged


def record(
    controller: TurnController[Any, Any, Any],
    game: str,
    strategies: Mapping[str, str] | None = None,
    title: str = "",
    saved: str = "",
    turn: Turn[Any, Any] | None = None,
    arguments: str = "",
) -> Recording:
    """The recording of all turns up to one, by default the present one; strategies are given by seat."""
    rules = controller.rules
    line = (turn or controller.turn).line()
    last = line[-1].state
    hashes = {each.ply: rules.fingerprint(each.state) for each in line[:-1] if each.ply % HASH_EVERY == 0}
    outcome = rules.outcome(last)
    return Recording(
        game=game,
        rules_version=rules.VERSION,
        level=_levels(game).pack_level(controller.level),
        seed=controller.seed,
        actions=tuple(rules.action_text(each.action) for each in line[1:]),
        hashes=hashes,
        outcome=outcome.name if outcome else UNFINISHED,
        last_hash=rules.fingerprint(last),
        strategies=dict(strategies or {}),
        title=title,
        saved=saved,
        arguments=arguments,
    )


def recording_text(recording: Recording) -> str:
    """The recording as it is written to a file: lines of JSON."""
    notes = {key: getattr(recording, key) for key in ("title", "saved", "arguments", "opens_at")}
    header = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "game": recording.game,
        "rules": recording.rules_version,
        **packed_values(recording.level),
        "sha256": level_hash(recording.level),
        "seed": recording.seed,
        "strategies": dict(recording.strategies),
        **{key: value for key, value in notes.items() if value},
    }
    lines: list[dict[str, Any]] = [header]
    for turn, action in enumerate(recording.actions, 1):
        lines.append({"action": action})
        if turn in recording.hashes:
            lines[-1]["hash"] = recording.hashes[turn]
    if 0 in recording.hashes:
        header["hash"] = recording.hashes[0]
    lines.append({"outcome": recording.outcome, "turns": len(recording.actions), "hash": recording.last_hash})
    return "".join(json.dumps(line, ensure_ascii=True) + "\n" for line in lines)


def read_recording(file: LevelFile) -> Recording:
    """Reads what `recording_text` wrote.

    Raises:
        RecordingError: it is not a whole, well-formed recording of a version we know.
    """
    try:
        file.refuse_what_is_not_text()
    except LevelError as error:
        raise RecordingError(error.message, error.file, error.line, error.column) from None
    lines = json_lines(file)
    header = next(lines, None)
    if header is None:
        raise RecordingError("the recording is empty; its first line is a JSON object with a format", file.name)
    name = recorded_game(header)
    level = read_packed(header)
    actions: list[str] = []
    hashes: dict[int, str] = {}
    line = header
    for following in lines:
        if line is not header:
            actions.append(line.get("action", str))
        if "hash" in line.values:
            hashes[len(actions)] = line.get("hash", str)
        if len(actions) > MOST_TURNS:
            raise line.error(f"more than {MOST_TURNS:,} turns: no recording is that long")
        line = following
    closing = line
    if closing is header or "outcome" not in closing.values:
        raise closing.error(CUT_OFF)
    return Recording(
        game=name,
        rules_version=header.get("rules", int),
        level=level,
        seed=header.get("seed", int),
        actions=tuple(actions),
        hashes=hashes,
        outcome=closing.get("outcome", str),
        last_hash=closing.get("hash", str),
        strategies=header.get_if_there("strategies", dict),
        title=header.get_if_there("title", str),
        saved=header.get_if_there("saved", str),
        arguments=header.get_if_there("arguments", str),
        opens_at=header.get_if_there("opens_at", int),
        file=file.name,
        level_hash=header.get("sha256", str),
        turns=closing.get("turns", int),
    )


def recorded_game(header: JsonLine) -> str:
    """The name of the game that a recording is of.

    Raises:
        RecordingError: it is not the header of a recording of a version and a game we know.
    """
    if header.get("format", str) != FORMAT:
        raise header.error(f'not a recording: "format" is not "{FORMAT}"')
    if header.get("version", int) != FORMAT_VERSION:
        raise header.error(f"recordings of version {header.get('version', int)} can't be read, only {FORMAT_VERSION}")
    name: str = header.get("game", str)
    if find_game(name) is None:
        raise header.error(f"there is no game {name!r}")
    return name


def replay(recording: Recording) -> Iterator[TurnController[Any, Any, Any]]:
    """Re-executes a recording: yields the controller before the first action and after each one.

    Raises:
        LevelError: the level in it can't be read.
        RecordingDivergedError: an action is not legal, or a state is another one than was recorded.
    """
    game = find_game(recording.game)
    assert game is not None, recording.game
    rules = game.rules()
    if recording.rules_version != rules.VERSION:
        raise RecordingDivergedError(0, f"recorded by rules {recording.rules_version}, these are rules {rules.VERSION}")
    if recording.level_hash not in (None, level_hash(recording.level)):
        raise RecordingDivergedError(0, "the level does not match its SHA-256: one of them was changed")
    level = _levels(recording.game).unpack_level(recording.level)
    try:
        controller = TurnController(rules, level, recording.seed)
    except ValueError as error:
        raise LevelError(str(error), UNNAMED) from None
    _compare(controller, recording.hashes.get(0))
    yield controller
    for turn, text in enumerate(recording.actions, 1):
        try:
            controller.apply(rules.read_action(text))
        except IllegalActionError as error:
            raise RecordingDivergedError(turn, str(error)) from None
        except ValueError:
            raise RecordingDivergedError(turn, f"{text!r} is not an action of {recording.game}") from None
        _compare(controller, recording.hashes.get(turn))
        yield controller
    if recording.turns is not None and recording.turns != len(recording.actions):
        message = f"{recording.turns} turns were recorded, {len(recording.actions)} are here"
        turn = max(0, min(recording.turns, len(recording.actions)))
        raise RecordingDivergedError(turn, message, len(recording.actions) + 2)
    outcome = controller.outcome.name if controller.outcome else UNFINISHED
    last, closing_line = len(recording.actions), len(recording.actions) + 2
    if outcome != recording.outcome:
        message = f"recorded {recording.outcome!r}, came out {outcome!r}"
        raise RecordingDivergedError(last, message, closing_line)
    _compare(controller, recording.last_hash, closing_line)


def reexecute(recording: Recording) -> tuple[TurnController[Any, Any, Any] | None, Verdict]:
    """Re-executes a recording as far as it goes, and raises nothing where it goes wrong: the verdict says so.

    Returns:
        The controller at the last turn that could be played, None where there is not even a first one; the verdict.
    """
    controller, turns, outcome = None, 0, UNFINISHED
    try:
        for controller in replay(recording):
            turns = controller.turn.ply
            outcome = controller.outcome.name if controller.outcome else UNFINISHED
    except RecordingDivergedError as error:
        return controller, Verdict(False, turns, outcome, error.turn, str(error), error.line)
    except LevelError as error:
        message = error.message if error.file == UNNAMED else f"its level can't be read: {error}"
        return None, Verdict(False, 0, UNFINISHED, 0, message, 1)
    return controller, Verdict(True, turns, outcome, None, "re-executed to the same end")


def open_replay(recording: Recording) -> tuple[TurnController[Any, Any, Any], str]:
    """Re-executes a recording and goes to the turn that it opens at.

    Returns:
        The controller at that turn; a sentence on what is wrong, with turn and line, empty if nothing is.

    Raises:
        RecordingError: not even a first turn can be shown.
    """
    controller, verdict = reexecute(recording)
    if controller is None:
        raise RecordingError(verdict.message, recording.file, verdict.line or 1)
    line = controller.turn.line()
    controller.go_to(line[max(0, min(recording.opens_at, len(line) - 1))])
    if verdict.is_ok:
        return controller, ""
    return controller, f"It goes another way at {verdict.message} (line {verdict.line} of the file)."


def _compare(controller: TurnController[Any, Any, Any], recorded: str | None, line: int | None = None) -> None:
    if recorded is not None and controller.rules.fingerprint(controller.state) != recorded:
        raise RecordingDivergedError(controller.turn.ply, "the state is not the one that was recorded", line)


def _levels(game_name: str) -> Levels:
    game = find_game(game_name)
    assert game is not None, game_name
    return game.levels()


def packed_values(level: PackedLevel) -> dict[str, Any]:
    """A packed level as two values of a JSON object."""
    return {
        "level": [{"name": file.name, **_content(file)} for file in level.files],
        "options": dict(level.options),
    }


def read_packed(line: JsonLine) -> PackedLevel:
    """The packed level of which a line holds the values.

    Raises:
        RecordingError: they are missing, or something else.
    """
    options = line.get_if_there("options", dict)
    for key, value in options.items():
        if not isinstance(value, int | str):
            raise line.error(f'option "{key}" is neither a number nor a text')
    return PackedLevel(tuple(_level_file(line, entry) for entry in line.get("level", list)), options)


def _content(file: LevelFile) -> dict[str, str]:
    try:
        return {"text": file.data.decode("utf-8")}
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(file.data).decode("ascii")}


def _level_file(header: JsonLine, entry: Any) -> LevelFile:
    if isinstance(entry, dict) and isinstance(entry.get("name"), str):
        if isinstance(entry.get("text"), str):
            return LevelFile(entry["name"], entry["text"].encode("utf-8", "surrogatepass"))
        if isinstance(entry.get("base64"), str):
            try:
                return LevelFile(entry["name"], base64.b64decode(entry["base64"], validate=True))
            except ValueError:  # binascii.Error is one; characters beyond ASCII raise a plain one
                raise header.error("a level's base64 is broken") from None
    raise header.error('each entry of "level" has a name, and text or base64')


def level_hash(level: PackedLevel) -> str:
    """SHA-256 over the level's files, one after the other, in hexadecimal."""
    digest = hashlib.sha256()
    for file in level.files:
        digest.update(file.data)
    return digest.hexdigest()


def json_lines(file: LevelFile) -> Iterator[JsonLine]:
    """The lines of a text that are not empty, one after the other; each is a JSON object.

    Raises:
        RecordingError: a line is something else.
    """
    data, number, at = file.data, 1, 0
    for found in re.finditer(rb"\S[^\n]*", data):
        start, end = found.span()
        number, at = number + data.count(b"\n", at, start), start
        yield JsonLine(file.name, number, data[data.rfind(b"\n", 0, at) + 1 : end].decode())


class JsonLine:
    """One line: an object, and the errors that name its place.

    Raises:
        RecordingError: it is not a JSON object; an empty line is one without values.
    """

    def __init__(self, file: str, number: int, text: str) -> None:
        self.file, self.number, self.text = file, number, text
        self.values: dict[str, Any] = {}
        if not text.strip():
            return
        try:
            values = parsed(text)
        except json.JSONDecodeError as error:
            raise RecordingError("not JSON: each line is one JSON object", file, number, error.colno) from None
        except ValueError as error:
            raise RecordingError(f"not JSON that can be read: {error}", file, number) from None
        if not isinstance(values, dict):
            raise self.error("not a JSON object")
        self.values = values

    def error(self, message: str) -> RecordingError:
        """The error, to be raised, that names this line and its file."""
        return RecordingError(message, self.file, self.number)

    def get(self, key: str, kind: type) -> Any:
        """The value of a key, of the type `kind`.

        Raises:
            RecordingError: it is missing, or of another type.
        """
        value = self.values.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(f'"{key}" is missing or not {_KINDS[kind]}')
        return value

    def get_if_there(self, key: str, kind: type) -> Any:
        """The value of a key as in `get`; where the key is missing the type's empty value: 0, "", [] or {}."""
        return self.get(key, kind) if key in self.values else kind()
