"""Share codes: a level of this program, and a position on it, in at most 80 characters that a mail or a chat can carry.

A code is data: the arguments that open the level, and actions. Opening one runs nothing but the game's own rules and
generators. Its bytes are written in the URL-safe base 64 of RFC 4648, without padding: the version, two bytes of
checksum, and one large number, in which the digits of `_follow` stand, each with as many values, and these as likely,
as fit the moment.

Source:
    Duda, "Asymmetric numeral systems" (2009): mixed radix with digits of unequal weight; here on whole numbers.
"""

from __future__ import annotations

import base64
import hashlib
import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any, Protocol

from dungeon_tui.core.arguments import with_options
from dungeon_tui.core.catalogue import Game, Opening, find_game
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.recording import level_hash
from dungeon_tui.core.rules import IllegalActionError, Rules
from dungeon_tui.core.text import named, printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import turn_name

VERSION = 1
MOST_CHARACTERS = 80
MOST_READ = 200
"""Characters of what is typed or pasted, blanks and line ends included, beyond which nothing is read."""

_LENGTH_DIGITS = 16
MOST_ACTIONS = (1 << _LENGTH_DIGITS - 1) - 1
"""More than any code can hold but for moves of which there was only one."""

_AGAIN = 4  # the action taken last is as likely as so many others
_END = "\n"  # of a text
_SIGNS = [_END, *map(chr, range(ord(" "), 0x7F))]
_LIKELIHOOD = [4 if re.fullmatch(r"[a-z0-9 \n-]", sign) else 1 for sign in _SIGNS]
_SAME_SIGN = 300  # likelihood of the sign that stands there in the text before
_LONGEST_TEXT = 400
_HASH_BITS = 16
_RULES = 64  # versions of a game's rules that are told apart
_MISTYPED = "the code was mistyped or cut off: capital and small letters matter, and all of it is needed"


class CodeError(ValueError):
    """There is no such code, or none for this: one line that says why."""


class TooLongError(CodeError):
    """A code would be longer than a code may be."""


@dataclass(frozen=True, slots=True)
class Share:
    """A level of this program, and the actions that lead to a position on it."""

    game: str
    arguments: str  # of `GAME play`, which open the level: see Levels.named
    actions: tuple[str, ...] = ()  # as recordings write them
    level: Any = field(default=None, compare=False, repr=False)  # as it was opened; None: not yet


def encode(share: Share) -> str:
    """The code of a level or a position.

    Raises:
        TooLongError: it would be longer than a code may be.
        CodeError: its level or an action is none of this program's.
    """
    if len(share.actions) > MOST_ACTIONS:
        raise TooLongError(f"{len(share.actions):,} moves are too many for a code")
    writer = _Writer()
    _follow(writer, share)
    number = writer.number()
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    code = _spelled(bytes([VERSION]) + _checksum(VERSION, data) + data)
    if len(code) > MOST_CHARACTERS:
        raise TooLongError(f"this position takes {len(code):,} characters; a code holds {MOST_CHARACTERS}")
    return code


def decode(text: str) -> Share:
    """The level and the position that a code stands for, the level opened; blanks and line ends count for nothing.

    Raises:
        CodeError: it is none, it was mistyped or cut off, it is of a newer version or other rules, or its level is
            not here any more or was changed since.
    """
    code = "".join(text[: MOST_READ + 1].split())
    if len(text) > MOST_READ or len(code) > MOST_CHARACTERS:
        raise CodeError(f"too long for a code, which has at most {MOST_CHARACTERS} characters")
    if not code:
        raise CodeError("a code is missing: it has letters, digits, - and _")
    for sign in code:
        if not re.fullmatch(r"[\w-]", sign, re.ASCII):
            raise CodeError(f"{named(sign)} can't stand in a code: it has letters, digits, - and _")
    data = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)) if len(code) % 4 != 1 else b""
    if len(data) < 4 or _spelled(data) != code or _checksum(data[0], data[3:]) != data[1:3]:
        raise CodeError(_MISTYPED)
    if data[0] != VERSION:
        raise CodeError(f"a code of version {data[0]}; this program reads {VERSION}: a newer one may open it")
    reader = _Reader(int.from_bytes(data[3:], "big"))
    share = _follow(reader, None)
    if reader.rest != 1:
        raise CodeError(_MISTYPED)
    return share


def share_of(
    game: Game, controller: TurnController[Any, Any, Any], arguments: str, players: Mapping[str, str]
) -> Share:
    """The share of a game's present turn.

    Args:
        game: the controller is one of this game.
        controller: at the turn.
        arguments: that opened the level; empty: it may be a shipped one all the same, as in a recording.
        players: by seat; who is no strategy of the game itself is left out.

    Raises:
        CodeError: the level is none of this program's.
    """
    arguments = arguments or _shipped(game, controller)
    if not arguments:
        raise CodeError("a code holds levels of this program only, and this one is a file")
    with suppress(ValueError):
        if game.levels().named(arguments).players != players:
            other = with_options(arguments, players)
            game.levels().named(other)
            arguments = other
    actions = tuple(controller.rules.action_text(turn.action) for turn in controller.turn.line()[1:])
    return Share(game.name, arguments, actions, controller.level)


def _shipped(game: Game, controller: TurnController[Any, Any, Any]) -> str:
    """The name of the shipped level that a controller plays, with its own seed; empty where it is none."""
    levels = game.levels()
    packed = levels.pack_level(controller.level)
    for opening in levels.openings():
        if not opening.arguments.startswith("--"):
            found = levels.named(opening.arguments)
            if found.seed == controller.seed and levels.pack_level(found.load()) == packed:
                return opening.arguments
    return ""


def opening_of(share: Share) -> tuple[Game, Opening]:
    """The opening of a shared position, from which play goes on.

    Raises:
        CodeError: it names no level of this program.
    """
    game, opening = _find(share.game, share.arguments)
    return game, opening if share.level is None else opening.at(share.level, share.actions)


def _spelled(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def _checksum(version: int, data: bytes) -> bytes:
    """Two bytes; the same for codes of all versions, so that a newer one can be told from a mistyped one."""
    return hashlib.sha256(bytes([version]) + data).digest()[:2]


class _Digits(Protocol):
    """The large number, being written or read digit by digit."""

    def digit(self, weights: Sequence[int], wanted: int) -> int:
        """The next digit, below the number of weights: the wanted one, if it is written."""
        ...

    def uniform(self, values: int, wanted: int) -> int:
        """The next digit, of so many values that are equally likely: the wanted one, if it is written."""
        ...


class _Writer:
    def __init__(self) -> None:
        self._digits: list[tuple[int, int, int]] = []  # the weights before, its own, all

    def digit(self, weights: Sequence[int], wanted: int) -> int:
        self._digits.append((sum(weights[:wanted]), weights[wanted], sum(weights)))
        return wanted

    def uniform(self, values: int, wanted: int) -> int:
        self._digits.append((wanted, 1, values))
        return wanted

    def number(self) -> int:
        """The number from which a _Reader takes the digits in the order in which they were written."""
        number = 1
        for before, weight, total in reversed(self._digits):
            number, rest = divmod(number, weight)
            number = number * total + before + rest
        return number


class _Reader:
    def __init__(self, number: int) -> None:
        self.rest = number

    def digit(self, weights: Sequence[int], wanted: int) -> int:
        ends = list(accumulate(weights))
        self.rest, place = divmod(self.rest, ends[-1])
        digit = bisect_right(ends, place)
        self.rest = self.rest * weights[digit] + place - (ends[digit] - weights[digit])
        return digit

    def uniform(self, values: int, wanted: int) -> int:
        self.rest, digit = divmod(self.rest, values)
        return digit


def _follow(digits: _Digits, share: Share | None) -> Share:
    """Writes or reads all that stands in a code, in order; so the format is told once.

    The game's name and the arguments as a text; 16 bits of the level's hash; the version of the rules; the number of
    actions, its bits counted first; each action as its place among the legal ones, of which the one taken last is
    likelier. In a game with actions too many to list one place more stands for a text.
    """
    told = _text(digits, "", None if share is None else f"{share.game} {share.arguments}".rstrip())
    name, _, arguments = told.partition(" ")
    game, opening = _find(name, arguments)
    rules = game.rules()
    try:
        level = share.level if share is not None and share.level is not None else opening.load()
        state = rules.start(level, opening.seed)
    except ValueError as error:
        why = error.message if isinstance(error, LevelError) else error
        raise CodeError(f"its level can't be opened: {printable(str(why))}") from None
    level_bits = int(level_hash(game.levels().pack_level(level))[: _HASH_BITS // 4], 16)
    if digits.uniform(1 << _HASH_BITS, level_bits) != level_bits:
        raise CodeError(f"the level was changed since the code was made: {told}")
    version = digits.uniform(_RULES, rules.VERSION % _RULES)
    if version != rules.VERSION % _RULES:
        raise CodeError(f"made by rules {version} of the game; these are rules {rules.VERSION}")
    count = _count(digits, None if share is None else len(share.actions))
    actions: list[str] = []
    for ply in range(count):
        before = actions[-1] if actions else ""
        actions.append(_action(digits, rules, state, before, None if share is None else share.actions[ply]))
        try:
            state, _ = rules.step(state, rules.read_action(actions[-1]))
        except IllegalActionError as error:
            raise CodeError(f"after {turn_name(ply)} its next move is not legal: {error}") from None
        except ValueError:
            raise CodeError(
                f"after {turn_name(ply)} its next move is none of the game: {printable(actions[-1])}"
            ) from None
    return Share(name, arguments, tuple(actions), level)


def _find(name: str, arguments: str) -> tuple[Game, Opening]:
    game = find_game(name)
    if game is None:
        raise CodeError(f"no game is called {printable(name)!r} here")
    try:
        return game, game.levels().named(arguments)
    except ValueError as error:
        raise CodeError(f"no such level of the {name} here: {printable(str(error))}") from None


def _count(digits: _Digits, wanted: int | None) -> int:
    wanted = wanted or 0
    bits = digits.uniform(_LENGTH_DIGITS, wanted.bit_length())
    if not bits:
        return 0
    leading = 1 << bits - 1
    return leading + digits.uniform(leading, wanted - leading)


def _action(digits: _Digits, rules: Rules[Any, Any, Any], state: Any, before: str, wanted: str | None) -> str:
    listed = [rules.action_text(action) for action in rules.legal_actions(state)]
    weights = [_AGAIN if text == before else 1 for text in listed]
    if rules.UNLISTED:
        weights.append(1)
    place = len(listed)
    if wanted in listed:
        place = listed.index(wanted)
    elif wanted is not None and not rules.UNLISTED:
        raise CodeError(f"{printable(wanted)!r} is no legal move")
    if not weights:
        raise CodeError(_MISTYPED)
    place = digits.digit(weights, place)
    return listed[place] if place < len(listed) else _text(digits, before, wanted)


def _text(digits: _Digits, before: str, wanted: str | None) -> str:
    """A text of printable ASCII; signs that stand in the same place of the one before are likelier."""
    signs: list[str] = []
    likely = [_SIGNS.index(sign) for sign in (before and before + _END)]
    wanted = wanted and wanted + _END
    while len(signs) < _LONGEST_TEXT:
        weights = list(_LIKELIHOOD)
        if len(signs) < len(likely):
            weights[likely[len(signs)]] += _SAME_SIGN
        sign = wanted[len(signs)] if wanted else _END
        if sign not in _SIGNS:
            raise CodeError(f"{named(sign)} can't be put into a code")
        signs.append(_SIGNS[digits.digit(weights, _SIGNS.index(sign))])
        if signs[-1] == _END:
            return "".join(signs[:-1])
    raise CodeError(_MISTYPED)
