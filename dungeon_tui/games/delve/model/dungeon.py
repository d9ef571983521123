"""Reads dungeon files of any year, and writes them; docs/games/delve.md has the format.

Real files are often malformed. The reader accepts all it can, with a warning for each fault. For the rest it raises a
LevelError whose column is the byte, counted from 1, and whose message has the byte's offset, counted from 0.
"""

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count, permutations
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from dungeon_tui.core.board import ByteGrid
from dungeon_tui.core.files import UnwritableError, write_bytes
from dungeon_tui.core.grid import Cell
from dungeon_tui.core.level import LevelError, LevelFile
from dungeon_tui.games.delve.model.level import IMMUTABLE, OPEN, Level, Room, is_on_map

HEIGHT, WIDTH = 21, 80  # of nearly all files, and of all files written

_MARKER = b"RLG327"
_MOST = 0xFFFF  # rooms or stairs: the limit of the later layouts' counts
MOST_BYTES = 2**20  # of a file: twice the size with the most rooms and stairs
_ORDERS_IN_USE = ("xywh", "xwyh", "yxhw")  # of a room's four bytes
_ORDERS = (*_ORDERS_IN_USE, *sorted({*map("".join, permutations("xywh"))} - set(_ORDERS_IN_USE)))
_MOST_LISTED = 20  # warnings of one kind

_Rooms = NDArray[np.int32]  # (k, 4): row, col, height, width

_Endian = Literal["big", "little"]
_ENDIANS: tuple[_Endian, ...] = ("big", "little")


@dataclass(frozen=True, slots=True)
class _Layout:
    name: str
    marker: bytes
    height: int = HEIGHT
    width: int = WIDTH
    border: int = 0  # width of the frame that the file leaves out
    has_player: bool = False
    has_counts: bool = False  # True if rooms and stairs have counts; else rooms fill the rest
    order: str = "xywh"  # of a room's bytes

    @property
    def rooms_at(self) -> int:
        """Byte offset of the first room, or of the count of rooms."""
        stored = (self.height - 2 * self.border) * (self.width - 2 * self.border)
        return len(self.marker) + 8 + 2 * self.has_player + stored


_S2016 = _Layout("S2016", _MARKER, border=1)
_F2017 = _Layout("F2017", _MARKER, order="xwyh")
_S2019 = _Layout("S2019", b"RLG327-S2019", has_player=True, has_counts=True)
_LATER = (
    _Layout("S2017", b"RLG327-S2017", 105, 160),
    _Layout("S2018", b"RLG327-S2018", order="yxhw"),
    _Layout("F2018", b"RLG327-F2018", has_player=True),
    _S2019,
    replace(_S2019, name="S2021", marker=b"RLG327-S2021"),
    replace(_S2019, name="S2025", marker=b"RLG327-S2025"),
)
_LAYOUTS = {layout.marker: layout for layout in _LATER}
_NEWER = re.compile(rb"RLG327-([A-Z]20(19|[2-9][0-9]))")


def read_level(file: LevelFile) -> Level:
    """The dungeon of a file of any layout, with a warning for each fault. Raises LevelError, with the byte."""
    return _Reader(file).read()


def write_level(level: Level) -> bytes:
    """The level as a file of layout S2019. Raises LevelError if it does not fit, or has no player."""
    height, width = level.hardness.shape
    if (height, width) != (HEIGHT, WIDTH):
        raise LevelError(f"only {HEIGHT} x {WIDTH} cells can be written, this is {height} x {width}", level.name)
    if level.player is None:
        raise LevelError("can't be written without a player: give it a position", level.name)
    parts = [bytes([level.player.col, level.player.row]), level.hardness.tobytes()]
    parts += [_count("rooms", level.rooms, level.name)]
    for room in level.rooms:
        if not is_on_map(room, level.hardness):
            raise LevelError(f"{room} is off the map: can't be written", level.name)
        parts += [bytes([room.col, room.row, room.width, room.height])]
    for kind, stairs in ("up", level.stairs_up), ("down", level.stairs_down):
        parts += [_count(f"stairs {kind}", stairs, level.name), *(bytes([cell.col, cell.row]) for cell in stairs)]
    body = b"".join(parts)
    size = len(_S2019.marker) + 8 + len(body)
    return _S2019.marker + bytes(4) + size.to_bytes(4, "big") + body


class _Reader:
    """One reading of one file: the position, and the warnings so far."""

    def __init__(self, file: LevelFile) -> None:
        self.file = file
        self.data = file.data
        self.at = 0
        self.warnings: list[str] = []
        self.layout = self._find_layout()

    def read(self) -> Level:
        layout = self.layout
        self.at = len(layout.marker)
        version = self._number(4, "the version")
        if version != 0:
            self.warnings.append(f"the version is {version}, not 0: read as version 0")
        self._take(4, "the size field")
        player = Cell(*reversed(self._take(2, "the player"))) if layout.has_player else None
        hardness = self._hardness()
        room_bytes, ups, downs = self._counted() if layout.has_counts else (self._uncounted(hardness), None, None)
        self._check_end()
        rooms, odd = read_rooms(room_bytes, layout.order, hardness)
        self.warnings.extend(odd if room_bytes else ["no rooms"])
        if player is not None and (problem := _problem_of(player, hardness)) is not None:
            self.warnings.append(f"the player is {problem}, at {player.text}: left out")
            player = None
        up, down = (self._checked_stairs(*stairs, hardness) for stairs in ((ups, "up"), (downs, "down")))
        return Level(hardness, rooms, player, up, down, layout.name, tuple(self.warnings), self.file.name)

    def _take(self, count: int, what: str) -> bytes:
        end = self.at + count
        if end > len(self.data):
            message = (
                f"the file ends at byte {len(self.data)}, too early: {what} should be bytes {self.at} to {end - 1}"
            )
            raise LevelError(message, self.file.name, 1, len(self.data) + 1)
        taken = self.data[self.at : end]
        self.at = end
        return taken

    def _number(self, count: int, what: str, endian: _Endian = "big") -> int:
        return int.from_bytes(self._take(count, what), endian)

    def _size_field(self, endian: _Endian = "big") -> int:
        at = len(self.layout.marker) + 4
        return int.from_bytes(self.data[at : at + 4], endian)

    def _find_layout(self) -> _Layout:
        data = self.data
        if not data.startswith(_MARKER[: len(data)]):
            message = f"not a dungeon: it begins with {_shown(data[:6])} at byte 0, not with 'RLG327'"
            raise LevelError(message, self.file.name)
        self._take(len(_MARKER), "the marker RLG327")
        if not data.startswith(b"-", len(_MARKER)):
            return self._find_six_byte_layout()
        self.at = 0
        marker = self._take(len(_S2019.marker), "the marker")
        if marker in _LAYOUTS:
            return _LAYOUTS[marker]
        semester = _NEWER.fullmatch(marker)
        if semester is None:
            known = ", ".join(layout.name for layout in _LAYOUTS.values())
            message = f"unknown marker {_shown(marker)}: at byte 7 there must be a semester ({known})"
            raise LevelError(message, self.file.name, 1, 8)
        name = semester[1].decode()
        self.warnings.append(f"the semester {name} in the marker is unknown: read as S2019")
        return replace(_S2019, name=name, marker=marker)

    def _find_six_byte_layout(self) -> _Layout:
        """S2016 or F2017: by the size modulo 4, of the file and in its header; if these disagree, by the border."""
        data = self.data
        by_remainder = {layout.rooms_at % 4: layout for layout in (_S2016, _F2017)}
        claims = [int.from_bytes(data[10:14], endian) for endian in _ENDIANS]
        sizes = [size for size in (len(data), *claims) if _S2016.rooms_at <= size < 1 << 20]  # plausible ones
        witnesses = {by_remainder.get(size % 4) for size in sizes}
        top = data[14 : 14 + WIDTH]
        layout = _F2017 if top and not top.strip(bytes([IMMUTABLE])) else _S2016
        if witnesses == {layout}:
            return layout
        other = _S2016 if layout is _F2017 else _F2017
        if witnesses == {other}:
            return other
        has = "has" if layout is _F2017 else "lacks"
        self.warnings.append(f"its size doesn't tell S2016 from F2017: read as {layout.name}, since it {has} a border")
        return layout

    def _hardness(self) -> ByteGrid:
        layout = self.layout
        shape = layout.height - 2 * layout.border, layout.width - 2 * layout.border
        stored = np.frombuffer(self._take(shape[0] * shape[1], "the hardness"), np.uint8).reshape(shape)
        read = np.pad(stored, layout.border, constant_values=IMMUTABLE)
        grid = np.pad(read[1:-1, 1:-1], 1, constant_values=IMMUTABLE)
        odd = np.argwhere(grid != read).tolist()
        if odd:
            first = f"the first is {Cell(*odd[0]).text} with {read[*odd[0]]}"
            self.warnings.append(f"cells of the border that are not 255: {len(odd)} ({first}); read as immutable")
        grid.flags.writeable = False
        return grid

    def _counted(self) -> tuple[bytes, bytes, bytes]:
        """Bytes of the rooms, stairs up and stairs down, each after its count, which may be little-endian."""
        at = self.at
        try:
            return self._counted_as("big")
        except LevelError as error:
            self.at = at
            try:
                found = self._counted_as("little")
            except LevelError:
                raise error from None
            if self.at != len(self.data):
                raise
            self.warnings.append("the counts of rooms and stairs are little-endian")
            return found

    def _counted_as(self, endian: _Endian) -> tuple[bytes, bytes, bytes]:
        number = self._number(2, "the count of rooms", endian)
        rooms = self._take(4 * number, f"the {number} rooms announced")
        stairs: list[bytes] = []
        for kind in ("up", "down"):
            is_whole = len(self.data) in map(self._size_field, _ENDIANS)
            if self.at == len(self.data) and is_whole:  # the size field confirms that the file has no more
                stairs.append(b"")
                continue
            number = self._number(2, f"the count of stairs {kind}", endian)
            stairs.append(self._take(2 * number, f"the {number} stairs {kind} announced"))
        return rooms, stairs[0], stairs[1]

    def _uncounted(self, hardness: ByteGrid) -> bytes:
        """Bytes of the rooms that fill the rest; the size field tells how many if it is plausible."""
        start, length = self.at, len(self.data)
        present = min((length - start) // 4, _MOST)
        claims = [(size - start) // 4 for size in map(self._size_field, _ENDIANS) if (size - start) % 4 == 0]
        claims = [claim for claim in claims if 0 <= claim <= _MOST]
        smaller = [claim for claim in claims if claim <= present]
        if smaller:
            more = self.data[start + 4 * smaller[0] : start + 4 * present]
            if (length - start) % 4 or not _fits(_in_order(more, self.layout.order), hardness).all():
                present = smaller[0]  # the rest isn't rooms
        elif claims and (length - start) % 4:
            self.at = start + 4 * present
            self._take(4, f"room {present + 1} of {claims[0]}")
        return self._take(4 * present, "the rooms")

    def _check_end(self) -> None:
        end = self.at
        if self._size_field() != end:
            if self._size_field("little") == end:
                self.warnings.append("the size field is little-endian")
            else:
                self.warnings.append(f"the size field says {self._size_field()} bytes, the dungeon takes {end}")
        if len(self.data) > end:
            self.warnings.append(f"bytes after the end of the dungeon: {len(self.data) - end}, from byte {end} on")

    def _checked_stairs(self, stairs: bytes | None, kind: str, hardness: ByteGrid) -> tuple[Cell, ...]:
        """The stairs on the map; warns of odd ones, and of none unless the layout has no stairs (None)."""
        if stairs is not None and not stairs:
            self.warnings.append(f"no stairs {kind}")
        stairs = stairs or b""
        cells = [Cell(row, col) for col, row in zip(stairs[::2], stairs[1::2], strict=True)]
        inside = tuple(cell for cell in cells if cell.is_inside(*hardness.shape))
        problems = []
        for number, cell in enumerate(cells, 1):
            if problem := _problem_of(cell, hardness):
                left = "" if cell.is_inside(*hardness.shape) else ": left out"
                problems.append(f"stairs {kind} {number}, at {cell.text}, are {problem}{left}")
        self.warnings.extend(_shortened(problems, f"stairs {kind}"))
        return inside


def _problem_of(cell: Cell, hardness: ByteGrid) -> str | None:
    if not cell.is_inside(*hardness.shape):
        return "off the map"
    return None if hardness[cell] == OPEN else f"in rock of hardness {hardness[cell]}"


# Rooms as bytes


def read_rooms(room_bytes: bytes, order: str, hardness: ByteGrid) -> tuple[tuple[Room, ...], list[str]]:
    """The rooms of a file, with their bytes in the order that fits the map; and warnings about them.

    If one order fits all rooms, it is used for all. Else each room that the best order doesn't fit is tried in the
    others in use; a room that none fits is accepted if it is on the map.

    Rule: "A room whose cells are not all of hardness 0 in the table's order is tried in the other orders; report the
    order that fits."
    """
    # The order that fits all rooms, or else most of them.
    fitting = {order: _fits(_in_order(room_bytes, order), hardness)}
    if not fitting[order].all():
        fitting |= {other: _fits(_in_order(room_bytes, other), hardness) for other in _ORDERS if other != order}
    best = next((some for some, fit in fitting.items() if fit.all()), None)
    if best is None:
        best = max((order, *_ORDERS_IN_USE), key=lambda some: int(fitting[some].sum()))
    warnings = []
    if best != order:
        warnings.append(f"the rooms' bytes are in the order {' '.join(best)}, not {' '.join(order)}")

    # Correct or drop single rooms that it doesn't fit.
    rooms = _in_order(room_bytes, best)
    accepted = np.ones(len(rooms), bool)
    problems: list[str] = []
    for index in np.flatnonzero(~fitting[best]).tolist():
        other = next((some for some in _ORDERS_IN_USE if fitting[some][index]), None)
        if other is not None:
            rooms[index] = _in_order(room_bytes[4 * index : 4 * index + 4], other)[0]
            problem = f"'s bytes are in the order {' '.join(other)}"
        else:
            problem, accepted[index] = _room_problem(Room(*rooms[index].tolist()), hardness)
        problems.append(f"room {index + 1}{problem}")
    warnings += _shortened(problems, "rooms")
    return tuple(map(Room, *rooms[accepted].T.tolist())), warnings


def _shortened(problems: list[str], what: str) -> list[str]:
    rest = len(problems) - _MOST_LISTED
    return problems if rest <= 0 else [*problems[:_MOST_LISTED], f"and {rest} more such {what}"]


def _in_order(room_bytes: bytes, order: str) -> _Rooms:
    """The rooms as rows of (y, x, h, w), from bytes in the order of the letters."""
    columns = [order.index(letter) for letter in "yxhw"]
    return np.frombuffer(room_bytes, np.uint8).reshape(-1, 4)[:, columns].astype(np.int32)


def _fits(rooms: _Rooms, hardness: ByteGrid) -> NDArray[np.bool_]:
    height, width = hardness.shape
    opened = np.zeros((height + 1, width + 1), np.int32)  # number of open cells above and left of each corner
    opened[1:, 1:] = (hardness == OPEN).cumsum(0).cumsum(1)
    top, left, rows, cols = rooms.T
    bottom, right = top + rows, left + cols
    is_on_map = (rows > 0) & (cols > 0) & (bottom <= height) & (right <= width)
    top, left, bottom, right = (np.where(is_on_map, edge, 0) for edge in (top, left, bottom, right))
    open_cells = opened[bottom, right] - opened[top, right] - opened[bottom, left] + opened[top, left]
    is_fitting: NDArray[np.bool_] = is_on_map & (open_cells == rows * cols)
    return is_fitting


def _room_problem(room: Room, hardness: ByteGrid) -> tuple[str, bool]:
    """The fault of a room, as words that follow its number, and True if the room is accepted anyway."""
    size = f"{room.height} x {room.width} cells from {Cell(room.row, room.col).text} on"
    if room.height == 0 or room.width == 0:
        return f" is empty ({size}): left out", False
    if not is_on_map(room, hardness):
        return f" reaches off the map ({size}): left out", False
    rock = int(np.count_nonzero(hardness[room.area]))
    return f" covers rock ({size}, {rock} of them not open)", True


# The course's own path


def home() -> Path:
    """The file of the course's programs. Raises LevelError if the user has no home directory."""
    try:
        return Path.home() / ".rlg327" / "dungeon"
    except RuntimeError:
        raise LevelError("there is no home directory: HOME is not set", "~/.rlg327/dungeon") from None


def keep(level: Level, target: Path | None) -> Path | None:
    """Writes a level to a file, replacing it; without a target to `home()`. Returns the backup of `home()`, if any."""
    data = write_level(level)
    path = home() if target is None else target
    try:
        if target is None:
            path.parent.mkdir(exist_ok=True)
        backup = _back_up(path) if path.exists() and _is_home(path) else None
        write_bytes(path, data)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        raise UnwritableError(path, error) from None
    return backup


def _is_home(path: Path) -> bool:
    with suppress(LevelError):
        return path.resolve() == home().resolve()
    return False


def _back_up(path: Path) -> Path:
    """Copies a file to NAME.bak, or NAME.bak2, NAME.bak3 ... to overwrite no backup; returns the copy."""
    for number in count(1):
        backup = path.with_name(f"{path.name}.bak{number if number > 1 else ''}")
        with suppress(FileExistsError), backup.open("xb") as copy:
            copy.write(path.read_bytes())
            break
    return backup


def _count(what: str, things: tuple[object, ...], name: str) -> bytes:
    if len(things) > _MOST:
        raise LevelError(f"at most {_MOST:,} {what} can be written, these are {len(things):,}", name)
    return len(things).to_bytes(2, "big")


def _shown(data: bytes) -> str:
    return "'" + "".join(chr(byte) if 32 <= byte < 127 else f"\\x{byte:02x}" for byte in data) + "'"
