"""Share codes: a level of this program and a position in it, in at most 80 characters.

A code is data: the arguments that open the level, and actions. Opening one runs only the game's rules and generators.
A code is the URL-safe base64 (RFC 4648), without padding, of the version, two bytes of checksum, and a number in mixed
radix whose digits `follow` describes.
"""

import base64
import hashlib
import re
import string
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from dungeon_tui.core.catalogue import Game, Opening, find_games
from dungeon_tui.core.level import LevelError
from dungeon_tui.core.recording import level_hash
from dungeon_tui.core.rules import IllegalActionError, Rules
from dungeon_tui.core.text import named, printable
from dungeon_tui.core.turns import TurnController
from dungeon_tui.core.words import turn_name

VERSION = 1
MOST_CHARACTERS = 80
MOST_READ = 200  # characters of input, blanks and line ends included
MOST_ACTIONS = 1000  # more than any code can hold
_RULES = 64  # distinguishable versions of a game's rules
_FIRST_SIGN, _OTHER_SIGNS = ord(" "), 0x7F - ord(" ")  # of printable ASCII
_SIGNS = ["\n", "\0", *string.ascii_lowercase, *string.digits, *" -."]  # end of a text; one of the others follows
_LONGEST_TEXT = 400
_LONGEST_PREFIX = 16
_MISTYPED = "the code was mistyped or cut off: capital and small letters matter, and all of it is needed"


class CodeError(ValueError):
    """Raised when a text is no valid code, or a position can't be encoded; the message is one line."""


class TooLongError(CodeError):
    """Raised when a code would be too long."""


@dataclass(frozen=True, slots=True)
class Share:
    """A level of this program, and the actions that lead to a position in it."""

    game: str
    arguments: str  # of `GAME play`, which open the level: see Levels.named
    actions: tuple[str, ...] = ()  # as recordings write them
    level: Any = field(default=None, compare=False, repr=False)  # as it was opened; None: not yet


def encode(share: Share) -> str:
    """The code of a level or position. Raises TooLongError, or CodeError if the level or an action is unknown here."""
    if len(share.actions) > MOST_ACTIONS:
        raise TooLongError(f"{len(share.actions):,} moves are too many for a code")
    digits = Digits()
    follow(digits, share)
    code = spelled(VERSION, digits.number())
    if len(code) > MOST_CHARACTERS:
        raise TooLongError(f"this position takes {len(code):,} characters; a code holds {MOST_CHARACTERS}")
    return code


def decode(text: str) -> Share:
    """Decodes a level, which it opens, and a position. Ignores blanks and line ends. Raises CodeError: the reason."""
    code = "".join(text[: MOST_READ + 1].split())
    if len(text) > MOST_READ or len(code) > MOST_CHARACTERS:
        raise CodeError(f"too long for a code, which has at most {MOST_CHARACTERS} characters")
    if not code:
        raise CodeError("a code is missing: it has letters, digits, - and _")
    for sign in code:
        if not re.fullmatch(r"[\w-]", sign, re.ASCII):
            raise CodeError(f"{named(sign)} can't stand in a code: it has letters, digits, - and _")
    data = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)) if len(code) % 4 != 1 else b""
    number = int.from_bytes(data[3:], "big")
    if len(data) < 4 or spelled(data[0], number) != code:
        raise CodeError(_MISTYPED)
    if data[0] != VERSION:
        raise CodeError(f"a code of version {data[0]}; this program reads {VERSION}; a newer program may open it")
    digits = Digits(number)
    share = follow(digits, None)
    if digits.rest != 1:
        raise CodeError(_MISTYPED)
    return share


def share_of(
    game: Game, controller: TurnController[Any, Any, Any], arguments: str, players: Mapping[str, str]
) -> Share:
    """The share of a game's current turn; without `arguments` it searches the shipped levels. Raises CodeError."""
    arguments = arguments or _shipped(game, controller)
    if not arguments:
        raise CodeError("codes can't hold levels from files")
    with suppress(ValueError):
        if game.levels().named(arguments).players != players:
            other = game.commands().OPTIONS.read(arguments).combined(**players).arguments
            if game.levels().named(other).players == players:
                arguments = other
    actions = tuple(controller.rules.action_text(turn.action) for turn in controller.turn.line()[1:])
    return Share(game.name, arguments, actions, controller.level)


def _shipped(game: Game, controller: TurnController[Any, Any, Any]) -> str:
    """The name of the shipped level that a controller plays with its default seed; empty if there is none."""
    levels = game.levels()
    packed = levels.pack_level(controller.level)
    for opening in levels.openings():
        if not opening.arguments.startswith("--"):
            found = levels.named(opening.arguments)
            if found.seed == controller.seed and levels.pack_level(found.load()) == packed:
                return opening.arguments
    return ""


def opening_of(share: Share) -> tuple[Game, Opening]:
    """The opening that continues a shared position. Raises CodeError if its level is unknown."""
    game, opening = _find(share.game, share.arguments)
    return game, opening if share.level is None else opening.at(share.level, share.actions)


def spelled(version: int, number: int) -> str:
    """The characters of a code. All versions use this checksum, so that newer codes aren't reported as mistyped."""
    data = bytes([version]) + number.to_bytes((number.bit_length() + 7) // 8, "big")
    return base64.urlsafe_b64encode(data[:1] + hashlib.sha256(data).digest()[:2] + data[1:]).rstrip(b"=").decode()


class Digits:
    """A number in mixed radix, read digit by digit; or written, if none is given."""

    def __init__(self, number: int = 0) -> None:
        self._is_read = number > 0
        self.rest = number  # 1 after the last digit
        self._written: list[tuple[int, int]] = []

    def digit(self, radix: int, wanted: int = 0) -> int:
        """The next digit, from 0 to radix - 1; when writing, the wanted one."""
        if not self._is_read:
            self._written.append((radix, wanted))
            return wanted
        self.rest, digit = divmod(self.rest, radix)
        return digit

    def number(self) -> int:
        """The number of the written digits, the first one last, after a leading 1."""
        number = 1
        for radix, digit in reversed(self._written):
            number = number * radix + digit
        return number


def follow(digits: Digits, share: Share | None) -> Share:
    """Reads a code's parts in order, or writes those of `share`; one function does both, so that they agree.

    The parts: 8 bits of a hash of the game's name; the arguments; 16 bits of the level's hash; the version of the
    rules; each action as its index among the legal ones; one more index announces a text, in games with unlisted
    actions.
    """
    # The game, by a hash of its name.
    names = {hashlib.sha256(game.name.encode()).digest()[0]: game.name for game in find_games()}
    keys = {name: key for key, name in names.items()}
    if share is not None and share.game not in keys:
        raise CodeError(f"no game is called {printable(share.game)!r} here")
    name = names.get(digits.digit(256, 0 if share is None else keys[share.game]))
    if name is None:
        raise CodeError("its game is not here: a newer version of this program may have it")
    # The level that the arguments name, unless it was changed since.
    arguments = text(digits, "", None if share is None else share.arguments)
    game, opening = _find(name, arguments)
    rules = game.rules()
    try:
        level = share.level if share is not None and share.level is not None else opening.load()
        state = rules.start(level, opening.seed)
    except ValueError as error:
        why = error.message if isinstance(error, LevelError) else error
        raise CodeError(f"its level can't be opened: {printable(str(why))}") from None
    level_bits = int(level_hash(game.levels().pack_level(level))[:4], 16)
    if digits.digit(1 << 16, level_bits) != level_bits:
        raise CodeError(f"the level was changed since the code was made: {name} {arguments}".rstrip())
    # The version of the rules.
    version = digits.digit(_RULES, rules.VERSION % _RULES)
    if version != rules.VERSION % _RULES:
        raise CodeError(f"made by rules {version} of the game; these are rules {rules.VERSION}")
    # The actions; each changes what is legal next.
    actions: list[str] = []
    while digits.rest > 1 if share is None else len(actions) < len(share.actions):
        wanted = None if share is None else share.actions[len(actions)]
        actions.append(_action(digits, rules, state, actions[-1] if actions else "", wanted))
        try:
            state, _ = rules.step(state, rules.read_action(actions[-1]))
        except ValueError as error:
            why = error if isinstance(error, IllegalActionError) else f"{printable(actions[-1])} is none of the game"
            raise CodeError(f"after {turn_name(len(actions) - 1)} its next move is not legal: {why}") from None
    return Share(name, arguments, tuple(actions), level)


def _find(name: str, arguments: str) -> tuple[Game, Opening]:
    game = next(game for game in find_games() if game.name == name)
    try:
        return game, game.levels().named(arguments)
    except ValueError as error:
        why = error.message if isinstance(error, LevelError) else error
        raise CodeError(f"no such level of the {name} here: {printable(str(why))}") from None


def _action(digits: Digits, rules: Rules[Any, Any, Any], state: Any, before: str, wanted: str | None) -> str:
    listed = [rules.action_text(action) for action in rules.legal_actions(state)]
    if wanted is not None and wanted not in listed and not rules.UNLISTED:
        raise CodeError(f"{printable(wanted)!r} is no legal move")
    if wanted is None and not (listed or rules.UNLISTED):
        raise CodeError(_MISTYPED)
    values = max(2, len(listed) + bool(rules.UNLISTED))  # a digit of one value would not show that it is there
    index = digits.digit(values, listed.index(wanted) if wanted in listed else len(listed))
    if index >= len(listed) and not rules.UNLISTED:
        raise CodeError(_MISTYPED)
    return listed[index] if index < len(listed) else text(digits, before, wanted)


def text(digits: Digits, before: str, wanted: str | None) -> str:
    """A printable ASCII text: the length of the prefix shared with the text before, then the remaining signs."""
    same = next((index for index, pair in enumerate(zip(before, wanted or "", strict=False)) if len({*pair}) > 1), 0)
    text = before[: digits.digit(_LONGEST_PREFIX, min(same, _LONGEST_PREFIX - 1))]
    while len(text) < _LONGEST_TEXT:
        sign = "\n" if wanted is None or len(text) == len(wanted) else wanted[len(text)]
        if sign != "\n" and not 0 <= ord(sign) - _FIRST_SIGN < _OTHER_SIGNS:
            raise CodeError(f"{named(sign)} can't be put into a code")
        found = _SIGNS[digits.digit(len(_SIGNS), _SIGNS.index(sign) if sign in _SIGNS else 1)]
        if found == "\n":
            return text
        if found == "\0":
            found = chr(digits.digit(_OTHER_SIGNS, ord(sign) - _FIRST_SIGN) + _FIRST_SIGN)
        text += found
    raise CodeError(_MISTYPED)
