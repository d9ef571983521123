"""Dungeon files of every layout for the tests, built byte by byte."""

HEIGHT, WIDTH = 21, 80
ROOMS = [(2, 3, 4, 6), (10, 40, 5, 9), (14, 12, 3, 4)]  # row, col, height, width
PLAYER = (3, 5)  # row, col
UPS, DOWNS = [(2, 3), (11, 41)], [(14, 12)]
COUNTED = ("S2019", "S2021", "S2025")
LAYOUTS = ("S2016", "F2017", "S2017", "S2018", "F2018", *COUNTED)
ORDERS = {"F2017": "xwyh", "S2018": "yxhw"}


def rock(height: int = HEIGHT, width: int = WIDTH, rooms: list[tuple[int, int, int, int]] = ROOMS) -> list[bytearray]:
    """Rows of hardness with open rooms, a corridor on row 4 and a border."""
    rows = [bytearray(1 + (7 * row + 3 * col) % 254 for col in range(width)) for row in range(height)]
    for row in (0, height - 1):
        rows[row] = bytearray([255] * width)
    for row in rows:
        row[0] = row[-1] = 255
    for top, left, down, right in rooms:
        for row in range(top, top + down):
            rows[row][left : left + right] = bytes(right)
    rows[4][9:30] = bytes(21)
    return rows


def room_bytes(rooms: list[tuple[int, int, int, int]], order: str) -> bytes:
    letters = [dict(zip("yxhw", room, strict=True)) for room in rooms]
    return bytes(room[letter] for room in letters for letter in order)


def build(
    layout: str,
    *,
    rows: list[bytearray] | None = None,
    rooms: list[tuple[int, int, int, int]] = ROOMS,
    order: str | None = None,
    player: tuple[int, int] = PLAYER,
    ups: list[tuple[int, int]] = UPS,
    downs: list[tuple[int, int]] = DOWNS,
    marker: bytes | None = None,
    version: int = 0,
    size: int | None = None,
    after: bytes = b"",
    size_endian: str = "big",
    count_endian: str = "big",
) -> bytes:
    """A file of the layout; what is not given is as it should be."""
    if rows is None:
        rows = rock(105, 160) if layout == "S2017" else rock()
    cells = b"".join(row[1:-1] for row in rows[1:-1]) if layout == "S2016" else b"".join(rows)
    body = cells
    if layout in ("F2018", *COUNTED):
        body = bytes([player[1], player[0]]) + body
    if layout in COUNTED:
        body += len(rooms).to_bytes(2, count_endian)
    body += room_bytes(rooms, order or ORDERS.get(layout, "xywh"))
    if layout in COUNTED:
        for stairs in (ups, downs):
            body += len(stairs).to_bytes(2, count_endian)
            body += b"".join(bytes([col, row]) for row, col in stairs)
    if marker is None:
        marker = b"RLG327" if layout in ("S2016", "F2017") else b"RLG327-" + layout.encode()
    whole = len(marker) + 8 + len(body)
    field = (whole if size is None else size).to_bytes(4, size_endian)
    return marker + version.to_bytes(4, "big") + field + body + after
