"""Recordings: a level, a seed and actions as text. Reading one runs only the game's rules.

One JSON object a line: a header, the actions, a closing line. The line of every `HASH_EVERY`-th turn has a hash of the
state, so that a replay that diverges says where.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from dungeon_tui.core.catalogue import find_game
from dungeon_tui.core.fingerprints import fingerprint
from dungeon_tui.core.json_positions import parsed
from dungeon_tui.core.level import LevelError, LevelFile, PackedLevel
from dungeon_tui.core.rules import IllegalActionError
from dungeon_tui.core.turns import Turn, TurnController

FORMAT = "dungeon-tui recording"
FORMAT_VERSION = 2
HASH_EVERY = 16  # turns
MOST_TURNS = 500_000
UNFINISHED = "unfinished"
UNNAMED = "<recording>"  # the file of a recording that was not read from one, and of errors that are its own
_KINDS = {int: "a whole number", str: "a text", list: "a list", dict: "an object"}


class RecordingError(LevelError):
    """Raised when a recording is malformed; names the line."""


class _DivergedError(ValueError):
    """Raised when a replay differs from the recording; names the turn and the line of the file."""

    def __init__(self, turn: int, message: str, line: int | None = None) -> None:
        super().__init__(f"turn {turn}: {message}")
        self.turn = turn
        self.line = turn + 1 if line is None else line  # the header comes first


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded game, which can be replayed on every machine."""

    game: str
    rules_version: int
    level: PackedLevel
    seed: int
    actions: tuple[str, ...]
    hashes: Mapping[int, str]  # turn (0: before the first action) -> fingerprint of the state after it
    outcome: str  # the outcome's name, or "unfinished"
    last_hash: str
    strategies: Mapping[str, str] = field(default_factory=dict)
    title: str = ""  # of the level
    saved: str = ""  # when: "2025-03-01 20:15"
    arguments: str = ""  # of `GAME play`, for the same level; may be empty
    opens_at: int = 0  # the first turn to show
    file: str = field(default=UNNAMED, compare=False)  # its source
    level_hash: str | None = field(default=None, compare=False)  # as recorded; None: the level's own
    turns: int | None = field(default=None, compare=False)  # as recorded; None: as many as there are actions


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of verifying a recording."""

    is_ok: bool
    turns: int
    outcome: str
    diverged_at: int | None  # turn
    message: str
    line: int | None = None  # of the file, if it diverged


def record(
    controller: TurnController[Any, Any, Any],
    game: str,
    strategies: Mapping[str, str] | None = None,
    title: str = "",
    saved: str = "",
    turn: Turn[Any, Any] | None = None,
    arguments: str = "",
) -> Recording:
    """The recording of all turns up to one, by default the current one; strategies are by seat."""
    rules, known = controller.rules, find_game(game)
    assert known is not None, game
    line = (turn or controller.turn).line()
    last = line[-1].state
    outcome = rules.outcome(last)
    return Recording(
        game=game,
        rules_version=rules.VERSION,
        level=known.levels().pack_level(controller.level),
        seed=controller.seed,
        actions=tuple(rules.action_text(each.action) for each in line[1:]),
        hashes={each.ply: fingerprint(each.state) for each in line[:-1] if each.ply % HASH_EVERY == 0},
        outcome=outcome.name if outcome else UNFINISHED,
        last_hash=fingerprint(last),
        strategies=dict(strategies or {}),
        title=title,
        saved=saved,
        arguments=arguments,
    )


def recording_text(recording: Recording) -> str:
    """The recording as a file: lines of JSON."""
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
    lines: list[dict[str, Any]] = [header, *({"action": action} for action in recording.actions)]
    for turn, state_hash in recording.hashes.items():
        lines[turn]["hash"] = state_hash
    lines.append({"outcome": recording.outcome, "turns": len(recording.actions), "hash": recording.last_hash})
    return "".join(json.dumps(line, ensure_ascii=True) + "\n" for line in lines)


def read_recording(file: LevelFile) -> Recording:
    """Reads the text of a recording. Raises RecordingError unless it is whole, well-formed and of a known version."""
    try:
        file.refuse_what_is_not_text()
    except LevelError as error:
        raise RecordingError(error.message, error.file, error.line, error.column) from None
    # The header: game, level, seed.
    lines = json_lines(file)
    header = next(lines, None)
    if header is None:
        raise RecordingError("the recording is empty; its first line is a JSON object with a format", file.name)
    name = recorded_game(header)
    level = read_packed(header)
    # The turns: a line counts as one only when another follows, since the last line closes the recording.
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
    # The closing line: outcome and last hash.
    closing = line
    if closing is header or "outcome" not in closing.values:
        raise closing.error("the closing line with the outcome is missing: the recording was cut off")
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
    """The name of the recorded game. Raises RecordingError unless the header is of a known version and game."""
    if header.get("format", str) != FORMAT:
        raise header.error(f'not a recording: "format" is not "{FORMAT}"')
    if header.get("version", int) != FORMAT_VERSION:
        raise header.error(f"recordings of version {header.get('version', int)} can't be read, only {FORMAT_VERSION}")
    name: str = header.get("game", str)
    if find_game(name) is None:
        raise header.error(f"there is no game {name!r}")
    return name


def _replay(recording: Recording) -> Iterator[TurnController[Any, Any, Any]]:
    """Yields the controller before the first action and after each one. Raises LevelError or _DivergedError."""
    game = find_game(recording.game)
    assert game is not None, recording.game
    rules = game.rules()
    # The rules and the level must be those of the recording.
    if recording.rules_version != rules.VERSION:
        raise _DivergedError(0, f"recorded by rules {recording.rules_version}, these are rules {rules.VERSION}")
    if recording.level_hash not in (None, level_hash(recording.level)):
        raise _DivergedError(0, "the level does not match its SHA-256: one of them was changed")
    level = game.levels().unpack_level(recording.level)
    try:
        controller = TurnController(rules, level, recording.seed)
    except ValueError as error:
        raise LevelError(str(error), UNNAMED) from None
    # Play each action, and compare the recorded hashes.
    _compare(controller, recording.hashes.get(0))
    yield controller
    for turn, text in enumerate(recording.actions, 1):
        try:
            controller.apply(rules.read_action(text))
        except IllegalActionError as error:
            raise _DivergedError(turn, str(error)) from None
        except ValueError:
            raise _DivergedError(turn, f"{text!r} is not an action of {recording.game}") from None
        _compare(controller, recording.hashes.get(turn))
        yield controller
    # The number of turns and the outcome must agree, too.
    last = len(recording.actions)
    if recording.turns is not None and recording.turns != last:
        raise _DivergedError(
            max(0, min(recording.turns, last)), f"{recording.turns} turns were recorded, {last} are here", last + 2
        )
    outcome = controller.outcome.name if controller.outcome else UNFINISHED
    if outcome != recording.outcome:
        raise _DivergedError(last, f"recorded {recording.outcome!r}, came out {outcome!r}", last + 2)
    _compare(controller, recording.last_hash, last + 2)


def reexecute(recording: Recording) -> tuple[TurnController[Any, Any, Any] | None, Verification]:
    """Replays a recording until it fails, if it does; returns the controller (None: not even a start) and why."""
    controller, turns, outcome = None, 0, UNFINISHED
    try:
        for controller in _replay(recording):
            turns = controller.turn.ply
            outcome = controller.outcome.name if controller.outcome else UNFINISHED
    except _DivergedError as error:
        return controller, Verification(False, turns, outcome, error.turn, str(error), error.line)
    except LevelError as error:
        message = error.message if error.file == UNNAMED else f"its level can't be read: {error}"
        return None, Verification(False, 0, UNFINISHED, 0, message, 1)
    return controller, Verification(True, turns, outcome, None, "re-executed to the same end")


def open_replay(recording: Recording) -> tuple[TurnController[Any, Any, Any], str]:
    """Replays a recording and goes to where it opens; returns its first fault, too. Raises RecordingError."""
    controller, found = reexecute(recording)
    if controller is None:
        raise RecordingError(found.message, recording.file, found.line or 1)
    line = controller.turn.line()
    controller.go_to(line[max(0, min(recording.opens_at, len(line) - 1))])
    if found.is_ok:
        return controller, ""
    return controller, f"It goes another way at {found.message} (line {found.line} of the file)."


def _compare(controller: TurnController[Any, Any, Any], recorded: str | None, line: int | None = None) -> None:
    if recorded is not None and fingerprint(controller.state) != recorded:
        raise _DivergedError(controller.turn.ply, "the state differs from the recorded one", line)


def packed_values(level: PackedLevel) -> dict[str, Any]:
    """A packed level as two values of a JSON object."""
    return {"level": [{"name": file.name, **_content(file)} for file in level.files], "options": dict(level.options)}


def read_packed(line: JsonLine) -> PackedLevel:
    """The packed level in a line. Raises RecordingError if its values are missing or wrong."""
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
    """SHA-256 over the level's files, in hexadecimal."""
    digest = hashlib.sha256()
    for file in level.files:
        digest.update(file.data)
    return digest.hexdigest()


def json_lines(file: LevelFile) -> Iterator[JsonLine]:
    """The nonempty lines of a text. Raises RecordingError unless each is a JSON object."""
    data, number, at = file.data, 1, 0
    for found in re.finditer(rb"\S[^\n]*", data):
        start, end = found.span()
        number, at = number + data.count(b"\n", at, start), start
        yield JsonLine(file.name, number, data[data.rfind(b"\n", 0, at) + 1 : end].decode())


class JsonLine:
    """A line with one object, or nothing; its errors name the line. Raises RecordingError if it is something else."""

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
        """The error about this line."""
        return RecordingError(message, self.file, self.number)

    def get(self, key: str, kind: type) -> Any:
        """The value of a key. Raises RecordingError if it is missing, or not of the type `kind`."""
        value = self.values.get(key)
        if not isinstance(value, kind) or isinstance(value, bool):
            raise self.error(f'"{key}" is missing or not {_KINDS[kind]}')
        return value

    def get_if_there(self, key: str, kind: type) -> Any:
        """The value of a key, or the empty value of its type: 0, "", [] or {}."""
        return self.get(key, kind) if key in self.values else kind()
